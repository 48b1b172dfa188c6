#!/bin/bash
# Losses that logs tell of, by CPU, in every format that does: generated logs with known losses
# (tests/lost_events.py), and what import, show, reports and the table `loss` say of them.
# tests/golden/losses.test has small ones, counted by hand.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

# make_log FORM LOSS SEED: imports it as the trace x.
make_log() {
    rm -rf made log.db
    mkdir made
    python3 "$tests/lost_events.py" "$1" "$2" "$3" made || exit 1
    mv made/wanted.tsv wanted.tsv
    tracetool -d log.db import -n x made/* 2>said.txt
}

# sums: lost, events and the first times of busy CPUs, out of wanted.tsv.
sums() {
    awk -F'\t' '{ lost += $2 + $3; events += $5; uncounted += $3; first[$1] = $6; count[$1] = $5
            if ($1 >= 0 && $5 > most) most = $5 }
        END {
            early = late = -1
            for (cpu in first) if (cpu >= 0 && 4 * count[cpu] >= most) {
                if (early < 0 || first[cpu] < first[early]) early = cpu
                if (late < 0 || first[cpu] > first[late]) late = cpu
            }
            printf "%d %d %d %d %d %.0f %.0f\n", lost, events, uncounted, early, late, first[early], first[late]
        }' wanted.tsv
}

check_losses() {
    local form=$1 loss=$2 what="$1, $2, $3" lost events uncounted early late from since

    make_log "$@"
    sqlite3 -tabs log.db 'SELECT cpu, lost, uncounted, overwritten, events, first, last FROM loss ORDER BY cpu' >got.tsv
    check "$what: by CPU" wanted.tsv got.tsv
    read -r lost events uncounted early late from since < <(sums)
    expect "$what: import" grep -q " 0 rejected; \(at least \)\?$lost of $((lost + events)) lost (" said.txt
    expect "$what: at least" [ "$(grep -c 'at least' said.txt)" = "$uncounted" ]
    tracetool -d log.db report rw --format tsv >rw.txt
    expect "$what: first line" grep -q "^# trace x: [a-z]*, $events events, 0 rejected, $lost lost$" <(head -n 1 rw.txt)
    expect "$what: json" grep -q "\"rejected\":0,\"lost\":$lost}" <(tracetool -d log.db report rw --format json)
    expect "$what: show" [ "$(tracetool -d log.db show x | sed -n '/^# cpu/,/^$/p' | grep -c .)" = \
        "$(($(grep -c . wanted.tsv) + 1))" ]
    expect "$what: sound" tracetool -q -d log.db check
    if [ "$loss" = overrun ]; then
        check_begin "$what" "$early" "$late" "$from" "$since"
    else
        expect "$what: nothing of when CPUs begin" [ "$(grep -c 'some CPUs are missing\|only CPU' rw.txt)" = 0 ]
    fi
}

# The option that is named leaves a part in which all busy CPUs are there, and no more than a millisecond too much.
check_begin() {
    local what=$1 option first seconds

    seconds=$(awk -v by=$(($5 - $4)) 'BEGIN { printf (by < 1000000 ? "%.6f" : "%.3f"), by / 1e9 }')
    expect "$what: which CPU begins late" grep -q "; CPU $3 begins $seconds s after CPU $2)$" said.txt
    option=$(sed -n 's/^# before .* s the events of some CPUs are missing: //p' rw.txt)
    expect "$what: an option" [ -n "$option" ]
    for report in rw rate summary popularity hourly latency; do
        expect "$what: $report says so" grep -q "^# before .*: $option$" <(tracetool -d log.db report $report --format tsv)
    done
    # shellcheck disable=SC2086 # an option and its value
    tracetool -d log.db report rw $option --format tsv >later.txt
    expect "$what: not behind it" [ "$(grep -c '^# before' later.txt)" = 0 ]
    first=$(sqlite3 log.db "SELECT count(*) FROM event WHERE operation = (SELECT id FROM name WHERE kind = 'action' AND text = 'C')
        AND time >= $5 + 1000000")
    expect "$what: what the option leaves" [ "$(awk -F'\t' '!/^#/ { n += $2 } END { print n }' later.txt)" -ge "$first" ]
    expect "$what: and no more" [ "$(awk -F'\t' '!/^#/ { n += $2 } END { print n }' later.txt)" -le \
        "$(sqlite3 log.db "SELECT count(*) FROM event WHERE operation = (SELECT id FROM name WHERE kind = 'action'
            AND text = 'C') AND time >= $5")" ]
}

# A complete log says nothing.
check_complete() {
    local what="$1, complete"

    make_log "$1" none "$2"
    expect "$what: nothing is stored" [ "$(sqlite3 log.db 'SELECT count(*) FROM loss')" = 0 ]
    expect "$what: import" grep -q ' 0 rejected$' said.txt
    for report in rw rate latency queue; do
        expect "$what: $report" [ "$(tracetool -d log.db report $report --format tsv | grep -c ' lost$\|CPU')" = 0 ]
    done
    expect "$what: show" [ "$(tracetool -d log.db show x | grep -c '^# cpu')" = 0 ]
}

for seed in 1 2 3; do
    check_losses ftrace overrun $seed
    check_losses ftrace joined $seed
    for form in ftrace pipe trace-cmd perf blkparse blktrace; do
        check_losses $form bursts $seed
    done
done
for form in ftrace pipe trace-cmd perf blkparse blktrace; do
    check_complete $form 4
done
# Lines that grep takes out are not lost.
make_log blkparse none 5
grep ' D ' made/log >issues.txt
tracetool -d log.db import issues.txt 2>said.txt
expect "filtered lines: nothing is lost" grep -q ' 0 rejected$' said.txt
expect "filtered lines: a remark" grep -q '^remark	sequence numbers are missing before .* lines: the log was filtered' \
    <(tracetool -d log.db show issues.txt --format tsv)
finish "lost-events: "
