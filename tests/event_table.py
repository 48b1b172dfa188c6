#!/usr/bin/env python3
"""Reads exported tables of events and prints differences.

    event_table.py DATABASE COLUMNS CSV ROWBINARY         against SQL over the tables of the database
    event_table.py --parquet LIBRARY PARQUET COLUMNS CSV  Parquet, as DuckDB reads it, against CSV

Expected values are computed here, from the tables event, name, actor and object. Words for numbers come from the
schema's views.
"""
import csv
import ctypes
import re
import sqlite3
import struct
import sys

# Expected column as SQL over event e of trace t. Names: n, c, x; actors: a, i; object: o; view of the trace's
# kind: v.
EXPECTED = {
    "trace": "t.name", "number": "e.id - t.first_event + 1", "time": "e.time",
    "wall_clock": "CASE WHEN t.clock_unit = 'ns' THEN t.start + e.time END",
    "duration": "coalesce(e.duration, oc.duration)",
    "self": "CASE t.kind WHEN 'spans' THEN coalesce(e.self, e.duration, oc.self, oc.duration) END",
    "cpu_duration": "coalesce(cpu.duration, oc.cpu_duration)",
    "cpu_self": "coalesce(cpu.self, cpu.duration, oc.cpu_self, oc.cpu_duration)",
    "response": "e.response", "kind": "ifnull(n.kind, '')", "operation": "ifnull(n.text, '')", "operation_code": "n.code",
    "component": "c.text", "class": "{io}v.class", "block_type": "{io}v.block_type", "flags": "{io,span}v.flags",
    "device": "CASE WHEN o.device IS NOT NULL THEN (o.device / 1048576) || ':' || (o.device % 1048576) END",
    "partition": "{io}v.partition", "address": "e.address", "size": "e.size", "value": "e.value", "error": "x.text",
    "session": "a.session", "pid": "a.pid", "tid": "a.tid", "process": "a.name", "application": "a.code",
    "issuer_pid": "{io}i.pid", "issuer_tid": "{io}i.tid", "issuer": "{io}i.name", "origin": "{io}v.origin",
    "file": "o.name", "file_type": "o.type", "inode": "o.inode", "block_class": "{io}v.block_class",
    "evidence": "{io}v.evidence", "parent": "e.parent - t.first_event + 1", "depth": "e.depth", "arguments": "e.arguments",
    "source": "f.name", "source_address": "e.source_address",
}


def expected_rows(path, names):
    base = sqlite3.connect(path)
    base.text_factory = bytes
    kind = base.execute("SELECT kind FROM trace").fetchone()[0].decode()
    view = {"calls": "call", "io": "io", "spans": "span", "samples": "sample", "results": "result"}[kind]

    def of_view(sql):
        found = re.match(r"\{(.*?)\}(.*)", sql)
        if not found:
            return sql
        return found.group(2) if view in found.group(1).split(",") else "NULL"

    columns = ", ".join(of_view(EXPECTED[name]) for name in names)
    yield from base.execute(f"""SELECT {columns} FROM trace AS t JOIN event AS e
        LEFT JOIN {view} AS v ON v.id = e.id LEFT JOIN name AS n ON n.id = e.operation
        LEFT JOIN name AS c ON c.id = n.component LEFT JOIN name AS x ON x.id = e.error
        LEFT JOIN actor AS a ON a.id = e.actor LEFT JOIN actor AS i ON i.id = ifnull(e.issuer, e.actor)
        LEFT JOIN object AS o ON o.id = e.object LEFT JOIN object AS f ON f.id = e.source LEFT JOIN cpu_time AS cpu ON cpu.event = e.id
        LEFT JOIN open_call AS oc ON oc.event = e.id ORDER BY e.id""")


def escaped(value):
    """Escapes a text like the program's CSV."""
    out = []
    for sign in value.decode("utf-8", "surrogateescape"):
        code = ord(sign)
        if sign in "\t\n\\":
            out.append({"\t": "\\t", "\n": "\\n", "\\": "\\\\"}[sign])
        elif 0xDC80 <= code <= 0xDCFF:
            out.append("\\x%02x" % (code - 0xDC00))
        elif code < 32 or code == 127:
            out.append("\\x%02x" % code)
        elif 0x80 <= code < 0xA0:
            out.append("".join("\\x%02x" % byte for byte in sign.encode()))
        else:
            out.append(sign)
    return "".join(out)


