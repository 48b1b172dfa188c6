#!/bin/bash
# The format rmp against what its generator played: small logs, damaged ones, and a study of eight
# rounds that zooms into a browser down to the loop that takes the time.
#
#     BUILD=build tests/rmp.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

rmp=$root/testdata/rmp
build_generator generate "$root"/testdata/util.c "$rmp"/*.c
./generate small small && ./generate study study || exit 1
study=$work/study

# add_log DATABASE NAME BASE [OPTION…]: a time log and its probe list, which are one trace.
add_log() {
    if tracetool -q -d "$1" import --join -n "$2" "$3.probes" "$3.rmp" "${@:4}" 2>import.txt; then
        pass
    else
        fail "import of ${3##*/}" import.txt
    fi
}

# --- small logs -------------------------------------------------------------------------------

check_ledger() {
    first_rejected "$3" | grep -E "^($4)" | sort >got.tsv
    grep -E "^($4)" "$2" | sort >wanted.tsv
    check "$1: ledger" wanted.tsv got.tsv
}

# check_sample NAME EXPECTED CONFIGURATION
check_sample() {
    local expected=$rmp/expected/$2 options=() level

    # The program cannot know by itself what the columns are.
    [ "$3" = - ] || options=(-f rmp -c "$rmp/ok/$3.yaml")
    rm -f sample.db
    add_log sample.db log "$rmp/ok/$1" "${options[@]}"
    check_ledger "$1" "$expected/ledger.tsv" sample.db 'events|rejected'
    check_rows "$1" "$expected/functions.tsv" sample.db functions
    check_rows "$1" "$expected/calltree.tsv" sample.db calltree
    for level in process thread method loop; do
        [ ! -e "$expected/hotspots-$level.tsv" ] ||
            check_rows "$1" "$expected/hotspots-$level.tsv" sample.db hotspots --resolution $level
    done
    check_derived "$1" sample.db
}

samples() {
    local name expected configuration

    while IFS=$'\t' read -r name expected configuration; do
        check_sample "$name" "$expected" "$configuration"
    done <"$rmp/ok/list.tsv"
    # Without the list nothing is known about levels, but all about calls.
    rm -f sample.db
    expect "import without a probe list" tracetool -q -d sample.db import -n log \
        "$rmp/ok/session.rmp"
    check_rows "without a probe list" "$rmp/expected/session/functions.tsv" sample.db functions
}

# Table 2 of the paper. The mean is in a row of its own, or in a remark.
accuracy() {
    local expected=$rmp/expected/accuracy

    rm -f accuracy.db
    add_log accuracy.db log "$rmp/ok/accuracy"
    tracetool -d accuracy.db report accuracy --reference "$rmp/ok/accuracy.reference" \
        --format tsv >accuracy.txt 2>&1
    grep '^[a-z].*\.' accuracy.txt | grep -v '^mean' | sort >got.tsv
    sort "$expected/accuracy.tsv" >wanted.tsv
    check accuracy wanted.tsv got.tsv
    expect "accuracy: the mean error" grep -Eq "mean.*$(cat "$expected/mean.tsv")" accuracy.txt
}

# Table 2 as the paper prints it: error rates in per cent, in the order of its rows; means and their
# ratio worked out from its times by hand.
table_2() {
    rm -f table2.db
    for name in rmp debug; do
        expect "import of table2-$name.rmp" tracetool -q -d table2.db import -n $name \
            "$rmp/ok/table2-$name.rmp" 2>import.txt
    done
    tracetool -d table2.db report accuracy --reference "$rmp/ok/table2.reference" --format tsv \
        >table2.txt 2>&1
    awk -F'\t' '!/^#/ { printf "%s %s %.2f %.2f\n", $1, $5, 100 * $4, $6 }' table2.txt >got.tsv
    cat >wanted.tsv <<'END'
onPause rmp 7.19 1.00
onPause debug 43.17 6.00
addObserver rmp 4.42 1.00
addObserver debug 97.95 22.15
resetLockcon rmp 2.29 1.00
resetLockcon debug 59.98 26.23
buildTitleUrl rmp 10.21 1.00
buildTitleUrl debug 280.24 27.46
END
    check "Table 2 of the paper" wanted.tsv got.tsv
    grep '^# mean' table2.txt >got.tsv
    cat >wanted.tsv <<'END'
# mean error of rmp 0.060266
# mean error of debug 1.203387
# mean error of debug: 19.97 times that of rmp; measured in both: 4
END
    check "means of Table 2, and their ratio" wanted.tsv got.tsv
}

