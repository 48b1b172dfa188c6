# shellcheck shell=bash
# Shared by tests of single formats: a working directory, imports, checks of traces, and checks of damaged and
# refused files. A test only adds the details of its format.
#
# A script can set `common_options`, options of every command. A stanza of a golden test already has a
# directory; it ends with `finish ""`, which counts comparisons.

# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ -n "${STANZA:-}" ]; then
    set +e -u
    work=$PWD
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
    export HOME=$work
fi
# Files next to the checkout: logs and samples that may not be copied into it.
# shellcheck disable=SC2034 # not all scripts need them
shared=${SHARED:-$root/../shared}
common_options=()

# TRACETOOL can be several words (valgrind).
tracetool() {
    # shellcheck disable=SC2086
    command $TRACETOOL "${common_options[@]}" "$@"
}

# cached_generator -o NAME SOURCE…: builds $generator, once for all tests, unless a source is newer.
cached_generator() {
    local folder=$BUILD/generators

    generator=$folder/$(realpath "${@:3}" | cksum | tr ' ' -)
    mkdir -p "$folder"
    [ -x "$generator" ] && [ -z "$(find "${@:3}" "$root"/testdata -name '*.[ch]' \
        -newer "$generator" -print -quit)" ] && return
    command "${HOSTCC:-cc}" -std=c11 -Wall -Wextra -Werror -O2 -o "$generator.$$" "${@:3}" &&
        mv "$generator.$$" "$generator"
}

# percentiles_of DATABASE SELECT: prints n, minimum, mean, percentiles and maximum of the selected groups and
# values, computed by ranks in SQL.
percentiles_of() {
    local columns="" part

    for part in 500 900 950 990 999; do
        columns+=", min(iif(1000 * k >= $part * n, value, NULL))"
    done
    sqlite3 -readonly -tabs "$1" "WITH given(name, value) AS ($2), ranked AS (
            SELECT *, row_number() OVER (PARTITION BY name ORDER BY value) AS k,
                count(*) OVER (PARTITION BY name) AS n FROM given WHERE value IS NOT NULL)
        SELECT ifnull(name, ''), n, min(value), (sum(value) + n / 2) / n $columns, max(value)
        FROM ranked GROUP BY name ORDER BY 1"
}

# build_generator NAME SOURCE…
build_generator() {
    cached_generator -o "$@" && cp "$generator" "$work/$1" || exit 1
}

# kept_files MADE DATA NAME: checks that the kept files equal the generated ones.
kept_files() {
    local folder

    for folder in ok damaged fail expected; do
        diff -r "$1/$folder" "$2/$folder" >diff.txt 2>&1
        expect "$3/$folder is what its generator makes" [ ! -s diff.txt ]
    done
}

# --- what the program does ----------------------------------------------------------------------

# import_as DATABASE FILE [OPTION…]: imports into a new database, as trace `log`.
import_as() {
    rm -f "$1"
    if tracetool -q -d "$1" import -n log "${@:2}" 2>import.txt; then
        pass
    else
        fail "import of ${*:2}" import.txt
    fi
}

# rows DATABASE COMMAND…: prints the output without lines beginning with #.
rows() {
    tracetool -d "$1" "${@:2}" --format tsv 2>&1 | grep -v '^#'
}

# report DATABASE REPORT [OPTION…]: prints its rows.
report() {
    rows "$1" report "${@:2}"
}

# listing DATABASE: prints the lines of dump.
listing() {
    tracetool -d "$1" dump 2>&1 | grep -v '^#'
}

# check_rows WHAT EXPECTED DATABASE REPORT [OPTION…]
check_rows() {
    report "${@:3}" >got.tsv
    check "$1: ${*:4}" "$2" got.tsv
}

# check_summary WHAT EXPECTED DATABASE: checks the expected attributes; the report may have others.
check_summary() {
    report "$3" summary |
        awk -F'\t' 'NR == FNR { wanted[$1]; next } $1 in wanted' "$2" - | sort >got.tsv
    sort "$2" >sorted.tsv
    check "$1: summary" sorted.tsv got.tsv
}

# check_block_io WHAT FILE DATABASE: compares with the figures that tests/block_io.py computes from a log of
# block I/O.
check_block_io() {
    local report

    for report in iosize locality gaps "popularity --of sector"; do
        python3 "$tests/block_io.py" "${report/popularity --of sector/sectors}" "$2" >wanted.tsv
        # shellcheck disable=SC2086 # a report and its options
        check_rows "$1 (by Python)" wanted.tsv "$3" $report
    done
    python3 "$tests/block_io.py" summary "$2" >wanted.tsv
    check_summary "$1 (by Python)" wanted.tsv "$3"
    echo "# writes with flush, FUA or barrier: $(python3 "$tests/block_io.py" flushing "$2")" >wanted.txt
    tracetool -d "$3" report rw --format tsv | grep "flush, FUA" >got.txt
    check "$1: writes that carry a flush" wanted.txt got.txt
}

# check_derived WHAT DATABASE: checks with the program itself that rollups and events agree.
check_derived() {
    if tracetool -d "$2" check >check.txt 2>&1; then
        pass
    else
        fail "$1: tracetool check" check.txt
    fi
}

# --- damage -------------------------------------------------------------------------------------

# ledger DATABASE: prints events, rejected, and count and first position of each reason, sorted.
ledger() {
    tracetool -d "$1" show log --format tsv 2>&1 |
        awk -F'\t' -v OFS='\t' '
            $1 == "events" || $1 == "rejected" && NF == 2 { print $1, $2 }
            $1 == "rejected" && NF > 2 { print "reason", $2, $3, $4 }' | sort
}

# first_rejected DATABASE: prints events, rejected, and the position of the first rejected record.
first_rejected() {
    tracetool -d "$1" show log --format tsv 2>&1 | awk -F'\t' -v OFS='\t' '
        /^#/ { next }
        $1 == "events" || $1 == "rejected" && NF == 2 { print $1, $2 }
        $1 == "rejected" && NF > 2 && (!found++ || $4 + 0 < first + 0) { first = $4 }
        END { if (found) print "offset", first }'
}

# check_strict NAME FILE [OPTION…]: checks that --strict refuses a damaged file completely.
check_strict() {
    local status

    rm -f strict.db*
    tracetool -q -d strict.db import --strict "${@:2}" >strict.txt 2>&1
    status=$?
    expect "--strict $1: status $status" [ $status -eq 3 ]
    expect "--strict $1 leaves nothing" [ -z "$(ls strict.db* 2>/dev/null)" ]
}

# one_line FILE DATABASE: checks that stderr (err.txt) is one line naming FILE, and there is no database.
one_line() {
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qF "$1" err.txt && [ -z "$(ls "$2"* 2>/dev/null)" ]
}

# check_refused FILE [OPTION…]: checks that nothing is left behind, and an existing database (kept.db) is
# unchanged.
check_refused() {
    local name="fail/${1##*/} ${*:2}" status

    rm -f refused.db*
    tracetool -d refused.db import "$@" >out.txt 2>err.txt
    status=$?
    if [ $status -ne 1 ] || [ -s out.txt ] || ! one_line "$1" refused.db; then
        fail "$name must be refused, status $status" err.txt
    else
        pass
    fi
    cp kept.db refused.db
    tracetool -q -d refused.db import "$@" 2>err.txt
    status=$?
    expect "$name with a database: status $status" [ $status -eq 1 ]
    expect "$name changes nothing" cmp -s kept.db refused.db
    rm -f refused.db*
}
