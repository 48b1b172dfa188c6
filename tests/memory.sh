#!/bin/bash
# Tests out of memory: whichever allocation fails, a command ends with one line and status 1, or succeeds with
# the right result. The previous content of the database is unchanged.
#
#     BUILD=build tests/memory.sh [FAILURES]    failing allocations per command and mode, default 14
#
# tests/no_memory.c counts allocations and lets them fail; `ulimit -v` is tested, too.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

failures=${1:-14}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work
read -ra program <<<"$TRACETOOL"
faults=0

# with_memory VARIABLE=VALUE… -- ARGUMENT…: runs the program with these variables for tests/no_memory.c.
with_memory() {
    local variables=()

    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    timeout -k 5 60 env "${variables[@]}" LD_PRELOAD="$BUILD/no-memory.so" "${program[@]}" "${@:2}"
}

# judge WHAT STATUS ALLOWED: checks the program's output in out.txt and err.txt.
judge() {
    local what=$1 status=$2

    faults=$((faults + 1))
    if [ "$status" -eq 0 ] && [ -s err.txt ]; then
        fail "$what: status 0, and a message" err.txt
    elif [ "$status" -eq 0 ] && ! cmp -s good.txt out.txt; then
        fail "$what: status 0, and not what it should be" out.txt
    elif [ "$status" -gt 1 ]; then
        fail "$what: status $status" err.txt
    elif [ "$status" -eq 1 ] && { [ "$(wc -l <err.txt)" -ne 1 ] || ! grep -q '^tracetool: ..' err.txt; }; then
        fail "$what: the message: '$(head -c 300 err.txt)'"
    else
        pass
    fi
}

# judge_database WHAT STATUS: checks that the new trace exists if and only if the command succeeded.
judge_database() {
    local there

    there=$("${program[@]}" -d used.db sql "SELECT name FROM trace ORDER BY name" --format tsv 2>&1 | grep -v "^#" | paste -sd ,)
    case $2,$there in
    0,new,small.po | 1,small.po) pass ;;
    *) fail "$1: status $2, and the traces $there" ;;
    esac
}

# Lets allocations of one command fail, from the first to the last: one, a few, or all from there on.
fail_allocations() {
    local what="$*" count at times status

    cp base.db used.db
    with_memory NO_MEMORY_COUNT=count.txt -- -d used.db "$@" >good.txt 2>err.txt ||
        fail "$what: without a failure" err.txt
    count=$(cat count.txt)
    for times in 1 3 18446744073709551615; do
        for ((at = 1; at <= count; at += count / failures + 1)); do
            cp base.db used.db
            rm -f used.db-journal
            with_memory NO_MEMORY_AT="$at" NO_MEMORY_TIMES="$times" -- -d used.db "$@" >out.txt 2>err.txt
            status=$?
            judge "$what: allocation $at of $count, $times" $status
            [ "${what#*import}" = "$what" ] || judge_database "$what: allocation $at, $times" $status
        done
    done
}

# limit_memory COMMAND…: uses `ulimit -v`, which includes threads and mappings.
limit_memory() {
    local what="$*" size status

    cp base.db used.db
    "${program[@]}" -d used.db "$@" >good.txt 2>err.txt
    for ((size = 20000; size < 160000; size += 280000 / failures)); do
        cp base.db used.db
        rm -f used.db-journal
        (
            ulimit -v "$size"
            exec timeout -k 5 60 "${program[@]}" -d used.db "$@" >out.txt 2>err.txt
        ) 2>>err.txt
        status=$?
        # The loader needs memory before the program begins, and has its own messages.
        [ $status -ne 127 ] || continue
        judge "$what: $size KiB" $status
        [ "${what#*import}" = "$what" ] || judge_database "$what: $size KiB" $status
    done
}

# --- all reports --------------------------------------------------------------------------------

