#!/bin/bash
# What the log of a format cannot state is not printed as 0: every format of testdata by every report.
#
#     BUILD=build tests/facts.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

# What is not in the logs of each format, by its documentation: tracetool-formats(7).
registered format | sed 's/|.*|/: /; s/ *$//' >expected.txt

# A log of the format: the first one that can be read.
import_sample() {
    local file

    for file in "$root/testdata/$1/ok"/* "$root/testdata/$1"/small.*; do
        if [ -f "$file" ] && tracetool -q import -f "$1" -n "$1" "$file" 2>/dev/null; then
            return
        fi
    done
    fail "there is no log of format $1"
}

# What `show` says is not in the log of a trace.
unknown_of() {
    tracetool show "$1" --format tsv | awk -F '\t' '$1 == "not in this log" { print $2 }'
}

# make_reports TRACE KIND FOLDER: each report that is for the kind, as JSON. One that rests on what is not in
# the log, or needs something else of it, may be refused, by a sentence.
make_reports() {
    local name kinds when trace=$1 number=0

    while IFS='|' read -r name kinds when _; do
        case " $kinds " in *" $2 "*) ;; *) continue ;; esac
        case $when in *default*) when= ;; --without-top) when="$when 3" ;; --window | --interval) when="$when 3600" ;;
        --share) when="$when all" ;; esac
        number=$((number + 1))
        # shellcheck disable=SC2086
        if ! tracetool report "$name" $when -t "$trace" --format json >"$3/report.txt" 2>"$3/error.txt"; then
            grep -q -e 'not in the log of trace' -e ' needs ' -e 'is for other formats' -e 'does not apply' \
                -e 'compares the wall clock' -e 'does not take' -e 'not both' "$3/error.txt" ||
                fail "$trace: report $name $when fails without a reason" "$3/error.txt"
            continue
        fi
        mv "$3/report.txt" "$3/$number $name $when.json"
    done <reports.txt
}

judge() {
    local folder=folder-$1

    mkdir "$folder"
    make_reports "$1" "$2" "$folder"
    python3 -B "$tests/facts.py" "$1" "$(unknown_of "$1")" "$folder" >"$folder.txt" 2>&1
    check "what is not in the log of $1 is left out of all reports" /dev/null "$folder.txt"
}

tracetool reports --format tsv | grep -v '^#' | tr '\t' '|' >reports.txt
tracetool formats --format tsv | grep -v '^#' | cut -f 1 | sort >formats.txt
while read -r format; do
    import_sample "$format"
    echo "$format: $(unknown_of "$format" | cat)" | sed 's/ $//'
done <formats.txt >unknown.txt
check 'each format declares what its logs state' expected.txt unknown.txt
while IFS=$'\t' read -r trace kind; do
    judge "$trace" "$kind"
done < <(sqlite3 -separator $'\t' traces.db 'SELECT name, kind FROM trace ORDER BY id')

# A declared format of one's own: what its columns can state.
cat >tracetool.yaml <<'YAML'
formats:
  letters:
    description: times, RWBS letters, sectors and processes
    example: 1.5 WS 4096 8 sync
    separator: blanks
    columns:
      - {is: time, unit: s}
      - rwbs
      - {is: address, unit: sector}
      - {is: size, unit: sector}
      - process
  places:
    description: times and sectors alone
    example: 1.5;4096
    separator: ";"
    found: no
    columns:
      - {is: time, unit: s}
      - {is: address, unit: sector}
YAML
printf '0.5 R 8 8 cat\n1.5 WS 4096 8 sync\n2.5 F 0 0 sync\n' >letters.txt
printf '0.5;8\n1.5;4096\n' >places.txt
tracetool -q import -f letters letters.txt
tracetool -q import -f places places.txt
judge letters.txt io
judge places.txt io
for trace in letters.txt places.txt; do
    echo "$trace: $(unknown_of "$trace")"
done >unknown.txt
cat >expected.txt <<'LIST'
letters.txt: block types, file types, files, latencies
places.txt: block types, file types, files, flushes, latencies, processes, reads and writes, sizes, synchronous flags
LIST
check 'a declared format states what its columns are' expected.txt unknown.txt
finish 'facts: '
