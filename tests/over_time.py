#!/usr/bin/env python3
"""Computes reports on time and on workload characteristics from the lines of a log.

    tests/over_time.py log SEED   prints a log of MSR Cambridge with some hundred I/Os
    tests/over_time.py FILE       writes the rows of reports over such a log to wanted1.tsv and so on:
                                  of those on stdin, in lines of a name and NAME=VALUE…

Brute force by the definitions of the manual. Shares no code with the program.
"""
import collections
import math
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
    """I/Os in order of completion; times since the first issue."""
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
    """Rounds half up; for numbers that are not negative."""
    return int(number + Fraction(1, 2))


def real(number):
    """Formats with six decimals, like printf for the nearest double."""
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


def intervals(ios, given, most=500):
    """Length of the intervals, and all their indices. Time begins with the first issue."""
    last = max(io.end for io in ios)
    length = int(Fraction(given) * 10**9) if given else \
        next(length for length in lengths() if last // length < most)
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
    """For each reference, the number of distinct pages since the last one to its page; None for the first."""
    for place, page in enumerate(pages):
        before = [i for i in range(place) if pages[i] == page]
        yield len(set(pages[before[-1] + 1:place])) if before else None


def reuse(ios, unit="4096", sizes="", by_start="", cdf=""):
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
               real(1 - Fraction(read_hits, reads)) if reads else "",
               *([real(Fraction(len(hit), len(refs)))] if cdf else []))


def workingset(ios):
    pages = [page for _, page in references(ios)]
    window = 1
    while window < 2 * len(pages):
        sets = sum(len(set(pages[max(0, i + 1 - window):i + 1])) for i in range(len(pages)))
        mean = Fraction(sets, len(pages))
        yield window, real(mean), real(mean * 4096)
        window *= 2


def percentile(values, per_cent):
    """Nearest rank."""
    return sorted(values)[-(-len(values) * per_cent // 100) - 1]


def figures(values, *per_cents):
    return [percentile(values, per_cent) if values else "" for per_cent in per_cents]


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
                 else ("", "", "")), *figures(found, 50, 90, 99))


def footprint(ios):
    used = {page for _, page in references(ios)}
    read = {page for io, page in references(ios) if not io.write}
    written = {page for io, page in references(ios) if io.write}
    for name, pages in (("used", used), ("read", read), ("written", written), ("both", read & written)):
        yield name, len(pages), len(pages) * 4096, real(Fraction(len(pages), len(used)))


