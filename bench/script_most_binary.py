"""A researcher's script: MOST's binary records into SQLite.

    script_most_binary.py LOG DATABASE

Records of 46 bytes: time, usec, ext, rwbs, sector, block_num, pid, pname. Actors and file types are numbered in
order of appearance.
"""
import sqlite3
import struct
import sys

RECORD = struct.Struct("<qqBBIII16s")
FILE_TYPES = [
    "other", "sqlite-db", "sqlite-journal", "sqlite-wal", "sqlite-temp", "multimedia", "executable",
    "resource", "temp", "other", "anonymous", "tracer", "tracer", "tracer", "tracer",
]
FLAGS = [0, 2, 1, 3]  # read, write, readsync, writesync


def rows(data, actors, objects):
    start = None
    for second, usec, ext, rwbs, sector, blocks, pid, name in RECORD.iter_unpack(data):
        time = second * 1000000000 + usec * 1000
        if start is None:
            start = time
        actor = actors.setdefault((pid, name), len(actors) + 1)
        file_type = objects.setdefault(FILE_TYPES[ext], len(objects) + 1)
        yield time - start, 1, actor, file_type, FLAGS[rwbs], sector, blocks * 512


def main(log, database):
    actors, objects = {}, {}
    with open(log, "rb") as file:
        data = file.read()
    data = data[: len(data) // RECORD.size * RECORD.size]
    with sqlite3.connect(database) as db:
        db.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, time INTEGER, operation INTEGER,"
                   " actor INTEGER, object INTEGER, flags INTEGER, address INTEGER, size INTEGER)")
        db.execute("CREATE TABLE actor (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT)")
        db.execute("CREATE TABLE object (id INTEGER PRIMARY KEY, type TEXT)")
        db.executemany("INSERT INTO event (time, operation, actor, object, flags, address, size)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?)", rows(data, actors, objects))
        db.executemany("INSERT INTO actor VALUES (?, ?, ?)",
                       ((number, pid, name.rstrip(b"\0").decode("utf-8", "replace"))
                        for (pid, name), number in actors.items()))
        db.executemany("INSERT INTO object VALUES (?, ?)",
                       ((number, name) for name, number in objects.items()))


main(sys.argv[1], sys.argv[2])
