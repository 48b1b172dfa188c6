"""A researcher's script: a raw Palmist log into SQLite.

    script_palmist.py LOG DATABASE

Records: used bytes (big-endian, 2 bytes, including itself), then adjacent calls: trap, ticks, application, size of
the arguments, arguments. Traps and applications are numbered in order of appearance.
"""
import sqlite3
import struct
import sys

USED = struct.Struct(">H")
CALL = struct.Struct(">HIIH")
TICK = 10000000  # nanoseconds


def rows(data, traps, applications):
    start = None
    at = 0
    while at + 2 <= len(data):
        end = at + USED.unpack_from(data, at)[0]
        at += 2
        while at + CALL.size <= end:
            trap, ticks, application, size = CALL.unpack_from(data, at)
            at += CALL.size
            if start is None:
                start = ticks
            operation = traps.setdefault(trap, len(traps) + 1)
            actor = applications.setdefault(application, len(applications) + 1)
            arguments = data[at:at + size] if size > 0 else None
            yield (ticks - start) * TICK, operation, actor, size, arguments
            at += size


def main(log, database):
    traps, applications = {}, {}
    with open(log, "rb") as file:
        data = file.read()
    with sqlite3.connect(database) as db:
        db.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, time INTEGER, operation INTEGER,"
                   " actor INTEGER, size INTEGER, arguments BLOB)")
        db.execute("CREATE TABLE name (id INTEGER PRIMARY KEY, code INTEGER)")
        db.execute("CREATE TABLE actor (id INTEGER PRIMARY KEY, code INTEGER)")
        db.executemany("INSERT INTO event (time, operation, actor, size, arguments)"
                       " VALUES (?, ?, ?, ?, ?)", rows(data, traps, applications))
        for table, numbers in (("name", traps), ("actor", applications)):
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)",
                           ((number, code) for code, number in numbers.items()))


main(sys.argv[1], sys.argv[2])
