#!/bin/bash
# Mobibench's results against what Python makes of their lines.
#
#     [SHARED=FOLDER] BUILD=build tests/mobibench.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/mobibench

# check_results FILE [FILE…]: of the files as one trace.
check_results() {
    import_as log.db --join "$@"
    python3 "$tests/mobibench_results.py" "$@" >wanted.tsv
    report log.db results >got.tsv
    check "results of ${*##*/}" wanted.tsv got.tsv
    check_derived "${*##*/}" log.db
}

pieces() {
    import_as pieces.db "$data/ok/IO_Latency.txt"
    expect "--append" tracetool -q -d pieces.db import --append -n log "$data/ok/IOPS.txt"
    python3 "$tests/mobibench_results.py" "$data/ok/IO_Latency.txt" "$data/ok/IOPS.txt" >wanted.tsv
    report pieces.db results >got.tsv
    check "appended" wanted.tsv got.tsv
    report pieces.db results --process 'random read, sync mode 0' --op latency | cut -f 1-5 >got.txt
    printf 'random read, sync mode 0\t2\tlatency\tusec\t40\n' >wanted.txt
    check "filters" wanted.txt got.txt
}

# Beside the traces of a study.
study() {
    rm -f study.db
    tracetool -q -d study.db import --study phone "$data/ok/IOPS.txt" "$root/testdata/mobigen/small.txt"
    expect "of a study" [ "$(tracetool -d study.db report results --study phone --format tsv | grep -vc '^#')" = 2 ]
    tracetool -d study.db report results -t small.txt 2>err.txt
    expect "another trace has none: $(cat err.txt)" grep -q 'results' err.txt
    tracetool -d study.db report rw -t IOPS.txt 2>err.txt
    expect "no other report is of results: $(cat err.txt)" grep -q 'IOPS.txt' err.txt
    tracetool -d study.db export IOPS.txt --as chrome >out.txt 2>err.txt
    expect "nor an export" grep -q 'holds results of benchmarks; chrome does not export these' err.txt
}

check_results "$data/ok/IO_Latency.txt"
check_results "$data/ok/IOPS.txt"
check_results "$data/ok/output.txt"
check_results "$data/ok/IO_Latency.txt" "$data/ok/IOPS.txt"
pieces
study
if [ -d "$shared/data/fio" ]; then
    check_results "$shared/data/fio/lat.txt"
else
    skip "no ../shared/data/fio"
fi
finish "mobibench: "
