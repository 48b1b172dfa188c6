"""Compares why and chain with a prototype that reads the whole log.

    why_oracle.py DIRECTORY LOG WHY CHAIN STEPS     DIRECTORY has why.py; then tsv of report why, of
                                                    report chain, and of chain --slowest

Prints the sums of time that differ, and how many are equal. By design, these count as one:
- on a processor, waits for a processor and unexplained: the logs lack some switches. A thread that
  writes lines runs, which the prototype does not know: there it is woken, or still asleep. Before
  the first state of a thread, the prototype lets it run. So waits of the prototype may be time on a
  processor, or unexplained, but nothing may be the other way round ("direction").
- a flush and the write without sectors that its second completion is
- timer and interrupt, which flags of ftrace do not tell apart
- message and thread: the prototype does not know what a call reads
"""

import collections
import sys

sys.path.insert(0, sys.argv[1])
import why  # noqa: E402

PROCESSOR = ("on a processor", "waits for a processor", "unexplained")
LETTERS = {"R": "read", "W": "write", "F": "write", "D": "other"}
why.NAMES[15] = "rt_sigreturn"  # the prototype ends it with another call
log = why.Log(sys.argv[2])


def cause_of_prototype(cause):
    if cause.startswith("device "):
        _, device, letters = cause.split()
        return class_of(device, LETTERS[letters[0]], "S" in letters)
    cause = cause if cause.startswith("kernel") else cause.split(":")[0]
    return "interrupt" if cause.startswith(("timer", "irq", "softirq")) else plain(cause)


def class_of(device, way, sync):
    return f"device {device} {way}{'sync' if sync and way != 'other' else ''}"


def plain(cause):
    if cause.startswith("device "):
        return cause.replace("flush", "writesync")
    return {
        "timer": "interrupt",
        "message": "thread",
    }.get(cause, cause)


def name_of(name):
    return name if name in why.NAMES.values() else "other"


def parts(thread, begin, end, name, depth, most, found):
    for state, start, stop, after in log.segments(thread, begin, end):
        cause = log.cause(thread, state, after, name)
        if stop > start and depth < most and cause.startswith(("lock", "child", "thread", "kernel")):
            parts(log.state[thread][after][2][0], start, stop, "", depth + 1, most, found)
        else:
            found[cause_of_prototype(cause)] += stop - start
    return found


def merge(found):
    merged = collections.Counter()
    for (*name, cause), time in found.items():
        merged[(*name, "processor" if cause in PROCESSOR else cause)] += time
    return merged


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]


def compare_directions(wanted, got):
    wrong = 0
    for name in {key[0] for key in wanted | got}:
        ran, waited, rest = (got[name, cause] - wanted[name, cause] for cause in PROCESSOR)
        wrong += ran < 0 or waited > 0 or rest < 0
    print(f"direction: {wrong} wrong")


def compare(what, wanted, got):
    wanted, got = merge(wanted), merge(got)
    keys = {key for key in wanted.keys() | got.keys() if wanted[key] or got[key]}
    for key in sorted(keys):
        if wanted[key] != got[key]:
            print(what, *key, wanted[key], "got", got[key])
    print(f"{what}: {sum(wanted[key] == got[key] for key in keys)} equal")


def sums(most):
    found = collections.Counter()
    for begin, end, name, thread, _ in log.calls:
        for cause, time in parts(thread, begin, end, name, 0, most, collections.Counter()).items():
            if name != "rt_sigreturn":
                found[name_of(name), cause] += time
    return found


def sums_of_report(path, cause, time):
    found = collections.Counter()
    for row in rows(path):
        found[name_of(row[0]), plain(row[cause])] += int(row[time])
    return found


def compare_calls(path):
    got = collections.defaultdict(list)
    for row in rows(path):
        got[row[0]].append(row)
    wanted = {(begin - log.first, name_of(name), end - begin): (thread, begin, end)
              for begin, end, name, thread, _ in log.calls}
    equal = cut = 0
    for steps in got.values():
        call = wanted[int(steps[0][3]), name_of(steps[0][1]), int(steps[0][2])]
        found = collections.Counter()
        for step in steps:
            found[(plain(step[5]),)] += int(step[6])
        cut += ("…",) in found
        followed = parts(*call, steps[0][1], 0, 15, collections.Counter())
        equal += merge(found) == merge({(cause,): time for cause, time in followed.items()})
    print(f"chains of calls: {equal} equal, {cut} cut, {len(got) - equal - cut} differ")


why_wanted, why_got = sums(0), sums_of_report(sys.argv[3], 2, 3)
compare("why", why_wanted, why_got)
compare_directions(why_wanted, why_got)
compare("chain", sums(15), sums_of_report(sys.argv[4], 3, 4))
compare_calls(sys.argv[5])
