#!/usr/bin/env python3
"""Computes the report `results` from lines of Mobibench files.

    mobibench_results.py FILE…
"""
import decimal
import math
import re
import sys

MODES = ["write", "random write", "read", "random read", "append"]
RATES = {"B/sec": "throughput", "KB/sec": "throughput", "MB/sec": "throughput", "KB/s": "throughput",
         "IOPS": "I/Os", "IOPS(4KB)": "I/Os", "Transactions/sec": "transactions"}


def values_of(line):
    """Measure, unit and value of each figure in a line."""
    if match := re.fullmatch(r"(\d+)\tusec", line):
        yield "latency", "usec", match[1]
    elif match := re.fullmatch(r"([\d.]+) (IOPS|KB/s)", line):
        yield RATES[match[2]], match[2], match[1]
    elif match := re.match(r"\[CPU\] : Active,Idle,IoWait : (\S+) (\S+) (\S+)$", line):
        for name, value in zip(("active", "idle", "waiting for I/O"), match.groups()):
            yield f"CPU {name}", "", value
    elif match := re.match(r"\[TIME\] : *(\d+) sec (\d{6})us\.(.*)$", line):
        yield "time", "sec", f"{match[1]}.{match[2]}"
        for value, unit in re.findall(r"([\d.]+) ([A-Za-z/]+(?:\(4KB\))?)", match[3]):
            yield RATES[unit], unit, value


def main(paths):
    rows, run = {}, 0
    for path in paths:
        test, fresh = "", True
        with open(path, encoding="ascii", newline="\n") as file:
            for line in file.read().replace("\r", "\n").split("\n"):
                line = line.strip()
                if match := re.fullmatch(r"#In (\d) IO mode and (\d+) sync mode", line):
                    test, run, fresh = f"{MODES[int(match[1])]}, sync mode {match[2]}", run + 1, False
                for measure, unit, value in values_of(line):
                    run, fresh = run + fresh, False
                    rows.setdefault((test, run, measure, unit), []).append(decimal.Decimal(value))
    for (test, number, measure, unit), values in rows.items():
        values.sort()
        ranks = [values[math.ceil(part * len(values) / 100) - 1] for part in (50, 90, 99)]
        figures = [sum(values) / len(values), values[0], *ranks, values[-1]]
        print(test, number, measure, unit, len(values), *(f"{float(value):.6f}" for value in figures), sep="\t")


main(sys.argv[1:])
