#!/bin/bash
# Replays the seeds of fuzzing, and all inputs that ever caused a failure: fuzz/README.md.
#
#     BUILD=build tests/fuzz.sh [TARGET…]       default: all targets
#
# Does not need libFuzzer: build/replay passes each file to its target once. A target aborts if a guarantee is
# violated; under a sanitizer (BUILD=build/asan) also on memory errors.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1
# shellcheck source=fuzz/seeds
. fuzz/seeds

REPLAY=${REPLAY:-$BUILD/replay}
# For fuzz/seeds.
# shellcheck disable=SC2034
FUZZ_TRACETOOL=$TRACETOOL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# replay_each TARGET FILE…: replays them one by one, to name those that fail.
replay_each() {
    local file target=$1

    for file in "${@:2}"; do
        if FUZZ_TARGET=$target timeout $((60 + 60 * $(load))) "$REPLAY" "$file" >"$work/output" 2>&1; then
            pass
        else
            fail "$target: ${file#"$work/"}" "$work/output"
        fi
    done
}

# Replays all files in one process, which is fast; one by one only on failure.
replay_target() {
    local folder=$work/$1 files

    mkdir "$folder"
    collect_seeds "$1" "$folder"
    files=("$folder"/*)
    if [ ! -e "${files[0]}" ]; then
        fail "$1: no seeds"
    elif FUZZ_TARGET=$1 timeout $((120 + 60 * $(load))) "$REPLAY" "${files[@]}" >"$work/output" 2>&1; then
        passed=$((passed + ${#files[@]}))
    else
        replay_each "$1" "${files[@]}"
    fi
}

# done_at_least COUNT WHAT TARGET: checks a counter of the last replay, which was of that target.
done_at_least() {
    local times

    times=$(awk -F '\t' -v what="$2" '$1 == what { print $2 }' "$work/output")
    expect "$3: $2: ${times:-0} times, not $1" [ "${times:-0}" -ge "$1" ]
}

# A target that does nothing finds nothing: each good seed must be accepted.
check_done() {
    local target=$1 good what

    case $target in
    # All seeds; they were just replayed.
    database | input | image | journal | store) good=("$work/$target"/*) ;;
    *)
        mapfile -t good < <(list_good_seeds "$target")
        [ "$target" != ftrace ] || good+=("$work/$target"/states-*)
        if ! FUZZ_TARGET=$target timeout 120 "$REPLAY" "${good[@]}" >"$work/output" 2>&1; then
            fail "$target: good seeds" "$work/output"
            return
        fi
        ;;
    esac
    expect "$target: there are good seeds" [ ${#good[@]} -gt 0 ]
    case $target in
    database)
        # Databases of all kinds of traces: every report fits some of them.
        for what in summary popularity; do
            done_at_least ${#good[@]} $what database
            done_at_least ${#good[@]} "$what filtered" database
        done
        for what in hourly rw filetype partition gaps latency locality calltree functions hotspots \
            calls sequences; do
            done_at_least 2 $what database
            done_at_least 2 "$what filtered" database
        done
        done_at_least ${#good[@]} dump database
        # Three of four have damaged columns; where ids overlap, nothing may be read.
        done_at_least $((${#good[@]} / 2)) edit database
        done_at_least $((${#good[@]} / 2)) "columns repaired" database
        done_at_least 20 "damage told" database
        # Each rollup in the schema.
        while read -r what; do
            done_at_least 1 "edit of $what" database
        done < <(sed -n 's/^CREATE TABLE IF NOT EXISTS \(rollup_[a-z_]*\) .*/\1/p' src/store/schema.sql)
        done_at_least 6 "rollups repaired" database
        ;;
    config | pdb | query | expression | svg) done_at_least ${#good[@]} "$target" "$target" ;;
    symbols)
        done_at_least ${#good[@]} symbols symbols
        done_at_least ${#good[@]} "symbols again" symbols
        ;;
    declaration) done_at_least ${#good[@]} declared declaration ;;
    input)
        done_at_least ${#good[@]} pieces input
        done_at_least ${#good[@]} lines input
        ;;
    store)
        done_at_least ${#good[@]} push store
        done_at_least $((${#good[@]} / 2)) lie store
        done_at_least $((${#good[@]} / 2)) summary store
        ;;
    image) done_at_least ${#good[@]} map image ;;
    journal)
        done_at_least $((${#good[@]} - 1)) map journal
        done_at_least $((${#good[@]} - 1)) transactions journal
        done_at_least $((${#good[@]} / 2)) past journal
        ;;
    *)
        [ "$target" != ftrace ] || done_at_least 6 states ftrace
        sed -n 's/^export \(.*\)\t.*/\1/p' "$work/output" >>"$work/exported"
        done_at_least ${#good[@]} import "$target"
        done_at_least ${#good[@]} dump "$target"
        # Calls with durations cannot be continued in every format.
        [ "$target" != append ] || done_at_least $((${#good[@]} / 2)) append append
        ;;
    esac
}

# Tests the smallest good log of each importer target, cut at some positions; tests/attack.sh cuts it at every
# byte.
check_cuts() {
    local format smallest

    while read -r format; do
        smallest=$(good_log "$format")
        if [ -z "$smallest" ]; then
            fail "$format: no good log to cut"
        elif FUZZ_TARGET=$format timeout 60 "$REPLAY" --cut 20 "$smallest" >"$work/output" 2>&1; then
            pass
        else
            fail "$format: $smallest cut" "$work/output"
        fi
    done < <("$FUZZ_TRACETOOL" formats --format tsv | grep -v '^#' | cut -f 1 | grep -Fx -f <(printf '%s\n' "$@"))
}

# Each file of a past crash must belong to a target; otherwise it is never replayed.
check_names() {
    local file target found

    for file in fuzz/crashes/*-*; do
        [ -e "$file" ] || continue
        found=
        for target in "${targets[@]}"; do
            case ${file##*/} in "$target"-*) found=yes ;; esac
        done
        expect "$file belongs to a target" [ -n "$found" ]
        expect "fuzz/crashes/README.md says what ${file##*/} was" \
            grep -qF "\`${file##*/}\`" fuzz/crashes/README.md
    done
}

check_exporters() {
    "$FUZZ_TRACETOOL" exports --format tsv | grep -v '^#' | cut -f 1 | sort >"$work/exporters"
    # The library may be missing.
    grep -qx parquet "$work/exported" || sed -i /parquet/d "$work/exporters"
    sort -u "$work/exported" >"$work/exported-once"
    check "each exporter wrote some good seed" "$work/exporters" "$work/exported-once"
}

mapfile -t targets < <("$REPLAY" --targets)
[ ${#targets[@]} -gt 0 ] || fail "no targets: is $REPLAY built?"
chosen=("${@:-${targets[@]}}")
for target in "${chosen[@]}"; do
    replay_target "$target"
    check_done "$target"
done
if [ $# -eq 0 ]; then
    check_exporters
fi
check_cuts "${chosen[@]}"
check_names
finish "fuzz: "
