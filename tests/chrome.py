"""Generates and reads Chrome's Trace Event JSON for tests/golden/chrome.test, independently of the program.

    chrome.py make SEED COUNT   random calls of three threads on stdout, each nested, in the order of their ends
    chrome.py functions FILE    name, calls, total (outermost calls) and self time, in ns, of the X in it
"""
import collections
import json
import random
import sys
from fractions import Fraction


def make(seed, count):
    chance = random.Random(seed)
    lines = []

    def call(tid, time, depth):
        begin = time
        time += chance.randrange(0, 3000)
        while depth < 6 and chance.random() < 0.55:
            time = call(tid, time, depth + 1) + chance.randrange(0, 2000)
        time += chance.randrange(1, 3000)
        name = "f%d" % chance.randrange(9)
        lines.append('{"name":"%s","ph":"X","ts":%d.%03d,"dur":%s,"pid":1,"tid":%d}'
                     % (name, begin // 1000, begin % 1000, "%d.%03d" % divmod(time - begin, 1000), tid))
        return time

    times = [0, 0, 0]
    while len(lines) < count:
        tid = chance.randrange(3)
        times[tid] = call(tid + 1, times[tid], 0) + chance.randrange(0, 9000)
    print("[" + ",\n".join(lines))


def functions(path):
    with open(path, encoding="utf-8") as file:
        events = json.loads(file.read().rstrip().rstrip(",") + "]", parse_float=Fraction)
    threads = collections.defaultdict(list)
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for event in events:
        threads[event["tid"]].append((int(event["ts"] * 1000), -int(event["dur"] * 1000), event["name"]))
    for calls in threads.values():
        stack = []
        for begin, minus, name in sorted(calls):
            while stack and stack[-1][0] <= begin:
                stack.pop()
            if stack:
                sums[stack[-1][1]][2] += minus
            row = sums[name]
            row[0] += 1
            row[1] -= 0 if any(name == other for _, other in stack) else minus
            row[2] -= minus
            stack.append((begin - minus, name))
    for name, row in sorted(sums.items()):
        print(name, *row, sep="\t")


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    functions(sys.argv[2])
