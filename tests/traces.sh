#!/bin/bash
# What a database of many traces costs: no command may take more than in proportion to them.
#
#     BUILD=build tests/traces.sh [FEW]       so many traces, from 8, default 8; docs/reliability.md: 20
#
# The steps of SQLite's machine and comparisons of texts are counted (tests/work.c), with so many traces and
# with four times as many: four times as many steps are right, sixteen times what a pass over all traces for
# each of them costs. Times would differ from run to run. bench/many_traces.py measures them, of 10,000 traces.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

FEW=${1:-8}
MANY=$((4 * FEW))

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
cd "$work" || exit 1

# steps DATABASE ARGUMENT…: leaves their number in $steps; fails as the program does.
steps() {
    rm -f count
    LD_PRELOAD=$BUILD/work.so WORK=count $TRACETOOL -q -d "$1" "${@:2}" >out 2>err || return
    steps=$(cat count)
}

# fill FILE COUNT DATABASE: so many traces of one file; leaves the number of steps in $steps.
fill() {
    local i

    rm -rf logs count
    mkdir logs
    for ((i = 0; i < $2; i++)); do ln "$1" "logs/t$i"; done
    # shellcheck disable=SC2046
    (cd logs && LD_PRELOAD=$BUILD/work.so WORK=$work/count \
        $TRACETOOL -q -d "../$3" import --again $(printf 't%d ' $(seq 0 $(($2 - 1))))) || return
    steps=$(cat count)
}

# compare MOST ARGUMENT…: the steps with many traces are at most MOST hundredths of those with few.
# Fails when the program does.
compare() {
    local few

    steps few.db "${@:2}" && few=$steps && steps many.db "${@:2}" || return
    # So few steps are a command that does not do its work.
    expect "$kind: $*: $few steps with $FEW traces" [ "$few" -gt 100 ]
    expect "$kind: ${*:2}: $few steps with $FEW traces, $steps with $MANY" \
        [ $((steps * 100)) -le $((few * $1)) ]
}

# Commands that look at one trace only read the list of all, a few steps for each.
commands() {
    local words

    for words in check dump traces; do compare 425 "$words" || fail "$kind: $words" err; done
    for words in "check -t t7" "report summary -t t7" "dump -t t7" "show t7"; do
        # shellcheck disable=SC2086
        compare 350 $words || fail "$kind: $words" err
    done
    compare 120 import --again -n one-more "$file" || fail "$kind: import" err
    compare 350 remove one-more || fail "$kind: remove" err
}

# reports PROCESS OPERATION: every report that applies, with filters and without.
reports() {
    local report options

    while read -r report; do
        for options in "" "--op $2 --process $1 --from 0.00001s --by-trace" $extra; do
            [ "$report" != accuracy ] || options+=" --reference reference"
            # shellcheck disable=SC2086
            if compare 425 report "$report" ${options//=/ }; then
                touch "ran-$report"
            elif [ -z "${options% --reference*}" ]; then
                break # it is of other kinds of trace
            fi
        done
    done <all-reports
}

# kind NAME FILE PROCESS OPERATION [OPTION=VALUE…]: a format of each kind of trace.
kind() {
    local few

    kind=$1 file=$work/log extra=${*:5}
    rm -f few.db many.db
    cp "$2" log
    expect "$1: import" fill log "$FEW" few.db
    few=$steps
    expect "$1: import" fill log "$MANY" many.db
    # One statement that looks at each trace there is would be a few steps of thousands.
    expect "$1: import of each: $few steps with $FEW traces, $steps with $MANY" \
        [ $((steps * 100)) -le $((few * 401)) ]
    commands
    reports "$3" "$4"
}

$TRACETOOL reports --format tsv | grep -v '^#' | cut -f 1 | sort -u >all-reports
printf 'com.android.browser.TabControl.restoreState\t10000000\n' >reference
data=$root/testdata
awk -v mode=WAL -f "$tests/sqlite_calls.awk" >sqlite.txt
kind calls "$data"/palmist/ok/small.raw 0x0001110f TimGetSeconds
kind io "$data"/most/small.po jbd2/mmcblk0p28 C
kind files "$data"/mobigen/small.txt 0 write
kind times sqlite.txt 71 pwrite64
kind spans "$data"/android-trace/ok/shop-v3-dual.trace main com.example.Shop.open \
    --under=com.example.Shop.open --component=com.example.Shop --clock=cpu
kind probes "$data"/rmp/ok/session.rmp 1507 com.android.browser.TabControl.restoreState
kind results "$data"/mobibench/ok/IO_Latency.txt none none
kind samples "$data"/samples/ok/small.smp system_server none
while read -r report; do
    expect "$report applies to none of the traces" [ -e "ran-$report" ]
done <all-reports
finish "traces: "
