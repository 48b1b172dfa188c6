# shellcheck shell=bash
# Shared by the test scripts: the program under test, counting, and summing over parts.

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$tests")
BUILD=${BUILD:-$root/build}
TRACETOOL=${TRACETOOL:-$BUILD/tracetool}
GENERATE=${GENERATE:-$BUILD/generate-palmist}

# Removes the tester's settings and language, and sets a time zone that reveals uses of the machine's instead
# of the device's.
unset TRACETOOL_DB XDG_CONFIG_HOME NO_COLOR COLUMNS TRACETOOL_PAGER PAGER LESS LV
export TRACETOOL_CACHE=$BUILD/cache # cache for logs queried directly; its own test uses another one
export LC_ALL=C.UTF-8 TZ=XXX-5:30 TERM=xterm

# Working directories are in memory if it has space and allows programs: on a disk, imports mostly wait.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && ! grep -q "/dev/shm [^ ]* [^ ]*noexec" /proc/mounts &&
    [ "$(df --output=avail /dev/shm | tail -n 1)" -gt 4000000 ]; then
    export TMPDIR=/dev/shm
fi

# Debian's python3 has the packages that tests need, and starts within 10 ms; others in PATH may take ten
# times as long. In the background, use `command python3`: for a function, $! would be a shell, and killing it
# leaves Python running.
if [ -x /usr/bin/python3 ]; then
    python3() {
        /usr/bin/python3 "$@"
    }
fi

# Runs the program with a limit of two minutes. TRACETOOL can be several words (valgrind). Scripts with other
# limits or fixed options redefine it.
tracetool() {
    # shellcheck disable=SC2086
    timeout -k 5 120 $TRACETOOL "$@"
}

# Runs the program in the background, so that $! is its own process.
start_tracetool() {
    # shellcheck disable=SC2086
    exec $TRACETOOL "$@"
}

passed=0 failed=0 skipped=0

pass() {
    passed=$((passed + 1))
}

# fail WHAT [FILE]: reports a failure; FILE has details.
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    [ $# -lt 2 ] || head -n "${FAILURE_LINES:-40}" "$2" | sed 's/^/    /'
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}

# check WHAT EXPECTED ACTUAL: compares two files.
check() {
    if diff -u --label expected --label got "$2" "$3" >"$3.diff" 2>&1; then
        pass
    else
        fail "$1" "$3.diff"
    fi
}

# expect WHAT COMMAND…: checks that the command succeeds.
expect() {
    if "${@:2}"; then
        pass
    else
        fail "$1"
    fi
}

# Prints the machine's load as an integer. Time limits grow with it, because processes share the processors.
load() {
    local average

    read -r average _ </proc/loadavg && echo "${average%.*}"
}

# catches_signals PROCESS: waits until it has a handler for SIGTERM; before that, the signal ends it at once.
catches_signals() {
    local i caught=0

    for ((i = 0; i < 600; i++)); do
        # Excludes the shell before exec, which has a handler, too.
        [ "/proc/$1/exe" -ef "/proc/$$/exe" ] || caught=$(awk '/^SigCgt/ { print $2 }' "/proc/$1/status" 2>/dev/null)
        [ $((0x${caught:-0} & 0x4000)) -eq 0 ] || return 0
        sleep 0.05
    done
}

# write_log FILE LINES FIRST: writes MOST lines, all different.
write_log() {
    awk -v lines="$2" -v first="$3" 'BEGIN {
        for (i = first; i < first + lines; i++) {
            printf "%d.%09d\tC\tWS\t%d\t8\t%d\tprocess%d\tD\tfile%d.db\n", i / 50, i % 50 * 1000000,
                i * 8, 100 + i % 7, i % 7, i % 1000
        }
    }' >"$1"
}

# registered KIND [NAME]: prints lines of tests/registry of that kind (format, export or option), or of one
# name, without the first column. Columns are separated by |.
registered() {
    sed -n "s/^$1 *| *\\(${2:-[^|]*}\\)\\( *|.*\\)*\$/\\1\\2/p" "$tests/registry" | sed 's/ *| */|/g'
}

