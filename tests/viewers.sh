#!/bin/bash
# Exports for viewers: Chrome's Trace Event JSON and speedscope's, read back by Python. They hold as many
# slices and as much time as SQL finds in the rows, and what viewers demand of them.
#
#     BUILD=build tests/viewers.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

# read_back FORMAT [OPTION…]: of the trace log in log.db, with the filters; what Python finds in got.tsv.
read_back() {
    expect "export as $1" tracetool -d log.db export log --as "$1" -o "out.$1" "${@:2}" 2>said.txt
    if ! python3 "$tests/export_json.py" "$1" "out.$1" >got.tsv 2>err.txt; then
        fail "what viewers demand of $1" err.txt
    fi
}

# wanted SELECT…: rows of name, slices, nanoseconds.
wanted() {
    sqlite3 -readonly -tabs log.db "$1" >wanted.tsv
}

# Calls with what they took; open ones (flag 4) have no end in chrome's form, and end with the log in
# speedscope's. Data records (1) and exits without entries (2) are points.
spans() {
    local what=$1

    import_as log.db "${@:2}"
    wanted "SELECT n.text, count(*), sum(iif(flags & 4, 0, duration)) FROM event e JOIN name n ON n.id = operation
        WHERE coalesce(flags, 0) & 3 = 0 AND (duration IS NOT NULL OR flags & 4) GROUP BY 1"
    sqlite3 -readonly -tabs log.db "SELECT 'instants', count(*) FROM event WHERE coalesce(flags, 0) & 3
        OR (duration IS NULL AND NOT coalesce(flags, 0) & 4) HAVING count(*)" >>wanted.tsv
    read_back chrome
    check_sorted "$what: as chrome"
    python3 "$tests/export_json.py" threads out.chrome >threads.tsv
    expect "$what: threads" [ "$(awk -F'\t' '{ n += $3 } END { print n + 0 }' threads.tsv)" = \
        "$(sqlite3 -readonly log.db 'SELECT count(*) FROM event')" ]
    wanted "SELECT n.text, count(*), sum(coalesce(e.duration, o.duration, t.last_time - e.time)) FROM event e
        JOIN name n ON n.id = operation JOIN trace t LEFT JOIN open_call o ON o.event = e.id
        WHERE coalesce(flags, 0) & 3 = 0 AND (e.duration IS NOT NULL OR flags & 4) GROUP BY 1"
    read_back speedscope
    check_sorted "$what: as speedscope"
}

check_sorted() {
    LC_ALL=C sort -o wanted.tsv wanted.tsv
    LC_ALL=C sort -o got.tsv got.tsv
    check "$1" wanted.tsv got.tsv
}

# Points in time.
calls() {
    import_as log.db "$2"
    sqlite3 -readonly -tabs log.db "SELECT 'instants', count(*) FROM event" >wanted.tsv
    read_back chrome
    check "$1: as chrome" wanted.tsv got.tsv
    read_back speedscope
    : >wanted.tsv
    check "$1: as speedscope" wanted.tsv got.tsv
    expect "$1: what is left out is told" grep -q 'not in it, [0-9]* times: events without a duration' said.txt
}

# In order of thread and time, actor, begin, end and name: those that lie in or behind what their thread does
# when they begin; with name, how many and how long.
nested() {
    awk -F'\t' '$1 != thread { depth = 0; thread = $1 }
        { while (depth && ends[depth] <= $2) depth-- }
        !depth || $3 <= ends[depth] { ends[++depth] = $3; n[$4]++; sum[$4] += $3 - $2 }
        END { for (name in n) printf "%s\t%d\t%d\n", name, n[name], sum[name] }'
}

# With what they took: of strace's, which are slices where there is a duration. One that overlaps the one
# before it in its thread, without lying in it, is there, too, but not for speedscope.
timed_calls() {
    import_as log.db "$2"
    wanted "SELECT n.text, count(*), sum(duration) FROM event e JOIN name n ON n.id = operation
        WHERE duration IS NOT NULL GROUP BY 1"
    sqlite3 -readonly -tabs log.db "SELECT 'instants', count(*) FROM event WHERE duration IS NULL
        HAVING count(*)" >>wanted.tsv
    read_back chrome
    check_sorted "$1: as chrome"
    sqlite3 -readonly -tabs log.db "SELECT actor, time, time + duration, n.text FROM event e JOIN name n ON n.id = operation
        WHERE duration IS NOT NULL ORDER BY actor, time, e.id" | nested >wanted.tsv
    read_back speedscope
    check_sorted "$1: as speedscope"
}

# io WHAT ACTION FILE…: each once, from where it was asked for; class 0 to 5 by the flags' lowest bits.
io() {
    local classes="CASE flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END"
    local counted="e.operation = (SELECT id FROM name WHERE text = '$2' AND kind = 'action')"

    import_as log.db "${@:3}"
    wanted "SELECT $classes, count(*), sum(coalesce(response, duration)) FROM event e
        WHERE $counted AND coalesce(response, duration) IS NOT NULL GROUP BY 1"
    read_back speedscope
    check_sorted "$1: as speedscope"
    sqlite3 -readonly -tabs log.db "SELECT 'instants', count(*) FROM event e
        WHERE $counted AND coalesce(response, duration) IS NULL HAVING count(*)" >>wanted.tsv
    read_back chrome
    check_sorted "$1: as chrome"
}

for file in "$data"/dwtrace/ok/*.dwt; do
    spans "${file##*/}" "$file"
done
spans rmp --join "$data/rmp/ok/browser/round7.probes" "$data/rmp/ok/browser/round7.rmp"
for file in "$data"/android-trace/ok/*.trace; do
    spans "${file##*/}" "$file"
done
calls mobigen "$data/mobigen/small.txt"
calls palmist "$data/palmist/ok/small.txt"
if [ -d "$shared/data/strace" ]; then
    timed_calls f-ttt-T.strace "$shared/data/strace/f-ttt-T.strace"
    timed_calls f-tt-r-T.strace "$shared/data/strace/f-tt-r-T.strace"
else
    skip "no ../shared/data/strace"
fi
io blkparse C "$data/blkparse/ok/tails.txt"
io msr C "$data/msr/ok/web_0.csv"
io alibaba Q "$data/alibaba/ok/io_traces.csv"
finish "viewers: "
