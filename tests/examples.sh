#!/bin/bash
# Runs the worked examples of docs/adding-*.md, step by step, each in a copy of the checkout:
# tests/examples.py.
#
#     BUILD=build tests/examples.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

# Copies the build, too, so that only the example's changes are compiled.
copy_checkout() {
    mkdir -p "$1/build"
    (cd "$root" && tar -cf - --exclude=./build --exclude=./.git --exclude=./demo .) | tar -xf - -C "$1"
    (cd "$BUILD" && tar -cf - --exclude=asan --exclude=clang --exclude=threads --exclude=fuzzing --exclude=chdb \
        --exclude=store --exclude=npm --exclude=coverage .) | tar -xf - -C "$1/build"
}

for document in $(cd "$root" && grep -l '^## An afternoon' docs/adding-*.md); do
    name=$(basename "$document" .md)
    copy_checkout "$work/$name"
    mkdir "$work/$name.tmp"
    (
        # Clears variables of the surrounding make, and of the programs that it tests.
        unset BUILD TRACETOOL GENERATE MAKEFLAGS MAKELEVEL MFLAGS JOBS
        ! command -v ccache >/dev/null || export CC='ccache cc'
        python3 "$tests/examples.py" "$document" "$work/$name" "$work/$name.tmp"
    ) >said.txt 2>&1
    read -r right wrong < <(tail -n 1 said.txt)
    passed=$((passed + right)) failed=$((failed + wrong))
    grep -v '^[0-9]* [0-9]*$' said.txt
    rm -rf "${work:?}/$name"
done
finish "examples: "
