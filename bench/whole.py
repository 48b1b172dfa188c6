"""From a log to ten reports, as people do it: everything counts, from the text of the log to the last
answer. The questions are whole/*.sql, put to one table of completed I/Os; what is put into it whole/
convert.awk makes of the log."""
import os
import shutil
from dataclasses import dataclass, field

from measuring import Failed, Run, say
from peers import forget
from questions import difference, read_questions

FORMAT = "most"
COLUMNS = (("time", "BIGINT"), ("class", "VARCHAR"), ("sector", "BIGINT"), ("bytes", "BIGINT"),
           ("pid", "BIGINT"), ("process", "VARCHAR"), ("type", "VARCHAR"), ("file", "VARCHAR"),
           ("latency", "BIGINT"))


@dataclass
class Way:
    """How a peer did: a Run a round that stands for all of its commands, and those that led to a
    table."""

    name: str
    whole: list = field(default_factory=list)
    loading: list = field(default_factory=list)


def joined(runs):
    """Commands one after another as one."""
    return Run(sum(run.wall for run in runs), sum(run.user for run in runs),
               sum(run.system for run in runs), max((run.peak for run in runs), default=0))


class Whole:
    """Each way is a method that gives the runs until the log can be asked, and those of the
    answers, which it leaves in the folder `name`."""

    def __init__(self, shop, log):
        self.shop = shop
        self.log = log
        self.folder = shop.path("whole")
        self.here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "whole")
        self.questions = read_questions(self.here)
        self.ways = [Way("tracetool"), Way("awk and sqlite3")]
        if shop.duckdb is not None:
            self.ways.append(Way("awk and DuckDB"))
        if shop.pandas:
            self.ways.append(Way("pandas"))
        self.do = {"tracetool": self.tracetool, "awk and sqlite3": self.sqlite,
                   "awk and DuckDB": self.duckdb, "pandas": self.pandas}

    def run(self):
        for number in range(self.shop.rounds):
            say(f"from log to ten reports, round {number + 1} of {self.shop.rounds}")
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
        loading, asking = self.do[way.name]()
        way.loading.append(joined(loading))
        way.whole.append(joined(loading + asking))

    def compare(self):
        for way in self.ways[1:]:
            for question in self.questions:
                ours = self.path("tracetool", question.name + ".tsv")
                theirs = self.path(way.name, question.name + ".tsv")
                found = difference(question, ours, way.name, theirs)
                if found is not None:
                    say(f"bench: from log to ten reports: {found}")
                    self.shop.doubts.append(f"From log to ten reports: {found}.")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def measured(self, command, *names):
        """A command with its output in a file of the folder."""
        return self.shop.measure.run(command, self.path(*names) if names else os.devnull)

    def ask(self, name, command_of):
        return [self.measured(command_of(question), name, question.name + ".tsv")
                for question in self.questions]

    # --- the ways ---

    def tracetool(self):
        tool, database = self.shop.tracetool, self.path("whole.db")
        forget(database)
        loading = [self.measured(tool.import_command(database, self.log, FORMAT))]
        asking = self.ask("tracetool",
                          lambda each: tool.report_command(database, each.report.split()))
        forget(database)
        return loading, asking

    def convert(self):
        return self.measured(["awk", "-f", os.path.join(self.here, "convert.awk"), self.log],
                             "io.tsv")

    def sqlite(self):
        database, shell = self.path("whole.db"), self.shop.shell
        columns = ", ".join(f"{name} {'TEXT' if kind == 'VARCHAR' else 'INTEGER'}"
                            for name, kind in COLUMNS)
        forget(database)
        loading = [self.convert(), self.measured(
            ["sqlite3", database, f"CREATE TABLE io ({columns})", ".mode tabs",
             f".import {self.path('io.tsv')} io"])]
        asking = self.ask("awk and sqlite3", lambda each: shell.query_command(database, each.sql))
        forget(database, self.path("io.tsv"))
        return loading, asking

    def duckdb(self):
        database, duckdb = self.path("whole.db"), self.shop.duckdb
        types = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS)
        forget(database)
        loading = [self.convert(), self.measured(duckdb.command(
            database, f"CREATE TABLE io AS SELECT * FROM read_csv('{self.path('io.tsv')}',"
            f" auto_detect = false, header = false, delim = '\t', quote = '', columns = {{{types}}})",
            "CHECKPOINT"))]
        asking = self.ask("awk and DuckDB", lambda each: duckdb.query_command(database, each.sql))
        forget(database, self.path("io.tsv"))
        return loading, asking

    def pandas(self):
        """One script does both."""
        return [], [self.measured([self.shop.script.python,
                                   os.path.join(self.here, "pandas_most.py"), self.log,
                                   self.path("pandas")])]


def measure_whole(shop, log):
    """None, and a doubt, when one of the ways fails."""
    try:
        return Whole(shop, log).run()
    except Failed as failed:
        shop.doubts.append(f"From log to ten reports: {failed}.")
        return None
