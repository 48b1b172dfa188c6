"""Compares the waits for a processor in a trace with `perf sched latency` of the same recording.

    sched_latency.py DATABASE LOG LATENCY

perf has a line per name (a thread's last one): how often its threads got a processor after waiting, and the mean
and maximum wait. It counts differently; the log's lines are used to compensate:

- It does not count who was preempted by the kernel (R+), only who gave way (R).
- It counts from sched_wakeup, the trace from sched_waking.
- Who is first seen when it gets a processor has waited for 0 s.
- Who runs without a switch to it in the log (tests/timehist.py) has not got a processor.

Where switches are missing, perf and the trace may still differ in up to 3 waits. A thread that is told its name late is two for
perf, of which `:N` has the waits before.
"""
import collections
import re
import sqlite3
import sys

from timehist import SWITCH, nanoseconds

WAKEUP = re.compile(r".*\s(\d+\.\d+):\s+sched:sched_wakeup(?:_new)?: comm=.* pid=(\d+) prio")
STATE = re.compile(r" prev_state=(\S+) ==> ")
LINE = re.compile(r"  (\S.*?):(?:\((\d+)\)|(\d+)) +\| +[\d.]+ ms \| +(\d+) \| avg: +([\d.]+) ms \| max: +([\d.]+) ms")
MS = 10**6


class Log:
    """The data that perf uses: wakeup times by thread, switches from preempted threads, and threads first seen
    running."""

    def __init__(self, path):
        self.wakeups, self.preempted, self.seen, self.came_running = collections.defaultdict(list), set(), set(), set()
        self.switches = set()
        self.first = None
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                self.first = self.first or nanoseconds(re.search(r"(\d+\.\d+):", line)[1])
                if found := SWITCH.match(line):
                    self.switch(nanoseconds(found[2]), int(found[3]), STATE.search(line)[1], int(found[4]))
                elif found := WAKEUP.match(line):
                    self.wakeups[int(found[2])].append(nanoseconds(found[1]))
                    self.seen.add(int(found[2]))

    def switch(self, time, from_tid, state, to_tid):
        if state == "R+":
            self.preempted.add((time, from_tid))
        self.switches.add((time, to_tid))
        self.seen.add(from_tid)
        if to_tid not in self.seen:
            self.came_running.add(to_tid)
        self.seen.add(to_tid)


def waits_of(database, log):
    """By thread: its last name, and the waits that perf counts."""
    names, waits, before = {}, collections.defaultdict(list), {}
    for time, duration, state, tid, name in sqlite3.connect(database).execute(
            "SELECT e.time, e.duration, n.text, a.tid, a.name FROM event AS e JOIN name AS n ON n.id = e.operation"
            " JOIN actor AS a ON a.id = e.actor WHERE n.kind = 'state' ORDER BY e.id"):
        names[tid] = name
        time += log.first
        if state == "running" and before.get(tid) and (time, tid) in log.switches:
            waits[tid].append(time - before[tid])
        before[tid] = None
        if state == "preempted" and (time, tid) not in log.preempted:
            before[tid] = time
        elif state == "woken":
            before[tid] = next((t for t in log.wakeups[tid] if time <= t <= time + (duration or 0)), None)
    for tid in log.came_running:
        waits[tid].append(0)
    return names, waits


def main():
    database, path, latency = sys.argv[1:]
    names, waits = waits_of(database, Log(path))
    counts = collections.Counter()
    with open(latency, encoding="utf-8") as lines:
        for line in filter(None, map(LINE.match, lines)):
            name, several, tid, times, mean, most = line.groups()
            tids = [int(tid)] if tid else [t for t in names if names[t] == name]
            got = [wait for t in tids for wait in waits[t]]
            equal = (len(got) == int(times) and (not several or len(tids) == int(several))
                     and abs(sum(got) - float(mean) * len(got) * MS) <= 1000 * len(got)
                     and abs(max(got, default=0) - float(most) * MS) <= 1000)
            outcome = ("equal" if equal else "named late" if name == f":{tid}"
                       else "nearly equal" if abs(len(got) - int(times)) <= 3 and abs(max(got) - float(most) * MS) <= 1000
                       else "differ")
            counts[outcome] += 1
            if outcome == "differ":
                print(line[0], "tracetool:", len(tids), len(got), sum(got) / max(1, len(got)) / MS, max(got, default=0) / MS)
    print(f"{sum(counts.values())} names:", ", ".join(
        f"{counts[outcome]} {outcome}" for outcome in ("equal", "nearly equal", "named late", "differ")))


if __name__ == "__main__":
    main()
