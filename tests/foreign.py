"""Databases that someone else wrote: values of any type in any column, ids anywhere, rollups and columns
that are not what the events say. No command may crash, hang or fail without a word; and of a database
that `check` calls sound, every report is the same without its columns and rollups.

    foreign.py TRACETOOL DATABASE FIRST COUNT     for COUNT seeds; prints what is wrong, and the counts last
"""

import random
import shutil
import sqlite3
import subprocess
import sys

REPORTS = (["summary"], ["latency"], ["rw"], ["functions"], ["popularity"], ["process"], ["hourly"], ["timeline"])
VALUES = (None, 0, -1, 1, 7, 2**63 - 1, -(2**63), 1.5, 1e300, "", "x", "9" * 30, b"", b"\0\xff", "name'\"\n\x1b")


def run(database, *words):
    try:
        done = subprocess.run([*tracetool, "-d", database, *words], capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return 999, b"", b"hangs"
    return done.returncode, done.stdout, done.stderr


def set_value(handle, choose):
    tables = [name for name, in handle.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    table = choose.choice(tables + ["event"] * 8 + ["trace"] * 4)
    column = choose.choice([row[1] for row in handle.execute(f'PRAGMA table_info("{table}")')])
    count, = handle.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    key = handle.execute(f'SELECT "{column}" FROM "{table}" LIMIT 1 OFFSET ?', (choose.randrange(count or 1),)).fetchone()
    if key is not None:
        handle.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE "{column}" IS ?',
                       (choose.choice(VALUES), key[0]))


def move_ids(handle, choose):
    by = choose.choice((1, 1000, 10**12, -5000, 2**62))
    for table, columns in (("event", "id parent"), ("trace", "first_event last_event"),
                           ("source", "first_event last_event"), ("cpu_time", "event"), ("open_call", "event")):
        for column in columns.split():
            # Away from the others first, for ids are unique.
            for step in (2**60 if column in ("id", "event") and table != "trace" else 0, 0):
                handle.execute(f'UPDATE "{table}" SET "{column}" = "{column}" + ?',
                               (step if step else by - (2**60 if column in ("id", "event") else 0),))


def change_derived(handle, choose):
    handle.execute(choose.choice((
        "UPDATE rollup_operation SET count = count + 1 WHERE rowid IS NOT NULL OR 1",
        "UPDATE rollup_size SET bytes = bytes - 1",
        "DELETE FROM rollup_process",
        "UPDATE event_column SET least = least - 1 WHERE field = 'time'",
        "UPDATE event_column SET data = zeroblob(length(data)) WHERE field = 'size'",
        "DELETE FROM event_column WHERE field = 'operation'",
        "UPDATE event_column SET trace = trace + 1",
        "UPDATE trace SET rollups = rollups || ' nosuch'",
        "UPDATE event SET size = size + 1 WHERE id % 7 = 0",
    )).replace(" WHERE rowid IS NOT NULL OR 1", ""))


def harm(path, choose):
    handle = sqlite3.connect(path)
    for name, in handle.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        handle.execute(f'DROP TRIGGER "{name}"')
    for change in choose.choices((set_value, move_ids, change_derived), (8, 1, 2), k=choose.randrange(1, 4)):
        try:
            change(handle, choose)
        except (sqlite3.Error, OverflowError):  # SQLite itself does not let it in
            pass
    handle.commit()
    handle.close()


def bare(path, other):
    shutil.copy(path, other)
    handle = sqlite3.connect(other)
    handle.execute("DELETE FROM event_column")
    handle.execute("UPDATE trace SET rollups = ''")
    handle.commit()
    handle.close()


def rows(text):
    return [line for line in text.split(b"\n") if not line.startswith(b"#")]


def judge(seed, counts):
    path, other = "foreign.db", "bare.db"
    shutil.copy(original, path)
    harm(path, random.Random(seed))
    bare(path, other)
    status = run(path, "check")[0]
    commands = [["report", *report, "--by-trace", "--format", "tsv"] for report in REPORTS]
    commands += [["dump", "--top", "50"], ["traces"], ["pseudonymise", "-o", "made.db"],
                 ["merge", path, "sound.db", "-o", "made.db"]]
    for words in commands:
        subprocess.run(["rm", "-f", "made.db"], check=True)
        code, out, complaint = run(path, *words)
        if code not in (0, 1, 2) or (code != 0 and not complaint):
            print(f"seed {seed}: {' '.join(words)}: status {code}, {complaint!r}")
        counts["refused"] += code != 0
        if status == 0 and words[0] == "report":
            counts["compared"] += 1
            code_bare, out_bare, _ = run(other, *words)
            if (code, rows(out)) != (code_bare, rows(out_bare)):
                print(f"seed {seed}: check is content, and {' '.join(words)} is another without columns and rollups")
    counts["found" if status else "sound"] += 1


tracetool = sys.argv[1].split()
original = sys.argv[2]
shutil.copy(original, "sound.db")
tally = {"found": 0, "sound": 0, "refused": 0, "compared": 0}
for number in range(int(sys.argv[3]), int(sys.argv[3]) + int(sys.argv[4])):
    judge(number, tally)
print(*(f"{count} {what}" for what, count in tally.items()), file=sys.stderr)
if min(tally.values()) == 0:
    print("nothing was tried of", tally)
