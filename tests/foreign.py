"""Tests databases written by other programs: values of any type in any column, any ids, rollups and columns that
contradict the events, rows of no trace, missing tables and columns. No command may crash, hang or fail
silently. If `check` accepts a database, every report must be the same without columns and rollups. An import
into it must be sound, or refused.

    foreign.py TRACETOOL DATABASE LOG FIRST COUNT     for COUNT seeds; prints faults, and finally the counts
    foreign.py --harm DATABASE SEED                   damages this database like that seed
"""

import random
import shutil
import sqlite3
import subprocess
import sys

# Number of reports per database, in rotation over those that the program lists, with their requirements.
REPORTS_EACH = 8
NEEDS = {"accuracy": ["--reference", "reference"]}
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


def set_fitting(handle, choose):
    """A single value of the right type that is not derived from events: it could be the logged value."""
    table = choose.choice(("name", "actor", "object", "source", "remark", "meaning", "trace", "loggable"))
    column, kind = choose.choice([row[1:3] for row in handle.execute(f'PRAGMA table_info("{table}")')])
    value = choose.choice((0, -1, 7, 2**63 - 1) if kind == "INTEGER" else ("", "x", "other.db", "name'\"\n\x1b"))
    row = choose.randrange(handle.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] or 1)
    key = handle.execute(f'SELECT "{column}" FROM "{table}" LIMIT 1 OFFSET {row}').fetchone()
    if key is not None:
        handle.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE "{column}" IS ?', (value, key[0]))


def move_ids(handle, choose):
    by = choose.choice((1, 1000, 10**12, -5000, 2**62))
    for table, columns in (("event", "id parent"), ("trace", "first_event last_event"),
                           ("source", "first_event last_event"), ("cpu_time", "event"), ("open_call", "event")):
        for column in columns.split():
            # Moves rows away first, because ids are unique.
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


def derived_tables(handle):
    """Tables derived from events, with their columns after `trace`."""
    tables = handle.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'rollup%'")
    return {name: [row[1] for row in handle.execute(f'PRAGMA table_info("{name}")')] for name, in tables.fetchall()}


def change_rollup(handle, choose):
    """Changes any rollup: numbers, missing or extra rows, of this trace or of none."""
    tables = derived_tables(handle)
    table = choose.choice(sorted(tables))
    column = choose.choice(tables[table][1:])
    some = f'"{column}" IN (SELECT "{column}" FROM "{table}" LIMIT {choose.randrange(1, 20)})'
    other = ", ".join(f'"{name}" + 1000' if name == column else f'"{name}"' for name in tables[table])
    strangers = ", ".join("1 + (SELECT max(id) FROM trace)" if name == "trace" else f'"{name}"'
                          for name in tables[table])
    handle.execute(choose.choice((
        f'UPDATE OR REPLACE "{table}" SET "{column}" = "{column}" + {choose.choice((1, -1, 2**62, -(2**62)))}',
        f'UPDATE OR IGNORE "{table}" SET "{column}" = {choose.choice((0, -1, 2**63 - 1, -2**63 + 1))} WHERE {some}',
        f'DELETE FROM "{table}" WHERE {some}',
        f'INSERT OR IGNORE INTO "{table}" SELECT {other} FROM "{table}" WHERE {some}',
        f'INSERT OR IGNORE INTO "{table}" SELECT {strangers} FROM "{table}"',
    )))


def change_schema(handle, choose):
    """Removes columns and tables, or adds a column."""
    tables = [name for name, in handle.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    table = choose.choice(tables)
    column = choose.choice([row[1] for row in handle.execute(f'PRAGMA table_info("{table}")')])
    for view, in handle.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
        handle.execute(f'DROP VIEW "{view}"')
    handle.execute(choose.choice((
        f'ALTER TABLE "{table}" DROP COLUMN "{column}"',
        f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"',
        f'ALTER TABLE "{table}" ADD COLUMN "more"',
        f'DROP TABLE "{table}"',
    )))


def harm(path, choose):
    handle = sqlite3.connect(path)
    for name, in handle.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        handle.execute(f'DROP TRIGGER "{name}"')
    changes = (set_value, move_ids, change_derived, change_rollup, change_schema)
    some = choose.choices(changes, (8, 1, 2, 6, 1), k=choose.randrange(1, 4))
    for change in some if choose.randrange(3) else (set_fitting,):
        try:
            change(handle, choose)
        except (sqlite3.Error, OverflowError):  # SQLite refuses it
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
    commands = [["report", *reports[(REPORTS_EACH * seed + i) % len(reports)], "--by-trace", "--format", "tsv"]
                for i in range(REPORTS_EACH)]
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
    judge_import(seed, path, counts)


def judge_import(seed, path, counts):
    """A new trace must not contain rows that were already there."""
    code, _, complaint = run(path, "import", "--again", "-n", "of this test", log)
    if code == 0:
        counts["imported"] += 1
        code, out, complaint = run(path, "check", "-t", "of this test")
        if out:  # otherwise a missing column is reported
            print(f"seed {seed}: what was imported is not sound: {out!r} {complaint!r}")
    elif code > 3 or not complaint:
        print(f"seed {seed}: import: status {code}, {complaint!r}")


def list_reports():
    """The program's reports that need only a trace, each as a list of words."""
    code, out, _ = run("sound.db", "reports", "--format", "tsv")
    names = {line.split(b"\t")[0].decode() for line in rows(out) if line}
    return [[name, *NEEDS.get(name, [])] for name in sorted(names)]


if sys.argv[1] == "--harm":
    harm(sys.argv[2], random.Random(int(sys.argv[3])))
    sys.exit()
tracetool = sys.argv[1].split()
original, log = sys.argv[2:4]
shutil.copy(original, "sound.db")
reports = list_reports()
tally = {"found": 0, "sound": 0, "refused": 0, "compared": 0, "imported": 0}
for number in range(int(sys.argv[4]), int(sys.argv[4]) + int(sys.argv[5])):
    judge(number, tally)
print(*(f"{count} {what}" for what, count in tally.items()), file=sys.stderr)
if min(tally.values()) == 0:
    print("nothing was tried of", tally)
