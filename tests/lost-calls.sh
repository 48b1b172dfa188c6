#!/bin/bash
# Logs of system calls that lack lines, of ftrace and strace -f, against what is left of the true calls
# (tests/lost_calls.py): counts, failed calls, mean and largest time by name, and what the # lines say.
#
#     BUILD=build tests/lost-calls.sh [SEED…]       default: 1
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

truth=$tests/lost_calls.py

# timed DATABASE: name, calls with a duration, failed ones, sum and largest of the durations.
timed() {
    rows "$1" sql "SELECT n.text, count(*), count(e.error), sum(e.duration), max(e.duration)
        FROM event AS e JOIN name AS n ON n.id = e.operation WHERE e.duration IS NOT NULL GROUP BY 1"
}

# said DATABASE REPORT…: the # line on calls without end or begin.
said() {
    local database=$1

    shift
    tracetool -d "$database" report "$@" | grep '^# calls without end'
}

# judged FORM LOSS SEED: of log.db.
judged() {
    if timed log.db | python3 "$truth" judge "$1" "$2" "$3" >wrong.txt; then
        pass
    else
        fail "$1, $2, seed $3" wrong.txt
    fi
    check_derived "$1, $2, seed $3" log.db
}

# What all reports on calls say, and those of complete logs do not.
all_say() {
    local report line

    line=$(said log.db syscalls)
    for report in errors files argsize waits summary latency percentiles rate "rate --by thread" "latency --histogram"; do
        # shellcheck disable=SC2086 # a report and its options
        [ "$(said log.db $report)" = "$line" ] || fail "$1: report $report does not say: $line"
        pass
    done
}

unpaired_of_strace() {
    python3 "$truth" unpaired strace "$1" "$2" >wanted.tsv
    said log.db syscalls | sed 's/.*: \([0-9]*\), without begin: /\1\t/' >got.tsv
    [ -s got.tsv ] || printf '0\t0\n' >got.tsv
    check "strace, $1, seed $2: calls without end, without begin" wanted.tsv got.tsv
}

one_log() {
    python3 "$truth" log "$1" "$2" "$3" >log.txt
    import_as log.db log.txt
    judged "$1" "$2" "$3"
    if [ "$1" = strace ]; then
        unpaired_of_strace "$2" "$3"
    elif [ "$2" = none ] || [ "$2" = cut ]; then
        [ -z "$(said log.db syscalls)" ] || fail "$1, $2, seed $3: something is missing"
        pass
    else
        [ -n "$(said log.db syscalls)" ] || fail "$1, $2, seed $3: nothing is missing"
        pass
    fi
}

# What has no end did not fail.
failed_transfers() {
    local seed=$1 failed

    python3 "$truth" log strace ends "$seed" >log.txt
    import_as log.db log.txt
    failed=$(grep -c 'read.* = -1 ' log.txt)
    tracetool -d log.db report files | grep -o 'failed: [0-9]* of [0-9]* reads and writes' |
        grep -q "^failed: $failed of " || fail "strace, seed $seed: $failed reads and writes failed"
    pass
}

for seed in "${@:-1}"; do
    for form in ftrace strace; do
        while read -r loss; do
            one_log $form "$loss" "$seed"
        done < <(python3 "$truth" losses $form)
    done
    all_say "strace, joined, seed $seed"
    failed_transfers "$seed"
done
finish "lost-calls: "
