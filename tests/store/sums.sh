#!/bin/bash
# Compares sums that the server makes over many traces with those of a file's rows, byte for byte: reports on
# block I/O over 26 traces of several formats with different counted actions, and sums beyond 64 bits.
#
#     tests/store.sh sums
#     STORE_URL=http://127.0.0.1:PORT tests/store/sums.sh       on another server
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
if [ -n "${STORE_URL:-}" ]; then
    url=$STORE_URL
else
    server_find
    servers_know
    url=${stores[1]}
fi

data=$root/testdata
tracetool -q store init "$url/sums"
for ((i = 0; i < 18; i++)); do
    write_log "$i.po" $((20 + i)) $((i * 997))
done
# Two logs without completions, which count other actions: D and Q.
sed 's/\tC\t/\tD\t/; 3s/\tD\t/\tQ\t/' 3.po >18.po
sed 's/\tC\t/\tQ\t/' 4.po >19.po
# One with both actions, only one of which is counted.
sed '2~2s/\tC\t/\tD\t/; s/process/it'\''s "\\/' 5.po >20.po
for ((i = 0; i <= 20; i++)); do
    tracetool -q -d all.db import -n "$(printf %02d $i)" "$i.po"
done
for file in most/small.po most/damaged/several.po blktrace/ok/kernel.bin blkparse/ok/tails.txt \
    androtrace/ok/deleted.ufls; do
    tracetool -q -d all.db import -n "${file//\//-}" "$data/$file"
done
tracetool -q -d all.db push --to "$url/sums" --events
expect "there are traces" [ "$(tracetool -d "$url/sums" list --format tsv | grep -vc '^#')" = 26 ]

proxy_start none "${url##*:}" --match bitShiftRight
trap 'proxy_end; rm -rf "$work"' EXIT

# same SUMS WHAT STORE COMMAND…: compares file STORE.db and the store, and checks how many tables the server
# summed.
same() {
    tracetool -d "$3.db" "${@:4}" >wanted.txt 2>said.txt
    echo "status $?" >>wanted.txt
    sed "s|$3.db|PLACE|g" said.txt >>wanted.txt
    proxy_become none 0
    tracetool -d "$proxy/$3" "${@:4}" >got.txt 2>said.txt
    echo "status $?" >>got.txt
    sed "s|$proxy/$3|PLACE|g" said.txt >>got.txt
    check "$2" wanted.txt got.txt
    [ "$1" = any ] || expect "$2: sums: $(grep -c none proxy.log)" [ "$(grep -c none proxy.log)" = "$1" ]
}
mv all.db sums.db

# Three actions are counted: C, D and Q.
same 6 "rw" sums report rw
same 3 "iosize" sums report iosize --format json
same 3 "blocktype" sums report blocktype
same 3 "filetype" sums report filetype --format csv
same 3 "process" sums report process --top 3
same 1 "of one action" sums report process --action D -t 18 -t 20
same 0 "by trace" sums report rw --by-trace
same 0 "one trace" sums report rw -t 03
same 0 "two traces, compared" sums compare 03 04 rw
same 0 "events" sums report rw --process process1
same 0 "all actions" sums report popularity
for report in alignment concentration files hourly locality partition runs seeks summary; do
    same any "$report" sums report $report --format tsv
done
same any "a page" sums page --no-plots -o - --date 2026-01-01 rw iosize

# If the server returns no sums, the rows of each trace are fetched and counted.
tracetool -d sums.db report rw >wanted.txt 2>said.txt
proxy_become empty 0
tracetool -d "$proxy/sums" report rw >got.txt 2>said.txt
check "emptied sums: $(<said.txt)" wanted.txt got.txt
expect "sums were emptied" [ "$(grep -c empty proxy.log)" -gt 0 ]

# --- sums beyond 64 bits

tracetool -q store init "$url/wide"
for i in 1 2 3; do
    write_log "wide-$i.po" 1 $i
    tracetool -q -d wide.db import -n "$i" "wide-$i.po"
done
# 2^62, 2^62 - 1 and 1 bytes, all of the same size class.
python3 -c '
import sqlite3
wide = sqlite3.connect("wide.db")
wide.execute("UPDATE rollup_size SET bytes = CASE trace WHEN 1 THEN 1 << 62 WHEN 2 THEN (1 << 62) - 1 ELSE 1 END")
wide.commit()'
tracetool -q -d wide.db push --to "$url/wide"
same 2 "the largest sum that fits" wide report rw -t 1 -t 2 --format tsv
expect "it is that" grep -q 9223372036854775807 wanted.txt
same 1 "sums beyond 64 bits: iosize" wide report iosize
same any "sums beyond 64 bits: rw" wide report rw
finish ""
