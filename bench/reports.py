"""Measures processor time and memory of every report, for a million calls, I/Os and spans.

    reports.py --tracetool PROGRAM --tools FOLDER --work FOLDER [--events N] [--rounds N] [--only LOG]

Logs of strace (calls), of MOST (I/Os: binary; as text for queue and dispatch), of dwTrace (spans), of scheduler
events in ftrace (states), and of these with calls (waits: for why, chain and blame alone). Measures the least processor time of N runs, and the peak memory, of each report in each
form that `tracetool reports` lists. Reports above 0.3 s per million events are marked; reports.md in the work
folder lists them for README.md.
"""
import os

from every import forms, make_database, run_report
from measuring import read_options
from tables import table

LOGS = {"strace": "calls", "most-binary": "io", "most": "io", "dwtrace": "spans", "sched": "states", "waits": "calls"}
ONLY = {"waits": ("why", "chain", "blame")}
LIMIT = 0.3  # seconds per million events
HEADS = ["log", "report", "seconds", "MB"]


def measure_log(options, log, kind):
    """Of each report: its name, the least time and the peak memory."""
    path, _ = make_database(options, log, options.events)
    for form in forms(options.tracetool, kind):
        if form[0] not in ONLY.get(log, form):
            continue
        runs = run_report(options, path, form)
        if runs is not None:
            yield " ".join(form), min(run.processor for run in runs), max(run.peak for run in runs) / 1e6
    os.unlink(path)


def write_table(options, rows):
    limit = LIMIT * options.events / 1000000
    slow = [row for row in rows if row[2] > limit]
    order = list(LOGS)
    slow.sort(key=lambda row: (order.index(row[0]), -row[2]))
    lines = [f"Of {len(rows)} report forms on {len({row[0] for row in rows})} logs of {options.events} records,"
             f" {len(slow)} take more than {limit:g} s of processor time (the least of {options.rounds} runs).", ""]
    lines += table(HEADS, [[log, f"`{name}`", f"{seconds:.2f}", f"{size:.0f}"] for log, name, seconds, size in slow])
    with open(os.path.join(options.work, "reports.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    options = read_options(__doc__, "only")
    rows = []
    print("\t".join([*HEADS, "mark"]))
    for log, kind in LOGS.items():
        if options.only not in (None, log):
            continue
        for name, seconds, size in measure_log(options, log, kind):
            rows.append((log, name, seconds, size))
            print(f"{log}\t{name}\t{seconds:.2f}\t{size:.0f}\t"
                  f"{'above the limit' if seconds * 1000000 / options.events > LIMIT else ''}", flush=True)
    write_table(options, rows)


main()
