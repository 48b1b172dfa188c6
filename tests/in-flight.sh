#!/bin/bash
# Several requests in flight at one sector, requeues and completions in parts: what reports on latency, queue
# and stages say of them, against tests/in_flight.py, in each form in which the log may come.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

oracle=$tests/in_flight.py

# rows REPORT…: without comments.
rows() {
    # shellcheck disable=SC2068 # a report and its options
    tracetool -d log.db report $@ --format tsv | grep -v '^#'
}

# check_log SEED: all forms of a log.
check_log() {
    local seed=$1 form report

    rm -f log.db
    for form in blkparse ftrace perf; do
        python3 "$oracle" log $form 3000 "$seed" >made.txt
        tracetool -q -d log.db import -n $form made.txt
    done
    tracetool -d log.db export blkparse --as blktrace -o log.bin 2>err.txt
    tracetool -q -d log.db import -n blktrace log.bin
    for form in blkparse ftrace perf blktrace; do
        for report in latency "latency --q2c"; do
            python3 "$oracle" "$report" 3000 "$seed" >wanted.tsv
            rows "$report" -t $form >got.tsv
            check "$form $seed: $report" wanted.tsv got.tsv
        done
        python3 "$oracle" queue 3000 "$seed" >wanted.tsv
        rows queue -t $form | cut -f 1,2,5 >got.tsv
        check "$form $seed: queue" wanted.tsv got.tsv
        python3 "$oracle" stages 3000 "$seed" >wanted.tsv
        rows stages -t $form | awk -F '\t' '/^(D2C|Q2C)/ { print $1 "\t" $2 "\t" $4 "\t" $8 }' >got.tsv
        check "$form $seed: stages" wanted.tsv got.tsv
        # Of an issue that was requeued no completion tells.
        echo "# excluded: issues (D) without a completion:" \
            "$(tracetool -d log.db report popularity -t $form --format tsv | awk -F '\t' '$2 == "R" { print $3 }');" \
            "some were requeued (R)" >wanted.txt
        tracetool -d log.db report queue -t $form | grep 'without a completion' >got.txt
        check "$form $seed: issues without a completion" wanted.txt got.txt
        expect "$form $seed: check" tracetool -q -d log.db check >check.txt
    done
}

check_log 1
check_log 2
finish "in-flight: "
