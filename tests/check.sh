#!/bin/bash
# Runs parts of the tests and adds up their results: `unit`, its halves `unit-1` and `unit-2`, `long-1` to
# `long-7` (the golden tests that take long, of every seventh file), `more-damage`, and tests/PART.sh.
# The last line is `N passed, N failed`, the status is not 0 when anything failed.
#
#     JOBS=2 tests/check.sh PART…
#
# With JOBS, so many run at once: what each says comes as a whole, in the order of the parts.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$root" || exit 1
# A machine with other work must not fail a test that hangs on nothing.
export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-3}

# long_golden N: the golden tests that take long, of the files N, N + 7, N + 14 ….
long_golden() {
    local files=("$tests"/golden/*.test) chosen=() i

    for ((i = $1 - 1; i < ${#files[@]}; i += 7)); do chosen+=("${files[i]}"); done
    LONG=only GOLDEN_JOBS=${GOLDEN_JOBS:-2} run_part "long golden tests, $1 of 7" "$tests/golden.sh" "${chosen[@]}"
}

# Runs a part, in $failed, $passed and $skipped.
run_named() {
    case $1 in
    unit) run_part unit "$BUILD/unit-tests" ;;
    unit-[12]) run_part "$1" "$BUILD/unit-tests" "${1#unit-}" ;;
    long-[1-7]) long_golden "${1#long-}" ;;
    more-damage) run_part "more damage" "$tests/damage.sh" 300 ;;
    *) run_part "$1" "$tests/$1.sh" ;;
    esac
}

# take_results DIRECTORY PART: waits for a part that is run aside, and adds it up.
take_results() {
    local counts

    while [ ! -e "$1/$2.counts" ] && kill -0 "$aside" 2>/dev/null; do
        sleep 0.2
    done
    cat "$1/$2.said"
    # Nothing is there when whoever ran it was killed.
    read -r -a counts <"$1/$2.counts" || counts=(0 1 0)
    passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
}

# Runs all parts, some at once.
run_aside() {
    local results name

    results=$(mktemp -d)
    printf '%s\n' "$@" | xargs -P "$JOBS" -I'{}' "$tests/check.sh" --aside "$results" '{}' &
    aside=$!
    for name in "$@"; do
        take_results "$results" "$name"
    done
    rm -rf "$results"
}

if [ "${1:-}" = --aside ]; then
    run_named "$3" >"$2/$3.said" 2>&1
    echo "$passed $failed $skipped" >"$2/$3.new"
    mv "$2/$3.new" "$2/$3.counts"
    exit
fi
for part in "$@"; do
    case $part in
    unit | unit-[12] | long-[1-7] | more-damage) ;;
    *)
        if [ ! -x "$tests/$part.sh" ]; then
            echo "there is no part $part" >&2
            exit 2
        fi
        ;;
    esac
done
if [ "${JOBS:-1}" -gt 1 ]; then
    run_aside "$@"
else
    for part in "$@"; do
        run_named "$part"
    done
fi
finish ""
