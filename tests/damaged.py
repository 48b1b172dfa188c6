"""Imports the damaged and failing files of all formats for tests/damaged.sh, which documents them.

    damaged.py TRACETOOL TESTDATA    in an empty folder; prints a line for each fault, and how many were right
"""
import collections
import fnmatch
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys


class Format:
    """Contents of testdata/NAME/reasons: keywords of messages, counted outcomes, and options of some files."""

    def __init__(self, folder):
        self.name, self.folder = os.path.basename(folder), folder
        self.words, self.outcomes, self.options, self.empty = {}, ["rejected"], [], []
        with open(os.path.join(folder, "reasons"), encoding="utf-8") as file:
            for line in file:
                key, value, *rest = line.rstrip("\n").split("\t")
                if key == "# outcomes":
                    self.outcomes = value.split()
                elif key == "# options":
                    self.options.append((value, rest[0].split()))
                elif key == "# empty":
                    self.empty.append(value)
                else:
                    self.words[value] = key

    def files(self, kind):
        folder = os.path.join(self.folder, kind)
        paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.endswith(".expected")]
        return [path for path in paths if os.path.isfile(path)]

    def damaged(self):
        """Files of damaged/, grouped by their options."""
        groups = collections.defaultdict(list)
        for path in self.files("damaged"):
            given = [words for pattern, words in self.options if fnmatch.fnmatch(os.path.basename(path), pattern)]
            groups[" ".join(given[0] if given else [])].append(path)
        return groups

    def told(self):
        """Files of fail/ that are also refused with -f NAME."""
        return [path for path in self.files("fail")
                if not any(fnmatch.fnmatch(os.path.basename(path), pattern) for pattern in self.empty)]


class Judge:
    def __init__(self, program):
        self.program, self.passed, self.failed = shlex.split(program), 0, 0

    def run(self, *words):
        return subprocess.run([*self.program, "-q", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=120)

    def check(self, right, what, *details):
        if right:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED:", what, *("\n    " + str(detail) for detail in details))


def expected_of(path):
    with open(path + ".expected", encoding="utf-8") as file:
        return sorted(line.rstrip("\n") for line in file)


def ledger(rows, format, trace, events, rejected):
    lines = [f"events\t{events}", f"rejected\t{rejected}"]
    lines += [f"reason\t{format.words.get(reason, reason)}\t{count}\t{offset}"
              for of, outcome, reason, count, offset in rows if of == trace and outcome in format.outcomes]
    return sorted(lines)


def agrees(got, wanted):
    """Compares a ledger with the expected one. If the position of the next record is unknown, only compares up to
    it."""
    least = [line.split("-at-least\t") for line in wanted if "-at-least" in line]
    numbers = dict(line.split("\t") for line in got if line.count("\t") == 1)
    return all(int(numbers[key]) >= int(number) for key, number in least) if least else got == wanted


def damaged(judge, format, options, paths):
    """Imports all files of a format: each ledger must be as expected, and the database sound."""
    name = format.name
    made = judge.run("-d", "damaged.db", "import", "--again", *options, *paths)
    judge.check(made.returncode == 0, f"{name}: import of damaged/", made.stderr)
    judge.check(judge.run("-d", "damaged.db", "check").returncode == 0, f"{name}: check of damaged/")
    with sqlite3.connect("damaged.db") as database:
        traces = database.execute("SELECT s.name, t.id, t.events, t.rejected FROM trace AS t JOIN source AS s"
                                  " ON s.trace = t.id ORDER BY t.id DESC").fetchall()
        rows = database.execute("SELECT trace, outcome, reason, sum(count), min(first_offset) FROM ledger"
                                " GROUP BY 1, 2, 3").fetchall()
    found = {source: row for source, *row in traces}  # for a log of two kinds, the first trace
    for path in paths:
        if path not in found:
            judge.check(False, f"{path} is not imported")
            continue
        got, wanted = ledger(rows, format, *found[path]), expected_of(path)
        judge.check(agrees(got, wanted), f"{path}: the ledger", "expected " + str(wanted), "got      " + str(got))
    os.unlink("damaged.db")
    # With --strict a file is imported only if nothing is rejected.
    whole = {path for path in paths if "rejected\t0" in expected_of(path)}
    made = judge.run("-d", "strict.db", "import", "--again", "--strict", *options, *paths)
    kept = set()
    if os.path.exists("strict.db"):
        with sqlite3.connect("strict.db") as database:
            kept = {name for name, in database.execute("SELECT name FROM source")}
        os.unlink("strict.db")
    judge.check(kept == whole, f"{name}: what --strict imports of damaged/", sorted(kept ^ whole))
    judge.check(made.returncode == (0 if whole == set(paths) else 3), f"{name}: --strict: status {made.returncode}",
                made.stderr)


def refused(judge, format, options, paths):
    """Checks for one line per file and a summary; nothing is left, and a database is unchanged."""
    what = f"{format.name}: fail/ {' '.join(options)}"
    made = judge.run("-d", "refused.db", "import", "--again", *options, *paths)
    lines = made.stderr.splitlines()
    judge.check(made.returncode == 1 and not made.stdout, f"{what}: status {made.returncode}", made.stderr)
    judge.check(not os.path.exists("refused.db"), f"{what} leaves nothing")
    judge.check(len(lines) == len(paths) + (len(paths) > 1), f"{what}: a line for each file", made.stderr)
    for path in paths:
        judge.check(sum(path in line for line in lines) == 1, f"{what}: {path} is named", made.stderr)
    shutil.copy("kept.db", "refused.db")
    judge.run("-d", "refused.db", "import", "--again", *options, *paths)
    with open("kept.db", "rb") as before, open("refused.db", "rb") as after:
        judge.check(before.read() == after.read(), f"{what}: a database stays as it was")
    os.unlink("refused.db")


def main():
    judge, testdata = Judge(sys.argv[1]), sys.argv[2]
    judge.run("-d", "kept.db", "import", os.path.join(testdata, "most/small.po"))
    for name in sorted(os.listdir(testdata)):
        folder = os.path.join(testdata, name)
        if not os.path.exists(os.path.join(folder, "reasons")):
            continue
        format = Format(folder)
        for options, paths in format.damaged().items():
            damaged(judge, format, options.split(), paths)
        refused(judge, format, [], format.files("fail"))
        refused(judge, format, ["-f", name], format.told())
    print(f"damaged: {judge.passed} passed, {judge.failed} failed")
    sys.exit(judge.failed > 0)


main()
