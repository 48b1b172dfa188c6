#!/bin/bash
# Nothing gets through: for every importer a log of hostile names, which then go through every report
# in every format, dump, sql, every picture and a terminal, unharmed and harmless.
#
#     BUILD=build tests/hostile.sh
#
# All traces are in one database. Each row of `tracetool reports`, alone and with each of its options,
# is run --by-trace in every format, and once on a terminal; so is every table and view. A new report,
# option or format is tested without a change here, and a new importer fails until it has a log_… here.
# tests/golden/hostile.test has the exact bytes of some outputs.
#
# Only pictures are chosen in turns: each variant of a report that has one is drawn as svg, over all
# traces and --by-trace by turns, and three in eight also as png, pdf or characters.
# shellcheck disable=SC2016,SC1003 # nothing in a name is to be expanded
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

TIME_LIMIT=60         # seconds a command may take
BOMB=160              # MiB that a bomb unpacks to
MEMORY_LIMIT=150000   # KiB of address space that this may take: it does not hold a bomb
LINE_LIMIT=262144     # READER_WINDOW, docs/limits.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir logs out pictures
export HOME=$work TRACETOOL_DB=$work/traces.db
messages=$work/messages.txt # stderr of all commands

# TRACETOOL may be several words (valgrind). What it says on stderr is looked at in the end.
tracetool() {
    # shellcheck disable=SC2086
    timeout -k 5 $TIME_LIMIT $TRACETOOL "$@" 2>>"$messages"
}

# start NAME COMMAND…: in the background, with counts of its own, which collect() adds.
start() {
    count_apart "$@" >"$1.output" 2>&1 &
}

count_apart() {
    local passed=0 failed=0 messages=$work/messages-$1.txt

    "${@:2}"
    echo "$passed $failed" >"$1.counts"
}

# A part that did not come to its end is a failure.
collect() {
    local name counts

    wait
    for name in "$@"; do
        cat "$name.output"
        read -r -a counts <"$name.counts" || counts=(0 1)
        passed=$((passed + counts[0]))
        failed=$((failed + counts[1]))
    done
}

# --- the names ----------------------------------------------------------------------------------

# As tsv shows them, which is also what `printf %b` makes the bytes of. Each has a mark of its own.
# What runs, in a shell, gnuplot or SQLite, makes a file `pwned`.
names=(
    'm01"; system(">pwned"); "'
    '".system(">pwned")."m02'
    'm03`>pwned`'
    'm04$(>pwned)'
    "m05'; DROP TABLE event; --"
    "m06') OR 1=1 --"
    '!>pwned m07'
    'm08\n!>pwned\nsystem ">pwned"\n'
    'TRACETOOL_END m09'
    'm10\nTRACETOOL_END\nsystem ">pwned"\n'
    '$data << TRACETOOL_END m11'
    '@m12 $m12'
    '{/Symbol m13}^_{x}'
    'm14\x1b[31;5;7mx\x1b[0m'
    'm15\x1b]0;x\x07'
    'm16\x01\x08\x0b\x1f'
    'm17\x0dx'
    'm18\x7f.'
    'm19\xc2\x9b31m'
    'm20\xff\xfe'
    'm21\xc0\xafx'
    'm22\xed\xa0\x80'
    'm23\xe2\x82'
    'm24\tx\t1'
    'm25\nx\n1'
    'm26\x00x'
    '\x23m27'
    '=1+1 m28'
    '\\m29\\x0a\\\\'
    'm30%s%n%99$d'
    '<script>m31'
    'm32]]></text>&amp;'
    'm33|*a*_b_'
    'm34[x](y)<b>'
    'm35,"a",b'
    'm36;a;b 7'
    '-om37'
    '../../m38'
    'm39 ‮é漢'
    "m40'\"'\""
)
long=$(head -c 65533 /dev/zero | tr '\0' x) # with its mark 64 KiB
long="m99${long:3}\"x\`"
device='m81\x1b[31;5;7m"\n`>pwned`' user='m82\ttab\xff' study="m83'; DROP TABLE trace; --\n\\x1b[31;5;7m"

# Names without any of the given parts.
without() {
    local name part

    for name in "${names[@]}"; do
        for part in "$@"; do
            # shellcheck disable=SC2053
            [[ $name != $part ]] || continue 2
        done
        printf '%s\n' "$name"
    done
}

# What cannot be in a field of a line: newlines and TABs, blanks at its ends.
for_lines() {
    without '*\\n*' '*\\t*' "$@"
}

bytes() {
    printf %b "$*"
}

