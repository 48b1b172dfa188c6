# shellcheck shell=bash disable=SC2154 # variables of the other parts of hostile.sh
# Exports: as every format of `tracetool exports`, of three traces that it can be made of (HOSTILE=all: of all). What a name
# could break, a line, a field, a string, is found by whoever reads the format, by tests/registry.

# imports_again FORMAT FILE: as that format, with nothing rejected. Opens alone are no events of fio's.
imports_again() {
    rm -f again.db
    tracetool -q -d again.db import -f "$1" "$2" &&
        [ "$(sqlite3 again.db 'SELECT sum(rejected) FROM trace')" = 0 ]
}

read_chrome() { python3 "$tests/export_json.py" chrome "$1" >exported.tsv; }
read_speedscope() { python3 "$tests/export_json.py" speedscope "$1" >exported.tsv; }
read_oracleGeneral() { [ $(($(stat -c %s "$1") % 24)) -eq 0 ]; }
read_oracleGeneral-csv() { ! sed 1d "$1" | grep -qvE '^[0-9]+,[0-9]+,[0-9]+,[a-z]+,-?[0-9]+$'; }
read_columns() { read_csv "$1"; }
read_csv() { python3 -c 'import csv, sys; sys.exit(len({len(row) for row in csv.reader(open(sys.argv[1]))}) != 1)' "$1"; }
read_rowbinary() { [ -s "$1" ]; } # tests/golden/event-table.test reads it
read_parquet() { [ "$(head -c 4 "$1")" = PAR1 ]; }

# reads_back EXPORTER FILE
reads_back() {
    case $(registered export "$1") in
    *'|as '*) imports_again "$(registered export "$1" | sed 's/.*|as //')" "$2" ;;
    *) "read_$1" "$2" ;;
    esac
}

# export_trace EXPORTER FORMAT [OPTION…]: of the trace of that format; $exported counts those that can be
# made of it. With --real-paths a replay gets the log's own bytes.
export_trace() {
    local file=exports/$1.$2

    tracetool export "$(bytes "$(trace_name "$2")")" --as "$1" -o "$file" "${@:3}" || return
    # All that fits may have been left out.
    [ "$1" = columns ] || ! tail -n 20 "$messages" | grep -a '^exported as' | tail -n 1 | grep -q ': 0 of the' || return
    exported=$((exported + 1))
    expect "export of $2 as $1 ${*:3}" reads_back "$1" "$file"
    case "$1 $*" in
    'blktrace '* | 'oracleGeneral '* | 'rowbinary '* | 'parquet '* | *--real-paths*) ;;
    *) expect "export of $2 as $1: harmless" is_harmless "$file" ;;
    esac
}

is_harmless() {
    ! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$1" &&
        iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1
}

check_exports() {
    local exporter format exported most=3

    [ "${HOSTILE:-}" != all ] || most=1000
    mkdir -p exports
    while read -r exporter; do
        exported=0
        while IFS=$'\t' read -r format _; do
            [ $exported -lt "$most" ] && export_trace "$exporter" "$format"
        done <formats.txt
        # Its library may not be there.
        [ "$exporter" = parquet ] || expect "$exporter: a trace that it can be made of" [ $exported -gt 0 ]
    done < <(tracetool exports --format tsv | grep -v '^#' | cut -f 1)
    export_trace mobigen strace --real-paths
    export_trace mobigen mobigen --real-paths
}
