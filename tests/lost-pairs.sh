#!/bin/bash
# Logs that have lost events: mean and 99th percentile of each class, of the time since they were asked for,
# the depth of the queue and the stages, against what tests/lost_pairs.py knows to be true of the requests
# that are left. Complete logs are exact, and say nothing of losses.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

oracle=$tests/lost_pairs.py

# make_reports TRACE: in the folder reports.
make_reports() {
    tracetool -d log.db report latency -t "$1" --format tsv >reports/latency.tsv
    tracetool -d log.db report latency -t "$1" --q2c --format tsv >reports/q2c.tsv
    tracetool -d log.db report queue -t "$1" --format tsv >reports/queue.tsv
    tracetool -d log.db report stages -t "$1" --format tsv >reports/stages.tsv
    tracetool -d log.db sql "SELECT e.duration FROM trace AS t JOIN event AS e
        ON e.id BETWEEN t.first_event AND t.last_event
        WHERE t.name = '$1' AND e.duration NOT NULL" --format tsv >reports/latencies.txt
}

# says TRACE REPORT: the line on lost events.
says() {
    tracetool -d log.db report "$2" -t "$1" | grep '^# lost events: '
}

# check_log WORKLOAD LOSS FORM
check_log() {
    local name=$1-$2-$3

    python3 "$oracle" log "$1" "$2" "$3" >made.txt
    tracetool -q -d log.db import -n "$name" made.txt
    make_reports "$name"
    expect "$name" python3 "$oracle" judge "$1" "$2" reports
    case $2 in
    overrun) ;; # all requests that are left may be whole
    none | cut) expect "$name: nothing is said" [ -z "$(says "$name" latency)" ] ;;
    *) expect "$name: lost events are said" [ -n "$(says "$name" queue)" ] ;;
    esac
}

check_logs() {
    local workload loss

    rm -f log.db
    for workload in jobs hot journal; do
        for loss in none told untold one ten completions issues cut joined; do
            check_log $workload $loss ftrace
            check_log $workload $loss blkparse
        done
        check_log $workload overrun ftrace # blkparse has no heading that tells
    done
    expect "check" tracetool -q -d log.db check
}

# Both ends of each count, by the lines of the log.
check_counts() {
    local issues completions

    python3 "$oracle" log jobs completions ftrace >made.txt
    issues=$(grep -c ': block_rq_issue: ' made.txt)
    completions=$(grep -c ': block_rq_complete: ' made.txt)
    echo "# lost events: $completions pairs; 0 completions without issue, $((issues - completions)) issues without completion; about 0 pairs (0.00 %) join two requests" >wanted.txt
    for report in latency percentiles queue rate stages heatmap; do
        says jobs-completions-ftrace $report >got.txt
        check "completions: $report" wanted.txt got.txt
    done
}

# durations TRACE FROM: of its events from that number on.
durations() {
    tracetool -d log.db sql "SELECT e.duration FROM trace AS t JOIN event AS e
        ON e.id BETWEEN t.first_event + $2 AND t.last_event WHERE t.name = '$1'" --format tsv | grep -v '^#'
}

# What is appended is paired for itself, and what was there stays.
check_append() {
    local half

    python3 "$oracle" log jobs none blkparse >made.txt
    half=$(($(wc -l <made.txt) / 2))
    head -n "$half" made.txt >first.txt
    tail -n +$((half + 1)) made.txt | awk '$6 == "C" && ++n % 20 == 0 { next } { print }' >second.txt
    tracetool -q -d log.db import -n first first.txt
    tracetool -q -d log.db import -n second second.txt
    tracetool -q -d log.db import -n both --again first.txt
    tracetool -q -d log.db import -n both --again --append second.txt
    durations first 0 >wanted.txt
    durations second 0 >>wanted.txt
    durations both 0 >got.txt
    check "append: durations" wanted.txt got.txt
    expect "append: the second part lacks events" \
        [ "$(tracetool -d log.db sql "SELECT count(*) FROM pairing JOIN trace ON trace.id = trace
            WHERE name IN ('first', 'second', 'both')" --format tsv | tail -n 1)" = 2 ]
    expect "append: check" tracetool -q -d log.db check
}

# Where many pairs may join two requests there is no verdict, and no decision.
check_compare() {
    tracetool -d log.db compare jobs-none-ftrace jobs-ten-ftrace latency --format tsv |
        grep -v '^#' | cut -f 9 | sort -u >got.txt
    echo unclear >wanted.txt
    check "compare: verdicts" wanted.txt got.txt
    expect "compare: why" grep -q '^# no verdict on times: events are lost' \
        <(tracetool -d log.db compare jobs-none-ftrace jobs-ten-ftrace latency)
    tracetool -d log.db compare jobs-none-ftrace jobs-ten-ftrace latency \
        --fail-if 'latency.flush.mean > +0.01%' >/dev/null 2>err.txt
    expect "compare: undecided" grep -q 'undecided.*events are lost' err.txt
    expect "compare: complete logs have verdicts" [ -z "$(tracetool -d log.db compare jobs-none-ftrace \
        jobs-none-blkparse latency | grep 'no verdict')" ]
}

mkdir reports
check_logs
check_counts
check_append
check_compare
finish "lost-pairs: "
