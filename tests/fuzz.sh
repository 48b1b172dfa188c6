#!/bin/bash
# Replays what fuzzing begins with, and every input that ever broke something: fuzz/README.md.
#
#     BUILD=build tests/fuzz.sh
#
# No libFuzzer needed: the program build/replay runs each file through its target once. A target
# dies when a promise is broken; under a sanitizer (BUILD=build/asan) at any fault in memory, too.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1
# shellcheck source=fuzz/seeds
. fuzz/seeds

REPLAY=${REPLAY:-$BUILD/replay}
# Used by fuzz/seeds.
# shellcheck disable=SC2034
FUZZ_TRACETOOL=$TRACETOOL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# replay_each TARGET FILE…: one by one, to name those that fail.
replay_each() {
    local file target=$1

    for file in "${@:2}"; do
        if FUZZ_TARGET=$target timeout 60 "$REPLAY" "$file" >"$work/output" 2>&1; then
            pass
        else
            fail "$target: ${file#"$work/"}" "$work/output"
        fi
    done
}

# All files in one process, which is quick; only when that fails, one by one.
replay_target() {
    local folder=$work/$1 files

    mkdir "$folder"
    collect_seeds "$1" "$folder"
    files=("$folder"/*)
    if [ ! -e "${files[0]}" ]; then
        fail "$1: no seeds"
    elif FUZZ_TARGET=$1 timeout 120 "$REPLAY" "${files[@]}" >"$work/output" 2>&1; then
        passed=$((passed + ${#files[@]}))
    else
        replay_each "$1" "${files[@]}"
    fi
}

# Each file among the past crashes belongs to a target, or it would never be replayed.
check_names() {
    local file target found

    for file in fuzz/crashes/*-*; do
        [ -e "$file" ] || continue
        found=
        for target in "${targets[@]}"; do
            case ${file##*/} in "$target"-*) found=yes ;; esac
        done
        expect "$file belongs to a target" [ -n "$found" ]
    done
}

mapfile -t targets < <("$REPLAY" --targets)
[ ${#targets[@]} -gt 0 ] || fail "no targets: is $REPLAY built?"
for target in "${targets[@]}"; do
    replay_target "$target"
done
check_names
finish "fuzz: "
