"""How the processor time of each report grows with the log.

    growth.py --tracetool PROGRAM --tools DIRECTORY --work DIRECTORY [--most EVENTS] [--rounds N]

Logs of strace in four shapes (generate_strace.c) and of blkparse in two (generate_io.c: requests that do not complete,
at few sectors and at many), of a hundredth, a tenth and all of EVENTS events. Of each report, in each form that `tracetool reports` lists, the least processor time of N runs. The exponent k is that of a + b·n^k, by
the three times; it is printed where the largest log takes more than 0.1 s. Above 1.15 a report is marked, and the status
is 1: its time grows faster than the log.
"""
import argparse
import math
import os
import sys

from measuring import Failed, Measure, answer, say

SHAPES = {"strace": "calls", "strace-different": "calls", "strace-equal": "calls", "strace-processes": "calls",
          "blkparse-hot": "io", "blkparse-different": "io"}  # and the kind of the traces
LIMIT = 1.15
SHORT = 0.1  # seconds; a shorter run has no exponent


def forms(tracetool, kind):
    """The reports on a kind of trace with their options, each once."""
    found = {}
    for line in answer([tracetool, "reports", "--format", "tsv"]):
        name, kinds, when = line.split("\t")[:3]
        words = when.removesuffix(" (default)").split()
        if kind in kinds.split() and (not words or len(words) == 2 or words[0] in ("--cdf", "--histogram")):
            found[(name, *words)] = [name, *words]
    return list(found.values())


def exponent(times):
    """That of three logs, each ten times as long as the one before."""
    first, second, third = times
    if third < SHORT or third <= second:
        return None
    return math.log10((third - second) / max(second - first, 0.001))


def databases(options, measure, shape):
    """A database of each of three lengths, and what the imports took."""
    paths, took = [], []
    for events in (options.most // 100, options.most // 10, options.most):
        log = os.path.join(options.work, f"{shape}-{events}.log")
        path = os.path.join(options.work, f"{shape}-{events}.db")
        for old in (log, path):
            if os.path.exists(old):
                os.unlink(old)
        measure.run([os.path.join(options.tools, "generate"), shape, str(events)], log)
        took.append(measure.run([options.tracetool, "-q", "-d", path, "import", log]).processor)
        os.unlink(log)
        paths.append(path)
    return paths, took


def times_of(options, measure, paths, form):
    """The least of each database; None where the report is refused."""
    try:
        return [min(measure.run([options.tracetool, "-q", "-d", path, "report", *form, "--format", "tsv"]).processor
                    for _ in range(options.rounds)) for path in paths]
    except Failed as refused:
        say(f"growth: {refused}")
        return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("tracetool", "tools", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--most", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    measure = Measure(os.path.join(options.tools, "measure"), options.work)
    marked = 0
    print("shape\treport\tseconds\texponent\tmark")
    for shape, kind in SHAPES.items():
        paths, took = databases(options, measure, shape)
        rows = [("import", took)]
        rows += [(" ".join(form), times_of(options, measure, paths, form)) for form in forms(options.tracetool, kind)]
        for name, times in rows:
            if times is None:
                continue
            grows = exponent(times)
            fast = grows is not None and grows > LIMIT
            marked += fast
            print(f"{shape}\t{name}\t{times[2]:.2f}\t{'' if grows is None else f'{grows:.2f}'}\t"
                  f"{'faster than the log' if fast else ''}", flush=True)
        for path in paths:
            os.unlink(path)
    say(f"growth: {marked} grow faster than the log")
    sys.exit(marked > 0)


if __name__ == "__main__":
    main()