# Makes a trace of each kind; two of calls, because some reports are for one format.
make_traces() {
    local file

    for file in most/small.po strace/ok/names.strace palmist/ok/small.pdb android-trace/ok/shop-v3-dual.trace \
        mobibench/ok/output.txt samples/ok/small.smp ftrace/ok/async.txt; do
        "${program[@]}" -q -d used.db import "$root/testdata/$file" || fail "import of $file"
    done
    # Calls and spans of a log that also has states of their thread.
    printf '%s\n' 'a-1 [000] ..... 1.000000: sys_read(x: 1)' \
        'a-1 [000] ..... 1.000001: tracing_mark_write: B|1|m' \
        'a-1 [000] d..2. 1.000005: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120' \
        'b-2 [000] d..2. 1.000006: sched_waking: comm=a pid=1 prio=120 target_cpu=000' \
        'b-2 [000] d..2. 1.000007: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=a next_pid=1 next_prio=120' \
        'a-1 [000] ..... 1.000008: tracing_mark_write: E' 'a-1 [000] ..... 1.000009: sys_read -> 0x1' >why.txt
    "${program[@]}" -q -d used.db import why.txt || fail "import of why.txt"
    "${program[@]}" -d used.db sql 'SELECT kind, name FROM trace' --format tsv | grep -v '^#' >kinds.txt
    echo 'nosuch 1' >reference.txt
}

# choose_trace NAME KIND: sets `words` to the report's arguments, and good.txt to its output.
choose_trace() {
    local trace

    while read -r trace; do
        words=(-q -d used.db report "$1" -t "$trace" --format tsv)
        [ "$1" != accuracy ] || words+=(--reference reference.txt)
        with_memory NO_MEMORY_COUNT=count.txt -- "${words[@]}" >good.txt 2>err.txt && return
    done < <(awk -F'\t' -v kind="$2" '$1 == kind { print $2 }' kinds.txt)
    return 1
}

# Tests each report of the program on each kind of trace with a few failing allocations, alternately all from
# one on and a single one. Different reports fail at different allocations.
fail_reports() {
    local name kind count at number=0 step=$(((failures + 19) / 20)) times
    local -a words

    make_traces
    "${program[@]}" reports --format tsv | awk -F'\t' '!/^#/ {
        n = split($2, kinds, " ")
        for (i = 1; i <= n; i++) print $1, kinds[i]
    }' | sort -u >reports.txt
    expect "reports: $(wc -l <reports.txt)" [ "$(wc -l <reports.txt)" -ge 80 ]
    while read -r name kind; do
        if ! choose_trace "$name" "$kind"; then
            fail "report $name: no trace of $kind here has it" err.txt
            continue
        fi
        count=$(cat count.txt)
        number=$((number + 1))
        for ((at = 1 + number * 37 % (count / step + 1); at <= count; at += count / step + 1)); do
            times=$((at % 2 == 0 ? 1 : count))
            with_memory NO_MEMORY_AT="$at" NO_MEMORY_TIMES="$times" -- "${words[@]}" >out.txt 2>err.txt
            judge "report $name of $kind: allocation $at of $count, $times" $?
        done
    done <reports.txt
}

head -n 5 "$root/testdata/most/small.po" >few.po
write_log log.po 20000 0
tail -n 100 log.po >end.po
mkdir folder
cp few.po end.po folder
gzip -k few.po
"${program[@]}" -q -d base.db import "$root/testdata/most/small.po" || fail "the first import"

fail_allocations -q import -n new few.po
fail_allocations -q import -n new few.po.gz
fail_allocations -q import -n new folder
fail_allocations report popularity
fail_allocations report summary --format json
fail_allocations report rw --from 1 --format table
fail_allocations dump
fail_allocations traces
fail_allocations sql "SELECT name, count(*) FROM trace GROUP BY 1"
fail_allocations -q check
limit_memory -q import -n new log.po
limit_memory -q import -n new folder
limit_memory report popularity
limit_memory report rw --from 1
limit_memory dump
rm -f used.db*
fail_reports
echo "faults injected: $faults"
finish "memory: "
