#!/bin/bash
# The two-user study of 24 hours, in form D (most-binary) and form E (AndroTrace): every report over
# each against what the generator played, and so against one another.
#
#     tests/study.sh [small|IOS]
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

size=${1:-small}
build_generator generate "$root"/testdata/{util,study/*}.c
if [ "$size" = small ]; then
    ./generate small study
else
    ./generate study "$size"
fi || exit 1
common_options=(-c study/study.yaml)

# check_report EXPECTED NAME REPORT [OPTION…]
check_report() {
    check_rows "$2" "$1" "$2.db" "${@:3}"
}

for user in user1 user2; do
    expected=study/expected/$user
    import_as $user-D.db study/$user.most-binary --utc-offset +0900
    import_as $user-E.db study/$user
    import_as $user-L.db study/$user.ufls
    for form in D E; do
        for report in rw hourly partition filetype filetype-partition process iosize locality; do
            check_report $expected/$report.tsv $user-$form $report
        done
        check_derived $user-$form $user-$form.db
    done
    check_report $expected/blocktype.tsv $user-E blocktype
    check_report $expected/blocktype-most-binary.tsv $user-D blocktype
    check_report $expected/locality-data-only.tsv $user-E locality --data-only
    check_report $expected/latency.tsv $user-E latency
    check_report $expected/lifespan.tsv $user-L lifespan
    # Deletions are no I/Os.
    report $user-L.db rw | awk -F'\t' '{ count += $2 } END { print count + 0 }' >got.txt
    echo 0 >wanted.txt
    check "$user-L rw" wanted.txt got.txt
    check_summary $user-D $expected/summary-most-binary.tsv $user-D.db
    check_summary $user-E $expected/summary-uio.tsv $user-E.db
    # Counted anew out of the events instead of the rollups.
    for report in rw hourly partition filetype process iosize; do
        check_report $expected/$report.tsv $user-E $report --from 0
    done
done
finish "study: "
