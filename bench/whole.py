"""Measures the time from an unknown log to the first answer and to all answers, including everything, as users
experience it. The questions are whole/FORMAT/*.sql. A method is used if its files exist:

    convert.awk     awk converts the log to rows of one table for sqlite3 or DuckDB
    table.duckdb    DuckDB reads the log itself into that table
    script.py       a single Python script answers all questions
    NAME.awk        a pass of awk per question, with parts.awk
    NAME.sh         the usual tools for such logs
"""
import os
import shutil
from dataclasses import dataclass, field

from measuring import Failed, Run, say
from peers import forget
from questions import difference, read_questions

COLUMNS = (("time", "BIGINT"), ("class", "VARCHAR"), ("sector", "BIGINT"), ("bytes", "BIGINT"),
           ("pid", "BIGINT"), ("process", "VARCHAR"), ("type", "VARCHAR"), ("file", "VARCHAR"),
           ("latency", "BIGINT"))
ASKED, IMPORTED, DUCKDB, MAWK = "tracetool LOG", "tracetool import", "DuckDB, the log", "mawk"
TOOLS = {"blktrace": ("blkparse", "btt")}  # tools that *.sh needs
FIRST = ("syscalls", "rw")  # the question that is asked first


@dataclass
class Way:
    """A competitor's runs: a Run per round for all of its commands, and for those up to the first answer."""

    name: str
    do: object
    whole: list = field(default_factory=list)
    first: list = field(default_factory=list)


@dataclass
class Asked:
    """Results of a format."""

    name: str
    kind: str
    answers: int
    ways: list
    events: int
    log_bytes: int
    private_bytes: int  # size of the database that tracetool keeps of the log

    def way(self, name):
        return next((way for way in self.ways if way.name == name), None)


def joined(runs):
    """Several successive commands as one run."""
    return Run(sum(run.wall for run in runs), sum(run.user for run in runs),
               sum(run.system for run in runs), max((run.peak for run in runs), default=0))


def folder_of(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "whole", name)


