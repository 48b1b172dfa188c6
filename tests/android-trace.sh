#!/bin/bash
# The format android-trace against what its generator played, in every version and clock; against the
# same program in RMP logs; and real files against tests/android_trace.py.
#
#     [SHARED=FOLDER] BUILD=build tests/android-trace.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/android-trace
real=$shared/data/android-trace
player=("$root"/testdata/rmp/{util,play,account,browser}.c)
build_generator generate "$root"/testdata/util.c "$data"/*.c "${player[@]}"
build_generator generate-rmp "$root"/testdata/{util,rmp/*}.c
./generate small small && ./generate browser browser && ./generate-rmp study study || exit 1

# --- good files -------------------------------------------------------------------------------

# check_clock NAME EXPECTED CLOCK CALLS [OPTION…]
check_clock() {
    local op

    op=$(cat "$2/op.txt")
    check_rows "$1" "$2/functions-$3.tsv" good.db functions "${@:5}"
    check_rows "$1" "$2/per-thread-$3.tsv" good.db functions --per-thread "${@:5}"
    check_rows "$1" "$2/calltree-$3.tsv" good.db calltree "${@:5}"
    check_rows "$1" "$2/calls-$4.tsv" good.db calls --op "$op" "${@:5}"
}

# check_good FILE CLOCKS EXPECTED: a file with one clock is not asked for another.
check_good() {
    local name=${1##*/}

    import_as good.db "$1"
    first_rejected good.db | grep -v '^offset' >got.tsv
    check "$name: records" "$3/records.tsv" got.tsv
    if [ "$2" = "wall cpu" ]; then
        check_clock "$name" "$3" wall wall
        check_clock "$name" "$3" wall wall --clock wall
        check_clock "$name" "$3" cpu dual --clock cpu
    else
        check_clock "$name" "$3" "$2" "$2"
    fi
    check_derived "$name" good.db
}

# good_files FOLDER: ok/ with its list, and expected/.
good_files() {
    local name clocks expected

    while IFS=$'\t' read -r name clocks expected; do
        check_good "$1/ok/$name.trace" "$clocks" "$1/expected/$expected"
    done <"$1/ok/list.tsv"
}

# starts FILE: when tracing began, to the second.
starts() {
    import_as start.db "$1"
    tracetool -d start.db traces --format tsv | grep -v '^#' | cut -f8 | cut -c1-19
}

# ART's later files say the time since the device was switched on: no day of 1970.
start_times() {
    expect "start of a Dalvik trace" \
        [ "$(starts "$data/ok/shop-v3-dual.trace" | tail -n 1)" = 2012-05-01T02:00:00 ]
    expect "no start from the time since boot" \
        [ -z "$(starts "$data/ok/shop-uptime.trace" | tail -n 1)" ]
}

# Packed and through a pipe.
other_ways() {
    local expected=$data/expected/shop

    gzip -c "$data/ok/shop-streaming-dual.trace" >packed.trace.gz
    import_as good.db packed.trace.gz
    check_rows packed "$expected/calltree-wall.tsv" good.db calltree
    rm -f good.db
    expect stdin tracetool -q -d good.db import -n log - <"$data/ok/shop-v1-thread-cpu.trace"
    check_rows stdin "$expected/calltree-cpu.tsv" good.db calltree
}

# --- damage -----------------------------------------------------------------------------------

wanted() {
    awk -F'\t' -v key="$2" '$1 == key { print $2 }' "$1.expected"
}

# between NUMBER RANGE: the range is a number, or two with a dash.
between() {
    [ -n "$1" ] && [ "$1" -ge "${2%-*}" ] && [ "$1" -le "${2#*-}" ]
}

