#!/bin/bash
# Reads pictures back from their SVG and compares them with the reports (tests/figures.py): those of
# docs/papers.md, and those of options that change the picture. Uses small generated logs.
#
#     tests/figures.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

cd "$root" || exit 1
tt() {
    tracetool -q -d "$work/figures.db" "$@"
}

build_generator study testdata/{util,study/*}.c
"$work/study" "$work/two" 39000 || exit 1
(cat "$work/two/study.yaml" && echo 'file_types: realtime') >"$work/phones.yaml"
printf "process_names:\n  facebook.katana: Facebook\n  '*.talk': Messenger\n  chrome: Browser\n" >"$work/names.yaml"
for user in user1 user2; do
    tt -c "$work/phones.yaml" import -n $user "$work/two/$user" || exit 1
done
build_generator palmist testdata/{util,palmist/*}.c
"$work/palmist" full "$work/full" || exit 1
tt import -n representative "$work/full/representative.pdb"
tt import -n pinemark "$work/full/pinemark-text.pdb"
tt import -n most testdata/most/small.po
for name in rmp debug; do
    tt import -n $name testdata/rmp/ok/table2-$name.rmp
done
tt import --join -n session testdata/rmp/ok/session.probes testdata/rmp/ok/session.rmp
tt import -n strace testdata/strace/ok/column.strace
tt import -n dwtrace testdata/dwtrace/ok/program.dwt
tt import -n mobigen testdata/mobigen/small.txt
tt import -n figure8 testdata/rmp/ok/figure8.rmp

# measure NAME NANOSECONDS: makes a run with one call. The times are those of the paper, 10 ms.
measure() {
    printf '0\t1\t1\tE\tload.page\t-\n%d\t1\t1\tX\tload.page\t-\n' "$2" >"$work/$1.rmp"
    tt import -n "$1" "$work/$1.rmp"
}
measure untraced 10000000
measure debug-run 13972000
measure rmp-least 11908000
measure rmp-most 14376000

# load NAME PERCENT KILOBYTES: makes four samples of a process.
load() {
    local t

    for t in 0 1 2 3; do
        printf '%d000000000\t9\tcom.android.browser\t%d\t%sK\n' $t $(($2 + t)) $(($3 + 100 * t))
    done >"$work/$1.smp"
    tt import -n "$1" "$work/$1.smp"
}
load untraced-load 40 100000
load debug-load 44 176300
load rmp-load 45 106530

# Imports Mobibench twice; the second run is faster.
tt import -n run1 testdata/mobibench/ok/IO_Latency.txt
sed 's/843\.96/1243.96/; s/210\.99/310.99/' testdata/mobibench/ok/IO_Latency.txt >"$work/run2.txt"
tt import -n run2 "$work/run2.txt"

TRACETOOL=$TRACETOOL python3 "$tests/figures.py" "$work" >"$work/said.txt" 2>&1
status=$?
grep -v '^FAILED' "$work/said.txt"
faults=$(grep -c '^FAILED' "$work/said.txt")
if [ "$status" -eq 0 ]; then
    pass
else
    fail "pictures are what the reports say ($faults faults)" <(grep '^FAILED' "$work/said.txt")
fi
finish "figures: "
