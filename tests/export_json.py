#!/usr/bin/env python3
"""Reads exported JSON, checks the requirements of viewers, and prints a summary.

    export_json.py chrome FILE      name, slices, nanoseconds in them; then `instants`, how many
    export_json.py speedscope FILE  name, slices, nanoseconds in them
    export_json.py threads FILE     process and thread of a chrome FILE, slices

Fails if slices of a thread overlap without nesting, an end has no begin, a time is not a decimal number with at
most three decimals, or the text is not UTF-8.
"""
import collections
import json
import re
import sys


def load(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        text = file.read()
    return text, json.loads(text, parse_float=str)


def nanoseconds(number):
    """Converts a file's microseconds."""
    match = re.fullmatch(r"(-?)(\d+)\.(\d{3})", str(number))
    assert match, f"not an integer with three decimals: {number}"
    sign = -1 if match[1] else 1
    return sign * (int(match[2]) * 1000 + int(match[3]))


class Counts(collections.Counter):
    def __init__(self):
        super().__init__()
        self.time = collections.Counter()

    def add(self, name, time):
        self[name] += 1
        self.time[name] += time

    def show(self):
        for name in sorted(self):
            print(f"{name}\t{self[name]}\t{self.time[name]}")


def check_nesting(thread, slices):
    """Slices of a thread must be nested or disjoint. Callers precede callees in the file."""
    open_ends = []
    last = None
    for begin, end in slices:
        assert last is None or begin >= last, f"{thread}: {begin} comes behind {last}"
        last = begin
        while open_ends and open_ends[-1] <= begin and end > open_ends[-1]:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1], f"{thread}: {begin} overlaps"
        open_ends.append(end)


def chrome_events(path):
    _, trace = load(path)
    assert trace["displayTimeUnit"] == "ns"
    for event in trace["traceEvents"]:
        assert isinstance(event["pid"], int) and event["pid"] > 0
        assert isinstance(event["tid"], int) and event["tid"] > 0
        yield event


def chrome(path):
    counts, instants = Counts(), 0
    threads, begun = collections.defaultdict(list), {}
    for event in chrome_events(path):
        phase, thread = event["ph"], (event["pid"], event["tid"])
        if phase == "M":
            assert event["name"] in ("process_name", "thread_name")
            continue
        at = nanoseconds(event["ts"])
        assert at >= 0
        if phase == "X":
            duration = nanoseconds(event["dur"])
            threads[thread].append((at, at + duration))
            counts.add(event["name"], duration)
        elif phase == "B":
            counts.add(event["name"], 0)
        elif phase == "b":
            begun[event["cat"], event["id"]] = at
            counts.add(event["name"], 0)
        elif phase == "e":
            counts.time[event["name"]] += at - begun.pop((event["cat"], event["id"]))
        else:
            assert phase == "i" and event["s"] == "t"
            instants += 1
    assert not begun
    for thread, slices in threads.items():
        check_nesting(thread, slices)
    counts.show()
    if instants:
        print(f"instants\t{instants}")


def threads(path):
    names, counts = {}, collections.Counter()
    for event in chrome_events(path):
        thread = event["pid"], event["tid"]
        if event["ph"] == "M":
            key = thread if event["name"] == "thread_name" else event["pid"]
            names[key] = event["args"]["name"]
        else:
            counts[thread] += 1
    for pid, tid in sorted(counts):
        print(f"{names.get(pid, pid)}\t{names.get((pid, tid), tid)}\t{counts[pid, tid]}")


def speedscope(path):
    _, file = load(path)
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    counts = Counts()
    for profile in file["profiles"]:
        assert profile["type"] == "evented" and profile["startValue"] == 0
        stack, last = [], 0
        for event in profile["events"]:
            assert event["at"] >= last, f"{profile['name']}: {event['at']} behind {last}"
            last = event["at"]
            if event["type"] == "O":
                stack.append((event["frame"], last))
            else:
                frame, begin = stack.pop()
                assert event["type"] == "C" and frame == event["frame"]
                counts.add(frames[frame], last - begin)
        assert not stack and last <= profile["endValue"]
    counts.show()


{"chrome": chrome, "speedscope": speedscope, "threads": threads}[sys.argv[1]](sys.argv[2])
