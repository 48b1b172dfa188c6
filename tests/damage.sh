#!/bin/bash
# Imports damaged logs: every sample log with bits flipped, and parts cut, duplicated, swapped or lengthened.
#
#     BUILD=build tests/damage.sh [COUNT [SEED [FORMAT…]]]       default: 72 files over all formats
#
# Each import must end in time, with status 0, 1 or 3, and one line on stderr per refused file. read = events
# + merged + ignored + rejected must hold, and the database must pass `tracetool check`. The last lines before
# the result are a table: format, files, imported, refused.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

count=${1:-72}
seed=${2:-1}
BATCH=50        # files per command
TIME_LIMIT=60   # seconds per batch; a single file has a sixth of it
DAMAGE=${DAMAGE:-$BUILD/damage}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work

# TRACETOOL can be several words (valgrind).
tracetool() {
    # shellcheck disable=SC2086
    timeout -k 5 "$limit" $TRACETOOL "$@"
}

# Lists the sample logs of a format.
samples_of() {
    find "$root/testdata/$1/ok" "$root/testdata/$1" -maxdepth 2 -type f -size -32k \
        \( -path '*/ok/*' -o -path "*/$1/small.*" -o -path "*/$1/hostile.*" -o -path "*/$1/form-?.*" \) \
        ! -name '*.expected' ! -name '*.yaml' ! -name '*.reference' ! -name '*.md' 2>/dev/null | sort -u
}

# Keeps an input that shows a bug: the seed alone does not reproduce it after a change.
keep() {
    local kept=${TMPDIR:-/tmp}/tracetool-damage

    mkdir -p "$kept"
    cp -r "$@" "$kept/"
    echo "    kept in $kept: ${*##*/}"
}

# is_clear STATUS STDERR REFUSED FILES: checks that the status is allowed, and stderr has one line per refused
# file, and a summary if there are several files.
is_clear() {
    local expected=$3

    [ "$4" -eq 1 ] || [ "$3" -eq 0 ] || expected=$((expected + 1))
    case $1 in
    0) [ "$3" -eq 0 ] || return 1 ;;
    1 | 3) [ "$3" -gt 0 ] || return 1 ;;
    *) return 1 ;;
    esac
    [ "$(wc -l <"$2")" -eq "$expected" ] && ! grep -qv '^tracetool: ' "$2"
}

# Finds the file that made a batch fail.
find_culprit() {
    local file status

    limit=$((TIME_LIMIT / 6))
    for file in "${files[@]}"; do
        rm -f "$work/one.db"
        tracetool -q -d "$work/one.db" import --again "${options[@]}" "$file" 2>"$work/one.err"
        status=$?
        if [ "$status" -gt 3 ] || [ "$status" -eq 2 ] ||
            ! is_clear "$status" "$work/one.err" "$((status > 0))" 1; then
            fail "$format ${options[*]}: ${file##*/}: status $status" "$work/one.err"
            keep "$file"
        fi
    done
}

# Counts the logs; a log with several kinds of events has a trace of each.
traces_in() {
    [ -e "$1" ] || { echo 0 && return; }
    sqlite3 -readonly "$1" 'SELECT count(DISTINCT ifnull(log, name)) FROM trace'
}

