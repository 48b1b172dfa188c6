#!/bin/bash
# Databases that someone else wrote (foreign.py): no crash, and no number that `check` does not question.
#
#     [SEEDS=14] BUILD=build tests/foreign.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata

for file in strace/ok/names.strace blktrace/ok/version-8.bin dwtrace/ok/program.dwt palmist/ok/small.pdb \
    android-trace/ok/shop-v3-dual.trace; do
    expect "import of $file" tracetool -q -d log.db import "$data/$file"
done
check_derived "as it was imported" log.db

# Of the times of calls, too.
for column in calls timed total sum self least most cpu_timed cpu_sum cpu_self cpu_least cpu_most; do
    cp log.db harmed.db
    sqlite3 harmed.db "UPDATE rollup_span SET $column = $column + 1 WHERE trace = 5"
    tracetool -d harmed.db check >found.txt 2>&1
    expect "check finds another $column of calls: status $?" grep -q 'by function and thread does not agree' found.txt
done

python3 "$tests/foreign.py" "$TRACETOOL" log.db 1 "${SEEDS:-14}" >got.txt 2>counts.txt
check "databases of others ($(cat counts.txt))" /dev/null got.txt
finish ""
