"""Compares the printed reports on a log with `perf sched latency` of the same recording.

    sched_latency.py LOG THREADS TIMELINE LATENCY

THREADS and TIMELINE are the output of `report threads` and `report timeline` on the log's states. perf has a line per name (a
thread's last one): how often its threads got a processor after waiting, and the mean and maximum wait. The class Perf counts
in the same way from the log, and must give perf's figures to their rounding. The waits that `threads` prints are longer by
these differences, found wait by wait:

    preempted         perf counts threads that yielded (R), not those that the kernel preempted (R+)
    from sched_waking perf counts from sched_wakeup, the trace from sched_waking
    first seen        perf counts a wait of 0 s for a thread that is first seen when it gets a processor
    no switch to      the switch that ends the wait is not in the log; the trace ends it at the thread's next line, or at a loss
    no switch from    the switch that made the thread sleep is not in the log; perf ignores its wakeup
    no sched_wakeup   perf uses no other wakeup
"""
import collections
import re
import sys

from timehist import SWITCH, nanoseconds, states_of

WAKEUP = re.compile(r".*\s(\d+\.\d+):\s+sched:sched_(waking|wakeup|wakeup_new): comm=.* pid=(\d+) prio")
STATE = re.compile(r" prev_state=(\S+) ==> ")
LINE = re.compile(r"  (\S.*?):(?:\((\d+)\)|(\d+)) +\| +[\d.]+ ms \| +(\d+) \| avg: +([\d.]+) ms \| max: +([\d.]+) ms")
MS = 10**6


class Perf:
    """The waits that perf counts: by thread, their begins by their ends."""

    def __init__(self, path):
        self.waits = collections.defaultdict(dict)
        self.ready, self.asleep, self.seen = {}, set(), set()
        self.preempted, self.switches, self.wakings, self.untaken = set(), set(), set(), collections.defaultdict(list)
        self.first = None
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                self.first = self.first or nanoseconds(re.search(r"(\d+\.\d+):", line)[1])
                if found := SWITCH.match(line):
                    self.switch(nanoseconds(found[2]), int(found[3]), STATE.search(line)[1], int(found[4]))
                elif found := WAKEUP.match(line):
                    self.wake(nanoseconds(found[1]), int(found[3]), found[2] == "waking")

    def switch(self, time, from_tid, state, to_tid):
        self.ready.pop(from_tid, None)
        self.asleep.add(from_tid)
        if state == "R":
            self.asleep.discard(from_tid)
            self.ready[from_tid] = time
        elif state == "R+":
            self.preempted.add((time, from_tid))
        self.seen.add(from_tid)
        if to_tid not in self.seen:
            self.ready[to_tid] = time
        self.seen.add(to_tid)
        self.switches.add((time, to_tid))
        if to_tid in self.ready:
            self.waits[to_tid][time] = self.ready.pop(to_tid)
            self.asleep.discard(to_tid)

    def wake(self, time, tid, waking):
        if waking:
            self.wakings.add((time, tid))
            return
        if tid in self.asleep or tid not in self.seen:
            self.asleep.discard(tid)
            self.ready[tid] = time
        else:
            self.untaken[tid].append(time)
        self.seen.add(tid)

    def reason(self, tid, end, begin, begin_by_perf):
        """Returns why the wait of a thread differs; None: no known reason."""
        if begin is None:
            return "first seen" if begin_by_perf == end else None
        if begin_by_perf is not None:
            return "from sched_waking" if (begin, tid) in self.wakings else None
        if (begin, tid) in self.preempted:
            return "preempted"
        if (end, tid) not in self.switches:
            return "no switch to"
        return "no switch from" if any(begin <= t <= end for t in self.untaken[tid]) else "no sched_wakeup"


def printed_threads(path):
    """Returns by thread how long it waited for a processor: total, longest."""
    threads = collections.defaultdict(lambda: (0, 0))
    with open(path, encoding="utf-8") as lines:
        for row in (line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")):
            tid = int(row[0].rsplit("/", 1)[1])
            threads[tid] = threads[tid][0] + int(row[2]), max(threads[tid][1], int(row[9]))
    return threads


def main():
    log, threads, timeline, latency = sys.argv[1:]
    perf, printed = Perf(log), printed_threads(threads)
    states, names = states_of(timeline)
    counts, times, good, total = collections.Counter(), collections.Counter(), 0, 0
    with open(latency, encoding="utf-8") as lines:
        for line in filter(None, map(LINE.match, lines)):
            name, several, tid, times_by_perf, mean, most = line.groups()
            tids = [int(tid)] if tid else [t for t in names if names[t] == name]
            by_perf = [end - begin for t in tids for end, begin in perf.waits[t].items()]
            more, longest = 0, 0
            for t in tids:
                waits = {perf.first + time + duration: perf.first + time for time, duration, state in states[t]
                         if state in ("preempted", "woken") and duration is not None}
                longest = max([longest] + [end - begin for end, begin in waits.items()])
                for end in waits.keys() | perf.waits[t].keys():
                    begin, begin_by_perf = waits.get(end), perf.waits[t].get(end)
                    if begin != begin_by_perf:
                        reason = perf.reason(t, end, begin, begin_by_perf)
                        difference = (begin_by_perf or end) - (begin or end)
                        counts[reason] += 1
                        times[reason] += difference
                        more += difference if reason else 0
            waiting = sum(printed[t][0] for t in tids)
            total += 1
            if (len(by_perf) == int(times_by_perf) and len(tids) == int(several or 1)
                    and abs(sum(by_perf) - float(mean) * len(by_perf) * MS) <= 1000 * len(by_perf)
                    and abs(max(by_perf) - float(most) * MS) <= 1000
                    and waiting == sum(by_perf) + more and longest == max(printed[t][1] for t in tids)):
                good += 1
            else:
                print(line[0], "by the log:", len(tids), len(by_perf), sum(by_perf), max(by_perf), "printed:", waiting, "-", more)
    print(f"{total} names: {good} as perf has them, but for waits of these kinds:")
    for reason, count in sorted(counts.items(), key=str):
        print(f"{reason}: {count}, {times[reason] / MS:.3f} ms")


if __name__ == "__main__":
    main()
