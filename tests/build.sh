#!/bin/bash
# Tests that `make` notices deleted and renamed files: its output contains nothing of them.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# Parts of the tree from which queries.c, formats.c and help.c are generated.
mkdir "$tree/docs"
cp -r "$root/Makefile" "$root/queries" "$root/formats" "$root/man" "$root/src" "$tree"
cp -r "$root/docs/help" "$tree/docs"

make_texts() {
    unset MAKEFLAGS MAKELEVEL
    make -s -C "$tree" BUILD=build build/queries.c build/formats.c build/help.c >/dev/null 2>"$tree/make.log" ||
        fail "make" "$tree/make.log"
}

# holds FILE NAME: checks that the generated file has a resource of that name.
holds() {
    grep -qF "{\"$2\"," "$tree/build/$1"
}

make_texts
expect "a query is built in" holds queries.c seeks
expect "a format is built in" holds formats.c fiu
expect "a topic is built in" holds help.c pictures
# Makes all files old, and the build newer than them.
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

# refused LINE MESSAGE: checks that this line at the end of the Palm OS table stops the build.
refused() {
    { cat "$root/importers/palmos.table" && echo "$1"; } >"$tree/palmos.table"
    LC_ALL=C awk -f "$root/src/build/palmos_table.awk" "$tree/palmos.table" >"$tree/table.c" 2>"$tree/table.log"
    expect "status 1: $1" [ $? -eq 1 ]
    expect "$2" grep -qF "palmos.table:$(wc -l <"$tree/palmos.table"): $2" "$tree/table.log"
}

refused 'tarp F000 1.0 MemTarp' 'unknown statement "tarp"'
refused 'trap A000 1.0 MemAgain ()' 'trap A000 is not in ascending order'
refused 'trap f000 1.0 MemLow ()' 'expected a trap ID'
refused 'trap F000 1 MemRelease ()' 'expected a release'
refused 'trap F000 1.0 MemType (p:u64)' 'unknown type "u64"'
refused 'trap F000 1.0 MemRest (..., p:u16)' 'nothing can follow "..."'
refused 'trap F000 1.0 MemOpaque (p:HostFILE)' 'the size of type "HostFILE" is not known'
refused 'trap F000 1.0 MemText (p:*string)' 'a string cannot be part of an array'
refused 'trap F000 1.0 MemNone (p:u16[0])' 'an array has at least one element'
refused 'trap F000 1.0 MemMany (p:u16[65536])' 'above 65535'
refused 'trap F000 1.0 MemVoid void' 'what returns nothing must have a prototype'
refused 'trap F000 1.0 Xyzzy ()' 'trap "Xyzzy" is of no category'
refused 'trap F000 1.0 MemOpen (p:u16' 'expected ","'
refused 'selectors A344 D2 { }' 'trap A344 is no dispatcher'
refused 'unlogged { MemNothing }' 'unknown trap "MemNothing"'
refused 'category Other { Xyzzy }' 'no trap begins with "Xyzzy"'
refused 'category Other { Mem }' 'prefix "Mem" is there twice'
refused 'opaque HostFILE' 'type "HostFILE" is declared twice'
refused 'struct S 4 { a:u16@0 b:u16@1 }' 'member "b" overlaps another'
refused 'struct S 4 { a:u16@0 b:u32@2 }' 'a member of "S" is beyond its end'
refused 'struct S 4 { a:*u16@0 }' 'an address in a structure is a "pointer"'
refused 'struct S 4 { a:u8/9@0.0 }' 'a bit-field must fit an unsigned number'
refused 'struct S 4 { a:u8/1@0.8 }' 'expected an offset'

finish 'build: '
