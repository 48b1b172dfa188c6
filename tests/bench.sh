#!/bin/bash
# Tests the benchmark on logs of a few thousand events. Generated logs are read without rejected records, and
# other tools get the same rows and answers. Times are not checked.
#
#     BUILD=build tests/bench.sh
#
# Skips DuckDB's library (make bench-duckdb), pandas, gawk or blktrace if missing, as the benchmark does.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

EVENTS=2000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# bench WORDS…: runs it for all formats, or those of --only.
bench() {
    python3 -B "$root/bench/run.py" --tracetool "$TRACETOOL" --tools "$BUILD/bench" --palmist "$GENERATE" \
        --schema "$root/src/store/schema.sql" --work "$work/bench" --events $EVENTS --rounds 1 --brief \
        --duckdb "$BUILD/bench/libduckdb.so" "$@" >said.txt 2>&1
}

[ -s "$BUILD/bench/libduckdb.so" ] || skip "DuckDB: no $BUILD/bench/libduckdb.so"

if bench; then
    pass
else
    fail "make bench fails" said.txt
fi
table=bench/table.md
for format in most-binary most msr palmist dwtrace android-trace strace ftrace sched blktrace; do
    expect "$format has a row of imports" grep -q "^| $format | tracetool | [0-9.]* | " "$table"
done
for format in most msr strace ftrace blktrace; do
    expect "$format: from log to answers" grep -q "^| $format, [0-9]* answers* | tracetool LOG | [0-9.]* | " "$table"
done
expect "reports of calls" grep -q '^| waits (strace) | ' "$table"

# Detects a log that does not match the generator's counts.
sed -i 's/^futex\t.*/futex\t1/' "bench/ftrace-$EVENTS.log.counts"
expect "wrong counts are noticed" [ "$(bench --only ftrace; echo $?)" -eq 1 ]
expect "wrong counts are named" grep -q "^bench: ftrace: tracetool finds .*'futex': .* in the generated log" said.txt

# every SCRIPT TABLE WORDS…: runs a script that measures every report.
every() {
    if python3 -B "$root/bench/$1.py" --tracetool "$TRACETOOL" --tools "$BUILD/bench" --work "$work/every" \
        --events 300 --rounds 1 --only strace >said.txt 2>&1; then
        pass
    else
        fail "bench/$1.py fails" said.txt
    fi
    expect "bench/$1.py measures syscalls" grep -q $'^strace\tsyscalls --by operation\t[0-9.]*\t' said.txt
    expect "bench/$1.py writes a table" grep -q "$2" "every/$1.md"
}

every growth ' forms on 1 logs of 300 events; '
every reports '^Of [0-9]* report forms on 1 logs of 300 records'

finish "bench: "
