#!/bin/bash
# The bounds of docs/limits.md that a user can meet, from both sides: what lies within them is there
# and counted right, what lies beyond is refused, or worked around, and said.
#
#     BUILD=build tests/limits.sh
#
# What is expected comes from awk and seq over the logs made here.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
cd "$work" || exit 1

tracetool() {
    # shellcheck disable=SC2086
    $TRACETOOL -q -d "$work/x.db" "$@"
}

# begin WHAT: a new database.
begin() {
    what=$1
    rm -f x.db
}

# same WHAT EXPECTED GOT: two strings.
same() {
    printf '%s\n' "$2" >expected
    printf '%s\n' "$3" >got
    check "$what: $1" expected got
}

# shown ATTRIBUTE [TRACE]: what `show` says of the only trace.
shown() {
    tracetool show "${2:-x}" --format tsv | awk -F '\t' -v name="$1" '$1 == name && !seen++ { print $2 }'
}

# Lines of MOST's text: a completed write each, of the file and the blocks that awk puts in.
most_lines() {
    awk -v count="$1" "BEGIN {
        for (i = 0; i < count; i++) {
            printf \"%d.%09d\\tC\\tW\\t%d\\t%d\\t%d\\tapp\\tD\\t%s\\n\", i / 1000, i % 1000, 8 * i,
                $2, $3, $4
        }
    }"
}

# --- events --------------------------------------------------------------------------------------

# Offsets beyond 4 GiB: a line nearly without an end, and what is wrong behind it.
large_file() {
    local size=4311744512 i

    begin "a file of more than 4 GiB"
    most_lines 2 8 1 '"/a"' >first
    {
        cat first
        head -c $size /dev/zero
        printf '\nnot a line of a log\n'
        most_lines 3 8 1 '"/b"' | tail -n 1
    } | tracetool import -f most -n x -
    same events 3 "$(shown events)"
    same rejected 2 "$(shown rejected)"
    same "where the rejected lines are" "$(wc -c <first) $(($(wc -c <first) + size + 1))" \
        "$(sqlite3 x.db 'SELECT first_offset FROM ledger ORDER BY 1' | paste -sd ' ')"

    begin "a packed file of more than 4 GiB of next to nothing"
    head -c 262000 /dev/zero | tr '\0' ' ' >blank
    echo >>blank
    for ((i = 0; i < 64; i++)); do cat blank; done | zstd -q -1 >frame
    for ((i = 0; i < 257; i++)); do cat frame; done >bomb.zst
    tracetool import -f most bomb.zst 2>message
    same status 1 $?
    expect "$what: the message" grep -q 'unpacks to more than 500 times its size' message
    expect "$what: no database" [ ! -e x.db ]
    rm -f first blank frame bomb.zst
}

traces() {
    local i

    begin "150 traces in one database"
    most_lines 10 8 '1' '"/a"' >log
    for ((i = 0; i < 150; i++)); do
        tracetool import --again -n "trace-$i" log || break
    done
    same traces 150 "$(tracetool traces --format tsv | grep -vc '^#')"
    same "all events" 1500 "$(tracetool report rw --format tsv | awk -F '\t' '/^write\t/ { print $2 }')"
    expect "$what: check" tracetool check
}

# --- names ---------------------------------------------------------------------------------------

# More names than are kept in memory, and so many that their rollup is dropped.
names() {
    begin "100000 files and processes"
    most_lines 300000 8 'i % 100000' '"/f" i % 100000' |
        awk -F '\t' -v OFS='\t' '{ $7 = "p" $6; print }' >log
    tracetool import -n x log
    same objects 100000 "$(sqlite3 x.db 'SELECT count(*) FROM object')"
    same actors 100000 "$(sqlite3 x.db 'SELECT count(*) FROM actor')"
    cut -f 9 log | sort | uniq -c | awk '{ print $2 "\t" $1 }' | sort >expected
    tracetool report popularity --of file --format tsv | grep -v '^#' | cut -f 2,3 | sort >got
    check "$what: popularity --of file" expected got
    cut -f 7 log | sort | uniq -c | awk '{ print $2 "\t" $1 }' | sort >expected
    tracetool report popularity --of process --format tsv >text
    grep -v '^#' text | cut -f 2,3 | sort >got
    check "$what: popularity --of process" expected got
    expect "$what: that its rollup was dropped is said" grep -q 'grew beyond 16384 rows' text
    expect "$what: check" tracetool check
}

