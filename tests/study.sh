#!/bin/bash
# The two-user study of 24 hours, in form D (most-binary) and form E (AndroTrace): every report over
# each against what the generator played, and so against one another.
#
#     tests/study.sh [small|IOS]
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

size=${1:-small}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -std=c11 -O2 -o "$folder/generate" "$root"/testdata/study/*.c || exit 1
if [ "$size" = small ]; then
    "$folder/generate" small "$folder/study"
else
    "$folder/generate" "$folder/study" "$size"
fi || exit 1
study=$folder/study

# program DB ARGUMENT…
program() {
    # shellcheck disable=SC2086 # TRACETOOL may be a command with options
    $TRACETOOL -d "$folder/$1.db" -c "$study/study.yaml" "${@:2}"
}

# rows EXPECTED DB REPORT…: the rows of a report are those expected.
rows() {
    program "${@:2}" 2>"$folder/err" | grep -v '^#' >"$folder/got"
    check "${*:2}" "$1" "$folder/got"
}

# attributes EXPECTED DB: the summary has at least the expected rows.
attributes() {
    program "$2" report summary 2>"$folder/err" >"$folder/all"
    cut -f1 "$1" >"$folder/names"
    awk -F'\t' 'NR == FNR { want[$1]; next } $1 in want' "$folder/names" "$folder/all" | sort >"$folder/got"
    sort "$1" >"$folder/want"
    check "$2 summary" "$folder/want" "$folder/got"
}

for user in user1 user2; do
    expected=$study/expected/$user
    expect "$user: D imports" program "$user-D" import -q --utc-offset +0900 "$study/$user.most-binary"
    expect "$user: E imports" program "$user-E" import -q "$study/$user"
    expect "$user: life-spans import" program "$user-L" import -q "$study/$user.ufls"
    for form in D E; do
        for report in rw hourly partition filetype filetype-partition process iosize locality; do
            rows "$expected/$report.tsv" "$user-$form" report "$report"
        done
        expect "$user-$form is sound" program "$user-$form" check -q
    done
    rows "$expected/blocktype.tsv" "$user-E" report blocktype
    rows "$expected/blocktype-most-binary.tsv" "$user-D" report blocktype
    rows "$expected/locality-data-only.tsv" "$user-E" report locality --data-only
    rows "$expected/latency.tsv" "$user-E" report latency
    rows "$expected/lifespan.tsv" "$user-L" report lifespan
    # Deletions are no I/Os.
    program "$user-L" report rw | awk -F'\t' '!/^#/ { count += $2 } END { print count + 0 }' >"$folder/got"
    echo 0 >"$folder/want"
    check "$user-L rw" "$folder/want" "$folder/got"
    attributes "$expected/summary-most-binary.tsv" "$user-D"
    attributes "$expected/summary-uio.tsv" "$user-E"
    # Counted anew out of the events instead of the rollups.
    for report in rw hourly partition filetype process iosize; do
        rows "$expected/$report.tsv" "$user-E" report "$report" --from 0
    done
done
finish "study: "
