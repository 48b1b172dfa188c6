#!/bin/bash
# Tests for data races under ThreadSanitizer. The program imports a log of every format and runs every report
# on it. It pretends to have 16 processors and cuts events into chunks of 16, so that many threads read a
# small log. Its output must equal that of the ordinary program.
#
#     make threads
#     THREADED='setarch -R build/threads/tracetool' BUILD=build tests/threads.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

read -ra threaded <<<"${THREADED:-$TRACETOOL}"
export TSAN_OPTIONS=halt_on_error=1:exitcode=66:second_deadlock_stack=1
# Events of the generated log; the samples have only hundreds.
LINES=20000

# watched COMMAND…: runs it by the program with threads, whose number is $count; writes stdout and stderr to
# files.
watched() {
    rm -f threads.txt
    THREADS=$work/threads.txt timeout -k 5 300 "${threaded[@]}" -d x.db "$@" >got.txt 2>err.txt
    status=$?
    count=$(cat threads.txt 2>/dev/null || echo 0)
    if grep -q ThreadSanitizer err.txt; then
        fail "$*: ThreadSanitizer" err.txt
        return 1
    fi
}

import_formats() {
    local format file

    while read -r format; do
        file=$(good_log "$format" tail)
        if [ -z "$file" ]; then
            fail "$format: no sample"
            continue
        fi
        watched import -q -f "$format" -n "$format" --again "$root/$file" || continue
        if [ $status -ne 0 ]; then
            fail "$format: import of $file: status $status" err.txt
        else
            expect "$format: threads of an import: $count" [ "$count" -ge 1 ]
        fi
    done < <(tracetool formats --format tsv | grep -v '^#' | cut -f 1)
    write_log large.po $LINES 0
    watched import -q -n large large.po
    expect "a large import: status $status" [ $status -eq 0 ]
}

# compare_with_one COMMAND…: compares with the ordinary program, which has one thread per processor and larger
# chunks.
compare_with_one() {
    tracetool -d x.db "$@" >wanted.txt 2>&1
    cat err.txt >>got.txt
    check "$*" wanted.txt got.txt
}

# A filter prevents answers from rollups.
run_reports() {
    local report scans=0

    while read -r report; do
        watched report "$report" --by-trace --from 0.000001 --format tsv || continue
        [ "$count" -lt 8 ] || scans=$((scans + 1))
        compare_with_one report "$report" --by-trace --from 0.000001 --format tsv
    done < <(tracetool reports --format tsv | grep -v '^#' | cut -f 1 | sort -u)
    expect "reports that several threads worked at: $scans" [ $scans -ge 20 ]
}

import_formats
watched check -q
expect "check: status $status" [ $status -eq 0 ]
run_reports
finish "threads: "
