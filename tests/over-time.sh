#!/bin/bash
# The reports on time and on kinds of workload, against brute force in Python over many random logs,
# and against worked examples.
#
#     BUILD=build tests/over-time.sh [SEEDS]
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

seeds=${1:-20}

# wanted WHAT FILE [NAME=VALUE…]: the rows by Python.
wanted() {
    python3 -B "$tests/over_time.py" "$@" >wanted.tsv
}

# over_time SEED REPORT [OPTION…] -- WHAT [NAME=VALUE…]
over_time() {
    local seed=$1 options=()

    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    wanted "$2" "log$seed.csv" "${@:3}"
    check_rows "log of seed $seed (by Python)" wanted.tsv "log$seed.db" "${options[@]}"
}

check_seed() {
    local seed=$1

    python3 -B "$tests/over_time.py" log "$seed" >"log$seed.csv"
    tracetool -q -d "log$seed.db" import "log$seed.csv"
    over_time "$seed" rate -- rate
    over_time "$seed" rate --interval 0.01s -- rate interval=0.01
    over_time "$seed" rate --by class --interval 0.05s -- rate-by-class interval=0.05
}

if ! command -v python3 >/dev/null; then
    skip "random logs: there is no python3"
else
    for ((seed = 1; seed <= seeds; seed++)); do
        check_seed "$seed"
    done
fi

finish "over-time: "
