#!/bin/bash
# Help: nothing of it is wider than 80 columns, a topic is at most two screens long, and its examples
# are commands that the program takes.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

columns=80
screens=48 # lines of two

# fits WHAT COMMAND…: help, on stdout, with status 0.
fits() {
    if ! tracetool "${@:2}" >help.txt 2>err.txt || [ -s err.txt ] || [ ! -s help.txt ]; then
        fail "$1: is no help" err.txt
    elif [ "$(wc -L <help.txt)" -gt $columns ]; then
        awk -v columns=$columns 'length > columns' help.txt >wide.txt
        fail "$1: wider than $columns columns" wide.txt
    else
        pass
    fi
}

# section HEADING: the first words of its lines, in the help of the program.
section() {
    tracetool help | sed -n "/^$1:/,/^\$/p" | sed -n 's/^  \([a-z][^ ]*\).*/\1/p'
}

reports() {
    tracetool reports --format tsv | sed '/^#/d; s/\t.*//' | sort -u
}

# A topic is a file; that of the questions is made of a page of the manual.
mkdir topics
cp "$root"/docs/help/*.txt topics/
awk -f "$root/src/build/tasks.awk" "$root/man/tracetool-tasks.7" >topics/tasks.txt

# --- width --------------------------------------------------------------------------------------

fits "--help" --help
section Commands >commands.txt
section Topics >topics.txt
while read -r command; do
    fits "$command --help" "$command" --help
    fits "help $command" help "$command"
done <commands.txt
while read -r topic; do
    fits "help $topic" help "$topic"
    expect "help $topic: longer than two screens" \
        [ "$(wc -l <"topics/$topic.txt")" -le $screens ]
done <topics.txt
for report in $(reports); do
    fits "plot $report --help" plot "$report" --help
    fits "report $report --help" report "$report" --help
    tracetool help "$report" >got.txt
    check "help $report" help.txt got.txt
done
printf -- '-- report: wide\n-- kinds: io\n-- parameter: at-%s integer 5 "%s"\n-- column: %s text\nSELECT 1' \
    "$(printf 'least-%.0s' 1 2 3 4 5)most" "$(printf '寬いことば %.0s' 1 2 3 4 5 6 7 8)" "$(printf 'wide%.0s' 1 2 3 4 5 6 7 8)" \
    >wide.sql
mkdir own && mv wide.sql own/
echo 'queries: own' >own.yaml
common_options=(-c own.yaml)
fits "a report of one's own" report wide --help
common_options=()

# --- what there is ------------------------------------------------------------------------------

expect "there are commands" [ "$(wc -l <commands.txt)" -ge 14 ]
(cd topics && ls -- *.txt) | sed 's/\.txt$//' | sort >files.txt
sort topics.txt >got.txt
check "a topic is a file" files.txt got.txt
tracetool report --help | sed -n '/^Reports/,/^$/p' | sed -n 's/^  \([a-z][^ ]*\).*/\1/p' >got.txt
reports >wanted.txt
check "report --help lists all reports" wanted.txt got.txt

# A topic is what stands in its file; that of a command stands at the end of the command's help.
while read -r topic; do
    tracetool help "$topic" >help.txt
    if grep -qx "$topic" commands.txt; then
        tail -n "$(wc -l <"topics/$topic.txt")" help.txt >got.txt
        expect "help $topic begins with the command" grep -q "^Usage: tracetool .* $topic" help.txt
    else
        cp help.txt got.txt
    fi
    check "help $topic" "topics/$topic.txt" got.txt
done <topics.txt

# Pages and topics that texts lead to are there.
(cd topics && grep -oh 'tracetool help [a-z-]*' -- *.txt) | sort -u | while read -r _ _ word; do
    grep -qx "$word" topics.txt commands.txt || echo "help $word"
done >missing.txt
(cd topics && grep -oh 'tracetool[a-z-]*([157])' -- *.txt) | sort -u | tr -d ')' | tr '(' . | while read -r page; do
    [ -e "$root/man/$page" ] || echo "$page"
