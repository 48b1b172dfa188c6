#!/usr/bin/env python3
"""Computes from the lines of a block log which processes asked for its completed I/Os, and which dispatched them.

    block_processes.py FILE asker|issuer|origin

FILE is text of blkparse or of MOST. Prints sorted lines of name TAB count: completions by the process that asked,
or that dispatched (the asking one if no dispatch is in the log), or by the source of the process. Completions on a
lower device are omitted if remaps show that all their sectors were requested on an upper device. Shares no code
with the program; follows every sector separately.
"""
import re
import sys
from collections import Counter, defaultdict, deque

NOBODY = ""


def blkparse_lines(text):
    """(device, action, rwbs, sector, blocks, who, from, split); sector and blocks are None if missing."""
    head = re.compile(r"^ *(\d+,\d+) +\d+ +(?:\d+ +)?(\d+)\.(\d+) +(\d+) +([A-Z]{1,2}) +([A-Z]+)(.*)$")
    for line in text.splitlines():
        match = head.match(line)
        if match is None:
            continue
        device, _, _, pid, action, rwbs, rest = match.groups()
        sector = blocks = origin = split = who = None
        if (found := re.match(r" (\d+) \+ (\d+)", rest)) is not None:
            sector, blocks = int(found[1]), int(found[2])
        elif (found := re.match(r" (\d+) / (\d+)", rest)) is not None:
            sector, split = int(found[1]), int(found[2])
        elif (found := re.match(r" (\d+)", rest)) is not None and action in "CR":
            sector = int(found[1])
        if (found := re.search(r"<- \((\d+,\d+)\) (\d+)", rest)) is not None:
            origin = found[1], int(found[2])
        elif action not in "CR":
            who = pid, re.search(r"\[(.*)\]", rest)[1]
        yield device, action, rwbs, sector, blocks, who, origin, split


def most_lines(text):
    for line in text.splitlines():
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) not in (7, 8, 9) or not re.fullmatch(r"\d+\.\d{9}", fields[0]):
            continue
        if not re.fullmatch("[A-Z]{1,2}", fields[1]) or not all(f.isdigit() for f in fields[3:6]):
            continue
        yield (None, fields[1], fields[2], int(fields[3]), int(fields[4]), (fields[5], fields[6]),
               None, None)


class Device:
    """Flushes without sectors, which are paired in order."""

    def __init__(self):
        self.asked = deque()  # flushes without data: [asker, dispatcher]
        self.queued = False  # Q events of flushes were seen
        self.flushing = deque()  # (asker, dispatcher, source)
        self.commands = deque()
        self.waiting = None  # process that has waited longest for a flush


