#!/usr/bin/env python3
"""Computes reports on block I/O from the lines of a log.

    tests/block_io.py REPORT FILE

prints the rows of `report REPORT` (gaps, iosize, locality, sectors for popularity --of sector, I/O figures of
summary). With `flushing` it prints how many completed writes with data carry a flush. FILE is undamaged default
text of blkparse or of MOST. Shares no code with the program. Does not handle remaps between devices and splits.
"""
import bisect
import collections
import re
import sys
from decimal import Decimal

BLKPARSE = re.compile(
    r"^ *(\d+,\d+) +\d+ +(?:\d+ +)?(\d+\.\d{9}) +\d+ +([A-Z]{1,2}) +([A-Z]+)"
    r"(?: (\d+)(?: \+ (\d+))?)?(?: |$)"
)

Request = collections.namedtuple("Request", "time device action letters sector blocks")


def requests(path):
    """Requests of the log. Times are in nanoseconds; device and sector are None if missing."""
    with open(path, encoding="utf-8", errors="replace") as log:
        for line in log:
            fields = [field.strip() for field in line.rstrip("\r\n").split("\t")]
            match = BLKPARSE.match(line)
            if len(fields) in (8, 9) and re.fullmatch(r"[A-Z]{1,2}", fields[1]):
                time, action, letters, sector, blocks = fields[:5]
                device = None
            elif match:
                device, time, action, letters, sector, blocks = match.groups()
            else:
                continue
            sector = None if sector is None else int(sector)
            yield Request(int(Decimal(time) * 10**9), device, action, letters, sector, int(blocks or 0))


def completed(path):
    return [request for request in requests(path) if request.action == "C"]


def kind(request):
    """Returns read, write, flush or other."""
    letters = request.letters
    write = "W" in letters and "R" not in letters
    if request.blocks == 0 and "D" not in letters:
        if letters.startswith("F") or (write and request.sector is not None):
            return "flush"
    return "read" if "R" in letters else "write" if write else "other"


def share(part, whole):
    return f"{part / whole if whole else 0:.6f}"


# --- sizes and places -------------------------------------------------------------------------------


def iosize(path):
    blocks = collections.Counter(request.blocks for request in completed(path) if request.blocks)
    number, total = sum(blocks.values()), sum(size * count for size, count in blocks.items())
    upto = upto_bytes = 0
    for size, count in sorted(blocks.items()):
        upto += count
        upto_bytes += size * count
        yield (size * 512, count, share(count, number), share(upto, number), share(size * count, total),
               share(upto_bytes, total))


def locality(path):
    ends, counts = {}, collections.Counter()
    for request in completed(path):
        direction = kind(request)
        if request.blocks and direction in ("read", "write"):
            key = request.device, direction
            counts[direction, ends.get(key) == request.sector] += 1
            ends[key] = request.sector + request.blocks
    for direction in "read", "write":
        sequential, random = counts[direction, True], counts[direction, False]
        yield direction, sequential, random, share(sequential, sequential + random)


def sectors(path):
    counts = collections.Counter(
        request.sector for request in completed(path) if request.blocks and request.sector is not None)
    upto = 0
    for rank, (sector, count) in enumerate(sorted(counts.items(), key=lambda item: (-item[1], item[0]))):
        upto += count
        yield rank + 1, sector, count, share(count, sum(counts.values())), share(upto, sum(counts.values()))


def summary(path):
    kinds = collections.Counter(kind(request) for request in completed(path))
    sizes = [request.blocks for request in completed(path) if request.blocks]
    syncs = sum(kind(request) == "write" and "S" in request.letters for request in completed(path))
    yield "I/Os", kinds["read"] + kinds["write"] + kinds["other"]
    yield "reads", kinds["read"]
    yield "writes", kinds["write"]
    yield "flushes", kinds["flush"]
    yield "writes per read", share(kinds["write"], kinds["read"])
    yield "synchronous share of writes", share(syncs, kinds["write"])
    yield "mean I/O size", share(512 * sum(sizes), len(sizes))
    yield "share of 4 KB I/Os", share(sizes.count(8), len(sizes))


# --- in flight --------------------------------------------------------------------------------------


class Device:
    """Requests in progress."""

    def __init__(self):
        self.asked = []  # (sector, time, with a flush)
        self.issued = {}  # keyed by sector
        self.wholes = {}  # by sector: times of requests whose completion follows once all parts are done
        self.bare = []  # times of queued flushes
        self.flushing = []  # times of issued flushes


def follow(path):
    """Begin and end of each completed I/O, and whether it is a write with a flush."""
    devices = collections.defaultdict(Device)
    for time, name, action, letters, sector, blocks in requests(path):
        device = devices[name]
        flush = "F" in letters or "B" in letters
        if action == "Q" and blocks:
            device.asked.append((sector, time, flush))
            if flush:
                device.wholes[sector] = time
        elif action == "Q":
            device.bare.append(time)
        elif action == "D" and blocks:
            device.issued[sector] = time
        elif action == "D" and letters.startswith("F"):
            device.flushing.append(time)
        elif action == "C" and blocks:
            here = [asked for asked in device.asked if sector <= asked[0] < sector + blocks]
            device.asked = [asked for asked in device.asked if asked not in here]
            begin = min([asked[1] for asked in here] + [device.issued.pop(sector, time)])
            yield begin, time, "W" in letters and (flush or any(asked[2] for asked in here))
        elif action == "C" and letters.startswith("F"):
            yield device.flushing.pop(0) if device.flushing else time, time, False
        elif action == "C" and sector in device.wholes:
            yield device.wholes.pop(sector), time, False
        elif action == "C":
            yield device.bare.pop(0) if device.bare else time, time, False


def gaps(path):
    first = next(requests(path))
    start = first.time if first.device else 0  # MOST's times are relative to the start already
    ios = sorted(follow(path))
    busy, found = ios[0][1], []
    for begin, end, _ in ios[1:]:
        if begin > busy:
            found.append((busy - begin, busy))
        busy = max(busy, end)
    # An idle time ends when a request is queued or issued, even one that never completes.
    asks = sorted(request.time for request in requests(path) if request.action in ("Q", "D"))
    if asks and asks[-1] > busy:
        found.append((busy - asks[-1], busy))
    for number, (length, begin) in enumerate(found):
        ask = bisect.bisect_left(asks, begin)
        if ask < len(asks) and asks[ask] < begin - length:
            found[number] = (begin - asks[ask], begin)
    for length, begin in sorted(gap for gap in found if gap[0]):
        yield begin - start, begin - length - start, -length


def flushing(path):
    yield (sum(flush for _, _, flush in follow(path)),)


REPORTS = {function.__name__: function
           for function in (gaps, iosize, locality, sectors, summary, flushing)}
for row in REPORTS[sys.argv[1]](sys.argv[2]):
    print(*row, sep="\t")