sizes() {
    begin "20000 different sizes"
    most_lines 40000 'i % 20000 + 1' 1 '"/a"' >log
    tracetool import -n x log
    awk -F '\t' '{ count[512 * $5]++ } END { for (size in count) print size "\t" count[size] }' log |
        sort -n >expected
    tracetool report iosize --format tsv | tee text | grep -v '^#' |
        awk -F '\t' '{ print $1 "\t" $NF }' | sort -n >got
    same "sizes told apart" "$(wc -l <expected)" "$(wc -l <got)"
    expect "$what: that the rollup was dropped is said" grep -q 'grew beyond 16384 rows' text
}

# Each of so many operations is followed by each.
pairs() {
    begin "the square of 135 pairs"
    awk -v n=135 'BEGIN {
        for (a = 0; a < n; a++)
            for (b = 0; b < n; b++) printf "0xA%03X 1 1 0\n0xA%03X 1 1 0\n", a, b
    }' >log
    tracetool import -n x -f palmist log
    awk 'NR > 1 { count[last, $1]++ } { last = $1 } END { for (i in count) print count[i] }' log |
        sort -n >expected
    tracetool report sequences --format tsv | grep -v '^#' | cut -f 3 | sort -n >got
    check "$what: sequences" expected got
    expect "$what: check" tracetool check
}

# More sectors than are counted in one pass over the events (1048576), an eighth of the I/Os at a few of them.
sectors() {
    begin "more sectors than are counted at once"
    most_lines 1300000 8 1 '"/a"' |
        awk -F '\t' -v OFS='\t' '{ $4 = 8 * (NR % 8 ? NR * 7919 % 1300021 : NR % 1000); print }' >log
    tracetool import -n x log
    cut -f 4 log | sort -n | uniq -c | sort -k 1,1nr -k 2,2n | awk '{ print NR "\t" $2 "\t" $1 }' >expected
    expect "$what: they are more" [ "$(wc -l <expected)" -gt 1048576 ]
    tracetool report popularity --of sector --format tsv | grep -v '^#' >text
    cut -f 1-3 text >got
    check "$what: popularity --of sector" expected got
    head -n 700 expected >some
    same "the first one's share" "$(head -n 1 some | awk '{ printf "%.6f", $3 / 1300000 }')" \
        "$(head -n 1 text | cut -f 4)"
    tracetool report popularity --of sector --top 700 --format tsv | grep -v '^#' | cut -f 1-3 >got
    check "$what: --top" some got
    same "the last one's cumulative share" 1.000000 "$(tail -n 1 text | cut -f 5)"
    rm -f log text expected
}

# --- idle times ---------------------------------------------------------------------------------

# One read a second, of a microsecond, and one that is in flight all the time.
one_in_flight() {
    awk -v n="$1" 'BEGIN {
        print "8,0 0 0 0.000000000 1 D R 9000000 + 8 [p]"
        for (i = 1; i <= n; i++)
            printf "8,0 0 0 %d.000000000 1 D R 8 + 8 [p]\n8,0 0 0 %d.000001000 1 C R 8 + 8 [0]\n", i, i
        print "8,0 0 0 " n + 1 ".000000000 1 C R 9000000 + 8 [0]"
    }'
}

# Of 65536 idle times all are taken back; of 65537, the older half stands.
idle_times() {
    begin "65536 idle times taken back"
    one_in_flight 65537 | tracetool import -n x -
    tracetool report gaps --format tsv >text
    same gaps 0 "$(grep -vc '^#' text)"
    expect "$what: none is overlooked" [ "$(grep -c 'began earlier' text)" = 0 ]

    begin "more idle times than can be taken back"
    one_in_flight 65538 | tracetool import -n x -
    tracetool report gaps --format tsv >text
    same gaps 32768 "$(grep -vc '^#' text)"
    same "the I/O that was overlooked" 1 "$(sed -n 's/^# idle times too long: \([0-9]*\) I.Os began earlier.*/\1/p' text)"
}

# --- lengths -------------------------------------------------------------------------------------

# A line of that many bytes with its newline, most of which are a file's name.
long_line() {
    local begin=$'1.000000000\tC\tW\t8\t8\t1\tapp\tD\t/'

    printf '%s%s\n' "$begin" "$(head -c $(($1 - ${#begin} - 1)) /dev/zero | tr '\0' 'n')"
}

