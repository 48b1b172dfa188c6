#!/usr/bin/env python3
"""System calls with known begin, end and result, as logs of ftrace or strace -f with missing lines.

    lost_calls.py log FORM LOSS SEED      writes the log; FORM: ftrace, strace
    lost_calls.py unpaired strace LOSS SEED   how many calls lack an end, and how many a begin
    lost_calls.py judge FORM LOSS SEED    reads rows: name, calls with a duration, failed ones, sum and largest
                                           duration; compares them with what is left of the true calls; prints what
                                           is wrong, and fails then
    lost_calls.py losses FORM             lists the losses

Shares no code with tracetool. Everything is drawn from the seed.

Four jobs open a file, write, read, flush it and sleep; a fifth serves two more through pipes and futexes. Threads
move between two CPUs. In ftrace a call has two lines; in strace one, unless another thread's line comes between.
"""
import random
import sys

FIRST = 1_700_000_000_000_000  # of the log, in microseconds
NUMBERS = {"read": 0, "close": 3, "poll": 7, "pread64": 17, "pwrite64": 18, "fsync": 74, "futex": 202,
           "clock_nanosleep": 230, "openat": 257}
ERRORS = {"openat": (2, "ENOENT"), "read": (11, "EAGAIN"), "futex": (110, "ETIMEDOUT"), "fsync": (5, "EIO")}


class Call:
    def __init__(self, number, thread, name, begin, end, cpu, end_cpu, failed):
        self.number, self.thread, self.name, self.begin, self.end = number, thread, name, begin, end
        self.cpu, self.end_cpu, self.failed = cpu, end_cpu, failed


def job(draw, quick):
    """Calls of a job's next round: name, duration, following pause, and whether it may fail."""
    yield "openat", 5 + draw.randrange(20), 3
    for _ in range(1 + draw.randrange(4)):
        yield "pwrite64", 10 + int(30 * draw.lognormvariate(0, .6)), 2
        yield "pread64", 3 + draw.randrange(40), 4
    yield "fsync", int(4000 * draw.lognormvariate(0, .4)), 5
    yield "close", 2, 2
    yield "clock_nanosleep", (300 if quick else 1500) + int(draw.expovariate(1 / 700)), 10


def server(draw):
    """Waits, most of them long."""
    yield "poll", int(8000 * draw.lognormvariate(0, 1)), 3
    yield "read", 2 if draw.random() < .9 else int(20000 * draw.random()), 2
    for _ in range(draw.randrange(3)):
        yield "futex", 1 if draw.random() < .6 else int(5000 * draw.lognormvariate(0, 1)), 2


def play(seed, span=3_000_000):
    draw = random.Random(seed)
    calls = []
    for thread in range(7):
        now, cpu = FIRST + draw.randrange(2000), thread % 2
        while now < FIRST + span:
            for name, took, pause in job(draw, thread % 2) if thread < 4 else server(draw):
                begun_on = cpu
                if took > 1000 and draw.random() < .3:
                    cpu = 1 - cpu
                failed = name in ERRORS and draw.random() < .03
                calls.append(Call(0, 100 + thread, name, now, now + took, begun_on, cpu, failed))
                now += took + pause
    calls.sort(key=lambda call: call.begin)
    for number, call in enumerate(calls):
        call.number = number
    return calls


# --- lines ---------------------------------------------------------------------------------------------------------
# A line: time, cpu, 'begin' or 'end', call.

def lines_of(calls):
    lines = [(call.begin, call.cpu, "begin", call) for call in calls]
    lines += [(call.end, call.end_cpu, "end", call) for call in calls]
    lines.sort(key=lambda line: (line[0], line[3].thread, line[2] == "begin"))
    return lines


def between(lines):
    return lines[0][0], lines[-1][0] - lines[0][0]


def lose_oldest(lines, seed):
    first, span = between(lines)
    since = [first + int(span * part) for part in (.3, .42)]
    return [line for line in lines if line[0] >= since[line[1]]], {}


