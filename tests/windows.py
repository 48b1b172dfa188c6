"""Computes reports on calls in a time window by brute force: for each unit of time, the running calls.

    windows.py log SEED                              a random log of calls in RMP format
    windows.py functions|callpaths|callers|under LOG FROM TO [F]   the rows that the report prints, of
                                                     the function F; under: functions beneath it
"""
import random
import sys


def make_log(seed):
    """Threads whose functions call each other, some recursively, some with no duration."""
    rng = random.Random(seed)
    records = []
    for thread in range(1, 4):
        now, stack = rng.randrange(5), []
        for _ in range(rng.randrange(10, 60)):
            now += rng.choice((0, 1, 2, 5, 20))
            if stack and rng.random() < 0.48:
                records.append((now, thread, "X", stack.pop()))
            else:
                stack.append(rng.choice("abcd"))
                records.append((now, thread, "E", stack[-1]))
        while stack:
            now += rng.randrange(4)
            records.append((now, thread, "X", stack.pop()))
    records.sort(key=lambda record: record[0])
    start = records[0][0]
    for time, thread, kind, name in records:
        print(time - start, 1, thread, kind, name, "-", sep="\t")


def read_calls(path):
    """(thread, begin, end, names from the outermost call on) of each call."""
    stacks, calls = {}, []
    with open(path, encoding="utf-8") as log:
        for line in log:
            time, _, thread, kind, name, _ = line.rstrip("\n").split("\t")
            stack = stacks.setdefault(thread, [])
            if kind == "E":
                stack.append((int(time), name))
            else:
                names = tuple(name for _, name in stack)
                calls.append((thread, stack.pop()[0], int(time), names))
    return calls


def time_of(calls, begin, end):
    """Number of time units in the window in which one of the calls of a thread runs."""
    return sum(len({unit for thread, first, last, _ in calls if thread == own
                    for unit in range(max(first, begin), min(last, end))})
               for own in {call[0] for call in calls})


def self_time(calls, every, begin, end):
    """Number of such units in which none of its callees runs."""
    total = 0
    for thread, first, last, names in calls:
        inner = {unit for other, one, two, path in every
                 if other == thread and first <= one and two <= last and
                 path[:-1] == names for unit in range(one, two)}
        total += sum(unit not in inner for unit in range(max(first, begin), min(last, end)))
    return total


def main():
    if sys.argv[1] == "log":
        make_log(int(sys.argv[2]))
        return
    report, path, begin, end = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    every = read_calls(path)
    chosen = [call for call in every
              if begin <= call[1] < end or (call[1] < begin < call[2])]
    if len(sys.argv) > 5:
        chosen = [call for call in chosen if call[3][-1] == sys.argv[5] or report == "callers" or
                  (report == "under" and sys.argv[5] in call[3])]
    groups = {}
    for call in chosen:
        names = call[3]
        if report in ("functions", "under"):
            groups.setdefault(names[-1], []).append(call)
        elif report == "callpaths":
            groups.setdefault(names, []).append(call)
        elif names[-1] == sys.argv[5]:
            groups.setdefault(names[-2] if len(names) > 1 else "(none)", []).append(call)
    for key, calls in groups.items():
        begun = sum(begin <= call[1] for call in calls)
        if report == "callers":
            print("caller", key, begun, self_time(calls, every, begin, end), sep="\t")
        else:
            print(key if report in ("functions", "under") else " > ".join(key), begun,
                  time_of(calls, begin, end), self_time(calls, every, begin, end), sep="\t")


main()