# How many bytes() make; without a process, for there are many names.
length() {
    local LC_ALL=C text=${1//\\\\/.}

    text=${text//\\x[0-9a-f][0-9a-f]/.}
    text=${text//\\[nt]/.}
    echo ${#text}
}

# little BYTES NUMBER…: little-endian, as text for bytes().
little() {
    local width=$1 number i

    shift
    for number in "$@"; do
        for ((i = 0; i < width; i++)); do
            printf '\\x%02x' $((number >> 8 * i & 255))
        done
    done
}

# Within a text, # is no comment.
inner() {
    printf %s "${1//\\x23/#}"
}

# --- a log for each format ----------------------------------------------------------------------
# log_FORMAT writes logs/FORMAT, or more files in a folder of that name, on its stdout what names must
# be in the database, as tsv shows them.

# Applications are named by the configuration; arguments are text.
log_palmist() {
    local name i=0 text

    while IFS= read -r name; do
        text=$(bytes "$name\x00second\x00" | od -An -v -tx1 | tr -d ' \n')
        printf '0xA0C8 %d 0x%08x %d %s\n' $((i * 10)) $((65536 + i)) $((${#text} / 2)) "$text"
        i=$((i + 1))
    done < <(without '*\\x00*') >logs/palmist
    for ((i = 0; i < ${#names[@]}; i++)); do
        printf '0xA0C8 %d 0x%08x 0\n' $((1000 + i)) $((65536 + i))
    done >>logs/palmist
    for_yaml
}

# Two stages, so that there are latencies. A line too long is one rejected record.
log_most() {
    local name i=0 stage

    while IFS= read -r name; do
        for stage in 0D 5C; do
            bytes "$i.000${stage%?}00000\t${stage#?}\tW\t$((i * 64))\t8\t$i\t$name\t"
            bytes "D\t/data/$name.x$((i % 10))\n"
        done >>logs/most
        printf '%s\n/data/%s.x%d\n' "$name" "$(inner "$name")" $((i % 10))
        i=$((i + 1))
    done < <(for_lines && printf '%s\n' "$long")
    printf '%d.000000000\tC\tW\t0\t8\t1\t%*s\tM\n' $i $LINE_LIMIT x >>logs/most
}

# Names have 16 bytes, and end at a NUL.
log_most-binary() {
    local name i=0

    while IFS= read -r name; do
        [ "$(length "$name")" -le 16 ] || continue
        bytes "$(little 8 $((1400000000 + i)) 5)$(little 1 1 1)$(little 4 $((i * 64)) 8 $i)"
        bytes "$name$(little $((16 - $(length "$name"))) 0)"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >logs/most-binary < <(without '*\\x00*')
}

# androtrace_head TYPE SECOND: type, size 0, 2014-04-26 19:00 and so many seconds.
androtrace_head() {
    little 1 "$1" 0
    little 4 $((14 | 4 << 4 | 26 << 8 | 19 << 13 | $2 / 60 << 18 | $2 % 60 << 24)) 0
}

androtrace_text() {
    little 1 "$(length "$1")"
    printf %s "$1"
}

# I/Os, life-spans, SQLite operations; the longest name has 255 bytes. A NUL ends a name.
log_androtrace() {
    local name i=0 text

    while IFS= read -r name; do
        text=$(androtrace_text "$name")$(androtrace_text "$name")
        bytes "$(androtrace_head 1 $i)$(little 1 1 2 179 21 2)$(little 4 $((i * 64)) 8)$text"
        bytes "$(androtrace_head 2 $i)$(little 8 0)$(little 1 1 179 21)$(little 8 4096)$text"
        bytes "$(androtrace_head 3 $i)$(little 1 1)$(little 4 9)$text"
        printf '%s\n' "${name%%\\x00*}" >&3
        i=$((i + 1))
    done 3>&1 >logs/androtrace < <(without && printf '%s\n' "${long:0:250}")
}

# Completions have the name of their issue, of which 64 bytes are remembered.
log_blkparse() {
    local name i=0

    while IFS= read -r name; do
        bytes "8,0 0 $((2 * i + 1)) $i.000000000 $i D W $((i * 64)) + 8 [$name]\n"
        bytes "8,0 0 $((2 * i + 2)) $i.000500000 0 C W $((i * 64)) + 8 [0]\n"
        printf '%s\n' "$name" >&3
        i=$((i + 1))
    done 3>&1 >logs/blkparse < <(for_lines && printf '%s\n' "$long")
    printf '8,0 0 999 %d.0 1 Q W 0 + 8 [%*s]\n' $i $LINE_LIMIT x >>logs/blkparse
}

# strace writes all bytes with escapes, but a path has no NUL; arguments of other calls stay as they are.
log_mobigen() {
    local name i=0 quoted

    while IFS= read -r name; do
        quoted=${name//\"/\\\"}
        printf '0 %d open "/data/%s.x%d" O_RDWR 10\n' $((i * 1000)) "$quoted" $((i % 10))
        printf '0 %d write 10 %d\n0 %d close 10 0\n' $((i * 1000 + 1)) $((i + 1)) $((i * 1000 + 2))
        printf '/data/%s.x%d\n' "$(inner "$name")" $((i % 10)) >&3
        i=$((i + 1))
    done 3>&1 >logs/mobigen < <(without '*\\x00*' && printf '%s\n' "$long")
    while IFS= read -r name; do
        bytes "0 $((i++ * 1000)) ioctl m60$name 0\n"
    done >>logs/mobigen < <(for_lines)
    printf '0 %d open "%*s" O_RDWR 10\n' $((i * 1000)) $LINE_LIMIT x >>logs/mobigen
}

# dwtrace_record TYPE NUMBER TIME REST
dwtrace_record() {
    local size

    size=$(length "$4")
    printf %s "$(little 1 "$1")$(little 2 $((15 + size)))$(little 4 $((0x20000 + $2)) 1 "$3")$4"
}

# Functions are named by the configuration; data are bytes.
log_dwtrace() {
    local name i=0

    bytes "DWTR$(little 2 1 5)$(little 4 7 0)" >logs/dwtrace
    for name in "${names[@]}"; do
        bytes "$(dwtrace_record 1 $i $((i * 100)) '')"
        bytes "$(dwtrace_record 3 $i $((i * 100 + 10)) "$(little 2 "$(length "$name")")$name")"
        bytes "$(dwtrace_record 2 $i $((i * 100 + 50)) "$(little 4 $((i % 3)))")"
        i=$((i + 1))
    done >>logs/dwtrace
    for_yaml
}

# A probe within a probe: names as callers, too. Each process, thread, method and loop in its turn.
log_rmp() {
    local name i=0 levels=(process thread method loop)

    mkdir -p logs/rmp
    while IFS= read -r name; do
        bytes "$((i * 100000))\t1\t$((i % 3))\tE\ta.$name.b\t-\n"
        bytes "$((i * 100000 + 1000))\t1\t$((i % 3))\tE\tm61.x\ta.$name.b\n"
        bytes "$((i * 100000 + 9000))\t1\t$((i % 3))\tX\tm61.x\ta.$name.b\n"
        bytes "$((i * 100000 + 90000))\t1\t$((i % 3))\tX\ta.$name.b\t-\n"
        bytes "a.$name.b\t${levels[i % 4]}\tapp\ton\n" >&4
        printf 'a.%s.b\n' "$(inner "$name")" >&3
        i=$((i + 1))
    done 3>&1 4>logs/rmp/log.probes >logs/rmp/log.rmp < <(for_lines && printf '%s\n' "$long")
    printf '%d\t1\t1\tE\t%*s\t-\n' $((i * 100000)) $LINE_LIMIT x >>logs/rmp/log.rmp
}

# Classes have their slashes turned into dots, so what is looked for is the method. The signature
# shows where there are two. A line of more than 65535 bytes names nothing.
log_android-trace() {
    local name i=0 records=''

    bytes '*version\n2\nclock=wall\nnum-method-calls=1\n*threads\n' >logs/android-trace
    while IFS= read -r name; do
        bytes "$((++i))\t$name\n"
        printf '%s\n' "$name" >&3
    done 3>&1 >>logs/android-trace < <(for_lines '*\\x00*')
    bytes '*methods\n' >>logs/android-trace
    i=0
    while IFS= read -r name; do
        bytes "0x$(printf %x $((i * 8 + 8)))\tc/$name\tm\t(m62$name)V\n"
        bytes "0x$(printf %x $((i * 8 + 12)))\tc/d\t$name\t()V\n"
        printf 'c.d.%s\n' "$(inner "$name")" >&3
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 12)) $((i * 100)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 8)) $((i * 100 + 10)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 9)) $((i * 100 + 30)))
        records+=$(little 2 $((i + 1)))$(little 4 $((i * 8 + 13)) $((i * 100 + 90)))
        i=$((i + 1))
    done 3>&1 >>logs/android-trace < <(for_lines '*\\x00*' && printf '%s\n' "${long:0:65000}")
    bytes "0x8000\tc/d\t$long\t()V\n*end\nSLOW$(little 2 2 32)$(little 8 0 0 0)$records" \
        >>logs/android-trace
}

# --- the configuration --------------------------------------------------------------------------

# YAML's double quotes know the same escapes, but \x80 is a character there, not a byte.
yaml() {
    printf '"%s"' "${1//\"/\\\"}"
}

# Names that are in the database as they are in YAML; the configuration takes no NUL.
for_yaml() {
    without '*\\x[89a-f]?*' '*\\x00*'
}

# Sections with a name for each number; file types are those of the endings that the logs have.
write_config() {
    local named i numbers

    mapfile -t named < <(without '*\\x00*')
    numbers=$(seq 0 $((${#named[@]} - 1)))
    echo 'applications:'
    for i in $numbers; do
        printf '  0x%08x: %s\n' $((65536 + i)) "$(yaml "${named[i]}")"
    done
    printf 'components:\n  2:\n    name: "m63\\x1b[31;5;7m\\n"\n    functions:\n'
    for i in $numbers; do
        printf '      %d: %s\n' "$i" "$(yaml "${named[i]}")"
    done
    echo 'partitions:'
    for i in $numbers; do
        printf '  - {name: %s, first: %d, sectors: 64}\n' "$(yaml "${named[i]}")" $((i * 64))
    done
    echo 'file_types:'
    for i in 0 1 2 3 4 5 6 7 8 9; do
        printf '  %s: [x%d]\n' "$(yaml "${named[i * 3 + 1]}")" "$i"
    done
    echo 'dwtrace: {clock_hz: 1000}'
    echo 'modules:'
    for i in $numbers; do
        printf '  %s: [%s]\n' "$(yaml "${named[i]}")" "$(yaml "a.$(inner "${named[i]}")")"
    done
}

# --- import -------------------------------------------------------------------------------------

# What a trace is called, as tsv shows it.
trace_name() {
    printf '%s m70\\x1b[31;5;7m\\n\\t`>pwned`"\x27; DROP TABLE trace; --\\\\' "$1"
}

# The name of each log is hostile, too.
import_format() {
    local format=$1 file options=() file_name=" m71\\n\\x1b[31;5;7m\`>pwned\`\"';\\xff"

    if ! declare -F "log_$format" >/dev/null; then
        fail "$format: no hostile log for this format"
        return
    fi
    "log_$format" >expected.txt
    file=$(bytes "$format$file_name")
    mv "logs/$format" "logs/$file"
    [ ! -d "logs/$file" ] || options=(--join)
    expect "import of $format" tracetool import -v -f "$format" "${options[@]}" \
        -n "$(bytes "$(trace_name "$format")")" --device "$(bytes "$device")" \
        --user "$(bytes "$user")" --study "$(bytes "$study")" "logs/$file"
    printf '%s\n' "$(trace_name "$format")" "$device" "$user" "$study" >>expected.txt
    names_survived "$format"
}

# Each name is in the database as it was in the log, byte by byte.
names_survived() {
    local own="trace = (SELECT id FROM trace WHERE format = '$1')"

    tracetool sql "SELECT name FROM actor WHERE $own UNION SELECT name FROM object WHERE $own
        UNION SELECT text FROM name WHERE $own
        UNION SELECT name FROM trace UNION SELECT device FROM trace UNION SELECT user FROM trace
        UNION SELECT study FROM trace" --format tsv | grep -v '^# ' | LC_ALL=C sort >have.txt
    LC_ALL=C sort -u expected.txt | LC_ALL=C comm -23 - have.txt | cut -c 1-200 >missing.txt
    expect "$1: there are names" [ "$(grep -c 'm[0-9][0-9]' expected.txt)" -ge 15 ]
    if [ -s missing.txt ]; then
        fail "$1: names that are not what they were" missing.txt
    else
        pass
    fi
}

# A line too long is one rejected record, a name too long one ignored; all else is kept.
check_ledgers() {
    tracetool sql 'SELECT format, merged, ignored, rejected FROM trace ORDER BY 1' >ledgers.txt
    cat >ledgers-expected.txt <<'END'
# format	merged	ignored	rejected
android-trace	0	2	0
androtrace	0	0	0
blkparse	0	0	1
dwtrace	0	0	0
mobigen	0	0	1
most	0	0	1
most-binary	0	0	0
palmist	0	0	0
rmp	0	0	1
END
    check "ledgers" ledgers-expected.txt ledgers.txt
}

# --- everything that prints ---------------------------------------------------------------------

# Values that an option is tried with, a line each, as text for bytes().
values_of() {
    case $1 in
    mark) trace_name most && echo ;;
    length) echo 3 ;;
    resolution) printf '%s\n' process thread method loop class ;;
    within | root) echo 'c.d.m03`>pwned`' && printf 'a.%s.b\n' "${names[4]}" ;;
    min-time) echo 0.000001 ;;
    min-calls) echo 1 ;;
    reference) echo reference.txt ;;
    esac
}

# variant ARGUMENT…: a line with TABs between.
variant() {
    local IFS=$'\t'

    printf '%s\n' "$*"
}

# traces_of KIND…: the options that choose the traces of these kinds, with TABs between.
traces_of() {
    local format kind

    while IFS=$'\t' read -r format kind; do
        [[ " $* " != *" $kind "* ]] || variant -t "$(trace_name "$format")"
    done <formats.txt | paste -s
}

# list_report NAME TRACES OPTIONS WORD…: a report alone, and with each of its options.
list_report() {
    local name=$1 traces=$2 option value values

    # Without the reference that it needs, a report is wrong usage.
    [[ $3 == *reference* ]] || variant report "$name" "${@:4}" "$traces"
    for option in $3; do
        mapfile -t values < <(values_of "$option")
        [ "${#values[@]}" -gt 0 ] || variant report "$name" "${@:4}" "--$option" "$traces"
        for value in "${values[@]}"; do
            variant report "$name" "${@:4}" "--$option" "$value" "$traces"
        done
    done
}

# The reports as `tracetool reports` lists them.
list_reports() {
    local name kinds when options words

    tracetool reports --format csv | sed '1d; s/""//g' | sort -u |
        while IFS=, read -r name kinds when options _; do
            read -r -a words <<<"${when% (default)}"
            # shellcheck disable=SC2086 # a word a kind
            list_report "$name" "$(traces_of $kinds)" "$options" "${words[@]}"
        done | sort -u
}

list_variants() {
    local table format

    list_reports
    variant dump
    variant traces
    variant reports
    variant formats
    while IFS=$'\t' read -r format _; do
        variant show "$(trace_name "$format")"
    done <formats.txt
    while IFS= read -r table; do
        variant sql "SELECT * FROM \"$table\""
    done < <(sqlite3 traces.db 'SELECT name FROM sqlite_schema WHERE type IN ("table", "view")')
    # Names of columns come from the query.
    variant sql "SELECT 1 AS \"m90\\x1b[31;5;7m\\n\\t\`>pwned\`\", name FROM actor"
}

# split VARIANT: its arguments into ${arguments[@]}.
split() {
    local fields field

    arguments=()
    IFS=$'\t' read -r -a fields <<<"$1"
    for field in "${fields[@]}"; do
        # SQL has no escapes but those meant here.
        printf -v field %b "$field"
        arguments+=("$field")
    done
    [ "${arguments[0]}" != report ] || arguments+=(--by-trace)
}

# A variant as one reads it, without its traces.
label() {
    printf '%s' "${1//$'\t'/ }" | sed 's/ -t [^(]*//' | cut -c 1-120
}

# run_variant NUMBER VARIANT: in every format, into out/NUMBER.FORMAT. Only reports have pictures, and
# not all; folded is for one.
run_variant() {
    local number=$1 arguments format status

    split "$2"
    for format in "${formats[@]}"; do
        case "$format ${arguments[0]} ${arguments[1]:-}" in
        'gnuplot report '* | 'folded report calltree') ;;
        gnuplot* | folded*) continue ;;
        esac
        tracetool "${arguments[@]}" --format "$format" >"out/$number.$format"
        status=$?
        if [ $status -ne 0 ]; then
            rm -f "out/$number.$format"
            tail -n 1 "$messages" >"$messages.last"
            case "$format $(cat "$messages.last")" in
            'gnuplot tracetool: report '*' has no picture') ;;
            *) fail "$(label "$2") --format $format: status $status" "$messages.last" ;;
            esac
        fi
    done
    [ "${arguments[0]}" != dump ] || tracetool dump >"out/$number.dump"
}

