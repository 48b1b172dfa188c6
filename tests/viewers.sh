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

overlapping_calls() {
    printf '10  1700000000.%s\n' '000000 read(3, "", 1) = 1 <0.000100>' '000050 write(4, "", 1) = 1 <0.000200>' \
        '000060 fsync(4) = 0' '000300 close(4) = 0 <0.000010>' >overlap.strace
    timed_calls "calls that overlap" overlap.strace
    expect "a call that overlaps is asynchronous" [ "$(grep -c '"name":"write".*"ph":"[be]"' out.chrome)" = 2 ]
    expect "and left out of speedscope: $(cat said.txt)" grep -q '1 times: calls that begin before another one' said.txt
}

# What a file system does lies in the system call that asked for it.
nested_calls() {
    printf ' app-10 (   10) [000] ...1. 100.000%s\n' '400: sys_write(fd: 3, buf: 7f00, count: 1000)' \
        '410: ext4_da_write_begin: dev 254,0 ino 12 pos 0 len 4096' '420: ext4_da_write_end: dev 254,0 ino 12 pos 0 len 4096 copied 4096' \
        '430: ext4_da_write_begin: dev 254,0 ino 12 pos 0 len 4096' '440: ext4_da_write_end: dev 254,0 ino 12 pos 0 len 4096 copied 4096' \
        '500: sys_write -> 0x1000' '600: sys_write(fd: 3, buf: 7f00, count: 1000)' '700: sys_write -> 0x1000' >nested.ftrace
    timed_calls "calls in calls" nested.ftrace
    expect "calls in calls are slices" [ "$(grep -c '"ph":"X"' out.chrome)" = 4 ]
    expect "calls in calls: nothing is left out" [ "$(wc -l <said.txt)" = 1 ]
    printf '%s' '[["O",400],["O",410],["C",420],["O",430],["C",440],["C",500],["O",600],["C",700]]' >wanted.txt
    python3 -c 'import json, sys
events = json.load(open("out.speedscope"))["profiles"][0]["events"]
print(json.dumps([[e["type"], 400 + e["at"] // 1000] for e in events], separators=(",", ":")), end="")' >got.txt
    check "calls in calls, as speedscope" wanted.txt got.txt
}

# Ends stay in the range of times.
endless_calls() {
    printf '100 %s.000001 read(3, "x", 1) = 1 <9223372035.000000>\n' 1795303426 1795303436 1795303446 >endless.strace
    import_as log.db endless.strace
    read_back chrome
    expect "an end beyond the range of times" [ "$(grep -c '"ph":"e","ts":9223372036854775.807,' out.chrome)" = 2 ]
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

# By hand: two in flight at once take two lanes, the third the first that is free.
lanes() {
    printf '%s\n' '  8,0 0 1 1.000000000 10 Q R 8 + 16 [a"b\c]' '  8,0 0 2 1.000001000 10 D R 8 + 16 [a"b\c]' \
        '  8,0 0 3 1.000002000 11 Q W 0 + 1 [b]' '  8,0 0 4 1.000003000 11 D W 0 + 1 [b]' \
        '  8,0 0 5 1.000004000 0 C R 8 + 16 [0]' '  8,0 0 6 1.000005500 10 Q WS 64 + 8 [a"b\c]' \
        '  8,0 0 7 1.000006000 10 D WS 64 + 8 [a"b\c]' '  8,0 0 8 1.000104000 0 C W 0 + 1 [0]' \
        '  8,0 0 9 1.000204001 0 C WS 64 + 8 [0]' >small.txt
    import_as log.db small.txt
    read_back chrome
    cat >wanted.txt <<'END'
{"displayTimeUnit":"ns","traceEvents":[
{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"block device 8:0"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"lane 1"}},
{"name":"read","cat":"io","ph":"X","ts":0.000,"dur":4.000,"pid":1,"tid":1,"args":{"sector":8,"transfer_bytes":8192,"latency_ns":3000,"process":"a\"b\\c","process_pid":10}},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"lane 2"}},
{"name":"write","cat":"io","ph":"X","ts":2.000,"dur":102.000,"pid":1,"tid":2,"args":{"sector":0,"transfer_bytes":512,"latency_ns":101000,"process":"b","process_pid":11}},
{"name":"writesync","cat":"io","ph":"X","ts":5.500,"dur":198.501,"pid":1,"tid":1,"args":{"sector":64,"transfer_bytes":4096,"latency_ns":198001,"process":"a\"b\\c","process_pid":10}}
]}
END
    check "lanes by hand" wanted.txt out.chrome
    read_back speedscope
    # shellcheck disable=SC2016 # JSON's own
    printf '%s\n' '{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"log","exporter":"tracetool","profiles":[' \
        '{"type":"evented","name":"block device 8:0, lane 1","unit":"nanoseconds","startValue":0,"events":[' \
        '{"type":"O","frame":0,"at":0},' '{"type":"C","frame":0,"at":4000},' \
        '{"type":"O","frame":3,"at":5500},' '{"type":"C","frame":3,"at":204001}' \
        '],"endValue":204001},' \
        '{"type":"evented","name":"block device 8:0, lane 2","unit":"nanoseconds","startValue":0,"events":[' \
        '{"type":"O","frame":2,"at":2000},' '{"type":"C","frame":2,"at":104000}' \
        '],"endValue":104000}' '],"shared":{"frames":[' '{"name":"read"},' '{"name":"readsync"},' \
        '{"name":"write"},' '{"name":"writesync"},' '{"name":"other"},' '{"name":"flush"}' ']}}' >wanted.txt
    check "lanes by hand, as speedscope" wanted.txt out.speedscope
    expect "filters" tracetool -d log.db export log --as chrome --class write -o some.json 2>said.txt
    expect "filters apply" [ "$(python3 "$tests/export_json.py" chrome some.json)" = $'write\t1\t102000' ]
}

# Nothing that was logged breaks the JSON.
hostile_names() {
    printf '1.000000000\tC\tW\t8\t8\t7\tp\x01\x7f\xff"\\\\\xe2\x80\xa8\tD\tf\xc3.db\n2.000000000\tC\tR\t16\t8\t7\tq\tD\t\n' >hostile.po
    import_as log.db hostile.po -f most
    printf 'instants\t2\n' >wanted.tsv
    read_back chrome
    check "hostile names as chrome" wanted.tsv got.tsv
    # shellcheck disable=SC1003 # a backslash
    expect "a byte that is no character is shown" grep -qF '"process":"p\u0001\u007f\\xff\"\\\\' out.chrome
}

nothing() {
    import_as log.db "$data/blkparse/ok/tails.txt"
    read_back chrome --from 99h
    expect "nothing as chrome" [ ! -s got.tsv ]
    read_back speedscope --from 99h
    expect "nothing as speedscope" [ ! -s got.tsv ]
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
overlapping_calls
nested_calls
endless_calls
if [ -d "$shared/data/strace" ]; then
    timed_calls f-ttt-T.strace "$shared/data/strace/f-ttt-T.strace"
    timed_calls f-tt-r-T.strace "$shared/data/strace/f-tt-r-T.strace"
else
    skip "no ../shared/data/strace"
fi
io blkparse C "$data/blkparse/ok/tails.txt"
io msr C "$data/msr/ok/web_0.csv"
io alibaba Q "$data/alibaba/ok/io_traces.csv"
lanes
hostile_names
nothing
finish "viewers: "