# --- damage -----------------------------------------------------------------------------------

# check_damaged FILE
check_damaged() {
    local name=damaged/${1##*/}

    rm -f damaged.db
    if ! tracetool -q -d damaged.db import -n log "$1" 2>import.txt; then
        fail "import of $name" import.txt
        return
    fi
    check_ledger "$name" "$1.expected" damaged.db 'events|rejected|offset'
    if grep -q '^reports' "$1.expected"; then
        check_rows "$name" "$rmp/expected/session/functions.tsv" damaged.db functions
    fi
    check_derived "$name" damaged.db
    check_strict "$name" "$1"
}

damaged_files() {
    local file

    for file in "$rmp"/damaged/*.expected "$study"/damaged/*.expected; do
        check_damaged "${file%.expected}"
    done
    import_as kept.db "$rmp/ok/session.rmp"
    for file in "$rmp"/fail/*; do
        check_refused "$file"
        check_refused "$file" -f rmp
    done
}

# --- the study --------------------------------------------------------------------------------

# rounds VARIANT: the eight rounds, in VARIANT.db.
rounds() {
    local number

    rm -f "$1.db"
    for number in 1 2 3 4 5 6 7 8; do
        add_log "$1.db" "round$number" "$study/$1/round$number" --study browser
    done
    check_derived "$1" "$1.db"
}

# Each round for itself: what was found at each level, and within what.
check_round() {
    local variant=$1 number=$2 expected=$study/expected/$1 name=round$2

    check_rows "$variant" "$expected/functions-$number.tsv" "$variant.db" functions -t "$name"
    check_rows "$variant" "$expected/calltree-$number.tsv" "$variant.db" calltree -t "$name"
    check_rows "$variant" "$expected/modules-$number.tsv" "$variant.db" modules -t "$name" \
        -c "$study/measured/browser.yaml" --measured
}

# Corrected times are those of the same run without probes, whatever is chosen of it: the overhead of
# a call that a filter leaves out is taken from its callers all the same.
corrected() {
    local number expected=$study/expected/corrected loop calls name=com.android.browser.TabControl

    loop=$name.restoreState#loop1
    for number in 1 2 3 4 5 6 7 8; do
        options=(-t "round$number")
        check_rows corrected "$expected/functions-$number.tsv" measured.db functions \
            "${options[@]}" --corrected
        check_rows corrected "$expected/calltree-$number.tsv" measured.db calltree \
            "${options[@]}" --corrected
        check_rows corrected "$expected/modules-$number.tsv" measured.db modules "${options[@]}" \
            -c "$study/measured/browser.yaml"
    done
    # The starts are the log's.
    report measured.db calls -t round7 --op "$loop" --corrected | cut -f 3 >got.tsv
    cut -f 3 "$expected/calls-7.tsv" >wanted.tsv
    check "corrected: calls --op" wanted.tsv got.tsv
    report measured.db functions -t round4 --op "$name.restoreState" --corrected | cut -f 1-7 >got.tsv
    grep "^$name.restoreState	" "$expected/functions-4.tsv" | cut -f 1-7 >wanted.tsv
    check "corrected: functions --op" wanted.tsv got.tsv
    report measured.db functions -t round7 --under "$name.restoreState" --corrected |
        cut -f 1-7 >got.tsv
    cut -f 1-7 "$expected/functions-7.tsv" | grep -F "$(cut -f 1 got.tsv)" >wanted.tsv
    check "corrected: functions --under" wanted.tsv got.tsv
    calls=$(grep -c . "$expected/calls-7.tsv")
    expect "corrected: there are calls" [ "$calls" -gt 10 ]
}

hotspots() {
    local variant=$1 expected=$study/expected/$1 number level within calls file options

    while IFS=$'\t' read -r number level within calls file; do
        options=(-t "round$number")
        [ "$number" -ne 0 ] || options=(--study browser)
        [ "$within" = - ] || options+=(--within "$within")
        [ "$calls" -eq 0 ] || options+=(--min-calls "$calls")
        # Over a study there is one column more: the rounds.
        report "$variant.db" hotspots --resolution "$level" "${options[@]}" | cut -f 1-6 >got.tsv
        check "$variant: hotspots --resolution $level ${options[*]}" "$expected/$file" got.tsv
    done <"$expected/hotspots.list"
}

# The same number, however many digits it has.
overhead_rows() {
    awk -F'\t' -v OFS='\t' '{ $4 = sprintf("%.2f", $4); print }' | sort
}

check_study() {
    local variant=$1 expected=$study/expected/$1 number

    rounds "$variant"
    for number in 1 2 3 4 5 6 7 8; do
        check_round "$variant" $number
    done
    for number in 7 8; do
        check_rows "$variant" "$expected/calls-$number.tsv" "$variant.db" calls -t round$number \
            --op 'com.android.browser.TabControl.restoreState#loop1'
    done
    hotspots "$variant"
    report "$variant.db" overhead | overhead_rows >got.tsv
    overhead_rows <"$expected/overhead.tsv" >wanted.tsv
    check "$variant: overhead" wanted.tsv got.tsv
}

# zoom VARIANT: four commands, each within what the one before says is the hottest, each in the
# round that has its probes on.
zoom() {
    local item='' share level round options
    local expected=$study/expected/$1/hotspots.list

    while read -r round level; do
        options=(-t "round$round" --resolution "$level" --top 1)
        [ -z "$item" ] || options+=(--within "$item")
        awk -F'\t' -v r="$round" -v l="$level" -v w="${item:--}" \
            '$1 == r && $2 == l && $3 == w && $4 == 0 { print $5 }' "$expected" >file.txt
        head -n 1 "$study/expected/$1/$(cat file.txt)" >wanted.tsv
        report "$1.db" hotspots "${options[@]}" >got.tsv
        check "$1: zoom to the hottest $level" wanted.tsv got.tsv
        IFS=$'\t' read -r item _ _ _ _ share <got.tsv
    done <<'END'
1 process
2 thread
4 method
7 loop
END
    expect "$1: the zoom ends at the planted loop ($item, $share)" \
        [ "$item" = 'com.android.browser.TabControl.restoreState#loop1' ]
}

# 82.97 % of the time, as in the paper's Figure 8.
figure_8() {
    printf 'tab restore loop\t0.829700\n' >wanted.tsv
    report plain.db modules -t round8 -c "$study/measured/browser.yaml" --measured | head -n 1 |
        cut -f1,3 >got.tsv
    check "the bottleneck's share by module" wanted.tsv got.tsv
    report measured.db modules -t round8 -c "$study/measured/browser.yaml" | head -n 1 |
        cut -f1,3 >got.tsv
    check "the bottleneck's share by module, corrected" wanted.tsv got.tsv
    report plain.db hotspots -t round8 --resolution loop \
        --within com.android.browser.BrowserActivity | cut -f1,6 >got.tsv
    printf 'com.android.browser.TabControl.restoreState#loop1\t0.829700\n' >wanted.tsv
    check "the bottleneck's share of BrowserActivity" wanted.tsv got.tsv
}

filters() {
    # shellcheck disable=SC2016 # a Java name
    local task='com.android.browser.Controller$RestoreTask.run'

    report measured.db hotspots -t round4 --resolution method --within "$task" | cut -f1-5 >wanted.tsv
    report measured.db hotspots -t round4 --resolution method --root "$task" | cut -f1-5 >got.tsv
    check "hotspots --root" wanted.tsv got.tsv
    # Which rounds a number comes from: the loop's probe is on in the last two.
    report plain.db hotspots --resolution loop --study browser | head -n 1 | cut -f 7 >got.tsv
    echo 7,8 >wanted.tsv
    check "hotspots: rounds of a study" wanted.tsv got.tsv
    # The hot loop takes 40 ms, the others less than one.
    report measured.db hotspots -t round7 --resolution loop --min-time 0.01s | cut -f1,3 >got.tsv
    printf 'com.android.browser.TabControl.restoreState#loop1\t20\n' >wanted.tsv
    check "hotspots --min-time" wanted.tsv got.tsv
}

# starts VARIANT: when each round began, to the second, without offset.
starts() {
    tracetool -d "$1.db" traces --format tsv | grep -v '^#' | cut -f1,8 | cut -c1-26 | sort
}

# The first line tells when the round was; without it, all else is the same.
first_lines() {
    local number

    rounds bare
    for number in 1 2 3 4 5 6 7 8; do
        check_rows "bare" "$study/expected/measured/functions-$number.tsv" bare.db functions \
            -t round$number
        printf 'round%d\t2012-05-01T10:%02d:00\n' $number $((number * 5)) >>dated.tsv
        printf 'round%d\t\n' $number >>undated.tsv
    done
    starts measured >got.tsv
    check "start of the rounds" dated.tsv got.tsv
    starts bare >got.tsv
    check "start of rounds without a first line" undated.tsv got.tsv
}

# A component that is made and destroyed over and over, as often as is said: the report's steps in
# SQLite's machine (tests/work.c), in $steps. Each time it serves 60 ns, and the next begins 40 later.
serve() {
    awk -v times="$1" 'BEGIN {
        for (i = 0; i < times; i++)
            printf "%d\t1\t7\tE\ta.B.onCreate\t-\n%d\t1\t7\tX\ta.B.onCreate\t-\n" \
                "%d\t1\t7\tE\ta.B.onDestroy\t-\n%d\t1\t7\tX\ta.B.onDestroy\t-\n",
                100 * i, 100 * i + 10, 100 * i + 50, 100 * i + 60
    }' >served.rmp
    rm -f served.db steps.txt
    tracetool -q -d served.db import served.rmp
    LD_PRELOAD=$BUILD/work.so WORK=steps.txt tracetool -d served.db report service |
        awk '!/^#/ { print $4, $5 }' | uniq -c | awk '{ print $1, $2, $3 }' >got.tsv
    echo "$1 60 onDestroy" >wanted.tsv
    check "service of a component that serves $1 times" wanted.tsv got.tsv
    steps=$(cat steps.txt)
}

# Ends are found for four times as many in about four times the steps, not sixteen.
many_services() {
    local few

    # Programs with run-time checks want to be loaded before anything else, so it is not built there.
    if [ ! -e "$BUILD/work.so" ]; then
        skip "steps of service: there is no $BUILD/work.so"
        return
    fi
    serve 500 && few=$steps
    serve 2000
    expect "service: $few steps for 500 times, $steps for 2000" [ "$steps" -le $((5 * few)) ]
}

# Calls 1000 deep, each of a function of its own: what is looked up for each call by its depth, or by
# how many functions there are, takes thousands of steps; 171 and 253 are what it takes.
deep_calls() {
    local report

    [ -e "$BUILD/work.so" ] || return
    awk 'BEGIN {
        for (i = 0; i < 1000; i++) print i "\t1\t1\tE\tf" i "\t-"
        for (i = 999; i >= 0; i--) print 2000 - i "\t1\t1\tX\tf" i "\t-"
    }' >deep.rmp
    tracetool -q -d deep.db import deep.rmp
    for report in callpaths hotspots; do
        rm -f steps.txt
        LD_PRELOAD=$BUILD/work.so WORK=steps.txt tracetool -d deep.db report $report >/dev/null
        steps=$(cat steps.txt)
        expect "$report: $steps steps for 1000 calls in one another" [ "$steps" -le 500000 ]
    done
}

kept_files small "$rmp" testdata/rmp
samples
accuracy
table_2
damaged_files
check_study measured
check_study plain
corrected
zoom measured
zoom plain
figure_8
filters
first_lines
many_services
deep_calls
finish "rmp: "