# good_log FORMAT [tail]: prints the path, from the top directory, of the smallest shipped log that must be
# imported; tail: of the largest. These are the seeds of fuzzing.
good_log() {
    # shellcheck source=/dev/null
    (cd "$root" && . fuzz/seeds && list_good_seeds "$1" | xargs -r ls -Sr | "${2:-head}" -n 1)
}

# Prints the last line of a part, and exits with its status.
finish() {
    local line="$passed passed, $failed failed"

    [ "$skipped" -eq 0 ] || line+=", $skipped skipped"
    echo "$1$line"
    [ "$failed" -eq 0 ]
}

# run_aside SCRIPT JOBS PART…: runs `SCRIPT --aside DIRECTORY PART` for each part, so many in parallel, and
# sums the results. Prints their output in the order of the parts.
run_aside() {
    local script=$1 jobs=$2 results part

    shift 2
    results=$(mktemp -d)
    printf '%s\n' "$@" | xargs -P "$jobs" -I'{}' "$script" --aside "$results" '{}' &
    aside=$!
    for part in "$@"; do
        take_results "$results" "$part"
    done
    rm -rf "$results"
}

# give_results FUNCTION DIRECTORY PART: called in the child; runs the function on the part.
give_results() {
    "$1" "$3" >"$2/$3.said" 2>&1
    echo "$passed $failed $skipped" >"$2/$3.new"
    mv "$2/$3.new" "$2/$3.counts"
}

# take_results DIRECTORY PART: waits for a part of run_aside, and adds its results.
take_results() {
    local counts

    while [ ! -e "$1/$2.counts" ] && kill -0 "$aside" 2>/dev/null; do
        sleep 0.2
    done
    cat "$1/$2.said"
    # The file is missing if the part was killed.
    read -r -a counts <"$1/$2.counts" || counts=(0 1 0)
    passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
}

# Lists the suites of the unit tests, and the long parts of the golden tests.
unit_suites() {
    find "$tests/unit" -name 'test_*.c' | sed 's|.*/test_||; s|\.c$||'
}

long_golden() {
    grep -lE '^(long|real):' "$tests"/golden/*.test | sed 's|.*/|long-|; s|\.test$||'
}

# processor_time FILE: sets $processor to the whole seconds that the shell's children used so far.
processor_time() {
    times >"$1"
    processor=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int(60 * ($1 + $3) + $2 + $4) }' "$1")
}

# run_part NAME COMMAND…: runs it and adds the results in its last line `… N passed, N failed`. A command
# without that line counts as one test, and so does one that fails without counting a failure. It fails if
# nothing ran without a message that it was skipped.
run_part() {
    local name=$1 output status counts begin=$SECONDS before

    shift
    output=$(mktemp)
    processor_time "$output"
    before=$processor
    echo "--- $name"
    "$@" 2>&1 </dev/null | tee "$output"
    status=${PIPESTATUS[0]}
    counts=$(sed -n 's/^\(.*: \)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\2 \3 0\5/p' \
        "$output" | tail -n 1)
    processor_time "$output"
    rm -f "$output"
    if [ -z "$counts" ]; then
        [ "$status" -eq 0 ] && counts="1 0 0" || counts="0 1 0"
    elif [ "$status" -ne 0 ] && [ "$(echo "$counts" | cut -d' ' -f2)" -eq 0 ]; then
        counts="$(echo "$counts" | cut -d' ' -f1) 1 0"
    elif [ "$counts" = "0 0 0" ]; then
        echo "FAILED: $name: nothing ran"
        counts="0 1 0"
    fi
    read -r part_passed part_failed part_skipped <<<"$counts"
    passed=$((passed + part_passed))
    failed=$((failed + part_failed))
    skipped=$((skipped + 10#$part_skipped))
    echo "--- $name: $part_passed passed, $part_failed failed, $((SECONDS - begin)) s" \
        "($((processor - before)) s of processor)"
}