# check_outcome FILE: of an import into damaged.db that was done.
check_outcome() {
    local name=damaged/${1##*/} key range offset

    first_rejected damaged.db >got.tsv
    for key in events rejected; do
        range=$(wanted "$1" $key)
        expect "$name: $key $(awk -v k=$key '$1 == k' got.tsv), not $range" \
            between "$(awk -v k=$key '$1 == k { print $2 }' got.tsv)" "$range"
    done
    offset=$(wanted "$1" offset)
    [ -z "$offset" ] || expect "$name: offset of the first rejected record" \
        [ "$(awk '$1 == "offset" { print $2 }' got.tsv)" = "$offset" ]
    if grep -q '^reports' "$1.expected"; then
        check_rows "$name" "$data/expected/$(wanted "$1" reports)/functions-wall.tsv" damaged.db \
            functions
    fi
    # The shop has one method without a name. More of them are none: bytes were taken for records.
    if grep -q '^names' "$1.expected"; then
        report damaged.db functions | grep '^0x' | grep -v '^0xb6d0f00c' >got.tsv
        expect "$name: no calls of methods that do not exist" [ ! -s got.tsv ]
    fi
    check_derived "$name" damaged.db
}

check_damaged() {
    local name=damaged/${1##*/} status

    rm -f damaged.db
    tracetool -q -d damaged.db import -n log "$1" 2>err.txt
    status=$?
    if [ $status -eq 1 ] && [ "$(wanted "$1" status)" = '0|1' ]; then
        expect "$name: refused in one line that names it, without a database" \
            one_line "$1" damaged.db
    elif [ $status -ne 0 ]; then
        fail "import of $name" err.txt
    else
        check_outcome "$1"
    fi
    # What is sure to lose a record is not imported at all with --strict.
    if [ "$(wanted "$1" status)$(wanted "$1" rejected)" = 01 ]; then
        check_strict "$name" "$1"
    fi
}

# check_called FILE [OPTION…]: refused, too, by what it is.
check_called() {
    local name=${1##*/} format

    check_refused "$@"
    # Other formats by their name; it may not come from the file's.
    case $name in
    perfetto*) format=perfetto ;;
    simpleperf-record*) format=perf.data ;;
    simpleperf*) format=simpleperf ;;
    *) return ;;
    esac
    sed "s|[^ ]*$name||g" err.txt >words.txt
    expect "fail/$name ${*:2} is called $format" grep -qi $format words.txt
}

