#!/bin/bash
# Tests time limits on hostile data. A log of 1 MB takes any importer at most 2 s of processor time. A
# database of about 10 MB takes any report, or `check`, at most 10 s. Endless input is interrupted by Ctrl-C
# within a second.
#
#     BUILD=build tests/slow.sh [SIZE]    bytes per log, default 8000 (make check-all); make attack: 1000000
#
# Each importer must have a good log in testdata. slow_logs.py makes the logs.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

size=${1:-8000}
REPLAY=${REPLAY:-$BUILD/replay}
IMPORT_LIMIT=2000 # milliseconds
REPORT_LIMIT=10   # seconds
ALL_LIMIT=60      # seconds for a page or comparison, which runs some 50 reports
slowest=0

# Writes logs/FORMAT, all by one Python process.
make_logs() {
    local format sample samples=() number=0

    mapfile -t formats < <(tracetool formats --format tsv | grep -v '^#' | cut -f 1)
    for format in "${formats[@]}"; do
        sample=$(good_log "$format")
        if [ -z "$sample" ]; then
            fail "$format: no good log"
            sample=README.md
        fi
        samples+=("$root/$sample")
    done
    expect "logs are made" python3 "$tests/slow_logs.py" "$size" logs "${samples[@]}"
    for format in "${formats[@]}"; do
        mv logs/$((++number)) "logs/$format"
    done
}

# Imports each log in memory, and checks the database.
time_imports() {
    local format time file

    for format in "${formats[@]}"; do
        if ! FUZZ_TARGET=$format timeout 300 "$REPLAY" --time "logs/$format"/* >times.txt 2>&1; then
            fail "$format: replay" times.txt
            continue
        fi
        while IFS=$'\t' read -r time file; do
            expect "$file: $time ms" [ "$time" -le $IMPORT_LIMIT ]
            [ "$time" -le "$slowest" ] || { slowest=$time && slowest_file=$file; }
        done < <(grep '/' times.txt)
        expect "$format: all logs were timed" [ "$(grep -c / times.txt)" -eq 19 ]
    done
    echo "slowest import: $slowest ms, $slowest_file"
}

# Makes a database of about 10 MB from such logs; each format contributes another variant.
make_database() {
    local format kinds=(repeated backwards renumbered same) file number=0

    for format in "${formats[@]}"; do
        file=${kinds[number++ % 4]}
        head -c 300000 "logs/$format/$file" >"$file"
        tracetool -q -d x.db import --again -f "$format" -n "$format" "$file" 2>>refused.txt
    done
    echo "database: $(stat -c %s x.db) bytes," \
        "$(sqlite3 x.db "SELECT count(*) || ' traces, ' || sum(events) || ' events' FROM trace")"
}

# Deeply nested calls, with a hundredth as many functions as calls, and with as many.
make_deep() {
    local functions

    for functions in $((size / 1000)) $((size / 10)); do
        awk -v depth=$((size / 10)) -v functions="$functions" 'BEGIN {
            for (i = 0; i < depth; i++) print i "\t1\t1\tE\tf" i % functions "\t-"
            for (i = depth - 1; i >= 0; i--) print 2 * depth - i "\t1\t1\tX\tf" i % functions "\t-"
        }' >deep.rmp
        database=deep.db in_time import -n "deep-$functions" deep.rmp
    done
}

# limited COMMAND…: limits its processor time. The output may be long.
limited() {
    (
        ulimit -t "${limit:-$REPORT_LIMIT}"
        exec timeout 300 "$TRACETOOL" -d "${database:-x.db}" "$@" >/dev/null 2>err.txt
    )
}

# in_time COMMAND…: checks that it needs at most the limit of processor time.
in_time() {
    local taken status TIMEFORMAT='%3U %3S'

    { time limited "$@"; } 2>time.txt
    status=$?
    taken=$(awk 'END { print int(1000 * ($1 + $2)) }' time.txt)
    # 2: the report needs more than a trace.
    expect "$database: $*: status $status, $taken ms" [ $status -le 2 ]
    [ "$taken" -le "$slowest" ] || { slowest=$taken && slowest_file="$* ($database)"; }
}

# Looks for the format of a line of 300,000 bytes, each word of which may be a number of a process.
time_detection() {
    local words

    for words in '1 ' '1 a: '; do
        awk -v words="$words" 'BEGIN { while (at < 300000) { printf "%s", words; at += length(words) }; print ")" }' >line.txt
        database=line.db in_time import line.txt
    done
}

# Runs all reports on $database.
time_reports() {
    local report

    in_time check
    in_time dump
    while read -r report; do
        in_time report "$report" --from 0.000001
        in_time report "$report" --by-trace
    done < <(tracetool reports --format tsv | grep -v '^#' | cut -f 1 | sort -u)
}

# Runs all other commands that read all of $database.
time_others() {
    local trace exporter

    mapfile -t traces < <(tracetool -d "$database" traces --format tsv | grep -v '^#' | cut -f 1)
    limit=$ALL_LIMIT in_time page --no-plots -o made.html
    in_time pseudonymise -o made.db
    in_time merge "$database" other.db -o merged.db
    rm -f made.* merged.db
    for trace in "${traces[@]}"; do
        # Compares the trace with itself by every report that fits.
        limit=$ALL_LIMIT in_time compare "$trace" "$trace"
        while read -r exporter; do
            in_time export "$trace" --as "$exporter" -o made
            rm -rf made
        done < <(tracetool exports --format tsv | grep -v '^#' | cut -f 1)
    done
}

# A damaged database.
time_damaged() {
    local seed

    for seed in {1..8}; do
        cp x.db damaged.db
        python3 "$tests/foreign.py" --harm damaged.db "$seed"
        database=damaged.db
        time_reports
        limit=$ALL_LIMIT in_time page --no-plots -o made.html
        in_time check --repair
        rm -f made.html damaged.db*
    done
}

time_databases() {
    local database

    slowest=0
    tracetool -q -d other.db import "$root/testdata/most/small.po"
    make_database
    make_deep
    for database in x.db deep.db; do
        time_reports
        in_time report calltree --inverted
        in_time report calltree --format folded
        time_others
    done
    time_damaged
    echo "slowest report: $slowest ms, $slowest_file"
}

# interrupted COMMAND…: checks that an endless command ends by SIGINT within a second, plus 50 ms for each
# concurrent job.
interrupted() {
    local i process most=$((20 + $(load)))

    env --default-signal "$TRACETOOL" -d x.db "$@" >/dev/null 2>err.txt &
    process=$!
    sleep 0.3
    kill -INT $process
    for ((i = 0; i < most; i++)); do
        kill -0 $process 2>/dev/null || break
        sleep 0.05
    done
    expect "$*: ended after $i × 50 ms" [ $i -lt $most ]
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    expect "$*: by the signal: status $?" [ $? -ne 0 ]
}

endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'

make_logs
time_imports
time_detection
if [ "$size" -ge 1000000 ]; then
    time_databases
else
    tracetool -q -d x.db import "logs/most/repeated"
fi
interrupted sql "$endless count(*) FROM n"
interrupted sql "$endless i FROM n"
interrupted sql "$endless i FROM n" --format json
interrupted plot sql "$endless i, i FROM n" -o x.svg
finish "slow: "
