#!/bin/bash
# Tests how traces of a store are chosen and ordered, and what is refused.
#
#     tests/store.sh reading
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/../formats.sh"
# shellcheck source=tests/store/servers.sh
. "$tests/store/servers.sh"
server_find
servers_know

store=${stores[1]}/reading
tracetool -q store init "$store"
data=$root/testdata

# Three machines; two of them have different logs with the same trace name.
tracetool -q -d a.db import -n log --device phone "$data/most/small.po"
write_log more.po 500 7
tracetool -q -d b.db import -n log --device tablet more.po
tracetool -q -d c.db import -n calls "$data/palmist/ok/small.raw"
tracetool -q -d c.db import -n damaged --device watch "$data/most/damaged/several.po"
for name in a b; do tracetool -q -d $name.db push --to "$store" --events; done
tracetool -q -d c.db push --to "$store"

# ends STATUS WHAT WORDS COMMAND…: checks the status, that nothing is printed, and the words of the message.
ends() {
    tracetool -d "$store" "${@:4}" >got.txt 2>said.txt
    expect "$2: status" [ $? -eq "$1" ]
    expect "$2: nothing is printed" [ ! -s got.txt ]
    expect "$2: $(head -n 1 said.txt)" grep -q -e "$3" said.txt
}

tracetool -d "$store" list --format tsv | grep -v '^#' | cut -f 1,4 >got.txt
printf '%s\t%s\n' calls 46 log 52 log 500 damaged 6 >wanted.txt
check "list is in the order of start, device and name" wanted.txt got.txt
tracetool -d "$store" list --rejected --format tsv | grep -v '^#' | cut -f 1,7 >got.txt
printf '%s\t%s\n' damaged 5 >wanted.txt
check "list --rejected" wanted.txt got.txt
tracetool -d "$store" list --format tsv | grep '^log' | cut -f 1,12,13 >got.txt
for name in a b; do tracetool -d $name.db list --hashes --format tsv | grep '^log' | cut -f 1,12,13; done >wanted.txt
check "list has device and hash" wanted.txt got.txt

ends 1 "a name of two traces" "'log' is ambiguous: 2 traces match: [0-9a-f]* (phone/log), [0-9a-f]* (tablet/log)" report rw -t log
hash=$(sed 's/.*traces match: \([0-9a-f]*\) (phone.*/\1/' said.txt)
tracetool -d a.db report rw >wanted.txt
tracetool -d "$store" report rw -t phone/log >got.txt
check "device and name" wanted.txt got.txt
tracetool -d "$store" report rw -t "$hash" >got.txt
check "the hash" wanted.txt got.txt
tracetool -d "$store" report rw -t "${hash:0:4}" >got.txt
check "the beginning of the hash" wanted.txt got.txt
tracetool -d a.db report rw -t "${hash:0:4}" >got.txt
check "the same of a file" wanted.txt got.txt
tracetool -d "$store" page --no-plots -o page.html rw 2>said.txt
status=$?
expect "a page of two of one name: $(<said.txt)" [ $status -eq 0 ]
ends 1 "three digits of it" 'there is no trace' report rw -t "${hash:0:3}"
tracetool -d b.db report rw --process process1 >wanted.txt
tracetool -d "$store" report rw -t tablet/log --process process1 >got.txt
check "ids of a second trace's names are its own" wanted.txt got.txt

tracetool -d "$store" report seeks -t tablet/log --most-rows 500 >got.txt
tracetool -d b.db report seeks >wanted.txt
check "as many events as are allowed" wanted.txt got.txt
ends 1 "one event more" 'more than the limit of 499.*--most-rows' report seeks -t tablet/log --most-rows 499
write_log long.po 3000 7
tracetool -q -d long.db import -n long long.po
tracetool -q -d long.db push --to "$store" --events
tracetool -d "$store" report seeks -t long --from 2 --to 4 --most-rows 102 >got.txt 2>said.txt
tracetool -d long.db report seeks --from 2 --to 4 >wanted.txt
check "as many events as are in the time: $(<said.txt)" wanted.txt got.txt
ends 1 "one event less" 'more than the limit of 101.*--from and --to' report seeks -t long --from 2 --to 4 --most-rows 101
tracetool -q -d "$store" remove long
ends 1 "without events" 'trace damaged was pushed without its events.*push --events' report seeks -t damaged
tracetool -d c.db report rw -t damaged >wanted.txt
tracetool -d "$store" report rw -t damaged --most-rows 1 >got.txt
check "rollups are no events" wanted.txt got.txt

