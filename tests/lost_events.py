#!/usr/bin/env python3
"""Writes a log of requests with known losses, in every format that reports losses, and the expected losses.

    tests/lost_events.py FORM LOSS SEED FOLDER

FORM: ftrace, pipe, trace-cmd, perf, blkparse, blktrace. LOSS: none; overrun: each CPU's oldest events, by the
header, ftrace only; bursts: ranges of one CPU, reported at their end; joined: two recordings in one file, ftrace
only. Writes FOLDER/log (blktrace: FOLDER/log.blktrace.N) and FOLDER/wanted.tsv: cpu, lost, uncounted, overwritten,
events, first, last, like the table `loss`. Shares no code with the program. The same arguments give the same
files.
"""
import struct
import sys
from pathlib import Path

ORIGIN = 1000 * 10**9  # of the kernel's clock; times are whole microseconds
CPUS, REQUESTS = 4, 1500


class Chance:
    """A linear congruential generator, because random.Random may change."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def recording(chance):
    """Events as [time, cpu, action, sector], by time. CPU 3 is idle except for a few."""
    events, now = [], 0
    for i in range(REQUESTS):
        now += (1 + chance.below(40)) * 1000
        cpu = 3 if i % 100 == 99 else chance.below(3)
        sector = 8 * chance.below(4000)
        events.append([now, cpu, "D", sector])
        events.append([now + (50 + chance.below(200)) * 1000 + i, 3 if i % 100 == 49 else chance.below(3), "C", sector])
    events.sort()
    for event in events:
        event[0] = event[0] // 1000 * 1000
    return events


def overrun(events, chance):
    """Each CPU lost all events before its own time; the idle one nothing."""
    end = events[-1][0]
    begin = [end * (10 + chance.below(10)) // 100, end * (25 + chance.below(10)) // 100,
             end * (40 + chance.below(10)) // 100, 0]
    return [event[0] >= begin[event[1]] for event in events]


def bursts(events, chance):
    """Loses ranges of CPUs 1 and 2."""
    end, kept = events[-1][0], [True] * len(events)
    for i in range(8):
        cpu, begin = 1 + i % 2, end * i // 8 + chance.below(end // 16)
        for j, event in enumerate(events):
            if event[1] == cpu and begin <= event[0] < begin + end // 24:
                kept[j] = False
    return kept


def joined(events):
    return [not len(events) * 2 // 5 <= i < len(events) * 3 // 5 for i in range(len(events))]


def stamp(time, digits=6):
    time += ORIGIN
    return f"{time // 10**9}.{time % 10**9 // 10 ** (9 - digits):0{digits}d}"


def fields_of(event, system=""):
    time, cpu, action, sector = event
    if action == "D":
        return f"{system}block_rq_issue: 8,0 R 4096 () {sector} + 8 be,0,4 [job]"
    return f"{system}block_rq_complete: 8,0 R () {sector} + 8 be,0,4 [0]"


def line_of(form, event):
    task, tid = ("job", 7) if event[2] == "D" else ("swapper", 0)
    if form == "perf":
        return f"{task:>16} {tid:5} [{event[1]:03}] {stamp(event[0]):>12}: {fields_of(event, 'block:')}"
    if form == "trace-cmd":
        return f"{task:>16}-{tid:<5} [{event[1]:03}] {stamp(event[0]):>12}: {fields_of(event)}"
    return f"{task:>16}-{tid:<7} [{event[1]:03}] ..... {stamp(event[0])}: {fields_of(event)}"


def mark_of(form, event, count):
    """The message that `count` events are missing before this event of its CPU."""
    if form == "trace-cmd":
        return f"CPU:{event[1]} [{count} EVENTS DROPPED]"
    if form == "perf":
        return f"{'perf':>16} {9:5} [{event[1]:03}] {stamp(event[0]):>12}: PERF_RECORD_LOST lost {count}"
    return f"CPU:{event[1]} [LOST {count} EVENTS]"


def text_of(form, events, kept, loss):
    lines, missing = [], [0] * CPUS
    left = sum(kept)
    heading = ["# tracer: nop", "#", f"# entries-in-buffer/entries-written: {left}/{len(events)}   #P:{CPUS}", "#"]
    if form == "ftrace":
        lines += heading if loss == "overrun" else ["# tracer: nop", "#"]
    elif form == "trace-cmd":
        lines.append(f"cpus={CPUS}")
    for i, event in enumerate(events):
        if not kept[i]:
            missing[event[1]] += 1
            continue
        if loss == "joined" and i > 0 and not kept[i - 1]:
            lines += ["# tracer: nop", "#"]
        elif loss == "bursts" and missing[event[1]] > 0:
            lines.append(mark_of(form, event, missing[event[1]]))
        missing[event[1]] = 0
        lines.append(line_of(form, event))
    return lines


def numbers_of(events):
    """Sequence numbers of the tracer, by CPU."""
    numbers, last = [], [0] * CPUS
    for event in events:
        last[event[1]] += 1
        numbers.append(last[event[1]])
    return numbers


def blkparse_of(events, kept):
    lines = []
    for event, number, is_kept in zip(events, numbers_of(events), kept):
        time, cpu, action, sector = event
        if is_kept:
            lines.append(f"  8,0 {cpu:4} {number:8} {time // 10**9:5}.{time % 10**9:09} {7 if action == 'D' else 0:5}"
                         f"  {action}   R {sector} + 8 [{'job' if action == 'D' else 0}]")
    return lines


def blktrace_of(events, kept):
    """Records of each CPU, version 7. D is action 7, C action 8; bits from 16 on: read (0), issue (6), complete
    (7)."""
    records = [b""] * CPUS
    for event, number, is_kept in zip(events, numbers_of(events), kept):
        time, cpu, action, sector = event
        act = (7 | 1 << 22) if action == "D" else (8 | 1 << 23)
        if is_kept:
            records[cpu] += struct.pack("<IIQQIIIIIHH", 0x65617407, number, time, sector, 4096, act | 1 << 16,
                                        7 if action == "D" else 0, 8 << 20, cpu, 0, 0)
    return records


def wanted(events, kept, loss):
    first_time, rows = events[kept.index(True)][0], []
    if loss == "none":
        return rows
    if loss in ("overrun", "joined"):
        lost = len(events) - sum(kept) if loss == "overrun" else 0
        rows.append([-1, lost, int(loss == "joined"), lost, 0, "", ""])
    for cpu in range(CPUS):
        times = [event[0] - first_time for event, is_kept in zip(events, kept) if is_kept and event[1] == cpu]
        lost = sum(not is_kept and event[1] == cpu for event, is_kept in zip(events, kept))
        rows.append([cpu, lost if loss == "bursts" else 0, 0, 0, len(times), min(times), max(times)])
    return rows


def main():
    form, loss, seed, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
    chance = Chance(seed)
    events = recording(chance)
    kept = {"none": lambda: [True] * len(events), "overrun": lambda: overrun(events, chance),
            "bursts": lambda: bursts(events, chance), "joined": lambda: joined(events)}[loss]()
    if form == "blktrace":
        for cpu, records in enumerate(blktrace_of(events, kept)):
            (folder / f"log.blktrace.{cpu}").write_bytes(records)
    else:
        lines = blkparse_of(events, kept) if form == "blkparse" else text_of(form, events, kept, loss)
        (folder / "log").write_text("".join(line + "\n" for line in lines))
    (folder / "wanted.tsv").write_text(
        "".join("\t".join(str(value) for value in row) + "\n" for row in wanted(events, kept, loss)))


main()