def lose_bursts(lines, seed, count=20, part=.2, cpus=(1,), told=True):
    draw = random.Random(seed)
    first, span = between(lines)
    bursts = [first + span * (number + .7 * draw.random()) / count for number in range(count)]
    length = span * part / count
    left, missing, marks = [], {}, {}
    at = 0
    for line in lines:
        while at + 1 < count and bursts[at + 1] <= line[0]:
            at += 1
        if line[1] in cpus and bursts[at] <= line[0] <= bursts[at] + length:
            missing[line[1]] = missing.get(line[1], 0) + 1
            continue
        if told and missing.get(line[1]):
            marks[len(left)] = f"CPU:{line[1]} [LOST {missing[line[1]]} EVENTS]"
        missing[line[1]] = 0
        left.append(line)
    return left, marks


def lose_single(lines, seed, share, which=("begin", "end")):
    draw = random.Random(seed)
    return [line for line in lines if line[2] not in which or draw.random() >= share], {}


def cut(lines, seed):
    return lines[int(len(lines) * .15):int(len(lines) * .85)], {}


def join(lines, seed):
    one, other = lines[:int(len(lines) * .4)], lines[int(len(lines) * .6):]
    return one + other, {len(one): "# tracer: nop"}


LOSSES = {
    "none": lambda lines, seed: (lines, {}),
    "oldest": lose_oldest,
    "bursts": lose_bursts,
    "short-bursts": lambda lines, seed: lose_bursts(lines, seed, 200),
    "all-bursts": lambda lines, seed: lose_bursts(lines, seed, 20, .2, (0, 1)),
    "untold-bursts": lambda lines, seed: lose_bursts(lines, seed, told=False),
    "one-percent": lambda lines, seed: lose_single(lines, seed, .01),
    "ten-percent": lambda lines, seed: lose_single(lines, seed, .1),
    "ends": lambda lines, seed: lose_single(lines, seed, .05, ("end",)),
    "begins": lambda lines, seed: lose_single(lines, seed, .05, ("begin",)),
    "cut": cut,
    "joined": join,
}


# --- ftrace --------------------------------------------------------------------------------------------------------

def write_ftrace(lines, loss, seed):
    left, marks = LOSSES[loss](lines, seed)
    total = len(lines) if loss == "oldest" else len(left)
    print(f"# tracer: nop\n#\n# entries-in-buffer/entries-written: {len(left)}/{total}   #P:2\n#")
    for number, (time, cpu, what, call) in enumerate(left):
        if number in marks:
            print(marks[number])
        head = f"{'job':>16}-{call.thread:<7} [{cpu:03d}] .....  {time // 10**6}.{time % 10**6:06d}: "
        if what == "begin":
            print(f"{head}sys_enter: NR {NUMBERS[call.name]} (3, 7ffc0000, 1000, 0, 0, 0)")
        else:
            print(f"{head}sys_exit: NR {NUMBERS[call.name]} = {-ERRORS[call.name][0] if call.failed else 0}")


def left_of_ftrace(lines, loss, seed):
    begun, ended = set(), {}
    for _, _, what, call in LOSSES[loss](lines, seed)[0]:
        if what == "begin":
            begun.add(call.number)
        else:
            ended[call.number] = call
    return [call for number, call in ended.items() if number in begun]


# --- strace --------------------------------------------------------------------------------------------------------

def strace_lines(lines):
    """Each line with the call that ends on it, or None, and its form: whole, unfinished, resumed."""
    at = 0
    while at < len(lines):
        time, _, what, call = lines[at]
        result = f"-1 {ERRORS[call.name][1]} (Error)" if call.failed else "0"
        took = f"<{(call.end - call.begin) / 10**6:.6f}>"
        head = f"{call.thread} {time // 10**6}.{time % 10**6:06d} "
        if what == "end":
            yield f"{head}<... {call.name} resumed>) = {result} {took}", call, "resumed"
        elif at + 1 < len(lines) and lines[at + 1][3] is call:
            yield f"{head}{call.name}(3, \"x\", 1) = {result} {took}", call, "whole"
            at += 1
        else:
            yield f"{head}{call.name}(3,  <unfinished ...>", call, "unfinished"
        at += 1


