#!/bin/bash
# The format dwtrace against what its generator played: every variant, the reports and their
# filters, wrapped files with the writing at every place, flipping sets, damaged and refused files.
#
#     BUILD=build tests/golden/dwtrace.test
set -u
# Hundreds of small databases are written, and each is synced: in memory where there is room.
memory=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "${memory:-0}" -gt 200000 ]; then
    export TMPDIR=/dev/shm
fi
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/dwtrace
TAB=$'\t'

build_generator generate-dwtrace "$root"/testdata/util.c "$data"/*.c

# made COMMAND FOLDER: what the generator makes for a test.
made() {
    ./generate-dwtrace "$@" 2>generate.txt || fail "generate-dwtrace $*" generate.txt
}

# sql DATABASE QUERY: by SQLite itself.
sql() {
    sqlite3 -readonly -tabs "$1" "$2" 2>&1
}

# The program's own checks: rollups and events agree, and the ledger adds up.
check_sound() {
    check_derived "$1" "$2"
    tracetool -d "$2" show log --format tsv >show.txt 2>&1
    if awk -F'\t' '
            NF == 2 && $2 ~ /^[0-9]+$/ { of[$1] = $2 }
            END { sum = of["events"] + of["merged"] + of["ignored"] + of["rejected"]
                  exit !("read" in of) || of["read"] != sum }' show.txt; then
        pass
    else
        fail "$1: the ledger does not add up" show.txt
    fi
}

# import_sound DATABASE FILE [OPTION…]: as import_as, and sound.
import_sound() {
    import_as "$@"
    check_sound "${2##*/}" "$1"
}

# --- expectations ---------------------------------------------------------------------------------

event_rows() {
    sql "$1" "SELECT e.time, a.tid, n.code, e.duration FROM event AS e
        LEFT JOIN name AS n ON n.id = e.operation LEFT JOIN actor AS a ON a.id = e.actor
        ORDER BY e.id"
}

ledger_sums() {
    sql "$1" "SELECT 'events', sum(events) FROM trace
        UNION ALL SELECT 'rejected', sum(rejected) FROM trace"
}

# Lines of the dump that are marked so. `open` is a function's name as well, where names are known.
dump_marks() {
    tracetool -d "$1" dump >dump.txt 2>&1
    printf 'stray exit\t%d\n' "$(grep -c 'stray exit' dump.txt)"
    printf 'exit missing\t%d\n' "$(grep -c 'exit missing' dump.txt)"
    printf 'open\t%d\n' "$(grep -cw 'open' dump.txt)"
}

# What the sections of an expectation are compared with. The last is a report with its options.
section_rows() {
    case $2 in
    ledger) ledger_sums "$1" ;;
    marks) dump_marks "$1" ;;
    rows) event_rows "$1" ;;
    *"report calltree"*--component*)
        # The generator has the tree without the callers that are left out.
        # shellcheck disable=SC2086
        rows "$1" $2 --whole-calls
        ;;
    *)
        # shellcheck disable=SC2086
        rows "$1" $2
        ;;
    esac
}

# Sizes of parameters are not known where the log has none: no rows, or all of size 0.
check_no_sizes() {
    rows "$2" report argsize >got.tsv
    if [ ! -s got.tsv ] || [ "$(cut -f 1,3,4 got.tsv)" = "0${TAB}1.000000${TAB}1.000000" ]; then
        pass
    else
        fail "$1: argsize without parameters" got.tsv
    fi
}

# Writes the sections of an expectation to section.NN, and NN and title of each to sections.
split_expected() {
    rm -f section.*
    awk '/^\$ / { file = sprintf("section.%02d", ++count); print count, substr($0, 3)
                  printf "" >file; next }
         { print >file }' "$1" >sections
}

# check_expected WHAT DATABASE EXPECTED all|brief parameters|none. In brief, of the reports only
# those without options, and `calls` once: they rest on the same events as all others.
check_expected() {
    local number title section seen=""

    split_expected "$3"
    while read -r number title; do
        section=$(printf 'section.%02d' "$number")
        if [ "$4" = brief ]; then
            case "$title" in
            "report calls"*) [[ $seen == *calls* ]] && continue ;;
            *" --"* | marks) continue ;;
            esac
            seen+=" $title"
        fi
        # With names, a mark could be one.
        [[ $3 == *-names && $title == marks ]] && continue
        if [[ $title == "report argsize" && $5 != parameters ]]; then
            check_no_sizes "$1" "$2"
            continue
        fi
        section_rows "$2" "$title" >got.tsv
        check "$1: $title" "$section" got.tsv
    done <sections
}

# --- good logs ------------------------------------------------------------------------------------

# What is committed is what the generator makes.
committed_files() {
    made samples samples
    if diff -r --exclude=README.md --exclude='*.[ch]' --exclude=reasons samples "$data" >got.diff 2>&1; then
        pass
    else
        fail "testdata/dwtrace is not what generate-dwtrace makes" got.diff
    fi
}

