#!/bin/bash
# The formats androtrace and most-binary against what their generator played: every event, a few
# reports, folders and --append.
#
#     BUILD=build tests/androtrace.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

androtrace=$root/testdata/androtrace
binary=$root/testdata/most-binary

# Every event of the trace, as events.tsv has them. The last but four is the pid, or the id of a
# SQLite record.
events() {
    sqlite3 -readonly -tabs "$1" "SELECT e.time, n.kind, n.text, e.flags, e.address, e.size,
        e.duration, e.value, ifnull(a.pid, a.code), a.name, o.name, o.type, o.device
        FROM event AS e JOIN name AS n ON n.id = e.operation LEFT JOIN actor AS a ON a.id = e.actor
        LEFT JOIN object AS o ON o.id = e.object ORDER BY e.id" >"$2" 2>&1
}

check_events() {
    events "$3" got.tsv
    check "$1: events" "$2/events.tsv" got.tsv
}

# check_reports WHAT EXPECTED DATABASE FORMAT
check_reports() {
    local report

    for report in rw filetype blocktype hourly; do
        if [ "$4" = androtrace ]; then
            check_rows "$1" "$2/$report.tsv" "$3" $report
        fi
    done
    # The other format states no flushes and no block types.
    if [ "$4" = most-binary ]; then
        grep -v '^flush	0' "$2/rw.tsv" >wanted.tsv
        check_rows "$1" wanted.tsv "$3" rw
        for report in filetype hourly; do
            awk 'BEGIN { FS = OFS = "\t" } $6 == 0 { $6 = "" } { print }' "$2/$report.tsv" >wanted.tsv
            check_rows "$1" wanted.tsv "$3" $report
        done
        tracetool -d "$3" report blocktype 2>got.txt
        expect "$1: no block types" grep -q 'not in the log of trace .*: block types' got.txt
    fi
}

# check_trace WHAT DATABASE FORMAT VARIANT START UTC-OFFSET
check_trace() {
    sqlite3 -readonly "$2" "SELECT format, variant, datetime(start / 1000000000, 'unixepoch'),
        utc_offset FROM trace" >got.txt
    echo "$3|$4|$5|$6" >wanted.txt
    check "$1: the trace" wanted.txt got.txt
}

# check_good FILE EXPECTED FORMAT VARIANT START UTC-OFFSET [OPTION…]
check_good() {
    import_as good.db "$1" "${@:7}"
    check_events "${1##*/}" "$2" good.db
    check_reports "${1##*/}" "$2" good.db "$3"
    check_derived "${1##*/}" good.db
    check_trace "${1##*/}" good.db "$3" "$4" "$5" "$6"
}

good_files() {
    local file wanted=$androtrace/expected/session

    for file in session.uio size-zero.uio size-wrong.uio split; do
        check_good "$androtrace/ok/$file" "$wanted" androtrace binary "2014-04-26 10:00:00" 540
    done
    check_good "$androtrace/ok/session.uio" "$wanted" androtrace binary "2014-04-26 21:00:00" -120 \
        --utc-offset -0200
    import_as good.db "$androtrace/ok/deleted.ufls"
    check_events deleted.ufls "$androtrace/expected/deleted" good.db
    wanted=$binary/expected/session
    for file in unix yyyymmdd yymmdd; do
        check_good "$binary/ok/$file.bin" "$wanted" most-binary $file "2014-04-26 19:00:00" ""
    done
    # Decimal times are local, Unix seconds are not.
    import_as good.db "$binary/ok/yymmdd.bin" --utc-offset +0900
    check_trace "yymmdd.bin at +0900" good.db most-binary yymmdd "2014-04-26 10:00:00" 540
    check_reports "yymmdd.bin at +0900" "$wanted" good.db most-binary
    import_as good.db "$binary/ok/unix.bin" --utc-offset +0900
    check_trace "unix.bin at +0900" good.db most-binary unix "2014-04-26 19:00:00" 540
}

# Packed and through a pipe.
other_ways() {
    gzip -c "$androtrace/ok/session.uio" >session.uio.gz
    import_as good.db session.uio.gz
    check_events session.uio.gz "$androtrace/expected/session" good.db
    rm -f good.db
    expect "stdin" tracetool -q -d good.db import -n log - <"$binary/ok/unix.bin"
    check_events stdin "$binary/expected/session" good.db
}

# The rest of a trace, appended file by file: times go on from the first record. Requests that were
# under way when a file ended have lost their latency, and none is here.
append() {
    local part

    rm -f append.db
    for part in "$androtrace"/ok/split/*.uio; do
        if [ -e append.db ]; then
            tracetool -q -d append.db import --append -n log "$part" 2>append.txt
        else
            tracetool -q -d append.db import -n log "$part" 2>append.txt
        fi || fail "append ${part##*/}" append.txt
    done
    check_events "appended" "$androtrace/expected/session" append.db androtrace
    check_reports "appended" "$androtrace/expected/session" append.db androtrace
    check_derived "appended" append.db
}

# File types by the configuration's list, and dump.
other_reports() {
    echo "file_types: realtime" >realtime.yaml
    import_as good.db "$androtrace/ok/session.uio" -c realtime.yaml
    sqlite3 -readonly good.db "SELECT count(*) FROM object WHERE type NOT IN ('sqlite-db',
        'sqlite-journal', 'sqlite-other', 'multimedia', 'executable', 'resource', 'miscellaneous')
        UNION ALL SELECT count(DISTINCT type) FROM object" >got.txt
    printf '0\n7\n' >wanted.txt
    check "file types of the list realtime" wanted.txt got.txt
    tracetool -d good.db dump >dump.txt 2>&1
    expect "dump: a life-span" grep -Eq ' delete \[.*\] .* [0-9]+ bytes age ' dump.txt
    expect "dump: a suspend" grep -q ' SYNCING_DONE$' dump.txt
    expect "dump: SQLite" grep -Eq ' sqlite-[0-9]+ /data/data/' dump.txt
    expect "dump: a request" grep -Eq ' C [FD]*[RW]S? [0-9]+ \+ [0-9]+ \[.*\] .* latency ' dump.txt
}

good_files
other_ways
append
other_reports
finish "androtrace: "
