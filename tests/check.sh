#!/bin/bash
# Runs parts of the tests and sums their results: `unit`, its halves `unit-1` and `unit-2`, `long-NAME` (the
# long stanzas of tests/golden/NAME.test), `more-damage`, and tests/PART.sh. The last line is `N passed, N
# failed`; the status is not 0 if anything failed.
#
#     JOBS=2 tests/check.sh PART…
#
# With JOBS, so many parts run in parallel; their output is printed in the order of the parts.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$root" || exit 1
# A loaded machine must not fail tests that do not hang.
export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-3}

# Runs a part, and sets $failed, $passed and $skipped.
run_named() {
    case $1 in
    unit) run_part unit "$BUILD/unit-tests" ;;
    unit-[12])
        # shellcheck disable=SC2046 # a word a suite
        run_part "$1" "$BUILD/unit-tests" $(unit_suites | "$tests/deal.sh" unit 2 "${1#unit-}")
        ;;
    long-*) LONG=only run_part "$1" "$tests/golden.sh" "$tests/golden/${1#long-}.test" ;;
    more-damage) run_part "more damage" "$tests/damage.sh" 300 ;;
    *) run_part "$1" "$tests/$1.sh" ;;
    esac
}

if [ "${1:-}" = --aside ]; then
    give_results run_named "$2" "$3"
    exit
fi
for part in "$@"; do
    case $part in
    unit | unit-[12] | more-damage) ;;
    *)
        if [ ! -x "$tests/$part.sh" ] && [ ! -e "$tests/golden/${part#long-}.test" ]; then
            echo "there is no part $part" >&2
            exit 2
        fi
        ;;
    esac
done
if [ "${JOBS:-1}" -gt 1 ]; then
    run_aside "$tests/check.sh" "$JOBS" "$@"
else
    for part in "$@"; do
        run_named "$part"
    done
fi
finish ""
