#!/bin/bash
# Tests databases written by other programs (foreign.py): no crash, and no wrong number that `check` accepts.
#
#     [SEEDS=14] [FIRST=1] BUILD=build tests/foreign.sh      number of databases, and first seed
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

for file in strace/ok/names.strace blktrace/ok/version-8.bin dwtrace/ok/program.dwt palmist/ok/small.pdb \
    android-trace/ok/shop-v3-dual.trace; do
    expect "import of $file" tracetool -q -d log.db import "$data/$file"
done
check_derived "as it was imported" log.db

# span_rollup DATABASE: prints the times of calls by function and thread from the rollups.
span_rollup() {
    sqlite3 "$1" 'SELECT * FROM rollup_span ORDER BY trace, operation, actor'
}

# mended WHAT: checks a repair of harmed.db, whose times of calls differ from log.db.
mended() {
    tracetool -d harmed.db check >found.txt 2>&1
    expect "check finds $1: status $?" grep -q 'by function and thread does not agree' found.txt
    expect "check --repair mends $1" tracetool -q -d harmed.db check --repair
    span_rollup harmed.db >got.txt
    check "$1, as it was" rollup.txt got.txt
}

# The same for times of calls.
span_rollup log.db >rollup.txt
expect "there are times of calls by both clocks" grep -q '^5|.*[0-9]$' rollup.txt
for column in calls timed total sum self least most cpu_timed cpu_total cpu_sum cpu_self cpu_least cpu_most; do
    cp log.db harmed.db
    sqlite3 harmed.db "UPDATE rollup_span SET $column = $column + 1 WHERE trace = 5"
    mended "another $column of calls"
done
cp log.db harmed.db
tracetool -d log.db report functions --by-trace --format tsv >wanted.txt 2>&1
sqlite3 harmed.db 'DELETE FROM rollup_span'
mended "no times of calls"
tracetool -d harmed.db report functions --by-trace --format tsv >got.txt 2>&1
check "report functions after --repair" wanted.txt got.txt

printf 'main\t1\n' >reference
python3 "$tests/foreign.py" "$TRACETOOL" log.db "$data/strace/ok/names.strace" "${FIRST:-1}" "${SEEDS:-14}" >got.txt 2>counts.txt
check "databases of others ($(cat counts.txt))" /dev/null got.txt
finish ""