damaged_files() {
    local file

    for file in "$data"/damaged/*.expected; do
        check_damaged "${file%.expected}"
    done
    import_as kept.db "$data/ok/shop-v3-dual.trace"
    for file in "$data"/fail/*; do
        check_called "$file"
        check_called "$file" -f android-trace
    done
}

# --- one program, several traces --------------------------------------------------------------

# The reports of a streaming file are those of a regular one.
streaming() {
    local options

    import_as regular.db browser/ok/browser-v3-dual-art.trace
    import_as streaming.db browser/ok/browser-streaming-dual.trace
    for options in functions "functions --per-thread" "functions --clock cpu" calltree \
        "calltree --clock cpu" "calls --op com.android.browser.Tab.restoreState"; do
        # shellcheck disable=SC2086 # options are words
        report regular.db $options >wanted.tsv
        # shellcheck disable=SC2086
        report streaming.db $options >got.tsv
        check "streaming as regular: $options" wanted.tsv got.tsv
    done
}

# The eight rounds without the probes' overhead beside the Android trace, in both.db.
import_both() {
    local number

    rm -f both.db
    expect "import of the Android trace" tracetool -q -d both.db import -n android \
        browser/ok/browser-v3-dual.trace
    for number in 1 2 3 4 5 6 7 8; do
        expect "import of round $number" tracetool -q -d both.db import --join --study browser \
            -n round$number "study/plain/round$number.probes" "study/plain/round$number.rmp"
    done
}

# Methods and run()s that a round has probes on: `name calls total`. Components and loops are not
# methods, Android's trace knows none.
probed() {
    report both.db functions -t "round$1" | cut -f1-3 |
        awk -F'\t' 'NR == FNR { if ($4 == "on" && $2 ~ /^(thread|method)$/) on[$1]; next } $1 in on' \
            "study/plain/round$1.probes" - | sort
}

same_times() {
    local number count=0

    report both.db functions -t android | cut -f1-3 | sort >android.tsv
    for number in 2 3 4 5 6 7 8; do
        probed $number >wanted.tsv
        count=$((count + $(wc -l <wanted.tsv)))
        awk -F'\t' 'NR == FNR { on[$1]; next } $1 in on' wanted.tsv android.tsv >got.tsv
        check "inclusive times in round $number and in Android's trace" wanted.tsv got.tsv
    done
    expect "inclusive times: $count compared" [ "$count" -ge 20 ]
}

# The paper: 8 rounds of 15 KB against 2.99 MB.
log_sizes() {
    report both.db overhead >overhead.tsv
    awk -F'\t' '$1 == "android" { large = $2; events = $3; each = $4 }
        $1 ~ /^round/ { small += $2 }
        END { printf "%s\t%s\t%.0f\t%.2f\n", large, events, large / small, each }' overhead.tsv >got.tsv
    awk -F'\t' -v bytes="$(stat -c %s browser/ok/browser-v3-dual.trace)" \
        '$1 == "events" { printf "%d\t%d\t25\t%.2f\n", bytes, $2, bytes / $2 }' \
        browser/expected/browser/records.tsv >wanted.tsv
    check "sizes of the logs (bytes, events, ratio, bytes per event)" wanted.tsv got.tsv
}

# --- real files -------------------------------------------------------------------------------

# read_reference FILE: everything that there is to say of it, at once.
read_reference() {
    rm -rf reference
    mkdir reference
    python3 "$tests/android_trace.py" every "$1" reference
}

# reference REPORT [OPTION…]: of the file that was read.
reference() {
    cat "reference/$*"
}

# check_paths NAME CALLTREE [OPTION…]: the paths of a tree, in whatever order, and the longest time first.
check_paths() {
    LC_ALL=C awk -F'\t' -v OFS='\t' '
        { path[$1] = $1 == 0 ? $2 : path[$1 - 1] " > " $2; row[NR] = $2 OFS $3 OFS $4 OFS $5
          of[NR] = path[$1]; self[NR] = $5; all += $5 }
        END { for (i = 1; i <= NR; i++) print row[i], sprintf("%.6f", self[i] / all), of[i] }' "$2" |
        sort >wanted-paths.tsv
    report real.db callpaths "${@:3}" >paths.tsv
    sort paths.tsv >got.tsv
    check "$1: callpaths ${*:3}" wanted-paths.tsv got.tsv
    expect "$1: callpaths: the longest first" sort -c -s -t$'\t' -k4,4nr paths.tsv
}

# check_nesting NAME TREE: what a function calls takes no longer than it does, one by one and all
# together; siblings come by what they take.
check_nesting() {
    awk -F'\t' '{
        total[$1] = $4
        inside[$1] = 0
        if ($1 > 0) {
            inside[$1 - 1] += $4
            if (inside[$1 - 1] > total[$1 - 1]) print "callees take more than their caller: " $0
            if ($1 == depth && $4 > before) print "not by what it takes: " $0
        }
        depth = $1
        before = $4
    }' "$2" >wrong.txt
    expect "$1: callees within their callers" [ ! -s wrong.txt ]
}

check_real() {
    local name=${1##*/} clock options

    import_as real.db "$1"
    read_reference "$1"
    reference records | sed -n 1,2p >wanted.tsv
    first_rejected real.db | grep -v '^offset' >got.tsv
    check "$name: records" wanted.tsv got.tsv
    for clock in $(reference clocks); do
        options=()
        [ "$(reference clocks | wc -l)" -eq 1 ] || options=(--clock "$clock")
        reference functions --clock "$clock" >wanted.tsv
        check_rows "$name" wanted.tsv real.db functions "${options[@]}"
        reference functions --clock "$clock" --per-thread >wanted.tsv
        check_rows "$name" wanted.tsv real.db functions --per-thread "${options[@]}"
        reference calltree --clock "$clock" >wanted.tsv
        check_rows "$name" wanted.tsv real.db calltree "${options[@]}"
        check_nesting "$name" wanted.tsv
        check_paths "$name" wanted.tsv "${options[@]}"
        reference functions --clock "$clock" --open leave-out >wanted.tsv
        check_rows "$name" wanted.tsv real.db functions --open leave-out "${options[@]}"
        reference calltree --clock "$clock" --open leave-out >wanted.tsv
        check_rows "$name" wanted.tsv real.db calltree --open leave-out "${options[@]}"
    done
    check_call_percentiles "$name" real.db
    check_blocked "$name"
    check_derived "$name" real.db
}