class Whole:
    """Each method returns the runs until the log can be queried, and those of the answers, which it writes to the
    folder of its name."""

    def __init__(self, shop, form, log):
        self.shop = shop
        self.form = form
        self.log = log
        self.folder = shop.path("whole")
        self.here = folder_of(form.name)
        self.private_bytes = 0
        self.questions = sorted(read_questions(self.here),
                                key=lambda question: question.name not in FIRST)
        self.ways = list(self.find_ways())

    def find_ways(self):
        shop = self.shop
        yield Way(ASKED, self.asked)
        yield Way(IMPORTED, self.imported)
        if self.has("convert.awk"):
            yield Way("awk and sqlite3", self.sqlite)
            if shop.duckdb is not None:
                yield Way("awk and DuckDB", self.converted_duckdb)
        if self.has("table.duckdb") and shop.duckdb is not None:
            yield Way(DUCKDB, self.duckdb)
        if self.has("script.py") and shop.pandas:
            yield Way("pandas", self.pandas)
        if all(question.awk for question in self.questions):
            yield Way(MAWK, lambda: self.awk("mawk", self.questions))
            if shutil.which("gawk"):
                yield Way("gawk", lambda: self.awk("gawk", self.questions[:1]))
        tools = TOOLS.get(self.form.name, ())
        if tools and all(map(shutil.which, tools)):
            yield Way(" and ".join(tools), self.tools)

    def has(self, name):
        return os.path.exists(os.path.join(self.here, name))

    def run(self):
        for number in range(self.shop.rounds):
            say(f"{self.form.name}: from log to answers, round {number + 1} of {self.shop.rounds}")
            first = number % len(self.ways)
            for way in self.ways[first:] + self.ways[:first]:
                self.round(way)
            if number == 0:
                self.compare()
        shutil.rmtree(self.folder)
        return self.ways

    def round(self, way):
        shutil.rmtree(self.path(way.name), ignore_errors=True)
        os.makedirs(self.path(way.name))
        os.sync()
        loading, asking = way.do()
        if len(asking) == len(self.questions) or not loading and len(asking) == 1:
            way.first.append(joined(loading + asking[:1]))
        if len(asking) == len(self.questions) or way.name == "pandas":
            way.whole.append(joined(loading + asking))

    def compare(self):
        for way in self.ways[1:]:
            for question in self.questions:
                ours = self.path(ASKED, question.name + ".tsv")
                theirs = self.path(way.name, question.name + ".tsv")
                if way.name == IMPORTED:
                    found = self.same_rows(question, ours, theirs)
                elif os.path.exists(theirs):
                    found = difference(question, ours, way.name, theirs)
                else:
                    found = None if way.name == "gawk" else f"{way.name} has no answer to {question.name}"
                if found is not None:
                    say(f"bench: {self.form.name}: from log to answers: {found}")
                    self.shop.doubts.append(f"From log to answers ({self.form.name}): {found}.")

    @staticmethod
    def same_rows(question, ours, theirs):
        """Ignores the head, which names the trace."""
        texts = []
        for path in (ours, theirs):
            with open(path, encoding="utf-8", errors="replace") as file:
                texts.append([line for line in file if not line.startswith("# trace ")])
        return None if texts[0] == texts[1] else f"{question.name}: the log and its import give other answers"

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def measured(self, command, *names):
        """Runs a command with its output in a file of the folder."""
        return self.shop.measure.run(command, self.path(*names) if names else os.devnull)

    def ask(self, name, command_of, questions=None):
        return [self.measured(command_of(question), name, question.name + ".tsv")
                for question in questions or self.questions]

    # --- the ways ---

    def asked(self):
        cache = self.path("cache")
        shutil.rmtree(cache, ignore_errors=True)
        asking = self.ask(ASKED, lambda each: self.shop.tracetool.ask_command(
            cache, self.log, each.report.split()))
        self.private_bytes = sum(os.path.getsize(os.path.join(cache, name)) for name in os.listdir(cache)
                                 if name.endswith(".db"))
        shutil.rmtree(cache)
        return [], asking

    def imported(self):
        tool, database = self.shop.tracetool, self.path("whole.db")
        forget(database)
        loading = [self.measured(tool.import_command(database, self.log, self.form.name))]
        asking = self.ask(IMPORTED, lambda each: tool.report_command(database, each.report.split()))
        forget(database)
        return loading, asking

    def convert(self):
        return self.measured(["mawk", "-f", os.path.join(self.here, "convert.awk"), self.log], "io.tsv")

    def sqlite(self):
        database, shell = self.path("whole.db"), self.shop.shell
        columns = ", ".join(f"{name} {'TEXT' if kind == 'VARCHAR' else 'INTEGER'}" for name, kind in COLUMNS)
        forget(database)
        loading = [self.convert(), self.measured(
            ["sqlite3", database, f"CREATE TABLE io ({columns})", ".mode tabs",
             f".import {self.path('io.tsv')} io"])]
        asking = self.ask("awk and sqlite3", lambda each: shell.query_command(database, each.sql))
        forget(database, self.path("io.tsv"))
        return loading, asking

    def converted_duckdb(self):
        types = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS)
        converting = self.convert()
        loading, asking = self.ask_duckdb("awk and DuckDB", (
            f"CREATE TABLE io AS SELECT * FROM read_csv('{self.path('io.tsv')}',"
            f" auto_detect = false, header = false, delim = '\t', quote = '', columns = {{{types}}})"))
        forget(self.path("io.tsv"))
        return [converting, *loading], asking

    def duckdb(self):
        with open(os.path.join(self.here, "table.duckdb"), encoding="utf-8") as file:
            return self.ask_duckdb(DUCKDB, file.read().replace("$log", self.log))

    def ask_duckdb(self, name, sql):
        """By a database that this statement fills."""
        database, duckdb = self.path("whole.db"), self.shop.duckdb
        forget(database)
        loading = [self.measured(duckdb.command(database, sql, "CHECKPOINT"))]
        asking = self.ask(name, lambda each: duckdb.query_command(database, each.sql))
        forget(database)
        return loading, asking

    def pandas(self):
        """One script for everything."""
        return [self.measured([self.shop.script.python, os.path.join(self.here, "script.py"), self.log,
                               self.path("pandas")])], []

    def awk(self, program, questions):
        parts = ["-f", os.path.join(self.here, "parts.awk")] if self.has("parts.awk") else []
        return [], self.ask(program, lambda each: [program, *parts, "-f", each.awk, self.log], questions)

    def tools(self):
        return [], self.ask(" and ".join(TOOLS[self.form.name]), lambda each: [
            "sh", os.path.join(self.here, each.name + ".sh"), self.log])


def measure_whole(shop, form, log, events, log_bytes):
    """None without questions; None and a doubt if a method fails."""
    if not os.path.isdir(folder_of(form.name)):
        return None
    try:
        whole = Whole(shop, form, log)
        ways = whole.run()
        return Asked(form.name, form.kind, len(whole.questions), ways, events, log_bytes, whole.private_bytes)
    except Failed as failed:
        shop.doubts.append(f"From log to answers ({form.name}): {failed}.")
        return None