def csv_fields(line):
    """Splits a record into fields; None for empty ones, which the csv module does not distinguish from \"\"."""
    fields, at = [], 0
    while True:
        if line[at:at + 1] == '"':
            end = at + 1
            while line[end] != '"' or line[end + 1:end + 2] == '"':
                end += 2 if line[end] == '"' else 1
            fields.append(line[at + 1:end].replace('""', '"'))
            at = end + 1
        else:
            end = line.find(",", at)
            end = len(line) if end < 0 else end
            fields.append(line[at:end] if end > at else None)
            at = end
        if at >= len(line):
            return fields
        if line[at] != ",":
            sys.exit("no comma behind a field: " + line)
        at += 1


def csv_rows(path, names):
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    if lines[0].split(",") != names or lines[-1] != "":
        sys.exit("csv: heading or end")
    return [csv_fields(line) for line in lines[1:-1]]


class Binary:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data, self.at = file.read(), 0

    def value(self, kind):
        if kind.startswith("Nullable("):
            self.at += 1
            if self.data[self.at - 1]:
                return None
            kind = kind[9:-1]
        if kind == "Int64":
            self.at += 8
            return struct.unpack_from("<q", self.data, self.at - 8)[0]
        length, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        self.at += length
        return self.data[self.at - length:self.at]


def compare_with_sql(path, columns, csv_path, binary_path):
    names = [row["column"] for row in columns]
    if set(names) != set(EXPECTED):
        print("columns are", names)
    lines = csv_rows(csv_path, names)
    binary = Binary(binary_path)
    count = 0
    for row in expected_rows(path, names):
        if count >= len(lines):
            return print("csv: too few rows")
        for column, value, text in zip(columns, row, lines[count]):
            raw = binary.value(column["rowbinary"])
            as_text = None if value is None else str(value) if isinstance(value, int) else \
                value.hex() if column["type"] == "bytes" else escaped(value)
            if raw != value:
                print(f"rowbinary: row {count}: {column['column']} is {raw!r}, not {value!r}")
            if text != as_text:
                print(f"csv: row {count}: {column['column']} is {text!r}, not {as_text!r}")
        count += 1
    if count == 0 or count != len(lines) or binary.at != len(binary.data):
        print("rows:", count, len(lines), "rest:", len(binary.data) - binary.at)


def compare_parquet(library, path, columns, csv_path):
    """Reads every value as text by DuckDB's C interface."""
    duckdb = ctypes.CDLL(library)

    class Result(ctypes.Structure):
        _fields_ = [("counts", ctypes.c_uint64 * 3), ("pointers", ctypes.c_void_p * 3)]

    base, link, result = ctypes.c_void_p(), ctypes.c_void_p(), Result()
    duckdb.duckdb_value_varchar.restype = ctypes.c_void_p
    duckdb.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    duckdb.duckdb_row_count.restype = ctypes.c_uint64
    duckdb.duckdb_result_error.restype = ctypes.c_char_p
    duckdb.duckdb_free.argtypes = [ctypes.c_void_p]
    duckdb.duckdb_open(None, ctypes.byref(base))
    duckdb.duckdb_connect(base, ctypes.byref(link))

    def rows(sql, width):
        if duckdb.duckdb_query(link, sql.encode(), ctypes.byref(result)):
            sys.exit(duckdb.duckdb_result_error(ctypes.byref(result)).decode())
        for row in range(duckdb.duckdb_row_count(ctypes.byref(result))):
            values = []
            for place in range(width):
                at = duckdb.duckdb_value_varchar(ctypes.byref(result), place, row)
                values.append(ctypes.string_at(at).decode() if at else None)
                duckdb.duckdb_free(at)
            yield values

    names = [row["column"] for row in columns]
    wanted = ", ".join(f'lower(hex("{row["column"]}"))' if row["type"] == "bytes" else f'"{row["column"]}"::VARCHAR'
                       for row in columns)
    got = list(rows(f"SELECT {wanted} FROM '{path}'", len(names)))
    lines = csv_rows(csv_path, names)
    if got != lines:
        print(next(((a, b) for a, b in zip(got, lines) if a != b), (len(got), len(lines))))
    said = list(rows(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{path}')", 2))
    if not any(key == "tracetool_columns" and '"column":"trace"' in value for key, value in said):
        print("no documentation:", said)


def main():
    words = sys.argv[1:]
    parquet = words[0] == "--parquet"
    with open(words[3 if parquet else 1], encoding="utf-8", newline="") as file:
        columns = list(csv.DictReader(file))
    if parquet:
        compare_parquet(words[1], words[2], columns, words[4])
    else:
        compare_with_sql(words[0], columns, words[2], words[3])


main()
