"""Measures the cost of a database of many small traces, by command.

    many_traces.py --tracetool build/tracetool --measure build/bench/measure --work FOLDER [--traces 10000]

Databases with a quarter, half and all of so many traces of 50 events each: MOST's text. For reports `--by-trace`
also hard links of the smallest shipped log of each other kind. Prints tables of processor seconds, and the time
per trace in addition to a command's fixed time. The status is 1 if a command takes more than LIMIT per trace, or
grows faster than the number of traces.
"""
import argparse
import os
import shutil
import subprocess
import sys

from measuring import Failed, Measure, answer, say

EVENTS = 50
LIMIT = 0.001  # processor seconds per trace, by report or check
STEEP = 1.35   # ratio to the time per trace with a quarter of them; more is not noise
LEAST = 0.4    # seconds; the growth of shorter times is not checked

# Logs of the other kinds of traces, with about as many events, from the top folder.
OTHER_KINDS = {
    "calls": "testdata/palmist/ok/small.raw",
    "spans": "testdata/rmp/ok/session.rmp",
    "samples": "testdata/samples/ok/small.smp",
    "results": "testdata/mobibench/ok/IO_Latency.txt",
}


def write_logs(folder, count):
    """MOST's text; all logs differ."""
    os.makedirs(folder)
    for number in range(count):
        with open(os.path.join(folder, f"t{number}"), "w", encoding="ascii") as log:
            for i in range(EVENTS):
                log.write(f"{number + i // 10}.{i % 10}0000{i:04}\tC\t{'RW'[i * number % 2]}\t{8 * (i * i * 7 + number)}\t"
                          f"{8 << i % 4}\t{100 + i % 5}\tprocess{i % 5}\t{'DMJ'[i % 3]}\tfile{i % 11}.db\n")


def link_logs(folder, log, count):
    os.makedirs(folder)
    for number in range(count):
        os.link(log, os.path.join(folder, f"t{number}"))


