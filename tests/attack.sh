#!/bin/bash
# Runs the long attacks, one per processor at a time: `make attack`.
#
#     [JOBS=2] BUILD=build tests/attack.sh [PART…]     default: all
#
# every: imports of each format, plain and compressed, with a full disk or a crash at each
#        disk operation (tests/unit/test_every.c)
# cuts:  a log of each format, cut at every byte
# slow:  logs of 1 MB designed to be slow, and a database of them (tests/slow.sh)
#
# The last lines are a table: part, format, tries, seconds, and result.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

JOBS=${JOBS:-$(nproc)}
REPLAY=${REPLAY:-$BUILD/replay}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# For a log that must not exist, the command itself fails.
every() {
    EVERY=1 FORMAT=$1 CK_RUN_SUITE=every CK_RUN_CASE=every CK_TIMEOUT_MULTIPLIER=1000 "$BUILD/unit-tests"
}

cuts() {
    FUZZ_TARGET=$1 "$REPLAY" --cut 0 "$(good_log "$1")"
}

slow() {
    "$tests/slow.sh" 1000000
}

# one PART FORMAT: runs it, and writes its row of the table, and the output of failures.
one() {
    local begin=$SECONDS outcome=failed tries

    if "$1" "$2" >"$work/$1-$2.out" 2>&1; then
        outcome=passed
    fi
    case $1 in
    every) tries=$(awk '$1 == "operations:" { sum += $2 } END { print sum }' "$work/$1-$2.out") ;;
    cuts) tries=$(stat -c %s "$(good_log "$2")") ;;
    *) tries=$(sed -n 's/^slow: \([0-9]*\) passed.*/\1/p' "$work/$1-$2.out") ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "${tries:-0}" $((SECONDS - begin)) $outcome >"$work/$1-$2.row"
    echo "$1 $2: $outcome after $((SECONDS - begin)) s"
    [ $outcome = passed ] || tail -n 20 "$work/$1-$2.out"
}

# start PART FORMAT: starts it as soon as a job is free.
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
        wait -n
    done
    one "$@" &
}

[ $# -gt 0 ] || set -- slow every cuts
mapfile -t formats < <($TRACETOOL formats --format tsv | grep -v '^#' | cut -f 1)
expect "formats are listed" [ ${#formats[@]} -gt 0 ]
for part in "$@"; do
    if [ "$part" = slow ]; then
        start slow all
        continue
    fi
    for format in "${formats[@]}"; do
        start "$part" "$format"
    done
done
wait
printf '# part\tformat\ttries\tseconds\toutcome\n'
cat "$work"/*.row
while IFS=$'\t' read -r part format tries _ outcome; do
    expect "$part $format: $tries tries" [ "$outcome" = passed -a "$tries" -gt 0 ]
done < <(cat "$work"/*.row)
finish "attack: "