# check_call_percentiles WHAT DATABASE: of all calls that ended or were open at the end, by function and
# thread; with --open leave-out, of those that ended, whatever is left of them with a window.
check_call_percentiles() {
    local from="FROM event AS e JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
        LEFT JOIN open_call AS o ON o.event = e.id WHERE e.flags & 3 = 0"

    percentiles_of "$2" "SELECT n.text, ifnull(e.duration, o.duration) $from" | sort >wanted.tsv
    report "$2" percentiles | sort >got.tsv
    check "$1: percentiles" wanted.tsv got.tsv
    percentiles_of "$2" "SELECT n.text, e.duration $from AND e.time >= 10000" | sort >wanted.tsv
    report "$2" percentiles --open leave-out --from 0.00001s --by operation | sort >got.tsv
    check "$1: percentiles of calls that ended" wanted.tsv got.tsv
    percentiles_of "$2" "SELECT a.id, ifnull(e.duration, o.duration) $from" | cut -f 2- | sort >wanted.tsv
    report "$2" percentiles --by thread | cut -f 2- | sort >got.tsv
    check "$1: percentiles by thread" wanted.tsv got.tsv
}

# check_blocked NAME: wall less CPU times of the reference's functions by thread, where it has both
# clocks.
check_blocked() {
    local options

    if [ "$(reference clocks | wc -l)" -ne 2 ]; then
        tracetool -d real.db report blocked 2>err.txt
        expect "$1: one clock" grep -q 'compares the wall clock with the CPU clock; trace log has only: ' err.txt
        return
    fi
    for options in "" "--open leave-out"; do
        # shellcheck disable=SC2086 # an option and its value
        for clock in wall cpu; do
            reference functions --clock $clock --per-thread $options >$clock.tsv
        done
        awk -F'\t' -v OFS='\t' '
            NR == FNR { total[$1, $2] = $4; self[$1, $2] = $5; next }
            {
                key = $1 SUBSEP $2
                name[++n] = $1 OFS $2 OFS $3
                wall[n] = $5; cpu[n] = self[key]
                both[n] = $5 != "" && self[key] != ""
                totals[n] = $4 - total[key]
                all += both[n] ? $5 - self[key] : 0
            }
            END {
                for (i = 1; i <= n; i++)
                    if (both[i])
                        printf "%s\t%.0f\t%.0f\t%.0f\t%s\t%.0f\n", name[i], wall[i], cpu[i], wall[i] - cpu[i],
                            all == 0 ? "" : sprintf("%.6f", (wall[i] - cpu[i]) / all), totals[i]
                    else
                        print name[i], "", "", "", "", ""
            }' cpu.tsv wall.tsv | sort >wanted.tsv
        # shellcheck disable=SC2086
        report real.db blocked $options | sort >got.tsv
        check "$1: blocked $options" wanted.tsv got.tsv
        # shellcheck disable=SC2086 # the same by a pass over the events
        report real.db blocked --from 0 $options | sort >got.tsv
        check "$1: blocked --from 0 $options" wanted.tsv got.tsv
        awk -F'\t' -v OFS='\t' '{ calls[$1] += $3; wall[$1] += $4; cpu[$1] += $5; any[$1] += $4 != "" }
            END { for (t in calls) print t, calls[t], any[t] ? wall[t] : "", any[t] ? cpu[t] : "",
                any[t] ? wall[t] - cpu[t] : "" }' OFMT=%.0f CONVFMT=%.0f wanted.tsv | sort >threads.tsv
        # shellcheck disable=SC2086
        report real.db blocked --per-thread $options | cut -f 1-5 | sort >got.tsv
        check "$1: blocked --per-thread $options" threads.tsv got.tsv
    done
}

# What the files themselves say of their number of records.
said_numbers() {
    local name

    for name in basic-api10 basic exception mismatched legacy; do
        import_as real.db "$real/$name.trace"
        expect "$name: number of records as the file says" [ "$(first_rejected real.db |
            awk '$1 == "events" { print $2 }')" = "$(sed -n 's/^num-method-calls=//p;/^\*end$/q' \
                "$real/$name.trace" | head -n 1)" ]
    done
}

real_files() {
    local file

    if [ ! -d "$real" ]; then
        skip "real files: there is no $real"
        return
    fi
    if ! command -v python3 >/dev/null; then
        skip "real files: there is no python3"
        return
    fi
    for file in "$real"/*.trace; do
        check_real "$file"
    done
    said_numbers
}

kept_files small "$data" testdata/android-trace
good_files "$data"
good_files browser
start_times
other_ways
damaged_files
streaming
import_both
same_times
log_sizes
real_files
finish "android-trace: "
