"""Measurements of one format: imports, reports, memory, dump. The stages share a Workshop and fill a Result."""
import os
import re
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass, field

from every import forms
from measuring import Failed, answer, say
from peers import Tables, fingerprint, forget
from questions import difference

QUICK = 0.5  # seconds; faster reports are run several times in each round
QUICK_RUNS = 5
LONG = 10  # seconds; slower plain SQL is run once
SECOND = 1000000000
# tracetool's message for a report that does not fit the log.
UNFIT = re.compile(r"\breport \S+ (?:over \S+ )?(?:needs|compares|is for|does not (?:take|apply)) |: not in the log of trace ")
# Reports that run during an import: from rollups and by a scan.
BESIDE = {"most-binary": ("summary", "rw", "rw --process com.app0")}
IDLE_RUNS = 30
# Reports of calls with their own goals (tables.CALL_GOALS), and the awk program that they are compared with.
CALL_REPORTS = {"strace": ("syscalls", "files", "errors", "latency", "argsize", "waits", "rate --by file", "gaps --cdf")}
CALL_PASS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "whole", "strace")
# Counts of the generators: events by operation, errors, records that continue another one.
COUNTS = """
    SELECT text, count(*) FROM event JOIN name ON name.id = operation GROUP BY text
    UNION ALL SELECT text, count(*) FROM event JOIN name ON name.id = error GROUP BY text
    UNION ALL SELECT 'merged', sum(merged) FROM trace HAVING sum(merged) > 0"""


@dataclass(frozen=True)
class Format:
    """A format: its importer, and an equivalent script, if any."""

    name: str
    kind: str  # or kinds
    script: str = None
    parts: tuple = ()  # for a log of several files in a folder: their names
    counted: bool = False  # the generator has expected counts
    reads_as: str = None  # the importer's name, if it is another

    @property
    def importer(self):
        return self.reads_as or self.name


@dataclass
class Workshop:
    """Tools and competitors; None if not available."""

    work: str
    events: int
    rounds: int
    measure: object
    generators: dict  # by format: command without the number of events
    tracetool: object
    shell: object
    duckdb: object
    script: object
    floor: object
    pandas: str  # its version
    questions: list
    brief: bool  # one run each, without the memory of all reports
    doubts: list = field(default_factory=list)  # differences between a competitor's work and tracetool's

    def path(self, *names):
        return os.path.join(self.work, *names)


@dataclass
class Beside:
    """Runs of reports on another trace of a database, by report: alone, and during an import of so many seconds."""

    idle: dict = field(default_factory=dict)
    during: dict = field(default_factory=dict)
    took: float = 0


@dataclass
class Result:
    """Figures of one format."""

    format: Format
    rows: int = 0  # in table event
    log_bytes: int = 0
    csv_bytes: int = 0
    dump_bytes: int = 0
    database_bytes: dict = field(default_factory=dict)  # by competitor
    imports: dict = field(default_factory=dict)  # runs by competitor
    floor_seconds: list = field(default_factory=list)  # of its transaction
    small_imports: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    peaks: dict = field(default_factory=dict)  # by report: bytes at 1/10 of the events and at all
    failures: dict = field(default_factory=dict)
    unfit: int = 0  # number of reports that do not fit the log
    calls: dict = field(default_factory=dict)  # runs of CALL_REPORTS
    passes: list = field(default_factory=list)  # of mawk, counting and summing
    dumps: list = field(default_factory=list)
    beside: Beside = None


@dataclass
class Answer:
    """Runs of one question."""

    question: object
    events: int  # number of events to read
    tracetool: list = field(default_factory=list)
    small: list = field(default_factory=list)  # at a tenth of the events
    duckdb: list = field(default_factory=list)
    sql: list = field(default_factory=list)
    awk: list = field(default_factory=list)


def reason(failed):
    """Last part of a message, without the command."""
    return str(failed).rsplit(": ", 1)[-1]


def log_path(shop, form, events=None):
    """Path of the log with so many events; default: all."""
    return shop.path(f"{form.name}-{events or shop.events}.log")


def log_size(path):
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))