def footprint_windows(ios, window):
    """`ios` are in order of completion, at which they count; time begins with the first issue."""
    length = int(Fraction(window) * 10**9)
    seen = set()
    for number in range(max(io.end for io in ios) // length + 1):
        here = [(io, page) for io, page in references(ios) if io.end // length == number]
        pages = {page for _, page in here}
        yield ("%d.%09d" % divmod(number * length, 10**9), len(here), len(pages), len(pages - seen),
               len({page for io, page in here if io.write}), len(pages) * 4096)
        seen |= pages


def all_runs(ios, streams):
    """Runs by direction: number of I/Os and bytes of each."""
    runs = {False: [], True: []}
    open_runs = collections.defaultdict(list)  # by disk and direction, least recently used first
    for io in ios:
        mine = open_runs[io.disk, io.write]
        found = [i for i, run in enumerate(mine) if run[0] == io.address]
        number, size = mine.pop(found[-1])[1:] if found else (0, 0)
        if len(mine) == streams:
            runs[io.write].append(mine.pop(0)[1:])
        mine.append((io.address + io.size, number + 1, size + io.size))
    for (_, write), mine in open_runs.items():
        runs[write] += [run[1:] for run in mine]
    return runs


def runs(ios, streams="32"):
    for write, found in all_runs(ios, int(streams)).items():
        numbers, sizes = [run[0] for run in found], [run[1] for run in found]
        mean = real(Fraction(sum(numbers), len(numbers))) if found else ""
        yield ("write" if write else "read", sum(numbers), len(found), mean,
               *figures(numbers, 50, 90, 99, 100),
               rounded(Fraction(sum(sizes), len(sizes))) if found else "",
               *figures(sizes, 50, 90, 99, 100))


def runs_cdf(ios, streams="32"):
    for write, found in all_runs(ios, int(streams)).items():
        for power in range(20):
            length = 2**power
            here = [run for run in found if length / 2 < run[0] <= length]
            upto = [run for run in found if run[0] <= length]
            if here:
                yield ("write" if write else "read", length, len(here),
                       real(Fraction(len(upto), len(found))),
                       sum(run[0] for run in here),
                       real(Fraction(sum(run[0] for run in upto), sum(run[0] for run in found))),
                       sum(run[1] for run in here),
                       real(Fraction(sum(run[1] for run in upto), sum(run[1] for run in found))))


def seeks(ios):
    last, found = {}, []
    for io in ios:
        start, end = io.address // 512, (io.address + io.size) // 512
        if io.disk in last:
            first, behind = last[io.disk]
            if first <= start <= behind or first <= end <= behind:
                found.append((io.write, 0))
            else:
                found.append((io.write, start - behind if start > behind else first - start))
        last[io.disk] = (start, end)
    for name in ("read", "write", "all"):
        mine = [distance for write, distance in found if name in ("all", "write" if write else "read")]
        still = sum(distance == 0 for distance in mine)
        yield (name, len(mine), still, real(Fraction(still, len(mine))) if mine else "",
               real(Fraction(sum(mine), len(mine))) if mine else "", *figures(mine, 50, 90, 95, 99, 100))


def alignment(ios):
    for unit in (4096, 8192, 16384, 524288):
        start = sum(io.address % unit == 0 for io in ios)
        both = sum(io.address % unit == 0 and (io.address + io.size) % unit == 0 for io in ios)
        touched = head = tail = 0
        for io in ios:
            covered = collections.Counter(byte // unit for byte in
                                          range(io.address, io.address + io.size, 512))
            touched += unit * len(covered)
            if io.address % unit:
                head += 512 * covered.pop(io.address // unit)
            tail += sum(512 * sectors for sectors in covered.values() if 512 * sectors < unit)
        yield (unit, len(ios), start, real(Fraction(start, len(ios))), both,
               real(Fraction(both, len(ios))), real(Fraction(touched, sum(io.size for io in ios))),
               head, tail)


def fit_zipf(counts):
    """Exponent by bisection, its error, and the distance of the cumulative shares."""
    total = sum(counts)
    logs = [math.log(rank) for rank in range(1, len(counts) + 1)]
    wanted = math.fsum(count * log for count, log in zip(counts, logs)) / total

    def model(s):
        weights = [math.exp(-s * log) for log in logs]
        whole = math.fsum(weights)
        return [weight / whole for weight in weights]

    low, high = -1.0, 64.0
    for _ in range(100):
        s = (low + high) / 2
        mean = math.fsum(p * log for p, log in zip(model(s), logs))
        low, high = (s, high) if mean > wanted else (low, s)
    shares = model(s)
    mean = math.fsum(p * log for p, log in zip(shares, logs))
    variance = math.fsum(p * (log - mean) ** 2 for p, log in zip(shares, logs))
    seen = expected = distance = 0
    for count, share in zip(counts, shares):
        seen, expected = seen + count / total, expected + share
        distance = max(distance, abs(seen - expected))
    return abs(s), 1 / math.sqrt(total * variance), distance


def concentration(ios, unit="4096"):
    counts = sorted(collections.Counter(page for _, page in references(ios, int(unit))).values(),
                    reverse=True)
    total, number = sum(counts), len(counts)
    tops = [Fraction(sum(counts[:-(-number * part // 100)]), total) for part in (1, 10, 20)]
    gini = Fraction(sum(abs(a - b) for a in counts for b in counts), 2 * number * total)
    entropy = -math.fsum(count / total * math.log2(count / total) for count in counts)
    zipf = ["%.6f" % figure for figure in fit_zipf(counts)] if number > 1 else ["", "", ""]
    yield (number, total, *map(real, tops), real(gini), "%.6f" % abs(entropy), "%.6f" % 2**entropy, *zipf)


def burstiness(ios, window=""):
    times = [io.end for io in ios]
    gaps = [b - a for a, b in zip(times, times[1:])]
    cv = b = b_n = memory = ""
    if gaps and sum(gaps) > 0:
        mean = Fraction(sum(gaps), len(gaps))
        n, cv = len(gaps), math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) / mean
        b = real((cv - 1) / (cv + 1))
        if n > 1:
            b_n = real((math.sqrt(n + 1) * cv - math.sqrt(n - 1))
                       / ((math.sqrt(n + 1) - 2) * cv + math.sqrt(n - 1)))
        memory = correlation(gaps[:-1], gaps[1:])
    number = len(gaps)
    yield "CV", "", number, real(cv) if cv != "" else ""
    yield "B", "", number, b
    yield "B_n", "", number, b_n
    yield "M", "", max(number - 1, 0), memory
    for length in [window] if window else ["0.001", "0.01", "0.1", "1", "10", "60", "600", "3600"]:
        length = int(Fraction(length) * 10**9)
        whole = (times[-1] + 1) // length
        counts = [0] * whole
        for time in times:
            if time // length < whole:
                counts[time // length] += 1
        mean = Fraction(sum(counts), whole) if whole else 0
        yield ("IDC", length, whole, real(sum((count - mean) ** 2 for count in counts) / (whole - 1) / mean)
               if whole > 1 and mean > 0 else "")


def correlation(xs, ys):
    """Pearson correlation of integers; None if one side is constant."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return ""
    n = len(xs)
    product = n * sum(x * y for x, y in zip(xs, ys)) - sum(xs) * sum(ys)
    squares = [n * sum(x * x for x in of) - sum(of) ** 2 for of in (xs, ys)]
    return real(product / (math.sqrt(squares[0]) * math.sqrt(squares[1])))


def issues(ios):
    """I/Os in order of issue, with the number of others in flight, and the idle time before."""
    ios = sorted(ios, key=lambda io: (io.start, io.end))
    for place, io in enumerate(ios):
        depth = sum(other.end > io.start for other in ios[:place])
        yield io, depth, None if place == 0 else \
            0 if depth else io.start - max(other.end for other in ios[:place])


def depths(ios):
    """Number in flight between any two times with an event."""
    times = sorted({io.start for io in ios} | {io.end for io in ios})
    for begin, end in zip(times, times[1:]):
        yield begin, end, sum(io.start <= begin < io.end for io in ios)


def queue(ios, cdf=""):
    time, seen = collections.Counter(), collections.Counter()
    for begin, end, depth in depths(ios):
        time[depth] += end - begin
    for _, depth, _ in issues(ios):
        seen[depth] += 1
    total, cumulative = sum(time.values()), 0
    for depth in sorted(set(time) | set(seen)):
        cumulative += time[depth]
        yield (depth, time[depth], *(real(Fraction(t, total)) if total else "" for t in (time[depth], cumulative)),
               seen[depth], real(Fraction(seen[depth], len(ios))),
               *([real(Fraction(sum(seen[d] for d in seen if d <= depth), len(ios)))] if cdf else []))


def queue_timeline(ios, interval=""):
    length, numbers = intervals(ios, interval)
    parts = list(depths(ios))
    for number in numbers:
        begin, end = number * length, (number + 1) * length
        here = [(min(b, end) - max(a, begin), depth) for a, b, depth in parts
                if a < end and b > begin and depth]
        yield ("%d.%09d" % divmod(begin, 10**9),
               real(Fraction(sum(time * depth for time, depth in here), length)),
               max((depth for _, depth in here), default=0),
               real(Fraction(sum(time for time, _ in here), length)),
               sum(begin <= io.start < end for io in ios))


def percentiles(groups):
    for name in sorted(groups, key=lambda name: -1 if name is None else name):
        times = sorted(groups[name])
        yield ("" if name is None else name, len(times), times[0], rounded(Fraction(sum(times), len(times))),
               *(times[-(-part * len(times) // 1000) - 1] for part in (500, 900, 950, 990, 999)), times[-1])


def latency_cdf(ios):
    for name, write in (("read", False), ("write", True)):
        times = sorted(io.end - io.start for io in ios if io.write == write)
        for time in sorted(set(times)):
            yield name, len(times), time, real(Fraction(sum(t <= time for t in times), len(times)))


def latency_by_depth(ios):
    groups = collections.defaultdict(list)
    for io, depth, _ in issues(ios):
        groups[depth if depth < 64 else 2**(depth.bit_length() - 1)].append(io.end - io.start)
    return percentiles(groups)


def latency_by_idle(ios):
    groups = collections.defaultdict(list)
    for io, _, idle in issues(ios):
        groups[10**(len(str(idle)) - 1) if idle else idle].append(io.end - io.start)
    return percentiles(groups)


def heatmap(ios, interval=""):
    """20 rows per power of ten: the largest k with 10^(k/20) not above the latency."""
    length, _ = intervals(ios, interval, 400)
    cells = collections.Counter()
    for io in ios:
        latency = io.end - io.start
        row = len(str(latency**20)) - 1 if latency else -1
        cells[io.end // length * length, row] += 1
    for (time, row), count in sorted(cells.items()):
        least = 0 if row < 0 else max(1, int(10**(row / 20)) - 9)
        while least**20 < 10**row if row >= 0 else False:
            least += 1
        yield "%d.%09d" % divmod(time, 10**9), least, count


def heatmap_sector(ios, interval=""):
    length, _ = intervals(ios, interval, 400)
    high = 1
    while max(io.address for io in ios) // 512 // high >= 200:
        high *= 2
    cells = collections.Counter((io.end // length * length, io.address // 512 // high * high) for io in ios)
    for (time, sector), count in sorted(cells.items()):
        yield "%d.%09d" % divmod(time, 10**9), sector, count


REPORTS = {function.__name__.replace("_", "-"): function for function in (
    rate, rate_by_class, reuse, workingset, rewrites, footprint,
    footprint_windows, runs, runs_cdf, seeks, alignment, concentration, burstiness,
    heatmap, heatmap_sector, queue, queue_timeline, latency_cdf, latency_by_depth, latency_by_idle)}

if __name__ == "__main__":
    if sys.argv[1] == "log":
        log(sys.argv[2])
    else:
        ios = read(sys.argv[1])
        for number, line in enumerate(sys.stdin, 1):
            report, *options = line.split()
            with open("wanted%d.tsv" % number, "w", encoding="ascii") as wanted:
                for row in REPORTS[report](ios, **dict(option.split("=", 1) for option in options)):
                    print(*row, sep="\t", file=wanted)
