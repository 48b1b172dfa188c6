#!/bin/bash
# Compares `report durability` with the kernel, in simulated power cuts of ext4 with and without
# auto_da_alloc. Skipped without root, strace and loop devices; `durability.test` has two recorded cuts of
# each.
#
#     POWER_CUTS=24 BUILD=build tests/power-cut.sh    number of each; make check-all: 100
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

for options in defaults noauto_da_alloc; do
    "$tests/power_cut.py" check "$TRACETOOL" $options "${POWER_CUTS:-24}" >out.txt
    status=$?
    if [ $status -eq 77 ]; then
        skip "power cuts with $options"
    else
        cat out.txt
        expect "power cuts with $options: what is durable is kept" [ $status -eq 0 ]
        # shellcheck disable=SC2016 # awk's
        expect "power cuts with $options: some is durable, and some is lost" \
            awk -F'\t' '$1 == "posix" && $2 == "durable" { kept = $3 - $4 } $1 == "posix" { lost += $4 } END { exit !(kept > 0 && lost > 0) }' out.txt
    fi
done
finish ""