class Fleet:
    """A database of so many traces."""

    def __init__(self, bench, folder, count):
        self.bench, self.count, self.folder = bench, count, folder
        self.path = os.path.join(folder, "traces.db")

    def command(self, *words):
        return [self.bench.tracetool, "-q", "-d", self.path, *words]

    def seconds(self, *words, output=os.devnull):
        return self.bench.measure.run(self.command(*words), output).processor

    def fill(self):
        """Imports all logs in one process."""
        names = [f"t{number}" for number in range(self.count)]
        logs = os.path.join(self.folder, "logs")
        run = self.bench.measure.run(
            ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", logs, *self.command("import", "--again", *names)])
        return run.processor


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


class Bench:
    def __init__(self, options):
        self.tracetool = os.path.abspath(options.tracetool)
        self.work = os.path.abspath(options.work)
        fresh(self.work)
        os.environ["HOME"] = self.work
        self.measure = Measure(os.path.abspath(options.measure), self.work)
        self.counts = [options.traces // 4, options.traces // 2, options.traces]
        self.bad = []

    def fleets(self, name, make_logs):
        """Makes a database of each size; with the times."""
        made, taken = [], []
        for count in self.counts:
            say(f"{name}: {count} traces")
            folder = fresh(os.path.join(self.work, f"{name}-{count}"))
            make_logs(os.path.join(folder, "logs"), count)
            made.append(Fleet(self, folder, count))
            taken.append(made[-1].fill())
        return made, taken

    def row(self, what, seconds, judged=True, each=True):
        """Prints a line of a table, and records violations of goals."""
        share = (seconds[-1] - seconds[0]) / (self.counts[-1] - self.counts[0])
        growth = (seconds[2] - seconds[1]) / max(1e-9, 2 * (seconds[1] - seconds[0]))
        if judged and share > LIMIT:
            self.bad.append(f"{what}: {1000 * share:.2f} ms a trace")
        if seconds[-1] > LEAST and growth > STEEP:
            self.bad.append(f"{what}: the second half takes {growth:.2f} times what the first does")
        figures = " | ".join(f"{value:.2f}" for value in seconds)
        print(f"| {what} | {figures} | {1000 * share:.2f} |" if each else f"| {what} | {figures} | |")
        sys.stdout.flush()

    def head(self, title):
        print(f"\n| {title} | " + " | ".join(f"{count:,}" for count in self.counts) + " | ms a trace |")
        print("| --- |" + " ---: |" * 4)


def reports_of(fleet, kind):
    rows = answer(fleet.command("reports", "--format", "tsv"))
    found = []
    for line in rows:
        fields = line.split("\t")
        if not line.startswith("#") and kind in fields[1].split(", ") and fields[0] not in found:
            found.append(fields[0])
    return found


def measure_reports(bench, kind, fleets):
    for report in reports_of(fleets[0], kind):
        try:
            seconds = [fleet.seconds("report", report, "--by-trace", "--format", "tsv") for fleet in fleets]
        except Failed:
            continue  # it needs more than a trace, or data that these traces lack
        bench.row(f"`report {report} --by-trace` ({kind})", seconds)


def other(fleet):
    """Another database with one trace, for merging."""
    path = os.path.join(fleet.folder, "other.db")
    log = os.path.join(fleet.folder, "other.po")
    with open(log, "w", encoding="ascii") as file:
        file.write("1.000000000\tC\tR\t8\t8\t1\tp\tD\tone-more\n")
    subprocess.run([fleet.bench.tracetool, "-q", "-d", path, "import", "-n", "other", log], check=True)
    return path, log


def completed(fleet):
    """The completions for TAB after -t."""
    script = os.path.join(os.path.dirname(fleet.bench.tracetool), "completions", "tracetool.bash")
    words = f'. {script}; COMP_WORDS=(tracetool -d {fleet.path} show t1) COMP_CWORD=4; _tracetool; echo "${{#COMPREPLY[@]}}"'
    path = os.path.join(fleet.folder, "completed")
    environment = f"PATH={os.path.dirname(fleet.bench.tracetool)}:{os.environ['PATH']}"
    run = fleet.bench.measure.run(["env", environment, "bash", "--norc", "-c", words], path)
    with open(path, encoding="ascii") as file:
        if int(file.read()) < 2:
            raise Failed("nothing was completed")
    return run.processor


def commands(fleet):
    """All other commands: name, words, and whether they read each trace."""
    path, log = other(fleet)
    symbols = os.path.join(fleet.folder, "symbols.yaml")
    with open(symbols, "w", encoding="ascii") as file:
        file.write("file_types:\n  picture: [db]\n")
    made = os.path.join(fleet.folder, "made")
    third = fleet.count // 3
    return [
        ("`import` of one more", False, ["import", "-n", "one-more", log]),
        ("`import --append` to one", False, ["import", "--append", "-n", "one-more", "--again", log]),
        ("`traces`", False, ["traces"]),
        ("`show TRACE`", False, ["show", "t7"]),
        ("`report summary -t TRACE`", False, ["report", "summary", "-t", "t7"]),
        ("`report rw --from 1 -t TRACE`", False, ["report", "rw", "--from", "1", "-t", "t7"]),
        ("`report summary`, of all together", True, ["report", "summary"]),
        ("`report rw --from 0.1`, of all together", True, ["report", "rw", "--from", "0.1"]),
        ("`report latency`, of all together", True, ["report", "latency"]),
        ("`compare A B`", False, ["compare", "t7", "t8"]),
        ("`compare A B rw`", False, ["compare", "t7", "t8", "rw"]),
        ("`compare A… rw --with B…`, a third with a third", True,
         ["compare", *[f"t{i + 20}" for i in range(third)],
      *[word for i in range(third) for word in ("--with", f"t{i + 20 + third}")], "rw"]),
        ("`page -t TRACE`", False, ["page", "-t", "t7", "--no-plots", "-o", made + ".1.html"]),
        ("`page`, of all together", True, ["page", "--no-plots", "-o", made + ".2.html"]),
        ("`name TRACE`", False, ["name", "t7", "--symbols", symbols]),
        ("`rename TRACE`", False, ["rename", "t8", "t8-renamed"]),
        ("`dump -t TRACE`", False, ["dump", "-t", "t7"]),
        ("`export TRACE --as csv`", False, ["export", "t7", "--as", "csv", "-o", made + ".csv"]),
        ("`check -t TRACE`", False, ["check", "-t", "t7"]),
        ("`check`", True, ["check"]),
        ("`remove TRACE`", False, ["remove", "one-more"]),
        ("`merge` with another", True, ["merge", fleet.path, path, "-o", made + ".merged.db"]),
        ("`pseudonymise`", True, ["pseudonymise", "-o", made + ".pseudonyms.db"]),
    ]


def measure_commands(bench, fleets):
    lists = [commands(fleet) for fleet in fleets]
    for rows in zip(*lists):
        what, each, _ = rows[0]
        words = [row[2] for row in rows]
        try:
            if words[0][0] == "merge":  # it makes its own databases
                seconds = [bench.measure.run([bench.tracetool, "-q", *line]).processor for line in words]
            else:
                seconds = [fleet.seconds(*line) for fleet, line in zip(fleets, words)]
        except Failed as failed:
            bench.bad.append(f"{what}: {failed}")
            continue
        bench.row(what, seconds, judged=each, each=each)
    bench.row("completion of a trace's name (bash)", [completed(fleet) for fleet in fleets], False, False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tracetool", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--traces", type=int, default=10000)
    parser.add_argument("--kinds", nargs="*", default=sorted(OTHER_KINDS))
    parser.add_argument("--without-reports", action="store_true", help="of traces of block I/O")
    options = parser.parse_args()
    bench = Bench(options)
    fleets, taken = bench.fleets("io", write_logs)
    bench.head(f"traces of {EVENTS} events of block I/O")
    bench.row("`import` of all files", taken, judged=False)
    measure_commands(bench, fleets)
    if not options.without_reports:
        measure_reports(bench, "io", fleets)
    for kind in options.kinds:
        log = os.path.join(bench.work, kind)
        shutil.copy(OTHER_KINDS[kind], log)
        fleets, taken = bench.fleets(kind, lambda folder, count, log=log: link_logs(folder, log, count))
        bench.head(f"traces of {kind}")
        bench.row("`import` of all files", taken, judged=False)
        measure_reports(bench, kind, fleets)
        for fleet in fleets:
            shutil.rmtree(fleet.folder)
    for line in bench.bad:
        print(f"does not keep to the goals: {line}")
    return 1 if bench.bad else 0


if __name__ == "__main__":
    sys.exit(main())
