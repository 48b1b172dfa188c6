#!/bin/bash
# What `make` does about files that were deleted or renamed: nothing of them stays in what it builds.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# The parts of the tree that queries.c, formats.c and help.c are made of.
mkdir "$tree/docs"
cp -r "$root/Makefile" "$root/queries" "$root/formats" "$root/man" "$root/src" "$tree"
cp -r "$root/docs/help" "$tree/docs"

make_texts() {
    unset MAKEFLAGS MAKELEVEL
    make -s -C "$tree" BUILD=build build/queries.c build/formats.c build/help.c >/dev/null 2>"$tree/make.log" ||
        fail "make" "$tree/make.log"
}

# holds FILE NAME: the generated file has a resource of that name.
holds() {
    grep -qF "{\"$2\"," "$tree/build/$1"
}

make_texts
expect "a query is built in" holds queries.c seeks
expect "a format is built in" holds formats.c fiu
expect "a topic is built in" holds help.c pictures
# As if all had been made a minute ago, out of files of long before.
find "$tree" -type f -exec touch -d '1 hour ago' {} +
find "$tree/build" -type f -exec touch -d '1 minute ago' {} +
made=$(stat -c %Y "$tree/build/help.c")
make_texts
expect "what is up to date stays" [ "$made" = "$(stat -c %Y "$tree/build/help.c")" ]
rm "$tree/queries/seeks.sql" "$tree/formats/fiu.yaml"
mv "$tree/docs/help/pictures.txt" "$tree/docs/help/drawings.txt"
make_texts
expect "a deleted query is gone" eval '! holds queries.c seeks && holds queries.c rw'
expect "a deleted format is gone" eval '! holds formats.c fiu && holds formats.c msr'
expect "a renamed topic has its new name" eval '! holds help.c pictures && holds help.c drawings'

finish 'build: '
