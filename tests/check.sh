#!/bin/bash
# Runs parts of the tests (unit, golden, reference, reference-small, and one a format) and adds up their results.
# The last line is `N passed, N failed`, the status is not 0 when anything failed.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

cd "$root" || exit 1
for part in "$@"; do
    case $part in
    unit) run_part unit "$BUILD/unit-tests" ;;
    golden) run_part golden "$tests/golden.sh" ;;
    reference) run_part reference "$tests/reference.sh" full ;;
    blkparse | androtrace | mobigen | study | dwtrace | rmp | android-trace | fuzz | hostile | damage | limits | loss | together) run_part "$part" "$tests/$part.sh" ;;
    reference-small) run_part reference-small "$tests/reference.sh" small ;;
    *)
        echo "there is no part $part" >&2
        exit 2
        ;;
    esac
done
finish ""
