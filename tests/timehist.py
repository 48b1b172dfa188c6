"""Compares the states that `report timeline` prints with `perf sched timehist` of the same recording.

    timehist.py TIMELINE LOG TIMEHIST

A line of timehist is a run of a thread: its end, the wait since the thread stopped, and in it the delay since its
wakeup. Skips lines whose switch to the thread is not in the log: perf attributes all time since the processor's
last switch to it. Known differences, by time and thread:

    7879.966091 15      sched_waking is not in the log, only sched_wakeup, which perf does not take where others have it
    7880.773375 20401   sched_waking comes before the switch that it ends; perf forgets it, and takes no sched_wakeup
"""
import collections
import re
import sys

EXPLAINED = {("7879.966091", 15), ("7880.773375", 20401)}
SWITCH = re.compile(r"\s*.+?\s+-?\d+\s+\[(\d+)\]\s+(\d+\.\d+):\s+sched:sched_switch: prev_comm=.* prev_pid=(\d+) .* next_pid=(\d+)")
LINE = re.compile(r"\s*(\d+\.\d+) \[\d+\]\s+.*?\[(\d+)(?:/\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)")


def nanoseconds(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 10**9 + int((fraction + 9 * "0")[:9])


def states_of(path):
    """Returns the rows of `report timeline` by thread (time, duration or None, state), in order of time; and last names."""
    states, names = collections.defaultdict(list), {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                time, duration, thread, state, _ = line.rstrip("\n").split("\t")
                name, tid = thread.rsplit("/", 1)
                names[int(tid)] = name
                states[int(tid)].append((nanoseconds(time), int(duration) if duration else None, state))
    return states, names


def runs_of(by_thread, base):
    """Returns (end of run, tid) -> wait, delay, run time."""
    found = collections.defaultdict(list)
    for tid, states in by_thread.items():
        for i, (time, duration, state) in enumerate(states):
            if state != "running" or duration is None:
                continue
            before = i - 1
            delay = 0
            if before >= 0 and states[before][2] == "woken":
                delay = time - states[before][0]
                before -= 1
            wait = time - states[before][0] if before >= 0 and states[before][2] not in ("running", "unknown") else 0
            found[base + time + duration, tid].append((wait, delay, duration))
    return found


def behind_missing_switch(log):
    """(time, tid) of switches from a thread without a switch to it, and the time of the first line."""
    running, missing, first = {}, set(), None
    with open(log, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if first is None:
                first = nanoseconds(re.search(r"(\d+\.\d+):", line)[1])
            found = SWITCH.match(line)
            if found:
                if running.get(found[1]) != found[3]:
                    missing.add((nanoseconds(found[2]), int(found[3])))
                running[found[1]] = found[4]
    return missing, first


def main():
    timeline, log, timehist = sys.argv[1:]
    missing, first = behind_missing_switch(log)
    found = runs_of(states_of(timeline)[0], first)
    counts = collections.Counter()
    with open(timehist, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            match = LINE.match(line)
            if not match:
                continue
            key = nanoseconds(match[1]), int(match[2])
            wanted = [round(float(match[i]) * 10**6) for i in (3, 4, 5)]
            equal = any(all(abs(a - b) <= 1000 for a, b in zip(wanted, got)) for got in found[key])
            outcome = ("equal" if equal else "behind a missing switch" if key in missing
                       else "explained" if (match[1], key[1]) in EXPLAINED else "differ")
            counts[outcome] += 1
            if outcome == "differ":
                print(line.rstrip(), found[key])
    print(f"{sum(counts.values())} lines:", ", ".join(
        f"{counts[outcome]} {outcome}" for outcome in ("equal", "behind a missing switch", "explained", "differ")))


if __name__ == "__main__":
    main()