# Imports ${files[@]} with ${options[@]} into the format's database, in one command.
import_batch() {
    local status before after refused failures_before=$failed

    before=$(traces_in "$database")
    limit=$TIME_LIMIT
    tracetool -q -d "$database" import --again "${options[@]}" "${files[@]}" 2>"$work/stderr"
    status=$?
    after=$(traces_in "$database")
    refused=$((${#files[@]} - (after - before)))
    if is_clear "$status" "$work/stderr" "$refused" "${#files[@]}"; then
        passed=$((passed + ${#files[@]}))
    else
        find_culprit
        [ "$failed" -gt "$failures_before" ] ||
            fail "$format ${options[*]}: status $status, $refused of ${#files[@]} refused" \
                "$work/stderr"
    fi
    tried=$((tried + ${#files[@]}))
    imported=$((imported + after - before))
}

# Checks the ledger that `show` prints. If every line that is not blank is a record, compares it with an
# independent count of lines.
check_ledgers() {
    local name read sum lines

    sqlite3 -readonly "$database" 'SELECT name FROM trace' >"$work/names"
    while IFS= read -r name; do
        tracetool -d "$database" show --format tsv "$name" >"$work/shown" || fail "show $name"
        read -r read sum < <(awk -F '\t' '
            $1 == "read" { read = $2 }
            $1 ~ /^(events|merged|ignored|rejected)$/ && !seen[$1]++ { sum += $2 }
            $1 == "second events" { sum -= $2 }
            END { print read, sum }' "$work/shown")
        lines=$read
        if [ "$format" = most ] && [ -f "$folder/$name" ]; then
            lines=$(tr -d ' \t\r\v\f' <"$folder/$name" | LC_ALL=C grep -ac .)
        fi
        if [ "$read" = "$sum" ] && [ "$read" = "$lines" ]; then
            pass
        else
            fail "$name: read $read, sum $sum, lines $lines"
            keep "$folder/$name"
        fi
    done <"$work/names"
}

# Checks that the database is sound, and readable with any names in it.
checked=0
check_whole() {
    local reports=(summary popularity rw functions calltree)

    limit=$((TIME_LIMIT * 5))
    if tracetool -q -d "$database" check >"$work/check" 2>&1; then
        pass
    else
        fail "$format: tracetool check" "$work/check"
        keep "$database"
    fi
    expect "$format: dump" tracetool -d "$database" dump >/dev/null
    # One of the reports in turn, or all if many files are damaged.
    [ "$count" -ge 300 ] || reports=("${reports[checked++ % ${#reports[@]}]}")
    for report in "${reports[@]}"; do
        tracetool -d "$database" report "$report" --by-trace --format json >/dev/null \
            2>"$work/stderr"
        status=$?
        # 1: no trace fits the report.
        expect "$format: report $report: $(cat "$work/stderr")" [ $status -le 1 ]
    done
}

# Damages one of the files of a trace.
damage_folder() {
    local pieces=("$1"/*) piece=$2 number=$3 status before after

    rm -rf "$work/pieces"
    cp -r "$1" "$work/pieces"
    "$DAMAGE" $((seed + number)) 1 "$work/pieces" "${pieces[piece]}" || exit 1
    mv "$work"/pieces/00000-* "$work/pieces/${pieces[piece]##*/}"
    before=$(traces_in "$database")
    limit=$((TIME_LIMIT / 6))
    tracetool -q -d "$database" import --again -n "folder $number" "$work/pieces" 2>"$work/stderr"
    status=$?
    after=$(traces_in "$database")
    if is_clear $status "$work/stderr" $((1 - after + before)) 1; then
        pass
    else
        fail "$format: folder ${1##*/}: status $status" "$work/stderr"
        keep "$work/pieces"
    fi
    tried=$((tried + 1))
    imported=$((imported + after - before))
}

damage_folders() {
    local number=0 sample pieces

    for sample in "$root/testdata/$format"/ok/*/; do
        pieces=("$sample"*)
        [ -f "${pieces[0]}" ] || continue
        while [ $number -lt $((1 + count / 100)) ]; do
            number=$((number + 1))
            damage_folder "${sample%/}" $((number % ${#pieces[@]})) $number
        done
    done
}

damage_format() {
    local samples all start=0 turn=0

    folder=$work/$format
    database=$work/$format.db
    tried=0 imported=0
    mapfile -t samples < <(samples_of "$format")
    if [ ${#samples[@]} -eq 0 ]; then
        fail "$format: no samples"
        return
    fi
    mkdir "$folder"
    "$DAMAGE" "$seed" $(((count + ${#formats[@]} - 1) / ${#formats[@]})) "$folder" \
        "${samples[@]}" || exit 1
    all=("$folder"/*)
    for (( ; start < ${#all[@]}; start += BATCH)); do
        files=("${all[@]:start:BATCH}")
        # Alternates between -f, detection, and --strict.
        case $((turn++ % 3)) in
        0) options=(-f "$format") ;;
        1) options=() ;;
        2) options=(-f "$format" --strict) ;;
        esac
        import_batch
    done
    damage_folders
    check_ledgers
    check_whole
    printf '%s\t%d\t%d\t%d\n' "$format" $tried $imported $((tried - imported)) >>"$work/table"
}

limit=$TIME_LIMIT
mapfile -t formats < <(tracetool formats --format tsv | grep -v '^#' | cut -f 1)
printf '# format\tfiles\timported\trefused\n' >"$work/table"
[ $# -gt 2 ] || set -- "$count" "$seed" "${formats[@]}"
for format in "${@:3}"; do
    damage_format
done
cat "$work/table"
finish "damage: "
