"""Computes pseudonyms independently, from the manual, with Python's HMAC.

    pseudonyms.py names KEY DATABASE FILE   prints each name of DATABASE that the bytes of FILE hold
    pseudonyms.py same KEY DATABASE TEXT WANTED
                                            prints which reports of TEXT, with the names of DATABASE for
                                            their pseudonyms, are not those of WANTED
"""

import hashlib
import hmac
import re
import sqlite3
import sys

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
SPARED = {"trap", "action", "lifespan", "suspend", "sqlite", "error", "syscall", "android_fs", "ext4", "f2fs",
          "jbd2", "unit", "measure"}
OWN = b"nadia"  # value in test logs for names without a pseudonym, such as system calls


def digest(tag, text):
    return hmac.new(key, tag.encode() + text, hashlib.sha256).digest()


def code(tag, text):
    bits = int.from_bytes(digest(tag, text)[:8], "little")
    out = LETTERS[bits & 15]
    bits >>= 4
    for _ in range(11):
        out += LETTERS[bits & 31]
        bits >>= 5
    return out.encode()


def parts(path):
    """Parts of a path that can have pseudonyms."""
    for part in re.split(rb"/|:\[|\]| \(deleted\)", path):
        part = part[1:] if part[:1] == b"." else part
        part = re.sub(rb"(-journal|-wal|-shm)+$", b"", part)
        yield part
        stem, dot, extension = part.rpartition(b".")
        if dot:
            yield stem
            yield extension


def rows(sql):
    return [tuple(v.encode(errors="surrogateescape") if isinstance(v, str) else v for v in row) for row in database.execute(sql)]


def column(sql):
    return [value for value, in rows(sql) if value is not None]


def strings():
    for text in column("SELECT CAST(arguments AS TEXT) FROM event JOIN trace AS t ON event.id"
                       " BETWEEN first_event AND last_event WHERE arguments NOT NULL AND kind = 'calls'"
                       " AND format IN ('strace', 'ftrace')"):
        yield from re.findall(rb'"((?:[^"\\]|\\.)*)"|<(/[^>]*)>', text)


def dictionary():
    found = {}
    paths = column("SELECT name FROM object UNION SELECT name FROM source UNION SELECT image FROM map")
    for path in paths + b" ".join(paths).split():
        for part in parts(path.rstrip(b":,")):
            found[code("f", part)] = part
    for tag, sql in (
        ("p", "SELECT name FROM actor"),
        ("t", "SELECT name FROM trace UNION SELECT log FROM trace"),
        ("d", "SELECT device FROM trace"),
        ("u", "SELECT user FROM trace"),
        ("s", "SELECT study FROM trace"),
    ):
        found.update((code(tag, name), name) for name in column(sql))
    for text in column("SELECT text FROM name"):
        found.update((code("w", word), word) for word in re.findall(rb"[0-9A-Za-z_\x80-\xff]+", text))
    for digits in column("SELECT hash FROM source"):
        found[digest("h", digits)[:16].hex().encode()] = digits
    for number in column("SELECT DISTINCT code FROM actor"):
        bits = int.from_bytes(digest("n", str(number).encode())[:4], "little") >> 1
        found[b"%08x" % (bits or 1)] = b"%08x" % number
    spared = ", ".join(f"'{kind}'" for kind in SPARED)
    for number in column(f"SELECT DISTINCT code FROM name WHERE kind NOT IN ({spared}) AND code NOT NULL"):
        bits = int.from_bytes(digest("c", str(number).encode())[:4], "little") >> 1
        found[b"%d" % (bits or 1)] = b"%d" % number
    return found


def names():
    """Names that must not occur, without words of the program or of its formats."""
    found = set(column("SELECT name FROM object UNION SELECT name FROM source UNION SELECT name FROM trace"
                       " UNION SELECT hash FROM source UNION SELECT device FROM trace"
                       " UNION SELECT user FROM trace UNION SELECT study FROM trace"
                       " UNION SELECT actor.name FROM actor JOIN trace ON trace.id = actor.trace"
                       " WHERE trace.kind <> 'results'"))
    for kind, text in rows("SELECT kind, text FROM name"):
        if kind.decode() not in SPARED or OWN in text.lower():
            found.add(text)
            found.update(re.findall(rb"[0-9A-Za-z_]+", text))
    for pair in strings():
        found.update(pair)
    for path in list(found):
        found.update(path.split(b"/"))
    kept = b" ".join(column(
        "SELECT sql FROM sqlite_schema UNION SELECT kind || format || variant || rollups FROM trace"
        " UNION SELECT reason FROM ledger UNION SELECT \"column\" || what FROM meaning"
        " UNION SELECT type FROM object UNION SELECT name FROM partition UNION SELECT resolution || origin FROM probe"
        f" UNION SELECT text FROM name WHERE kind IN {tuple(sorted(SPARED))} AND text NOT LIKE '%{OWN.decode()}%'"
        " UNION SELECT actor.name FROM actor JOIN trace ON trace.id = actor.trace WHERE trace.kind = 'results'"))
    return {name for name in found if len(name) > 4 and name not in kept}


def originals(text):
    known = dictionary()
    return re.sub(rb"(?<![0-9a-z])(?:[0-9a-f]{32}|[0-9a-f]{8}|[0-9]{6,10}|[a-p][a-z2-7]{11})(?![0-9a-z])",
                  lambda match: known.get(match.group(), match.group()), text)


def compare(text, wanted):
    """If rows are equal except for the name, names decide their order: then compares cells. The text size of a
    trace depends on its names; remarks are omitted."""
    exact = 0
    reports = [part.split(b"===") for part in (text, wanted)]
    if len(reports[0]) != len(reports[1]) or len(reports[0]) < 50:
        print("reports:", len(reports[0]), "and", len(reports[1]))
    for got, want in zip(*reports):
        got, want = (re.sub(rb"\n(text size|text to binary|remark)\t.*", b"", side) for side in (got, want))
        lines = [sorted(side.splitlines()) for side in (got, want)]
        cells = [sorted(re.split(rb"[\t\n]", side.replace(b"\\x23", b"#"))) for side in (got, want)]
        exact += lines[0] == lines[1]
        if cells[0] != cells[1]:
            print(got.split(b"\n")[0], "differs:", set(lines[0]) ^ set(lines[1]))
    if exact < len(reports[0]) * 0.8:
        print("only", exact, "of", len(reports[0]), "have the same lines")


key = bytes.fromhex(open(sys.argv[2], encoding="ascii").read().strip())
database = sqlite3.connect(f"file:{sys.argv[3]}?mode=ro", uri=True)
database.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
with open(sys.argv[4], "rb") as file:
    content = file.read()
if sys.argv[1] == "names":
    searched = names() - ({b"databases"} if sys.argv[4].endswith(".html") else set())  # a word of summary
    if len(searched) < 100:
        print("too few names to search for:", len(searched))
    for name in sorted(searched):
        # A short name may be the end of a pseudonym and an extension: x.tmp, a-journal.
        if re.search((rb"(?<![a-z2-7])" if len(re.split(rb"[.-]", name)[0]) < 8 else b"") + re.escape(name), content):
            print(name)
else:
    with open(sys.argv[5], "rb") as file:
        compare(originals(content), file.read())