lines() {
    begin "long lines"
    {
        most_lines 2 8 1 '"/a"'
        long_line 65536
        long_line 262144
        long_line 262145
        long_line 1000000
        most_lines 2 8 1 '"/b"'
    } | tracetool import -n x -
    same events 6 "$(shown events)"
    same "rejected as too long" 2 \
        "$(sqlite3 x.db "SELECT count FROM ledger WHERE reason = 'line longer than 262144 bytes'")"
    # 28 bytes stand before the name, and a newline behind it.
    same "the longest name" $((262144 - 28 - 1)) \
        "$(sqlite3 x.db 'SELECT max(length(name)) FROM object')"
    same "its line in the listing" 1 "$(tracetool dump | awk 'length($0) > 262144' | wc -l)"
}

# --- depth ---------------------------------------------------------------------------------------

# Calls nested in one another, then their exits.
nested_calls() {
    awk -v depth="$1" 'BEGIN {
        for (i = 0; i < depth; i++) print i "\t1\t1\tE\tf" i % 10 "\t-"
        for (i = depth - 1; i >= 0; i--) print 2 * depth - i "\t1\t1\tX\tf" i % 10 "\t-"
    }'
}

depth() {
    begin "calls 200000 deep"
    nested_calls 200000 | tracetool import -n x -
    same calls 200000 "$(sqlite3 x.db 'SELECT count(*) FROM event')"
    same deepest 199999 "$(sqlite3 x.db 'SELECT max(depth) FROM event')"
    same "nodes of the call tree" 200000 "$(tracetool report calltree --format tsv | grep -vc '^#')"
    same "lines of the listing" 400000 "$(tracetool dump | grep -vc '^#')"
    expect "$what: check" tracetool check

    begin "more calls open than are followed"
    nested_calls 1048586 | tracetool import -n x -
    same calls 1048576 "$(sqlite3 x.db 'SELECT count(*) FROM event')"
    same "entries and exits beyond" 20 "$(shown rejected)"
    expect "$what: check" tracetool check
}

# --- functions -----------------------------------------------------------------------------------

# More than are timed in memory, each in turn and once more in turn the other way.
functions() {
    begin "times of 70000 functions"
    {
        printf '# tracer: function_graph\n#\n ------\n 0)  <idle>-0    =>  cat-42\n ------\n\n'
        awk 'BEGIN {
            for (i = 0; i < 70000; i++) printf " 0)     1.%03d us  |  f%d();\n", i % 1000, i
            for (i = 69999; i >= 0; i--) printf " 0)     2.%03d us  |  f%d();\n", i % 1000, i
        }'
    } | tracetool import -n x -
    tracetool report functions --format tsv | grep -v '^#' | cut -f 1-5,7 | LC_ALL=C sort >got
    awk -v OFS='\t' 'BEGIN {
        for (i = 0; i < 70000; i++) {
            sum = 3000 + 2 * (i % 1000)
            print "f" i, 2, sum, sum, 1000 + i % 1000, 2000 + i % 1000
        }
    }' | LC_ALL=C sort >expected
    check "$what" expected got
}

# A line without an end, of a sparse file: whoever asks for the end of the import has it within a second,
# though the reader passes over nothing but zeros.
endless_line() {
    local begun took

    for log in strace/ok/names.strace blkparse/ok/kernel.txt palmist/ok/small.pdb rmp/ok/session.rmp; do
        begin "a file of 64 GB that begins as $log, and Ctrl-C"
        cp "$root/testdata/$log" endless
        if ! truncate -s 64G endless; then
            skip "$what: no sparse files here"
            return
        fi
        begun=$(date +%s%N)
        # shellcheck disable=SC2086
        timeout -k 60 -s INT 1 $TRACETOOL -d x.db import endless 2>got
        took=$((($(date +%s%N) - begun) / 1000000))
        expect "$what: ended after $took ms" [ $took -lt $((2000 + 100 * $(load))) ]
        echo 'tracetool: interrupted; nothing was imported' >expected
        check "$what" expected got
        rm endless
    done
}

for part in large_file traces names sizes pairs sectors idle_times lines depth functions endless_line; do
    $part
done
finish "limits: "