def lose_strace(lines, loss, seed):
    draw = random.Random(seed)
    share = {"one-percent": .01, "ten-percent": .1}.get(loss, .05)
    kinds = {"ends": ("resumed",), "begins": ("unfinished",)}.get(loss, ("whole", "unfinished", "resumed"))
    lines = list(strace_lines(lines))
    if loss == "cut":
        return lines[int(len(lines) * .15):int(len(lines) * .85)]
    if loss == "joined":
        return lines[:int(len(lines) * .4)] + lines[int(len(lines) * .6):]
    if loss == "none":
        return lines
    return [line for line in lines if line[2] not in kinds or draw.random() >= share]


def unpaired(left):
    """Numbers of calls without an end and without a begin, if an end belongs to the previous begin of its thread."""
    waiting, without_end, without_begin = {}, 0, 0
    for _, call, what in left:
        before = waiting.pop(call.thread, None)
        if what == "resumed" and before == call.name:
            continue
        without_end += before is not None
        without_begin += what == "resumed"
        if what == "unfinished":
            waiting[call.thread] = call.name
    return without_end + len(waiting), without_begin


# --- what is said of them --------------------------------------------------------------------------------------------

# Tolerance by loss: of a name's mean, of its maximum (as a factor), of its number of calls (as a share), and of
# its failures. Everything else is exact. In these losses, an end and the next begin of a thread may be lost while
# it runs briefly on another CPU; such calls look like one long call.
BOUNDS = {
    "oldest": (.08, 3, .05, 3),
    "bursts": (.16, 4, .08, 6),
    "short-bursts": (.13, 2, .1, 9),
    "all-bursts": (.35, 3, .08, 3),
    "untold-bursts": (.16, 4, .08, 6),
    "one-percent": (.002, 0, .002, 0),
    "ten-percent": (.02, 3, .01, 1),
}
EXACT = (0, 0, 0, 0)


def table_of(calls):
    table = {}
    for call in calls:
        row = table.setdefault(call.name, [0, 0, 0, 0])
        row[0] += 1
        row[1] += call.failed
        row[2] += (call.end - call.begin) * 1000
        row[3] = max(row[3], (call.end - call.begin) * 1000)
    return table


def judge(wanted, rows, bounds):
    """Rows: name, calls with a duration, failed calls, total, largest."""
    mean_off, most_off, count_off, failed_off = bounds
    wrong = [f"{name}: there is none" for name in wanted if name not in rows]
    for name, (calls, failed, total, most) in rows.items():
        if name not in wanted:
            wrong.append(f"{name}: there should be none")
            continue
        true = wanted[name]
        if abs(calls - true[0]) > count_off * true[0]:
            wrong.append(f"{name}: {calls} calls, {true[0]} are right")
        if abs(failed - true[1]) > failed_off:
            wrong.append(f"{name}: {failed} failed, {true[1]} did")
        if abs(total / calls / (true[2] / true[0]) - 1) > mean_off:
            wrong.append(f"{name}: the mean is {total / calls:.0f}, {true[2] / true[0]:.0f} is right")
        if most > true[3] * (1 + most_off) or most < true[3] / (1 + most_off):
            wrong.append(f"{name}: the largest is {most}, {true[3]} is right")
    return wrong


def main():
    if sys.argv[1] == "losses":
        told = ("oldest", "bursts", "short-bursts", "all-bursts", "untold-bursts")
        print("\n".join(loss for loss in LOSSES if sys.argv[2] == "ftrace" or loss not in told))
        return
    what, form, loss, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    lines = lines_of(play(seed))
    if what == "log" and form == "ftrace":
        write_ftrace(lines, loss, seed)
    elif what == "log":
        print("\n".join(line[0] for line in lose_strace(lines, loss, seed)))
    elif what == "unpaired":
        print("{}\t{}".format(*unpaired(lose_strace(lines, loss, seed))))
    else:
        left = left_of_ftrace(lines, loss, seed) if form == "ftrace" else \
            [call for _, call, kind in lose_strace(lines, loss, seed) if kind != "unfinished"]
        rows = {}
        for row in sys.stdin:
            name, calls, failed, total, most = row.rstrip("\n").split("\t")
            rows[name] = tuple(int(number or 0) for number in (calls, failed, total, most))
        wrong = judge(table_of(left), rows, BOUNDS.get(loss, EXACT) if form == "ftrace" else EXACT)
        print("\n".join(wrong))
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
