"""A table of every report: processor time and memory for a million calls, I/Os and spans.

    reports.py --tracetool PROGRAM --tools DIRECTORY --work DIRECTORY [--events EVENTS] [--rounds N] [--only KIND]

Logs of strace (calls), of MOST (I/Os: its binary form, for what needs queue and dispatch its text) and of dwTrace
(spans). Of each report, in each form that `tracetool reports` lists, the least processor time of N runs and the largest
memory. A report above 0.3 s a million events is marked.
"""
import argparse
import os

from growth import forms
from measuring import Failed, Measure, say

LOGS = {"strace": "calls", "most-binary": "io", "most": "io", "dwtrace": "spans"}
LIMIT = 0.3  # seconds a million events


def database(options, measure, log):
    """Made once, and kept for the next run."""
    path = os.path.join(options.work, f"{log}-{options.events}.db")
    if not os.path.exists(path):
        text = os.path.join(options.work, f"{log}.log")
        measure.run([os.path.join(options.tools, "generate"), log, str(options.events)], text)
        measure.run([options.tracetool, "-q", "-d", path + ".new", "import", text])
        os.unlink(text)
        os.rename(path + ".new", path)
    return path


def took(options, measure, path, form):
    """The least time and the largest memory; None where the report is refused."""
    try:
        runs = [measure.run([options.tracetool, "-q", "-d", path, "report", *form, "--format", "tsv"])
                for _ in range(options.rounds)]
    except Failed as refused:
        say(f"reports: {refused}")
        return None
    return min(run.processor for run in runs), max(run.peak for run in runs)


def main():
    parser = argparse.ArgumentParser()
    for name in ("tracetool", "tools", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--events", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    measure = Measure(os.path.join(options.tools, "measure"), options.work)
    print("| report | of | seconds | MB | |\n| --- | --- | ---: | ---: | --- |")
    for log, kind in LOGS.items():
        if options.only not in (None, log, kind):
            continue
        path = database(options, measure, log)
        for form in forms(options.tracetool, kind):
            figures = took(options, measure, path, form)
            if figures is not None:
                slow = figures[0] * 1000000 / options.events > LIMIT
                print(f"| `{' '.join(form)}` | {log} | {figures[0]:.2f} | {figures[1] / 1e6:.0f} |"
                      f" {'above 0.3' if slow else ''} |", flush=True)


main()
