"""How the processor time of each report grows with the log.

    growth.py --tracetool PROGRAM --tools FOLDER --work FOLDER [--events N] [--rounds N] [--only SHAPE]

Logs of strace in four shapes (generate_strace.c) and of blkparse in two (generate_io.c: requests that do not complete,
at few sectors and at many), of a hundredth, a tenth and all of the events. Of each report, in each form that
`tracetool reports` lists, the least processor time of N runs. The exponent k is that of a + b·n^k, by the three times;
there is one where the largest log takes more than 0.1 s. Above 1.15 a report is marked, and the status is 1: its time
grows faster than the log. growth.md of the work folder is the table of README.md.
"""
import math
import os
import sys

from every import forms, make_database, run_report
from measuring import read_options, say
from tables import table

SHAPES = {"strace": "calls", "strace-different": "calls", "strace-equal": "calls", "strace-processes": "calls",
          "blkparse-hot": "io", "blkparse-different": "io"}  # and the kind of the traces
LIMIT = 1.15
SHORT = 0.1  # seconds; a shorter run has no exponent
SHOWN = 1  # the table has those above this exponent


def exponent(times):
    """That of three logs, each ten times as long as the one before."""
    first, second, third = times
    if third < SHORT or third <= second:
        return None
    return math.log10((third - second) / max(second - first, 0.001))


def times_of(options, paths, form):
    """The least of each database; None where the report is refused."""
    runs = [run_report(options, path, form) for path in paths]
    return None if None in runs else [min(run.processor for run in each) for each in runs]


def measure_shape(options, shape, kind):
    """Of the import and of each report: its name, and the times of three logs."""
    made = [make_database(options, shape, events) for events in
            (options.events // 100, options.events // 10, options.events)]
    paths = [path for path, _ in made]
    yield "import", [run.processor for _, run in made]
    for form in forms(options.tracetool, kind):
        times = times_of(options, paths, form)
        if times is not None:
            yield " ".join(form), times
    for path in paths:
        os.unlink(path)


def write_table(options, rows):
    """Of those that have an exponent, the largest ones."""
    fitted = sorted((row for row in rows if row[3] is not None), key=lambda row: -row[3])
    marked = sum(row[3] > LIMIT for row in fitted)
    lines = [f"{len(rows)} forms on {len({row[0] for row in rows})} logs of {options.events} events;"
             f" {len(fitted)} of them take more than {SHORT} s, {marked} have an exponent above {LIMIT}. The least of"
             f" {options.rounds} runs. The table has exponents above {SHOWN}.", ""]
    lines += table(["log", "report", "seconds", "exponent", ""],
                   [[shape, f"`{name}`", f"{seconds:.2f}", f"{grows:.2f}", "**faster than the log**" * (grows > LIMIT)]
                    for shape, name, seconds, grows in fitted if grows > SHOWN])
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
        for name, times in measure_shape(options, shape, kind):
            grows = exponent(times)
            rows.append((shape, name, times[2], grows))
            print(f"{shape}\t{name}\t{times[2]:.2f}\t{'' if grows is None else f'{grows:.2f}'}\t"
                  f"{'faster than the log' if grows is not None and grows > LIMIT else ''}", flush=True)
    marked = write_table(options, rows)
    say(f"growth: {marked} grow faster than the log")
    sys.exit(marked > 0)


if __name__ == "__main__":
    main()