class Bench:
    """Measures one format, from its log to its figures."""

    def __init__(self, shop, form):
        self.shop = shop
        self.result = Result(form)
        self.folder = shop.path(form.name)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.big, self.small = self.path("big.db"), self.path("small.db")
        self.tables = None
        self.log = None
        self.prints = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self):
        say(f"{self.result.format.name}: logs")
        self.log = self.make_log(self.shop.events)
        self.result.log_bytes = log_size(self.log)
        self.import_all()
        self.ask_all()
        self.ask_calls()
        self.sweep()
        self.dump()
        if self.result.format.name in BESIDE:
            self.report_beside_import()
        shutil.rmtree(self.folder)
        return self.result

    # --- logs and imports ---

    def make_log(self, events):
        """Makes the log once; again only if the generator is newer."""
        form, generator = self.result.format, self.shop.generators[self.result.format.name]
        path = log_path(self.shop, form, events)
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(generator[0]):
            shutil.rmtree(path, ignore_errors=True)
            for number, part in enumerate(form.parts):
                os.makedirs(path + ".new", exist_ok=True)
                self.generate([generator[0], f"{generator[1]}-{number}"], events, os.path.join(path + ".new", part), path)
            if not form.parts:
                self.generate(generator, events, path + ".new", path)
            os.rename(path + ".new", path)
        return path

    def generate(self, command, events, file, path):
        counts = [path + ".counts"] if self.result.format.counted else []
        with open(file, "wb") as output:
            subprocess.run([*command, str(events), *counts], stdout=output, check=True)

    def check_log(self):
        """Checks that nothing in the log is rejected, and that the counts are the generator's."""
        form = self.result.format
        with closing(sqlite3.connect(self.big)) as db:
            rejected, lost = db.execute("SELECT sum(rejected), sum(lost_bytes) FROM trace").fetchone()
            found = dict(db.execute(COUNTS)) if form.counted else {}
        if rejected or lost:
            self.doubt(f"{form.name}: of the generated log, {rejected} records are rejected and {lost} bytes are lost")
        if form.counted:
            with open(self.log + ".counts", encoding="utf-8") as file:
                made = {name: int(count) for name, count in (line.split("\t") for line in file)}
            if found != made:
                self.doubt(f"{form.name}: tracetool finds {found} in the generated log, which has {made}")

    def import_once(self, database, log):
        forget(database)
        os.sync()
        return self.shop.measure.run(
            self.shop.tracetool.import_command(database, log, self.result.format.importer))

    def import_all(self):
        small_log = self.make_log(max(1, self.shop.events // 10))
        self.result.small_imports.append(self.import_once(self.small, small_log))
        # Not measured: it provides the CSV, and loads the log into the system's cache.
        self.import_once(self.big, self.log)
        self.check_log()
        self.tables = Tables(self.big, self.folder)
        self.result.csv_bytes = self.tables.size()
        with closing(sqlite3.connect(self.big)) as db:
            self.result.rows = db.execute("SELECT count(*) FROM event").fetchone()[0]
        contestants = self.contestants()
        for number in range(self.shop.rounds):
            say(f"{self.result.format.name}: import, round {number + 1} of {self.shop.rounds}")
            first = number % len(contestants)
            for contestant in contestants[first:] + contestants[:first]:
                contestant(number)
        self.result.database_bytes["tracetool"] = os.path.getsize(self.big)
        self.result.database_bytes["small"] = os.path.getsize(self.small)
        self.tables.remove()

    def contestants(self):
        shop = self.shop
        runs = [lambda number: self.note("tracetool", self.import_once(self.big, self.log)),
                self.import_shell, self.run_floor]
        if shop.duckdb is not None:
            runs.append(self.import_duckdb)
        if self.result.format.script is not None:
            runs.append(self.import_script)
        return runs

    def note(self, name, run):
        self.result.imports.setdefault(name, []).append(run)

    def import_peer(self, name, command, database):
        forget(database)
        os.sync()
        self.note(name, self.shop.measure.run(command, self.path("printed")))
        self.result.database_bytes[name] = os.path.getsize(database)

    def import_shell(self, number):
        database = self.path("shell.db")
        self.import_peer("sqlite3", self.shop.shell.import_command(database, self.tables), database)
        if number == 0:
            self.check("sqlite3", ["sqlite3", "-tabs", database], True)
        forget(database)

    def import_duckdb(self, number):
        database = self.path("duck.db")
        self.import_peer("DuckDB", self.shop.duckdb.import_command(database, self.tables), database)
        if number == 0:
            self.check("DuckDB", self.shop.duckdb.query_command(database, "")[:-1], True)

    def import_script(self, number):
        database = self.path("script.db")
        self.import_peer("Python", self.shop.script.import_command(
            database, self.log, self.result.format.script), database)
        if number == 0:
            self.check("Python", ["sqlite3", "-tabs", database], False)
        forget(database)

    def run_floor(self, number):
        """Its rows come from tracetool's database of the previous round."""
        database = self.path("floor.db")
        self.import_peer("floor", self.shop.floor.import_command(
            database, self.big, self.tables), database)
        with open(self.path("printed"), encoding="ascii") as file:
            self.result.floor_seconds.append(float(file.read()))
        if number == 0:
            self.check("floor", ["sqlite3", "-tabs", database], False)
        forget(database)

    def check(self, name, command, imported):
        """Checks that a competitor's rows equal those of tracetool."""
        for table in self.tables.events:
            columns = self.tables.columns[table]
            ours = self.prints.get(table) or answer(
                ["sqlite3", "-tabs", self.big, fingerprint(table, columns, False)])
            self.prints[table] = ours
            theirs = answer([*command, fingerprint(table, columns, imported)])
            if ours != theirs:
                self.doubt(f"{self.result.format.name}: {name} has other rows than tracetool:"
                           f" {theirs} instead of {ours}")

    def doubt(self, difference_found):
        if difference_found is not None:
            say(f"bench: {difference_found}")
            self.shop.doubts.append(difference_found)

    # --- reports ---

    def values(self, database):
        """Values for the questions' templates: the middle half of the trace, in clock units and in the form of
        --from and --to; the device's clock at its start; and the code of the process of the middle event."""
        with closing(sqlite3.connect(database)) as db:
            length, unit, start = db.execute(
                "SELECT last_time, clock_unit, ifnull(start + ifnull(utc_offset, 0) * 60000000000, 0)"
                " FROM trace").fetchone()
            process, = db.execute(
                "SELECT ifnull(code, 0) FROM event LEFT JOIN actor ON actor.id = event.actor"
                " WHERE event.id >= (SELECT (min(id) + max(id)) / 2 FROM event)"
                " ORDER BY event.id LIMIT 1").fetchone()
        begin, end = length // 4, length * 3 // 4
        return {"from": begin, "to": end, "from_option": self.bound(begin, unit),
                "to_option": self.bound(end, unit), "start": start,
                "process": process, "process_option": f"0x{process:08x}"}

    @staticmethod
    def bound(time, unit):
        return f"{time // SECOND}.{time % SECOND:09d}" if unit == "ns" else str(time)

    def window_rows(self, values):
        with closing(sqlite3.connect(self.big)) as db:
            return db.execute("SELECT count(*) FROM event WHERE time >= ? AND time < ?",
                              (values["from"], values["to"])).fetchone()[0]

    def ask_all(self):
        values, small = self.values(self.big), self.values(self.small)
        questions = [question for question in self.shop.questions
                     if question.trace == self.result.format.name]
        within = self.window_rows(values)
        self.result.answers = [
            Answer(question, within if question.reads == "window" else self.result.rows)
            for question in questions]
        for number in range(self.shop.rounds):
            say(f"{self.result.format.name}: reports, round {number + 1} of {self.shop.rounds}")
            for each in list(self.result.answers):
                try:
                    self.ask(each, values, small, number)
                except Failed as failed:
                    self.doubt(f"{each.question.title} could not be asked: {reason(failed)}.")
                    self.result.answers.remove(each)

    def ask(self, each, values, small, number):
        question, shop = each.question, self.shop
        words, sql = question.words(values), question.query(values)
        for _ in range(self.repetitions(each, number)):
            each.tracetool.append(shop.measure.run(
                shop.tracetool.report_command(self.big, words), self.path("ours")))
            each.small.append(shop.measure.run(
                shop.tracetool.report_command(self.small, question.words(small))))
            if shop.duckdb is not None:
                each.duckdb.append(self.ask_peer(
                    each, "DuckDB", shop.duckdb.query_command(self.path("duck.db"), sql), number))
            if each.tracetool[-1].wall > QUICK:
                break
        if number == 0 or question.scans and each.sql[-1].wall < LONG:
            each.sql.append(self.ask_peer(
                each, "plain SQL", shop.shell.query_command(self.big, sql), number))
        if question.awk is not None and number == 0:
            each.awk.append(self.ask_peer(
                each, "awk", ["mawk", "-f", question.awk, self.log], number))

    def repetitions(self, each, number):
        """Number of runs: several for a quick report, one for a scan; also one if a report should use rollups but
        is slow."""
        if each.question.scans or self.shop.brief:
            return 1
        return QUICK_RUNS if number == 0 or each.tracetool[-1].wall <= QUICK else 0

    def ask_peer(self, each, name, command, number):
        theirs = self.path("theirs")
        run = self.shop.measure.run(command, theirs)
        if number == 0:
            self.doubt(difference(each.question, self.path("ours"), name, theirs))
        return run

    def ask_calls(self):
        """Measures reports of calls, and one pass of mawk that counts and sums by call."""
        for words in CALL_REPORTS.get(self.result.format.name, ()):
            self.result.calls[words] = [
                self.shop.measure.run(self.shop.tracetool.report_command(self.big, words.split()))
                for _ in range(self.shop.rounds)]
        if self.result.calls:
            programs = [word for name in ("parts.awk", "syscalls.awk")
                        for word in ("-f", os.path.join(CALL_PASS, name))]
            self.result.passes = [self.shop.measure.run(["mawk", *programs, self.log])
                                  for _ in range(self.shop.rounds)]

    # --- memory, dump ---

    def sweep(self):
        """Peak memory of every report that fits the trace, at a tenth of the events and at all; without those of
        questions."""
        if self.shop.brief:
            return
        say(f"{self.result.format.name}: memory of all reports")
        tracetool = self.shop.tracetool
        asked = {each.question.report for each in self.result.answers}
        for words in forms(tracetool.program, self.result.format.kind):
            if words[0] == "timeline" or " ".join(words) in asked:
                continue
            try:
                self.result.peaks[" ".join(words)] = tuple(
                    self.shop.measure.run(tracetool.report_command(database, words)).peak
                    for database in (self.small, self.big))
            except Failed as failed:
                if UNFIT.search(str(failed)):
                    self.result.unfit += 1
                else:
                    self.result.failures[" ".join(words)] = reason(failed)

    def dump(self):
        """A rate, from a tenth of the events."""
        command = self.shop.tracetool.command(self.small, "dump")
        with subprocess.Popen(command, stdout=subprocess.PIPE) as dump:
            while block := dump.stdout.read(1 << 20):
                self.result.dump_bytes += len(block)
        if dump.returncode != 0:
            raise Failed("dump failed")
        for _ in range(self.shop.rounds):
            self.result.dumps.append(self.shop.measure.run(command))

    # --- reports during an import ---

    def report_beside_import(self):
        """On the database of a tenth of the events, while an import adds all events to it."""
        name = self.result.format.name
        say(f"{name}: reports during an import")
        beside = Beside({words: [] for words in BESIDE[name]}, {words: [] for words in BESIDE[name]})
        for _ in range(1 if self.shop.brief else IDLE_RUNS):
            self.ask_each(beside.idle)
        begin = time.monotonic()
        with subprocess.Popen(self.shop.tracetool.import_command(
                self.small, self.log, name, "further")) as running:
            while running.poll() is None:
                self.ask_each(beside.during)
            beside.took = time.monotonic() - begin
        if running.returncode != 0:
            raise Failed("the import during reports failed")
        self.result.beside = beside

    def ask_each(self, runs):
        for words in runs:
            runs[words].append(self.shop.measure.run(self.shop.tracetool.report_command(
                self.small, [*words.split(), "-t", "bench"])))
