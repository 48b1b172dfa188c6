#!/bin/bash
# The table of events that `export --as csv`, `rowbinary` and `parquet` write: read back by readers that share
# nothing with the program, and compared value by value with SQL over the database, and with each other.
# Parquet needs DuckDB's library: $TRACETOOL_DUCKDB, else it is skipped.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata
# Where `make bench` has it.
export TRACETOOL_DUCKDB=${TRACETOOL_DUCKDB:-$BUILD/bench/libduckdb.so}

# export_table NAME FORMAT [OPTION…]: of trace log in NAME.db, to NAME.FORMAT.
export_table() {
    expect "$1 as $2" tracetool -q -d "$1.db" export log --as "$2" -o "$1.$2" "${@:3}"
}

# check_table NAME [OPTION…]: NAME.csv and NAME.rowbinary are what SQL says of NAME.db.
check_table() {
    local format

    for format in columns csv rowbinary; do
        export_table "$1" $format "${@:2}"
    done
    python3 "$tests/event_table.py" "$1.db" "$1.columns" "$1.csv" "$1.rowbinary" >faults.txt 2>&1
    expect "$1: every value is that of SQL" [ ! -s faults.txt ] || head -n 5 faults.txt
}

import_as blktrace.db "$data/blkparse/ok/tails.txt" --start 2001-01-01T00:00:00Z
import_as most.db "$data/most/small.po"
import_as calls.db "$data/palmist/ok/small.txt"
import_as strace.db "$(find "$data/strace/ok" -type f | sort | head -n 1)"
import_as spans.db "$data/dwtrace/ok/program.dwt"
import_as results.db "$(find "$data/mobibench/ok" -type f | sort | head -n 1)"
for trace in blktrace most calls strace spans results; do
    check_table $trace
done

# Texts that a table must not be broken by.
printf '%s\n' $'0.000000001\tC\tR\t8\t8\t1\ta,"b"\tD\t/x "y",\\z' $'0.000000002\tC\tW\t16\t8\t2\t\tD\t ' \
    $'0.000000003\tC\tW\t24\t8\t3\tbad\xff\x01\xc3\xa9\tM\t'\''; DROP TABLE x' >hostile.po
import_as hostile.db hostile.po
check_table hostile
# A name that begins with a byte order mark.
tracetool -q -d marked.db import -n $'\xef\xbb\xbflog' hostile.po
expect "a record is a line" [ "$(wc -l <hostile.csv)" = 4 ]

# --- filters and pseudonyms

tracetool -q -d most.db export log --as csv --class read -o read.csv
expect "filters apply" [ "$(sed 1d read.csv | wc -l)" = "$(sqlite3 most.db "SELECT count(*) FROM io WHERE class = 'read'")" ]
tracetool -q -d most.db export log --as csv --pseudonymise -o other.csv 2>/dev/null
expect "pseudonyms: as many" [ "$(wc -l <other.csv)" = "$(wc -l <most.csv)" ]
sqlite3 most.db "SELECT name FROM object WHERE name <> '' UNION SELECT name FROM actor WHERE name <> ''" >names.txt
expect "pseudonyms: there were names" grep -qFf names.txt most.csv
expect "pseudonyms: no name is left" [ -z "$(cut -d, -f 26,30,32 other.csv | tr , '\n' | grep -xFf names.txt)" ]

# --- Parquet

TRACETOOL_DUCKDB=/nonexistent/libduckdb.so tracetool -d most.db export log --as parquet -o none.parquet 2>said.txt
expect "no DuckDB: it fails" [ $? -eq 1 ]
expect "no DuckDB: it says what to do" grep -q 'name it in TRACETOOL_DUCKDB' said.txt
expect "no DuckDB: no file" [ ! -e none.parquet ]
if ! tracetool -q -d most.db export log --as parquet -o most.parquet 2>/dev/null; then
    skip "Parquet: there is no DuckDB"
else
    for trace in blktrace calls spans hostile; do
        export_table $trace parquet
        python3 "$tests/event_table.py" --parquet "$TRACETOOL_DUCKDB" $trace.parquet $trace.columns $trace.csv >faults.txt 2>&1
        expect "$trace: Parquet is what CSV is" [ ! -s faults.txt ] || head -n 5 faults.txt
    done
    for format in columns csv parquet; do
        tracetool -q -d marked.db export @last --as $format -o marked.$format
    done
    python3 "$tests/event_table.py" --parquet "$TRACETOOL_DUCKDB" marked.parquet marked.columns marked.csv >faults.txt 2>&1
    expect "a name with a mark: Parquet is what CSV is" [ ! -s faults.txt ] || head -n 5 faults.txt
fi
finish "table of events: "