for command in dump check; do
    ends 2 "$command" "$command works on a database file" $command
done
ends 2 "sql" 'sql works on a database file' sql 'SELECT 1'
ends 2 "plot sql" 'plot sql reads a database file' plot sql 'SELECT 1, 2' -o x.png
ends 2 "import" 'import works on a database file' import more.po

# A report fetches only the rollups that it reads, for half as many traces if an answer is too long.
proxy_start lengthy "${http_ports[1]}" --match rollup_size --times 1
trap 'proxy_end; rm -rf "$work"' EXIT
tracetool -d "$store" report rw >wanted.txt 2>/dev/null
tracetool -d "$proxy/reading" report rw >got.txt 2>said.txt
status=$?
expect "an answer that is too long: $(<said.txt)" [ $status -eq 0 ]
check "in halves" wanted.txt got.txt
expect "one answer was too long" [ "$(grep -c lengthy proxy.log)" = 1 ]
proxy_end
proxy_start denied "${http_ports[1]}" --match 'rollup_([^sl]|span)|inode|by_default'
tracetool -d "$store" report rw >wanted.txt 2>/dev/null
tracetool -d "$proxy/reading" report rw >got.txt 2>said.txt
check "nobody asks for tables that are not read" wanted.txt got.txt
proxy_end

# Fetches events only of traces with calls open at the end.
open=${stores[1]}/open
tracetool -q store init "$open"
tracetool -q -d open.db import -n ended "$data/dwtrace/ok/program.dwt"
tracetool -q -d open.db import -n stopped "$data/dwtrace/ok/stopped.dwt"
tracetool -q -d open.db push --to "$open"
tracetool -d "$open" report functions --by trace >got.txt 2>said.txt
expect "open calls without events: $(<said.txt)" grep -q 'trace stopped was pushed without its events' said.txt
tracetool -q -d open.db push --to "$open" -t stopped --events
tracetool -d open.db report functions --by trace >wanted.txt 2>/dev/null
tracetool -d "$open" report functions --by trace >got.txt 2>said.txt
check "open calls of one of two traces: $(<said.txt)" wanted.txt got.txt

# Two traces of the same name are distinguished if all are chosen, and summed.
tracetool -d "$store" report popularity 2>/dev/null | grep -c '^# trace log' >got.txt
echo 2 >wanted.txt
check "both are counted" wanted.txt got.txt
tracetool -d "$store" list --format tsv | awk -F '\t' '$1 == "log" {print "log [" substr($13, 1, 8) "]"}' | sort >wanted.txt
expect "two of them" [ "$(wc -l <wanted.txt)" = 2 ]
tracetool -d "$store" report rw --by-trace -t phone/log -t tablet/log --format tsv | grep '^# trace ' >lines.txt
sed 's/^# trace \(.*\]\).*/\1/' lines.txt | sort -u >got.txt
check "by trace they have their hashes" wanted.txt got.txt
for pair in "phone/log tablet/log" "$hash tablet/log"; do
    # shellcheck disable=SC2086 # two words
    tracetool -d "$store" compare $pair rw --format tsv | grep -o 'log \[[0-9a-f]*\]' | sort -u >got.txt
    check "compared, too: $pair" wanted.txt got.txt
done
tracetool -d a.db report rw >wanted.txt
tracetool -d "$store" report rw -t phone/log >got.txt
check "one of them alone has its name" wanted.txt got.txt
tracetool -q -d "$store" remove tablet/log
tracetool -d a.db report rw >wanted.txt
tracetool -d "$store" report rw -t log >got.txt
check "what was removed is not seen" wanted.txt got.txt
finish ""