# check_logs FOLDER: the logs of FOLDER/logs.tsv; wholly those in ok/ and those called all-….
check_logs() {
    local log expected configuration parameters reports
    local -a options

    while IFS=$TAB read -r log expected configuration parameters; do
        options=()
        [ "$configuration" = - ] || options=(-c "$1/$configuration")
        reports=brief
        [[ $log == ok/* || $log == all-* ]] && reports=all
        import_sound good.db "$1/$log" "${options[@]}"
        check_expected "$log $configuration" good.db "$1/$expected" $reports "$parameters"
    done <"$1/logs.tsv"
}

empty_log() {
    import_sound empty.db "$data/ok/empty.dwt"
    ledger_sums empty.db >got.tsv
    printf 'events\t0\nrejected\t0\n' >wanted.tsv
    check "empty.dwt" wanted.tsv got.tsv
}

# check_remark WHAT DATABASE GREP-OPTIONS…: `show` has such a remark.
check_remark() {
    tracetool -d "$2" show log --format tsv >show.txt 2>&1
    if grep '^remark' show.txt | grep -q "${@:3}"; then
        pass
    else
        fail "$1: no remark ${*: -1}" show.txt
    fi
}

remarks() {
    local log

    for log in jitter.dwt jitter-other.dwt; do
        import_sound good.db "variants/$log"
        check_remark "$log" good.db -w "$(<variants/late)"
    done
    import_sound good.db "$data/ok/wrapped.dwt"
    check_remark wrapped.dwt good.db -i begin
    import_sound good.db "$data/ok/program.dwt"
    tracetool -d good.db show log --format tsv >show.txt 2>&1
    if grep '^remark' show.txt | grep -qi begin; then
        fail "program.dwt: nothing of it is lost" show.txt
    else
        pass
    fi
}

# Names given by the configuration or beside it at import, or later, make the same reports.
symbols() {
    local expected=$data/expected/program-names

    import_sound good.db "$data/ok/program-other.dwt" --symbols "$data/symbols.yaml"
    check_expected "--symbols, names" good.db "$expected" all parameters
    import_sound good.db "$data/ok/program-other.dwt"
    tracetool -q -d good.db name log --symbols "$data/symbols.yaml" 2>name.txt ||
        fail "name log --symbols" name.txt
    check_expected "name, names" good.db "$expected" all parameters
    check_sound "name" good.db
    rows good.db report calltree --component 2 >wanted.tsv
    rows good.db report calltree --component 0002 >got.tsv
    check "a component by number or as it is shown" wanted.tsv got.tsv
    rows good.db report calltree --component Storage >got.tsv
    check "a component by number or name" wanted.tsv got.tsv
}

# Pieces in any order; the folder is in the list of logs.
flips() {
    local set order expected

    for set in flip-usual flip-other flip-untimed; do
        expected=variants/expected/program
        [ $set != flip-untimed ] || expected+=-untimed
        for order in "0 1 2" "2 1 0" "1 2 0"; do
            # shellcheck disable=SC2046,SC2086
            import_sound good.db $(printf "variants/$set/flip.%s " $order) --join
            check_expected "$set --join $order" good.db $expected brief parameters
        done
    done
}

append() {
    import_sound good.db variants/append/1.dwt
    tracetool -q -d good.db import --append -n log variants/append/2.dwt 2>append.txt ||
        fail "--append" append.txt
    check_sound "--append" good.db
    check_expected "--append" good.db variants/expected/program brief parameters
    # Amid calls: every record is there.
    import_sound good.db "$data/ok/flip/flip.2"
    tracetool -q -d good.db import --append -n log "$data"/ok/flip/flip.[01] 2>append.txt ||
        fail "--append amid calls" append.txt
    check_sound "--append amid calls" good.db
    ledger_sums good.db >got.tsv
    sed -n '2,3p' "$data/expected/program" >wanted.tsv
    check "--append amid calls" wanted.tsv got.tsv
}

# Through a pipe the oldest part of a wrapped file comes last as well.
other_ways() {
    local expected=$data/expected/wrapped

    gzip -c "$data/ok/wrapped.dwt" >wrapped.dwt.gz
    import_sound good.db wrapped.dwt.gz
    check_expected wrapped.dwt.gz good.db "$expected" brief parameters
    import_sound good.db - <"$data/ok/wrapped.dwt"
    check_expected "wrapped.dwt through a pipe" good.db "$expected" brief parameters
}

# The counter of 32 bits begins anew between two files: 10 units before that a call is entered, 5
# behind it ends.
flip_over_wrap() {
    printf 'DWTR\1\0\1\0\7\0\0\0\0\0\0\0\1\1\0\2\0\7\0\0\0\366\377\377\377' >turn.0
    printf 'DWTR\1\0\1\0\7\0\0\0\0\0\0\0\2\1\0\2\0\7\0\0\0\5\0\0\0\3\0\0\0' >turn.1
    import_sound good.db --join turn.0 turn.1
    rows good.db report calls >got.tsv
    printf '1\t0\t15\t7\t0002:0001\t3\n' >wanted.tsv
    check "a flipping set over the wrap of its counter" wanted.tsv got.tsv
}

dumps() {
    import_sound good.db "$data/ok/program.dwt"
    tracetool -d good.db dump >dump.txt 2>&1
    expect "dump: functions" grep -q '0002:0012' dump.txt
    expect "dump: text of data" grep -q 'fifteen bytes!!' dump.txt
    expect "dump: a return code" grep -q -e '-2147483648' dump.txt
}

big_log() {
    ./generate-dwtrace big 3000000 1 >big.dwt
    ./generate-dwtrace big-expect 3000000 1 >wanted.tsv
    import_sound good.db - <big.dwt
    rows good.db report functions >got.tsv
    check "a large log: functions" wanted.tsv got.tsv
    rm -f big.dwt
}

# --- wrapping -------------------------------------------------------------------------------------

# by_trace FILE: rows with the trace in front, which come in any order of traces.
by_trace() {
    LC_ALL=C sort -s -t "$TAB" -k 1,1 "$1"
}

wrapped_rows() {
    sql "$1" "SELECT t.name, e.time, a.tid, n.code, e.duration FROM trace AS t
        JOIN event AS e ON e.id BETWEEN t.first_event AND t.last_event
        LEFT JOIN name AS n ON n.id = e.operation LEFT JOIN actor AS a ON a.id = e.actor
        ORDER BY t.name, e.id"
}

# trace, function, calls
wrapped_calls() {
    tracetool -d "$1" report functions --by-trace --format tsv 2>&1 | awk -F'\t' -v OFS='\t' '
        /^# trace / { split($0, word, " "); trace = word[3]; sub(/:$/, "", trace) }
        /^#/ || NF < 2 { next }
        { print trace, $1, $2 }' | LC_ALL=C sort
}

wrapped_logs() {
    made wrap wrap
    rm -f wrap.db
    if tracetool -q -d wrap.db import --again wrap/logs/*.dwt 2>import.txt; then
        pass
    else
        fail "import of wrapped files" import.txt
    fi
    sql wrap.db "SELECT name, events, rejected FROM trace ORDER BY name" >got.tsv
    by_trace wrap/ledger.tsv >wanted.tsv
    check "wrapped files: ledger" wanted.tsv got.tsv
    wrapped_rows wrap.db >got.tsv
    by_trace wrap/rows.tsv >wanted.tsv
    check "wrapped files: rows" wanted.tsv got.tsv
    wrapped_calls wrap.db >got.tsv
    LC_ALL=C sort wrap/calls.tsv >wanted.tsv
    check "wrapped files: calls of each function" wanted.tsv got.tsv
    sql wrap.db "SELECT name FROM trace WHERE NOT EXISTS (SELECT 1 FROM remark
        WHERE trace = trace.id AND text LIKE '%begin%')" >got.tsv
    : >wanted.tsv
    check "wrapped files: a remark that the beginning is lost" wanted.tsv got.tsv
    expect "wrapped files: tracetool check" tracetool -q -d wrap.db check
}

large_wrapped_log() {
    import_sound good.db wrap/large.dwt
    rows good.db report functions >got.tsv
    check "a large wrapped file: functions" wrap/large.tsv got.tsv
    import_sound good.db - <wrap/large.dwt
    rows good.db report functions >got.tsv
    check "a large wrapped file through a pipe: functions" wrap/large.tsv got.tsv
}

# Logs that end anywhere: what is whole is there.
cut_logs() {
    local length status

    made cuts .
    rm -f cuts.db
    tracetool -q -d cuts.db import --again cuts/*.dwt 2>import.txt
    status=$?
    [ $status -le 1 ] || fail "logs cut at every byte: status $status" import.txt
    # A file in which nothing can be read is refused, but one without records is not.
    sql cuts.db "SELECT name, events, rejected FROM trace ORDER BY name" >got.tsv
    by_trace cuts.tsv | awk -F'\t' '$2 > 0 || $3 == 0' >wanted.tsv
    check "logs cut at every byte" wanted.tsv got.tsv
    expect "logs cut at every byte: tracetool check" tracetool -q -d cuts.db check
    # And so may wrapped ones, where what is lost may be where reading begins.
    mkdir -p cut
    for ((length = 0; length < $(stat -c %s "$data/ok/wrapped.dwt"); length += 5)); do
        head -c $length "$data/ok/wrapped.dwt" >"cut/$length.dwt"
    done
    rm -f cuts.db
    tracetool -q -d cuts.db import --again cut/*.dwt 2>import.txt
    status=$?
    expect "wrapped logs cut anywhere: status $status" [ $status -le 1 ]
    expect "wrapped logs cut anywhere: tracetool check" tracetool -q -d cuts.db check
    sql cuts.db "SELECT count(*) FROM trace WHERE events + rejected > 0" >got.tsv
    expect "wrapped logs cut anywhere: records" [ "$(<got.tsv)" -gt 80 ]
}

committed_files
check_logs "$data"
made variants variants
check_logs variants
empty_log
remarks
symbols
flips
append
other_ways
dumps
flip_over_wrap
big_log
wrapped_logs
large_wrapped_log
cut_logs
finish "dwtrace: "
