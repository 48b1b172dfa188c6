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


def references(ios, unit=4096, by_start=False):
    """Every page of every read and write, in order of completion."""
    for io in ios:
        last = io.address if by_start else io.address + io.size - 1
        for page in range(io.address // unit, last // unit + 1):
            yield io, (io.disk, page)


def distances(pages):
    """Of each reference, the different pages since the last one to its page; None for the first."""
    for place, page in enumerate(pages):
        before = [i for i in range(place) if pages[i] == page]
        yield len(set(pages[before[-1] + 1:place])) if before else None


def reuse(ios, unit="4096", sizes="", by_start=""):
    refs = list(references(ios, int(unit), bool(by_start)))
    found = list(distances([page for _, page in refs]))
    distinct = len({page for _, page in refs})
    reads = sum(not io.write for io, _ in refs)
    wanted = sorted(int(size) for size in sizes.split(",")) if sizes else \
        [2**i for i in range(40) if 2**i < distinct] + [distinct]
    for size in wanted:
        hit = [io for (io, _), distance in zip(refs, found) if distance is not None and distance < size]
        read_hits = sum(not io.write for io in hit)
        yield (size, size * int(unit), len(hit), real(1 - Fraction(len(hit), len(refs))),
               real(1 - Fraction(read_hits, reads)) if reads else "")


def workingset(ios):
    pages = [page for _, page in references(ios)]
    window = 1
    while window < 2 * len(pages):
        sets = sum(len(set(pages[max(0, i + 1 - window):i + 1])) for i in range(len(pages)))
        mean = Fraction(sets, len(pages))
        yield window, real(mean), real(mean * 4096)
        window *= 2


def rewrites(ios):
    refs = list(references(ios))
    times = collections.defaultdict(list)
    before, written = {}, {}
    for io, page in refs:
        if page in before:
            names = {(0, 0): "RAR", (0, 1): "RAW", (1, 0): "WAR", (1, 1): "WAW"}
            times[names[io.write, before[page].write]].append(io.end - before[page].end)
        if io.write:
            if page in written:
                times["update"].append(io.end - written[page])
            written[page] = io.end
        before[page] = io
    writes = sum(io.write for io, _ in refs)
    for name in ("RAW", "WAW", "WAR", "RAR", "update"):
        of = writes if name == "update" else len(refs)
        found = times[name]
        yield (name, len(found), real(Fraction(len(found), of)) if of else "",
               *((min(found), rounded(Fraction(sum(found), len(found))), max(found)) if found
                 else ("", "", "")))


def footprint(ios):
    used = {page for _, page in references(ios)}
    read = {page for io, page in references(ios) if not io.write}
    written = {page for io, page in references(ios) if io.write}
    for name, pages in (("used", used), ("read", read), ("written", written), ("both", read & written)):
        yield name, len(pages), len(pages) * 4096, real(Fraction(len(pages), len(used)))


REPORTS = {function.__name__.replace("_", "-"): function for function in (
    rate, rate_by_class, reuse, workingset, rewrites, footprint)}

if __name__ == "__main__":
    if sys.argv[1] == "log":
        log(sys.argv[2])
    else:
        options = dict(word.split("=", 1) for word in sys.argv[3:])
        for row in REPORTS[sys.argv[1]](read(sys.argv[2]), **options):
            print(*row, sep="\t")
