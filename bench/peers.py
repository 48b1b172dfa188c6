"""tracetool and its competitors: how each imports a log and answers a question."""
import os
import shutil
import sqlite3
from contextlib import closing

from measuring import Failed, answer

DICTIONARIES = ("name", "actor", "object")
EVENTS = ("event", "cpu_time")  # tables with a row per event; not all traces have the second one
# Values of options that need one.
DUCKDB_TYPES = {"INTEGER": "BIGINT", "TEXT": "VARCHAR", "BLOB": "VARCHAR"}


def forget(*paths):
    for path in paths:
        for each in (path, path + "-journal", path + ".wal"):
            if os.path.exists(each):
                os.remove(each)


class Tables:
    """Columns with values in a trace's tables, and their content as CSV: numbers, and bytes in hex. Exported from
    tracetool's database; its time does not count for the competitors."""

    def __init__(self, database, folder):
        self.folder = folder
        self.columns = {}
        with closing(sqlite3.connect(database)) as db:
            for table in EVENTS + DICTIONARIES:
                columns = self.of_table(db, table)
                self.columns[table] = self.used(db, table, columns) if table in EVENTS else columns
        self.columns = {table: columns for table, columns in self.columns.items() if columns}
        self.events = [table for table in EVENTS if table in self.columns]
        for table, columns in self.columns.items():
            self.write(database, table, columns)

    @staticmethod
    def of_table(db, table):
        return db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()

    @staticmethod
    def used(db, table, columns):
        """Columns with values."""
        if not columns:
            return []
        counts = db.execute(
            "SELECT " + ", ".join(f'count("{name}")' for name, _ in columns) + f" FROM {table}")
        return [column for column, count in zip(columns, counts.fetchone()) if count > 0]

    def path(self, table):
        return os.path.join(self.folder, table + ".csv")

    def write(self, database, table, columns):
        fields = ", ".join(f'hex("{name}")' if kind == "BLOB" else f'"{name}"'
                           for name, kind in columns)
        # The shell's output goes to a file, because it is too large for memory.
        answer(["sqlite3", "-csv", "-newline", "\n", database, f".output {self.path(table)}",
                f"SELECT {fields} FROM {table} ORDER BY rowid"])

    def size(self):
        return sum(os.path.getsize(self.path(table)) for table in self.events)

    def remove(self):
        forget(*(self.path(table) for table in self.columns))


def fingerprint(table, columns, imported):
    """A row of numbers that depends on every field and its position; for SQLite and DuckDB. Ids are relative to
    the first one: a trace that was sorted after its import does not begin at 1. `imported`: from CSV, with
    bytes in hex (and '' for NULL in SQLite, which counts as 0, like NULL)."""
    key = columns[0][0]
    from_first = f"({key} - (SELECT min({key}) FROM {table}))"
    place = f"({from_first} % 1009 + 1)"
    sums = ["count(*)", f"sum({from_first} % 1000003 * {place})"]
    for name, kind in columns[1:]:
        if kind == "BLOB":
            text = f'"{name}"' if imported else f'hex("{name}")'
            sums += [f"sum(length({text}) * {place})",
                     f"sum(CASE WHEN length({text}) > {place} % 16"
                     f" THEN unicode(substr({text}, {place} % 16 + 1, 1)) * {place} ELSE 0 END)"]
        else:
            sums.append(f'sum("{name}" % 1000003 * {place})')
    return f"SELECT {', '.join(sums)} FROM {table}"


class Tracetool:
    name = "tracetool"

    def __init__(self, program, configuration):
        self.program = program
        self.configuration = configuration

    def import_command(self, database, log, importer, name="bench"):
        return [self.program, "-q", "-c", self.configuration, "-d", database, "import",
                "-f", importer, "-n", name, log]

    def command(self, database, *words):
        return [self.program, "-q", "-c", self.configuration, "-d", database, *words]

    def report_command(self, database, words):
        return self.command(database, "report", *words, "--format", "tsv")

    def ask_command(self, cache, log, words):
        """Runs a report on the log itself; its private database is in the folder `cache`."""
        return ["env", f"TRACETOOL_CACHE={cache}", self.program, "-q", "-c", self.configuration, "report", *words,
                log, "--format", "tsv"]

    def formats(self):
        lines = answer([self.program, "formats", "--format", "tsv"])
        return {line.split("\t")[0] for line in lines if not line.startswith("#")}


class Shell:
    """The sqlite3 shell."""

    name = "sqlite3"

    @staticmethod
    def import_command(database, tables):
        command = ["sqlite3", database]
        for table, columns in tables.columns.items():
            fields = ", ".join(
                f'"{name}" ' + ("INTEGER PRIMARY KEY" if name == "id" else kind)
                for name, kind in columns)
            command += [f"CREATE TABLE {table} ({fields})",
                        f".import --csv {tables.path(table)} {table}"]
        return command

    @staticmethod
    def query_command(database, sql):
        return ["sqlite3", "-tabs", database, sql]


class Duckdb:
    name = "DuckDB"

    def __init__(self, program, library):
        self.program = program
        self.library = library

    def import_command(self, database, tables):
        command = self.command(database)
        for table, columns in tables.columns.items():
            types = ", ".join(f"'{name}': '{DUCKDB_TYPES[kind]}'" for name, kind in columns)
            command.append(f"CREATE TABLE {table} AS SELECT * FROM read_csv("
                           f"'{tables.path(table)}', auto_detect = false, header = false,"
                           f" delim = ',', quote = '\"', columns = {{{types}}})")
        return [*command, "CHECKPOINT"]

    def command(self, database, *statements):
        return [self.program, self.library, database, *statements]

    def query_command(self, database, sql):
        return self.command(database, "SET integer_division = true", sql)

    def version(self):
        return answer(self.command(":memory:", "SELECT version()"))[0]


class Script:
    """A researcher's script, in the distribution's Python: others may be built without optimization."""

    name = "Python"

    def __init__(self, folder):
        self.folder = folder
        self.python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else "python3"

    def import_command(self, database, log, script):
        return [self.python, os.path.join(self.folder, script), log, database]

    def pandas_version(self):
        """None if it is not installed."""
        try:
            return answer([self.python, "-c", "import pandas; print(pandas.__version__)"])[0]
        except Failed:
            return None


class Floor:
    name = "floor"

    def __init__(self, program, schema):
        self.program = program
        self.schema = schema

    def import_command(self, database, source, tables):
        return [self.program, database, source, self.schema, *tables.events]


def version_of(program):
    if shutil.which(program) is None:
        raise Failed(f"{program} is not installed")
    return answer([program, "--version"])[0]