done >>missing.txt
(cd topics && grep -oh 'docs/[a-z/-]*\.md' -- *.txt) | sort -u | while read -r file; do
    [ -e "$root/$file" ] || echo "$file"
done >>missing.txt
expect "what topics name is there: $(tr '\n' ' ' <missing.txt)" [ ! -s missing.txt ]

# --- manual -------------------------------------------------------------------------------------

# options COMMAND: those that its help lists, but for those of every command.
options() {
    tracetool "$@" --help | sed -n '/^Options of every/q; s/^ *\(-., \)\{0,1\}--\([a-z0-9-]*\).*/\2/p'
}

# The page of a command has each of its options, or refers to report(1) or compare(1), which have it.
find_undocumented() {
    local page=$root/man/tracetool-${1%% *}.1 pages option

    pages=("$page")
    grep -q 'Xr tracetool-report 1' "$page" && pages+=("$root/man/tracetool-report.1")
    grep -q 'Xr tracetool-compare 1' "$page" && pages+=("$root/man/tracetool-compare.1")
    # shellcheck disable=SC2086
    for option in $(options $1); do
        cat "${pages[@]}" | tr -d '\134' | grep -Eq -- "[ -]-$option([^a-z-]|\$)" ||
            echo "$1 --$option"
    done
}

{ cat commands.txt; printf '%s\n' 'plot sql' 'plot compare' 'store init' 'store check' 'store sweep'; } |
    while read -r command; do
        [ ! -e "$root/man/tracetool-${command%% *}.1" ] || find_undocumented "$command"
    done >missing.txt
expect "the manual has all options: $(tr '\n' ' ' <missing.txt)" [ ! -s missing.txt ]
for report in $(reports); do
    grep -Eq "^\.It Cm ([a-z-]+ , )*$report( |\$)" "$root/man/tracetool-report.1" || echo "$report"
done >missing.txt
expect "report(1) has all reports: $(tr '\n' ' ' <missing.txt)" [ ! -s missing.txt ]

# --- examples -----------------------------------------------------------------------------------

# Lines that begin with two blanks and `tracetool`, as far as two blanks or the end; a quote that is
# open goes on in the next line.
examples() {
    awk '
        /^  tracetool / && text == "" { text = substr($0, 3) }
        text != "" && $0 !~ /^  tracetool / { text = text " " $0 }
        text != "" {
            line = text
            if (gsub(/"/, "\"", line) % 2 == 1) next
            if (index(line, "\"") == 0 || match(line, /   *[a-z]/)) sub(/  .*/, "", line)
            print line
            text = ""
        }' "$1"
}

# Traces that the examples name, and a file.
mkdir base run
tracetool -q -d base/traces.db import -n monday "$root/testdata/most/small.po"
tracetool -q -d base/traces.db import -n tuesday "$root/testdata/blkparse/ok/asked.txt"
tracetool -q -d base/traces.db import -n TRACE "$root/testdata/palmist/ok/small.pdb"
tracetool -q -d base/traces.db import -n program "$root/testdata/android-trace/ok/shop-v3-dual.trace"
write_log base/FILE 100 1
gzip -c base/FILE >base/broken.gz
mkdir base/my-queries
sed -n 's/^  \(-- report: largest\)/\1/p; /-- report: largest/,/LIMIT/ { /-- report/d; s/^  //p }' \
    "$root/docs/help/query-files.txt" >base/my-queries/largest.sql
echo 'queries: my-queries' >base/tracetool.yaml

# What an example must give that stands for something else: the report REPORT.
runs() {
    local text=${1//REPORT/rw}

    rm -rf run && cp -r base run
    (cd run && OFFSET=0 eval "$text") >out.txt 2>err.txt </dev/null
}

count=0
for file in "$root"/docs/help/*.txt; do
    topic=${file##*/}
    while IFS= read -r example; do
        case $example in *-o\ *) command -v gnuplot >/dev/null || continue ;; esac
        count=$((count + 1))
        if runs "$example"; then pass; else fail "help ${topic%.txt}: $example" err.txt; fi
    done < <(examples "$file")
done
expect "there are examples" [ $count -ge 20 ]

finish "help: "