class Follower:
    def __init__(self):
        self.asked = {}  # (device, sector): process
        self.passed_on = set()  # those that came by a remap
        self.below = set()  # (device, sector) of requests of another device
        self.parts = {}  # (device, first sector): flags that Q asked for
        self.issued = {}  # (device, sector): (asker, dispatcher, source)
        self.missing = {}  # (device, first sector): flags missing in D
        self.whole = {}  # (device, first sector): flags of the whole request
        self.devices = defaultdict(Device)

    def wait(self, device, who):
        self.devices[device].waiting = self.devices[device].waiting or who

    def ask(self, device, rwbs, sector, blocks, who):
        if not blocks or sector is None:
            if not blocks:
                self.devices[device].asked.append([who, None])
                self.wait(device, who)
            return
        if (device, sector) in self.passed_on:
            who = self.asked[device, sector]
        else:
            self.below -= {(device, at) for at in range(sector, sector + blocks)}
        for at in range(sector, sector + blocks):
            self.asked[device, at] = who
            self.passed_on.discard((device, at))
        self.parts[device, sector] = set(re.sub("[^FfB]", "", mark(rwbs)))
        if mark(rwbs).startswith("F"):
            self.wait(device, who)

    def dispatch(self, device, rwbs, sector, blocks, who):
        state = self.devices[device]
        if not blocks or sector is None:
            if rwbs.startswith("F"):
                state.flushing.append((state.waiting or who, who, "D" if state.waiting is None else "Q"))
                state.waiting = None
                for asked in state.asked:
                    asked[1] = asked[1] or who
            else:
                state.commands.append((who, who, "D"))
            return
        asker, _, rests_on = self.issued.get((device, sector), (who, who, "D"))
        wanted = self.missing.get((device, sector), set())
        if (device, sector) in self.asked:
            asker, rests_on = self.asked[device, sector], "Q"
            wanted = self.parts.get((device, sector), set())
        for at in range(sector, sector + blocks):
            self.asked.pop((device, at), None)
            self.passed_on.discard((device, at))
            self.parts.pop((device, at), None)
            self.issued[device, at] = asker, who, rests_on
        self.missing[device, sector] = wanted - set(mark(rwbs))

    def complete_empty(self, device, rwbs, sector):
        state = self.devices[device]
        if rwbs.startswith("F") and state.flushing:
            return state.flushing.popleft()
        if (device, sector) in self.whole:
            return self.whole.pop((device, sector))
        if state.asked:
            asker, dispatcher = state.asked.popleft()
            return asker, dispatcher or asker, "Q"
        return state.commands.popleft() if state.commands else None

    def complete(self, device, rwbs, sector, blocks, who):
        if not blocks or sector is None:
            found = self.complete_empty(device, rwbs, sector)
        elif (device, sector) in self.issued:
            found = self.issued[device, sector]
            wanted = self.missing.pop((device, sector), set())
            for at in range(sector, sector + blocks):
                self.issued.pop((device, at), None)
            if wanted:
                self.whole[device, sector] = found
                if "f" in wanted:
                    self.wait(device, found[0])
        else:
            found = None
            if (device, sector) in self.asked:
                found = self.asked[device, sector], self.asked[device, sector], "Q"
            for at in range(sector, sector + blocks):
                self.asked.pop((device, at), None)
        if found is None:
            return (who, who, "C") if who is not None else (("", NOBODY), ("", NOBODY), "none")
        return found

    def get(self, device, action, rwbs, sector, blocks, who):
        if blocks and sector is not None and (device, sector) not in self.asked:
            self.ask(device, rwbs, sector, blocks, who)
        if not blocks and action == "G" and not self.devices[device].queued:
            self.ask(device, rwbs, sector, blocks, who)

    def remap(self, device, sector, blocks, origin):
        if origin is None or origin == (device, sector):
            return
        for i in range(blocks or 0):
            above = origin[0], origin[1] + i
            if above not in self.asked and (device, above[1]) in self.passed_on:
                above = device, above[1]  # of the disk's partition, to which it was first remapped
            if above in self.asked:
                self.asked[device, sector + i] = self.asked[above]
                self.passed_on.add((device, sector + i))
                if above[0] != device or above in self.below:
                    self.below.add((device, sector + i))

    def follow(self, device, action, rwbs, sector, blocks, who, origin):
        if action == "Q":
            self.devices[device].queued |= not blocks
            self.ask(device, rwbs, sector, blocks, who)
        elif action in ("G", "M", "F"):
            self.get(device, action, rwbs, sector, blocks, who)
        elif action == "A":
            self.remap(device, sector, blocks, origin)
        elif action == "D":
            self.dispatch(device, rwbs, sector, blocks, who)
        elif action == "C":
            covered = [(device, at) for at in range(sector or 0, (sector or 0) + (blocks or 0))]
            found = self.complete(device, rwbs, sector, blocks, who)
            if covered and self.below.issuperset(covered):
                found = None
            self.below.difference_update(covered)
            return found
        return None  # X changes nothing, because every sector has its asker; R is dispatched again


def mark(rwbs):
    """Marks FUA, the F after the direction, as f."""
    return re.sub("([RW])(.*)F", r"\1\2f", rwbs)


def main():
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        text = file.read()
    lines = most_lines if "\t" in text.split("\n", 1)[0] else blkparse_lines
    follower = Follower()
    counts = Counter()
    for device, action, rwbs, sector, blocks, who, origin, _ in lines(text):
        found = follower.follow(device, action, rwbs, sector, blocks, who, origin)
        if found is not None:
            asker, dispatcher, rests_on = found
            counts[{"asker": asker[1], "issuer": dispatcher[1], "origin": rests_on}[sys.argv[2]]] += 1
    for name in sorted(counts):
        print(f"{name}\t{counts[name]}")


main()
