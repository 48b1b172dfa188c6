#!/usr/bin/env python3
"""Works out from the lines of a log alone what the reports on time and kinds of workload must say.

    tests/over_time.py log SEED                   prints a log of MSR Cambridge with some hundred I/Os
    tests/over_time.py REPORT FILE [NAME=VALUE…]  prints the rows of that report over such a log

It is brute force by the definitions of the manual, and shares nothing with the program.
"""
import collections
import random
import sys
from fractions import Fraction

IO = collections.namedtuple("IO", "start end write address size disk")  # times in nanoseconds


def log(seed):
    chance = random.Random(int(seed))
    time = 128166372003061629
    pages = chance.choice((6, 40, 300))
    for _ in range(chance.randrange(1, 400)):
        time += chance.choice((0, 1, 7, 1000, 1000, 50000, 3000000))
        start = chance.randrange(pages) * 8 + chance.choice((0, 0, 0, 1, 5))
        sectors = chance.choice((1, 4, 8, 8, 8, 16, 24, 64))
        print(time, "srv", chance.choice((0, 0, 1)), chance.choice(("Read", "Write")), start * 512,
              sectors * 512, chance.choice((0, 10, 300, 90000, 4000000)), sep=",")


def read(path):
    """The I/Os in order of completion, times since the first issue."""
    ios = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            time, _, disk, direction, address, size, response = line.split(",")
            start = int(time) * 100
            ios.append(IO(start, start + int(response) * 100, direction == "Write", int(address),
                          int(size), disk))
    first = min(io.start for io in ios)
    ios = [io._replace(start=io.start - first, end=io.end - first) for io in ios]
    return sorted(ios, key=lambda io: io.end)


def rounded(number):
    """Half away from 0, of what is not negative."""
    return int(number + Fraction(1, 2))


def real(number):
    """Six decimals, as printf has them of the nearest double."""
    return "%.6f" % float(number)


def duration(ios):
    times = [io.end - io.start for io in ios]
    return (rounded(Fraction(sum(times), len(times))), max(times)) if times else ("", "")


def lengths():
    for power in range(0, 11):
        for digit in (1, 2, 5):
            if digit * 10**power <= 20 * 10**9:
                yield digit * 10**power
    for seconds in (60, 300, 900, 3600, 21600, 86400):
        yield seconds * 10**9


def intervals(ios, given):
    """How long they are, and the numbers of all of them. The time begins with the first issue."""
    last = max(io.end for io in ios)
    length = int(Fraction(given) * 10**9) if given else \
        next(length for length in lengths() if last // length < 500)
    return length, range(0, last // length + 1)


def rate(ios, interval=""):
    length, numbers = intervals(ios, interval)
    second = Fraction(length, 10**9)
    for number in numbers:
        begin, end = number * length, (number + 1) * length
        here = [io for io in ios if begin <= io.end < end]
        flight = sum(max(0, min(io.end, end) - max(io.start, begin)) for io in ios)
        moved = [sum(io.size for io in here if io.write == write) for write in (False, True)]
        writes = sum(io.write for io in here)
        yield ("%d.%09d" % divmod(begin, 10**9), len(here), real(len(here) / second),
               len(here) - writes, writes, *moved, *(rounded(b / second) for b in moved),
               *duration(here), real(Fraction(flight, length)))


def rate_by_class(ios, interval=""):
    length, numbers = intervals(ios, interval)
    second = Fraction(length, 10**9)
    writes = sum(io.write for io in ios)
    order = sorted((False, True), key=lambda write: (-(writes if write else len(ios) - writes), write))
    for number in numbers:
        for write in order:
            here = [io for io in ios if io.end // length == number and io.write == write]
            if here:
                size = sum(io.size for io in here)
                yield ("%d.%09d" % divmod(number * length, 10**9), "write" if write else "read",
                       len(here), real(len(here) / second), size, rounded(size / second),
                       *duration(here))


REPORTS = {function.__name__.replace("_", "-"): function for function in (rate, rate_by_class)}

if __name__ == "__main__":
    if sys.argv[1] == "log":
        log(sys.argv[2])
    else:
        options = dict(word.split("=", 1) for word in sys.argv[3:])
        for row in REPORTS[sys.argv[1]](read(sys.argv[2]), **options):
            print(*row, sep="\t")
