#!/usr/bin/env python3
"""Logs of block I/O with several requests in flight at one sector, and the expected reports.

    tests/in_flight.py log FORM COUNT SEED      prints a log: FORM is blkparse, ftrace or perf
    tests/in_flight.py REPORT COUNT SEED        prints what the report must say

The log is generated from requests. Issues are matched first in, first out by device, direction and sector. A
request may be requeued (the newest of its key), or complete in parts (the last part has the latency). Shares no
code with the program.
"""
import collections
import random
import sys

STEP = 1000  # ns: perf and ftrace print microseconds
DEVICES = ((8, 0), (8, 16))
SECTORS = range(64, 64 + 8 * 16, 16)

Event = collections.namedtuple("Event", "time action device letter sector blocks")


def events(count, seed):
    """Events of the log, by time."""
    choose = random.Random(seed)
    now, made, order = 0, [], collections.defaultdict(collections.deque)
    ends = []  # (time, number, key)
    for number in range(count):
        now += STEP * choose.choice((1, 2, 3, 50))
        while ends and ends[0][0] <= now:
            complete(choose, made, order, ends.pop(0))
        flush = choose.random() < 0.05
        device = choose.choice(DEVICES)
        letter = "F" if flush else choose.choice("RW")
        sector = 0 if flush else choose.choice(SECTORS)
        key = device, letter, sector
        blocks = 0 if flush else 8
        if not flush and choose.random() < 0.1:
            blocks = 16
        for action in "QD":
            made.append(Event(now, action, device, letter, sector, blocks))
        if choose.random() < 0.03 and not flush:
            # Requeued, and issued again at once.
            made.append(Event(now + STEP // 2, "R", device, letter, sector, blocks))
            made.append(Event(now + STEP // 2 + 1, "D", device, letter, sector, blocks))
        order[key].append(blocks)
        latency = STEP * (2000 if choose.random() < 0.1 else choose.randrange(20, 400))
        ends.append((now + latency, number, key))
        ends.sort()
    for end in ends:
        complete(choose, made, order, end)
    return sorted(made, key=lambda event: event.time)


def complete(choose, made, order, end):
    """Completes the oldest of the key; large ones sometimes in two parts."""
    time, number, (device, letter, sector) = end
    time += 7 * (number % 60) + 100  # all times differ
    blocks = order[device, letter, sector].popleft()
    if blocks == 16 and choose.random() < 0.5:
        made.append(Event(time - 50, "C", device, letter, sector, 8))
        made.append(Event(time, "C", device, letter, sector + 8, 8))
    else:
        made.append(Event(time, "C", device, letter, sector, blocks))


# --- logs -------------------------------------------------------------------------------------------

NAMES = {"Q": "block_bio_queue", "D": "block_rq_issue", "C": "block_rq_complete", "R": "block_rq_requeue"}


def rwbs(event):
    return {"R": "R", "W": "WS", "F": "FN"}[event.letter]


def blkparse(made):
    for number, event in enumerate(made):
        extent = f" {event.sector} + {event.blocks}" if event.blocks or event.action in "CR" else ""
        if event.action in "CR" and not event.blocks:
            extent = f" {event.sector}"
        who = "[0]" if event.action in "CR" else "[p]"
        yield "  %d,%-3d %d %8d %5d.%09d %5d  %s %3s%s %s" % (
            *event.device, number % 4, number, event.time // 10**9, event.time % 10**9, 7, event.action,
            rwbs(event), extent, who)


def kernel(made, form):
    for event in made:
        sector = event.sector if event.blocks else 0
        extent = f"{sector} + {event.blocks}"
        command = "%d,%d %s %s%s %s" % (
            *event.device, rwbs(event), {"D": "4096 () ", "C": "() ", "R": "() ", "Q": ""}[event.action], extent,
            "[0]" if event.action in "CR" else "[p]")
        stamp = f"{event.time // 10**9}.{event.time % 10**9:09d}"
        if form == "perf":
            yield f"p     7 [001] {stamp}: block:{NAMES[event.action]}: {command}"
        else:
            yield f"               p-7       [001] d..1. {stamp}: {NAMES[event.action]}: {command}"


# --- what is right ----------------------------------------------------------------------------------


def pairs(made, begin):
    """(event, latency since `begin`, or None) of each completion, first in, first out by key."""
    flying = collections.defaultdict(collections.deque)
    for event in made:
        key = event.device, event.letter, event.sector
        if event.action == begin:
            flying[key].append([event.time, event.blocks])
        elif event.action == "R" and begin == "D":
            flying[key].pop()
        elif event.action == "C":
            time, blocks = flying[key].popleft()
            if blocks > event.blocks:
                flying[event.device, event.letter, event.sector + event.blocks].appendleft(
                    [time, blocks - event.blocks])
                yield event, None
            else:
                yield event, event.time - time


def latency(made, begin="D"):
    for letter, name in zip("RWF", ("read", "writesync", "flush")):
        times = sorted(time for event, time in pairs(made, begin) if event.letter == letter and time is not None)
        if times:
            ranks = (times[-(-len(times) * p // 100) - 1] for p in (50, 90, 99))
            yield name, len(times), times[0], f"{sum(times) / len(times):.0f}", *ranks, times[-1]


def queue(made):
    steps = []
    for event, time in pairs(made, "D"):
        if time is not None:
            steps += [(event.time, 0, -1), (event.time - time, 1, 1)]
    depth, last, lasted, seen = 0, None, collections.Counter(), collections.Counter()
    for time, _, step in sorted(steps):
        if last is not None:
            lasted[depth] += time - last
        if step > 0:
            seen[depth] += 1
        depth, last = depth + step, time
    for depth in sorted(set(lasted) | set(seen)):
        if lasted[depth] or seen[depth]:
            yield depth, lasted[depth], seen[depth]


def stages(made):
    """D2C and Q2C of requests with sectors."""
    for name, begin in ("D2C", "D"), ("Q2C", "Q"):
        times = [time for event, time in pairs(made, begin) if event.blocks and time is not None]
        yield name, len(times), f"{sum(times) / len(times):.0f}", max(times)


def main():
    what, count, seed = sys.argv[1], int(sys.argv[-2]), int(sys.argv[-1])
    made = events(count, seed)
    if what == "log":
        form = sys.argv[2]
        lines = blkparse(made) if form == "blkparse" else kernel(made, form)
        print("\n".join(lines))
        return
    rows = {"latency": latency, "latency --q2c": lambda all_: latency(all_, "Q"), "queue": queue,
            "stages": stages}[what](made)
    for row in rows:
        print(*row, sep="\t")


if __name__ == "__main__":
    main()
