"""Decodes the columns of a database by tracetool-schema(7), and compares them with the rows.

    columns.py DATABASE [TRACE…]     prints `TRACE: N fields of M events`, and what differs

Checks sums if python3-xxhash is installed.
"""
import sqlite3
import struct
import sys

try:
    import xxhash
except ImportError:
    xxhash = None


def values_of(data, count):
    """Decodes a row of event_column; missing values are None."""
    flags, width, table_size = data[0], data[1], int.from_bytes(data[2:4], "little")
    base = int.from_bytes(data[4:12], "little", signed=True)
    at, factor = 12, 1
    if flags & 8:
        at, factor = 20, int.from_bytes(data[12:20], "little")
    table = [factor * int.from_bytes(data[i:i + 8], "little") for i in range(at, at + 8 * table_size, 8)]
    at += 8 * table_size
    presence, changes, coded = -1, -1, count
    if flags & 4:
        changes = int.from_bytes(data[at:at + (count + 7) // 8], "little")
        at += (count + 7) // 8
        coded = bin(changes).count("1")
    if flags & 1:
        presence = int.from_bytes(data[at:at + (coded + 7) // 8], "little")
        at += (coded + 7) // 8
    codes = int.from_bytes(data[at:], "little")
    values = []
    for i in range(coded):
        if not presence >> i & 1:
            values.append(None)
            continue
        code = codes & (1 << width) - 1
        codes >>= width
        value = (base + (table[code] if table else factor * code) + 2 ** 63) % 2 ** 64 - 2 ** 63
        base = value if flags & 2 else base
        values.append(value)
    if flags & 4:
        repeated, different = [], iter(values)
        for i in range(count):
            repeated.append(next(different) if changes >> i & 1 else repeated[-1])
        values = repeated
    return values


def sum_of(row):
    """Computes the expected sum of a row."""
    halves = [xxhash.xxh3_64_intdigest(part) % 2 ** 32 for part in (
        struct.pack("<6q", row["trace"], row["first"], row["count"], row["least"], row["most"], row["fields"] or 0)
        + row["field"].encode(), row["data"])]
    return (halves[0] * 2 ** 32 + halves[1] + 2 ** 63) % 2 ** 64 - 2 ** 63


def check_rows(database, trace, places):
    """Checks the sum of each row, and that rows of time list the existing fields."""
    database.row_factory = sqlite3.Row
    there = {}
    for row in database.execute("SELECT * FROM event_column WHERE trace = ?", (trace,)):
        assert xxhash is None or row["sum"] == sum_of(row), (row["field"], row["first"], "sum")
        there.setdefault(row["first"], []).append(row["field"])
    for first, fields in database.execute(
            "SELECT first, fields FROM event_column WHERE trace = ? AND field = 'time'", (trace,)):
        assert fields == sum(1 << places.index(field) for field in there[first]), (first, "fields")
    database.row_factory = None


def field_of(database, trace, field, events):
    """Reads a field of all events of a trace from its columns."""
    values = [None] * events
    for first, count, least, most, data in database.execute(
            "SELECT first, count, least, most, data FROM event_column WHERE trace = ? AND field = ?",
            (trace, field)):
        part = values_of(data, count)
        some = [value for value in part if value is not None]
        assert (min(some), max(some)) == (least, most), (field, first, least, most)
        values[first:first + count] = part
    return values


def rows_of(database, trace, field):
    """Reads the same from its rows."""
    column = {"parent": "e.id - e.parent", "flags": "ifnull(e.flags, 0)", "cpu_duration": "c.duration",
              "cpu_self": "c.self"}.get(field, "e." + field)
    return [value for value, in database.execute(
        f"SELECT {column} FROM trace AS t JOIN event AS e ON e.id BETWEEN t.first_event AND t.last_event "
        "LEFT JOIN cpu_time AS c ON c.event = e.id WHERE t.id = ? ORDER BY e.id", (trace,))]


def main():
    database = sqlite3.connect(sys.argv[1])
    fields = [row[1] for row in database.execute("PRAGMA table_info(event)")]
    places = ["time", "cpu_duration", "cpu_self"] + fields[2:]
    fields = [f for f in fields if f not in ("id", "arguments")] + ["cpu_duration", "cpu_self"]
    for trace, name in database.execute("SELECT id, name FROM trace ORDER BY id").fetchall():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        kept = 0
        check_rows(database, trace, places)
        for field in fields:
            rows = rows_of(database, trace, field)
            columns = field_of(database, trace, field, len(rows))
            if field == "flags":
                columns = [value or 0 for value in columns]
            kept += any(value is not None for value in columns)
            if columns != rows:
                place = [a == b for a, b in zip(columns, rows)].index(False)
                print(f"{name}: {field} of event {place} is {columns[place]}, not {rows[place]}")
        print(f"{name}: {kept} fields of {len(rows)} events")


main()
