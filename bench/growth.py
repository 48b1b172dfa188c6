"""Measures how the processor time of each report grows with the log.

    growth.py --tracetool PROGRAM --tools FOLDER --work FOLDER [--events N] [--rounds N] [--only SHAPE]

Logs of strace in four shapes (generate_strace.c) and of blkparse in two (generate_io.c: requests that do not
complete, at few and at many sectors), with a hundredth, a tenth and all of the events. Measures the least
processor time of N runs of each report, in each form that `tracetool reports` lists. The exponent k is that of a +
b·n^k, fitted to the three times; it exists if the largest log takes more than 0.1 s. Above 1.15 a report is
marked, and the status is 1: its time grows faster than the log. If only the largest log lacks a rollup (with too
many rows), a fast report becomes a scan: a step, which has no exponent. growth.md in the work folder is the table
of README.md.
"""
import itertools
import math
import os
import sqlite3
import sys
from contextlib import closing

from every import forms, make_database, run_report
from measuring import read_options, say
from tables import table

SHAPES = {"strace": "calls", "strace-different": "calls", "strace-equal": "calls", "strace-processes": "calls",
          "blkparse-hot": "io", "blkparse-different": "io"}  # and kind of the traces
LIMIT = 1.15
SHORT = 0.1  # seconds; shorter runs have no exponent
SHOWN = 1  # smallest exponent in the table
NOTHING = 0.02  # seconds; limit of the increase for a log ten times as long, if the report uses a rollup
STEP = "a rollup less"


def exponent(times):
    """Exponent for three logs, each ten times as long as the previous one."""
    first, second, third = times
    if third < SHORT or third <= second:
        return None
    return math.log10((third - second) / max(second - first, 0.001))


def rollups_of(path):
    with closing(sqlite3.connect(path)) as db:
        return set(" ".join(rollups for rollups, in db.execute("SELECT rollups FROM trace")).split())


def mark_of(times, grows, stepped):
    """`stepped`: the largest log lacks a rollup that the previous one has."""
    if grows is None or grows <= LIMIT:
        return ""
    return STEP if stepped and times[1] - times[0] < NOTHING else "faster than the log"


def times_of(options, paths, form):
    """Least time on each database; None if the report is refused."""
    runs = [run_report(options, path, form) for path in paths]
    return None if None in runs else [min(run.processor for run in each) for each in runs]


def measure_shape(options, shape, kind):
    """Of the import and of each report: name, seconds for the largest log, exponent and mark."""
    made = [make_database(options, shape, events) for events in
            (options.events // 100, options.events // 10, options.events)]
    paths = [path for path, _ in made]
    stepped = bool(rollups_of(paths[1]) - rollups_of(paths[2]))
    imports = ("import", [run.processor for _, run in made])
    reports = ((" ".join(form), times_of(options, paths, form)) for form in forms(options.tracetool, kind))
    for name, times in itertools.chain([imports], reports):
        if times is not None:
            grows = exponent(times)
            yield name, times[2], grows, mark_of(times, grows, stepped)
    for path in paths:
        os.unlink(path)


def write_table(options, rows):
    """The reports with the largest exponents."""
    fitted = sorted((row for row in rows if row[3] is not None), key=lambda row: -row[3])
    marked = sum(row[4] not in ("", STEP) for row in fitted)
    lines = [f"{len(rows)} forms on {len({row[0] for row in rows})} logs of {options.events} events;"
             f" {len(fitted)} of them take more than {SHORT} s, {marked} grow faster than the log (exponent above"
             f" {LIMIT}). The least of {options.rounds} runs. The table has exponents above {SHOWN}.", ""]
    lines += table(["log", "report", "seconds", "exponent", ""],
                   [[shape, f"`{name}`", f"{seconds:.2f}", "–" if mark == STEP else f"{grows:.2f}", mark]
                    for shape, name, seconds, grows, mark in fitted if grows > SHOWN])
    with open(os.path.join(options.work, "growth.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return marked


def main():
    options = read_options(__doc__, "only")
    rows = []
    print("shape\treport\tseconds\texponent\tmark")
    for shape, kind in SHAPES.items():
        if options.only not in (None, shape):
            continue
        for name, seconds, grows, mark in measure_shape(options, shape, kind):
            rows.append((shape, name, seconds, grows, mark))
            print(f"{shape}\t{name}\t{seconds:.2f}\t{'' if grows is None else f'{grows:.2f}'}\t{mark}", flush=True)
    marked = write_table(options, rows)
    say(f"growth: {marked} grow faster than the log")
    sys.exit(marked > 0)


if __name__ == "__main__":
    main()