# Every second variant.
run_share() {
    local number

    for ((number = $1; number < ${#variants[@]}; number += 2)); do
        run_variant $number "${variants[number]}"
    done
}

run_variants() {
    printf 'm03`>pwned`\t1\na.m61.b\t2\n' >reference.txt
    tracetool formats --format tsv | grep -v '^#' | cut -f 1,2 >formats.txt
    tracetool reports --format nosuch
    read -r -a formats < <(tail -n 1 "$messages" | sed -n 's/.*there are \(.*\);.*/\1/p')
    expect "output formats" [ "${#formats[@]}" -ge 8 ]
    mapfile -t variants < <(list_variants)
    expect "reports are listed" [ "${#variants[@]}" -ge 60 ]
    start even run_share 0
    start odd run_share 1
    collect even odd
}

# --- what must hold of what was printed ------------------------------------------------------------

# The command that made out/NUMBER.FORMAT.
command_of() {
    local number=${1##*/}

    number=${number%%.*}
    label "${variants[number]} (${1##*.})"
}

# blame WHAT FILES FAULTY: a test for each file; FAULTY, a file, lists those with a fault.
blame() {
    local file

    while IFS= read -r file; do
        failed=$((failed + 1))
        passed=$((passed - 1))
        echo "FAILED: $1: $(command_of "$file")"
    done < <(sort -u "$3")
    passed=$((passed + $2))
}

count() {
    echo $#
}

# No control characters but newline, and TAB between fields; no C1 controls; UTF-8 throughout.
check_harmless() {
    local file files=(out/*)

    {
        LC_ALL=C grep -laP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "${files[@]}"
        LC_ALL=C grep -laP '\t' "${files[@]}" | grep -v '\.\(tsv\|gnuplot\|svg\)$'
    } >faulty.txt
    blame "control characters" ${#files[@]} faulty.txt
    : >faulty.txt
    cat "${files[@]}" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 ||
        for file in "${files[@]}"; do
            iconv -f UTF-8 -t UTF-8 "$file" >/dev/null 2>&1 || echo "$file"
        done >faulty.txt
    blame "not UTF-8" ${#files[@]} faulty.txt
}

# In a result, each row has as many fields as there are names of columns.
check_tsv() {
    local files=(out/*.tsv)

    awk -F '\t' '
        /^#/ { columns = NF; next }
        NF != columns && $0 != "" { print FILENAME }' "${files[@]}" >faulty.txt
    blame "fields" ${#files[@]} faulty.txt
}

# csv made tsv, with an empty line before each result; a field holds no newline.
csv_rows() {
    awk '
        $0 == "" { header = 0; next }
        !header++ { next }
        {
            line = $0 ","
            row = ""
            while (line != "") {
                if (match(line, /^"([^"]|"")*",/)) {
                    field = substr(line, 2, RLENGTH - 3)
                    gsub(/""/, "\"", field)
                } else {
                    match(line, /^[^,"]*,/)
                    if (RLENGTH < 0) { print "no csv: " line; next }
                    field = substr(line, 1, RLENGTH - 1)
                }
                row = row "\t" field
                line = substr(line, RLENGTH + 1)
            }
            print substr(row, 2)
        }' "$1"
}

tsv_rows() {
    grep -v -e '^#' -e '^$' "$1" | sed 's/\(^\|\t\)\\x23/\1#/g'
}

# csv and tsv hold the same rows, field by field.
check_csv() {
    local file

    for file in out/*.csv; do
        csv_rows "$file" >csv.txt
        tsv_rows "${file%.csv}.tsv" | cmp -s - csv.txt || echo "$file"
    done >faulty.txt
    blame "csv is not tsv" "$(count out/*.csv)" faulty.txt
}

# json and jsonl are valid, and have as many rows as tsv, each as long as there are columns.
check_json() {
    local file rows

    for file in out/*.json; do
        rows=$(tsv_rows "${file%.json}.tsv" | wc -l)
        { echo '['; sed '1!s/^/,/' "${file}l"; echo ']'; } >"$file.array"
        cat <<END
SELECT '$file' WHERE NOT json_valid(readfile('$file'));
WITH result AS (SELECT value FROM json_each(CASE json_type(readfile('$file'))
    WHEN 'array' THEN readfile('$file') ELSE json_array(json(readfile('$file'))) END))
SELECT '$file' WHERE $rows <> (SELECT sum(json_array_length(value, '\$.rows')) FROM result)
    OR EXISTS (SELECT 1 FROM result, json_each(result.value, '\$.rows') AS row
        WHERE json_array_length(row.value) <> json_array_length(result.value, '\$.columns'));
SELECT '${file}l' WHERE NOT json_valid(readfile('$file.array'));
SELECT '${file}l' WHERE $rows <> (SELECT count(*) FROM json_each(readfile('$file.array'))
    WHERE type = 'object');
END
    done >json.sql
    sqlite3 :memory: <json.sql >faulty.txt 2>json-errors.txt || fail "json" json-errors.txt
    blame "json" "$(($(count out/*.json) * 2))" faulty.txt
    rm -f out/*.array
}

# In Markdown a name adds no cell and no markup.
check_markdown() {
    local files=(out/*.md)

    awk '
        FNR == 1 { last = "" }
        /^\|/ {
            gsub(/\\\|/, "")
            cells = gsub(/\|/, "|")
            if (last != "" && cells != last) print FILENAME
            last = cells
        }
        !/^\|/ { last = "" }
        /</ || /(^|[^\\])(`|\*|\[)/ { print FILENAME }' "${files[@]}" >faulty.txt
    blame "markup" ${#files[@]} faulty.txt
}

# Data blocks begin and end where the program says, and nothing in them means something to gnuplot.
check_gnuplot() {
    local files=(out/*.gnuplot)

    awk '
        function result() { if (begun) print last }
        FNR == 1 { result(); begun = 0; last = FILENAME }
        $0 == "$data << TRACETOOL_END" { begun = 1; next }
        $0 == "TRACETOOL_END" { begun = 0; next }
        begun && /^TRACETOOL_END/ { print FILENAME }
        begun && !/^#/ && /["`@$\047]/ { print FILENAME }
        END { result() }' "${files[@]}" >faulty.txt
    blame "gnuplot" ${#files[@]} faulty.txt
}

# Folded: a line for each row with self time, with as many ; as the row is deep.
check_folded() {
    local file

    for file in out/*.folded; do
        tsv_rows "${file%folded}tsv" | awk -F '\t' '$5 > 0 { print $1, $5 }' >rows.txt
        awk '{ self = $NF; sub(/ [0-9]+$/, ""); print gsub(/;/, ""), self }' "$file" |
            cmp -s - rows.txt || echo "$file"
    done >faulty.txt
    blame "folded is not tsv" "$(count out/*.folded)" faulty.txt
}

# Each name that tsv shows is in the other formats, too. Of gnuplot's octal, what is ASCII is resolved.
check_marks() {
    LC_ALL=C awk '
        function resolved(text,   at, out) {
            while ((at = match(text, /\\[01][0-7][0-7]/)) > 0) {
                out = out substr(text, 1, at - 1) sprintf("%c", substr(text, at + 1, 1) * 64 \
                    + substr(text, at + 2, 1) * 8 + substr(text, at + 3, 1))
                text = substr(text, at + 4)
            }
            return out text
        }
        FNR == 1 {
            split(FILENAME, part, /[\/.]/)
            there[part[2], part[3]] = 1
        }
        part[3] == "tsv" && /^#/ { next }
        part[3] == "gnuplot" { $0 = resolved($0) }
        {
            while (match($0, /m[0-9][0-9]/)) {
                mark = substr($0, RSTART, 3)
                seen[part[2], part[3], mark] = 1
                if (part[3] == "tsv") shown[part[2], mark] = 1
                $0 = substr($0, RSTART + 3)
            }
        }
        END {
            count = split("table csv json jsonl md gnuplot", formats, " ")
            for (key in shown) {
                split(key, part, SUBSEP)
                for (i = 1; i <= count; i++)
                    if ((part[1], formats[i]) in there && !((part[1], formats[i], part[2]) in seen))
                        print "out/" part[1] "." formats[i]
            }
        }' out/*.{tsv,table,csv,json,jsonl,md,gnuplot} >faulty.txt
    blame "names are missing" "$(count out/*.tsv)" faulty.txt
    expect "names are in dump" \
        [ "$(grep -o 'm[0-9][0-9]' out/*.dump | sort -u | wc -l)" -ge ${#names[@]} ]
}

# What json says is, byte by byte, what the database holds, where that is UTF-8 (m20 to m23 are not). SQLite
# ends text of json at a NUL, which must be there, though.
check_json_names() {
    local query='SELECT name FROM actor UNION SELECT name FROM object UNION
        SELECT text FROM name ORDER BY 1'

    tracetool sql "$query" --format json >names.json
    sqlite3 traces.db "WITH
        own AS (SELECT row_number() OVER () AS number, CAST(name AS BLOB) AS name FROM ($query)),
        shown AS (SELECT key + 1 AS number, CAST(json_extract(value, '\$[0]') AS BLOB) AS name
            FROM json_each(readfile('names.json'), '\$.rows'))
        SELECT own.number, hex(own.name), hex(shown.name) FROM own LEFT JOIN shown USING (number)
        WHERE own.name IS NOT shown.name AND NOT instr(own.name, x'6D3230')
            AND NOT instr(own.name, x'6D3231') AND NOT instr(own.name, x'6D3232')
            AND NOT instr(own.name, x'6D3233') AND NOT instr(own.name, x'00')" >faulty-names.txt
    expect "NUL in json" grep -qF 'm26\u0000x"' names.json
    if [ -s faulty-names.txt ]; then
        fail "names in json" faulty-names.txt
    else
        pass
    fi
}

# --- names in options -----------------------------------------------------------------------------

# find_name OPTION FORMAT NAME: chooses the events of that name, and only these.
find_name() {
    tracetool dump -t "$(bytes "$(trace_name "$2")")" "$1=$(bytes "$3")" --format tsv |
        grep -v '^#' >found.txt
    expect "dump $1 '$3'" [ -s found.txt ]
    expect "dump $1 '$3' alone" [ "$(grep -vcF "$(inner "$3")" found.txt)" -eq 0 ]
}

find_names() {
    local name i=0

    while IFS= read -r name; do
        case $((i++ % 2)) in
        0) find_name --process most "$name" ;;
        1) find_name --op android-trace "c.d.$(inner "$name")" ;;
        esac
    done < <(for_lines '*\\x00*')
    tracetool report popularity -t "' OR 1=1 --" >/dev/null && fail "a trace that is not there"
    tracetool remove "'; DROP TABLE event; --" && fail "a trace that is not there"
}

# --- pictures -----------------------------------------------------------------------------------

# not_pwned WHAT: no name has run.
not_pwned() {
    find . -name pwned >pwned.txt
    if [ -s pwned.txt ]; then
        fail "$1: a name has run a command" pwned.txt
        rm -f pwned
    else
        pass
    fi
}

# is_svg FILE: elements as gnuplot makes them, each closed; & only in references.
is_svg() {
    tr '\n' ' ' <"$1" | awk -v RS='<' '
        BEGIN {
            known = " svg title desc g rect defs pattern circle path use filter feFlood feComposite text" \
                " tspan polygon polyline line style linearGradient stop image a "
        }
        NR == 1 { next }
        /&/ {
            rest = $0
            gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", rest)
            bad += rest ~ /&/
        }
        /^[?!]/ { next }
        {
            match($0, /^\/?[A-Za-z]+/)
            name = substr($0, 1, RLENGTH)
            sub(/^\//, "", name)
            bad += !/>/ || RLENGTH < 1 || !index(known, " " name " ")
            if (/^\//) { bad += depth < 1 || stack[depth--] != name }
            else if (!/^[^>]*\/>/) stack[++depth] = name
        }
        END { exit bad > 0 || depth != 0 || NR < 10 }'
}

# A svg of each report that has a picture, over all traces or one by one; another kind besides.
draw_variants() {
    local number=0 line arguments drawn=0 status

    for line in "${variants[@]}"; do
        split "$line"
        number=$((number + 1))
        [ -e "out/$((number - 1)).gnuplot" ] || continue
        arguments[0]=plot
        [ $((drawn % 2)) -eq 0 ] || unset 'arguments[-1]'
        draw "pictures/$drawn.svg" "$line"
        case $((drawn++ % 8)) in
        2) draw "pictures/$drawn.png" "$line" ;;
        4) draw "pictures/$drawn.pdf" "$line" ;;
        6) draw - "$line" ;;
        esac
    done
    expect "pictures" [ $drawn -ge 40 ]
}

# draw PICTURE VARIANT: with ${arguments[@]}.
draw() {
    local status

    tracetool "${arguments[@]}" -o "$1" >drawn.txt
    status=$?
    if [ $status -ne 0 ]; then
        tail -n 3 "$messages" >message.txt
        fail "plot $(label "$2") -o $1: status $status" message.txt
        return
    fi
    case $1 in
    *.svg)
        expect "$(label "$2") -o $1: svg" is_svg "$1"
        cp "$1" "out/$((number - 1)).svg"
        ;;
    # gnuplot itself begins with a form feed.
    -) tr -d '\f' <drawn.txt >"out/$((number - 1)).dumb" ;;
    *) expect "$1" [ -s "$1" ] ;;
    esac
}

# --- a terminal ---------------------------------------------------------------------------------

# on_terminal ARGUMENT…: what a terminal gets, without what is tracetool's own: bold headings.
on_terminal() {
    # shellcheck disable=SC2086
    printf '%q ' timeout $TIME_LIMIT $TRACETOOL "$@" >command.sh
    script -qec 'bash command.sh' /dev/null </dev/null | sed 's/\r$//; s/\x1b\[[01]m//g'
}

check_terminal() {
    local number=0 line arguments

    if ! command -v script >/dev/null; then
        skip "no script(1): nothing on a terminal"
        return
    fi
    script -qec 'test -t 1 && echo terminal' /dev/null </dev/null >tty.txt
    expect "script makes a terminal" grep -q terminal tty.txt
    for line in "${variants[@]}"; do
        split "$line"
        number=$((number + 1))
        on_terminal "${arguments[@]}" >"out/$number.terminal"
        expect "terminal: $(label "$line")" [ -s "out/$number.terminal" ]
    done
    # Messages are for a terminal, too.
    on_terminal report popularity -t $'no\e[31;5;7m\n' >out/0.terminal
    on_terminal import $'no\e[31;5;7m' >>out/0.terminal
}

# --- sql ----------------------------------------------------------------------------------------

statements=(
    "INSERT INTO remark VALUES (1, 99, 'x')" "UPDATE trace SET name = 'x'" 'DELETE FROM event'
    "REPLACE INTO remark VALUES (1, 99, 'x')" 'DROP TABLE event' 'DROP VIEW io'
    'CREATE TABLE x (a)' 'CREATE TEMP TABLE x (a)' 'CREATE VIEW x AS SELECT 1'
    'CREATE INDEX x ON event (time)'
    'CREATE TRIGGER x AFTER DELETE ON event BEGIN SELECT 1; END' 'ALTER TABLE trace RENAME TO x'
    'ALTER TABLE trace ADD COLUMN x' "CREATE VIRTUAL TABLE x USING fts5(a)"
    "CREATE VIRTUAL TABLE temp.x USING zipfile('x')" "ATTACH 'pwned' AS x" "ATTACH ':memory:' AS x"
    'DETACH main' 'VACUUM' "VACUUM INTO 'pwned'" 'REINDEX' 'ANALYZE' 'BEGIN IMMEDIATE' 'COMMIT'
    'SAVEPOINT x' 'PRAGMA user_version = 9' 'PRAGMA application_id = 9' 'PRAGMA writable_schema = 1'
    'PRAGMA journal_mode = WAL' 'PRAGMA journal_mode = DELETE' 'PRAGMA locking_mode = EXCLUSIVE'
    'PRAGMA schema_version = 9' 'PRAGMA page_size = 512' 'PRAGMA trusted_schema = 1' 'PRAGMA query_only = 0'
    'PRAGMA optimize' 'PRAGMA incremental_vacuum' 'PRAGMA wal_checkpoint' "PRAGMA temp_store_directory = '.'"
    "UPDATE sqlite_schema SET sql = ''" "UPDATE sqlite_dbpage SET data = x'00'"
    "SELECT load_extension('./x')" "SELECT load_extension('./x', 'y')" "SELECT writefile('pwned', 'x')"
    "SELECT readfile('traces.db')" "SELECT edit('x', 'touch pwned')" "SELECT * FROM fsdir('.')"
    "SELECT zipfile('pwned', 'x')" "SELECT shell('touch pwned')" "SELECT fts3_tokenizer('x', x'00')" "SELECT fts3_tokenizer('simple')"
    'SELECT 1; DROP TABLE event' "SELECT 1;; ATTACH 'pwned' AS x" 'EXPLAIN DROP TABLE event'
    'WITH x AS (SELECT 1) DELETE FROM event' '/* SELECT */ DELETE FROM event' 'DELETE FROM event RETURNING id'
    'SELECT * FROM (DELETE FROM event RETURNING id)' "SELECT 1 INTO OUTFILE 'pwned'" '.shell touch pwned'
    "SELECT * FROM pragma_journal_mode('WAL')" "SELECT * FROM pragma_user_version(9)"
)

# Each is refused, with one line, and leaves the database as it was, byte by byte.
check_sql() {
    local statement status lines

    cp traces.db before.db
    expect "sql reads" tracetool sql 'WITH x AS (SELECT count(*) AS n FROM event) SELECT n FROM x' >read.txt
    for statement in "${statements[@]}"; do
        lines=$(wc -l <"$messages")
        tracetool sql "$statement" >sql.txt
        status=$?
        expect "sql '$statement': status $status" [ $status -eq 1 ]
        expect "sql '$statement': printed" [ ! -s sql.txt ]
        expect "sql '$statement': one line" [ $(($(wc -l <"$messages") - lines)) -eq 1 ]
    done
    expect "sql leaves the database as it is" cmp -s before.db traces.db
    expect "sql makes no file" [ -z "$(find . -name 'traces.db-*' -o -name pwned)" ]
}

# --- archives -----------------------------------------------------------------------------------

# Logs lie in tree/jail; what must stay as it is lies around it. Databases are the test's own.
list_tree() {
    find tree ! -name '*.db' -printf '%p %y %s %l\n' | LC_ALL=C sort
}

most_line() {
    printf '%d.000000000\tC\tW\t8\t8\t1\t%s\tM\n' "$1" "$2"
}

# Of a folder, neither links nor subfolders nor hidden files are read.
check_links() {
    mkdir -p tree/jail/log/sub tree/outside
    most_line 0 inside >tree/jail/log/1.po
    most_line 1 secret >tree/outside/secret.po
    cp tree/outside/secret.po tree/jail/log/sub/secret.po
    cp tree/outside/secret.po tree/jail/log/.hidden.po
    ln -s "$work/tree/outside/secret.po" tree/jail/log/2.po
    ln -s ../../outside/secret.po tree/jail/log/3.po
    ln -s "$work/tree/outside" tree/jail/log/4
    ln -s . tree/jail/log/5
    mkfifo tree/jail/log/6.po
    list_tree >tree.txt
    expect "a folder with links" tracetool -d links.db import tree/jail/log
    tracetool -d links.db sql 'SELECT name FROM actor' | grep -v '^#' >read.txt
    check "links are not followed" <(echo inside) read.txt
    list_tree >tree-after.txt
    check "a folder with links stays as it is" tree.txt tree-after.txt
}

# make_archive FILE: packed in a folder like tree/jail, with files that belong beside it, by ../, by a
# link that is itself in the archive, and by a whole path.
make_archive() {
    mkdir -p stage/jail stage/outside
    most_line 2 escaped | tee stage/outside/{escaped,through}.po >tree/outside/absolute.po
    ln -s outside stage/way
    (cd stage/jail && tar -cPf "$1" ../outside/escaped.po ../way ../way/through.po \
        "$work/tree/outside/absolute.po")
    rm -r stage tree/outside/absolute.po
}

# An archive of files is no log: nothing in it is taken out, wherever its names lead.
check_archives() {
    local archive=$work/tree/jail/evil.tar packed status

    make_archive "$archive"
    gzip -k "$archive"
    xz -k "$archive"
    zstd -q "$archive"
    list_tree >tree.txt
    cd tree/jail || exit 1
    for packed in evil.tar*; do
        tracetool -d archive.db import "$packed"
        status=$?
        expect "$packed: status $status" [ $status -eq 1 ]
        # With a format told, the lines between the archive's own bytes may be read as lines.
        tracetool -d archive.db import --again -f most "$packed"
        status=$?
        expect "$packed as MOST: status $status" [ $status -le 1 ]
    done
    cd "$work" || exit 1
    list_tree >tree-after.txt
    check "archives are not unpacked" tree.txt tree-after.txt
    # The same archive does escape where it is unpacked; so the test would have seen it.
    (cd tree/jail && tar -xPf evil.tar)
    expect "the archive leads out" [ -e tree/outside/escaped.po ]
}

# import_bomb ARGUMENT…: without room for it. Sanitizers need more address space than any program.
import_bomb() {
    (
        if (ulimit -v $MEMORY_LIMIT && tracetool --version) >/dev/null; then
            ulimit -v $MEMORY_LIMIT
        fi
        tracetool -d bomb.db import "$@"
    )
}

# pack PACKING: stdin to stdout, fast.
pack() {
    case $1 in
    gz) gzip -1 ;;
    xz) xz -0 ;;
    zst) zstd -1 -q ;;
    esac
}

# Bytes of the same value without an end. Zeros would be calls in an Android trace.
make_bombs() {
    head -c "${BOMB}M" /dev/zero | tee >(pack gz >bomb.gz) >(pack xz >bomb.xz) | pack zst >bomb.zst
    wait
    head -c "${BOMB}M" /dev/zero | tr '\0' '\377' | pack zst >ones.zst
}

# check_bomb FORMAT LOG PACKING BOMB: a log and, in the same packed file, a bomb: the events of the log
# are there, the rest is damage.
check_bomb() {
    local events="SELECT events FROM trace WHERE format = '$1' ORDER BY id"

    { pack "$3" <"$2" && cat "$4"; } >"log.$3"
    expect "$1: a log and $4" import_bomb -f "$1" -n bomb --again "log.$3"
    tracetool -d bomb.db sql "$events DESC" | sed -n 2p >bomb.txt
    check "$1: events before $4" <(tracetool sql "$events" | sed -n 2p) bomb.txt
    tracetool -d bomb.db sql "SELECT rejected > 0 FROM trace WHERE name = 'bomb'" | sed -n 2p >bomb.txt
    check "$1: rejected of $4" <(echo 1) bomb.txt
    tracetool -q -d bomb.db remove bomb
}

check_bombs() {
    local format packing packings=(gz xz zst) log i=0

    make_bombs
    cp traces.db bomb.db
    for packing in "${packings[@]}"; do
        import_bomb "bomb.$packing"
        expect "bomb.$packing: no format" [ $? -eq 1 ]
        import_bomb -f most "bomb.$packing"
        expect "bomb.$packing: as MOST" [ $? -eq 1 ]
        tail -n 1 "$messages" >bomb.txt
        expect "bomb.$packing: as MOST: message" \
            grep -q ": line longer than $LINE_LIMIT bytes at byte 0$" bomb.txt
    done
    expect "bombs leave the database as it is" cmp -s traces.db bomb.db
    while IFS=$'\t' read -r format _; do
        log=("logs/$format "*)
        [ ! -d "${log[0]}" ] || log=("${log[0]}"/*.rmp)
        case $format in
        android-trace) check_bomb "$format" "${log[0]}" zst ones.zst ;;
        *) check_bomb "$format" "${log[0]}" "${packings[i % 3]}" "bomb.${packings[i++ % 3]}" ;;
        esac
    done <formats.txt
    expect "tracetool check after bombs" tracetool -q -d bomb.db check
}

# --- all of it ------------------------------------------------------------------------------------

check_messages() {
    cat messages*.txt >all.txt
    LC_ALL=C grep -aP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' all.txt >faulty.txt
    iconv -f UTF-8 -t UTF-8 all.txt >/dev/null 2>>faulty.txt
    if [ -s faulty.txt ]; then
        fail "stderr" faulty.txt
    else
        pass
    fi
}

check_outputs() {
    check_tsv
    check_csv
    check_json
    check_json_names
    check_markdown
    check_gnuplot
    check_folded
    check_marks
}

write_config >tracetool.yaml
while IFS= read -r format; do
    import_format "$format"
done < <(tracetool formats --format tsv | grep -v '^#' | cut -f 1)
check_ledgers
run_variants
check_outputs
start bombs check_bombs
find_names
draw_variants
check_terminal
check_harmless
check_sql
check_links
check_archives
collect bombs
check_messages
not_pwned "all"
expect "tracetool check" tracetool -q check
finish "hostile: "
