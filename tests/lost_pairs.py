"""Logs of block I/O with lost events and known pairs.

    lost_pairs.py log WORKLOAD LOSS FORM         the log
    lost_pairs.py judge WORKLOAD LOSS REPORTS    whether what reports say is true; 1: it is not

FOLDER REPORTS has latency.tsv, q2c.tsv, queue.tsv, stages.tsv, and all latencies in latencies.txt. The truth are
the requests whose issue and completion are both in the log. Everything is drawn from one seed.
"""
import math
import os
import random
import sys

WORKLOADS = 'jobs', 'hot', 'journal'
FORMS = 'ftrace', 'blkparse'
MICRO = 1000  # ns; ftrace has no finer times

# Tolerances, as (least, most) of reported over true value: mean, 99th percentile and depth. Complete logs are
# exact, others within 5 %. Exceptions are losses that no such log reveals: random single events, bursts as short
# as a request, and sectors that are always busy.
EXACT = (1, 1), (1, 1), (1, 1)
CLOSE = (.95, 1.05), (.95, 1.05), (.95, 1.05)
KNOWN = {
    ('jobs', 'told'): ((.95, 1.05), (.95, 1.1), (.95, 1.05)),
    ('jobs', 'untold'): ((.95, 1.05), (.95, 1.1), (.95, 1.05)),
    ('jobs', 'ten'): ((.95, 1.25), (.95, 1.1), (.95, 1.25)),
    ('journal', 'told'): ((.95, 1.1), (.95, 1.25), (.95, 1.1)),
    ('journal', 'untold'): ((.95, 1.1), (.95, 1.25), (.95, 1.1)),
    ('journal', 'ten'): ((.95, 1.25), (.95, 1.1), (.95, 1.25)),
    ('hot', 'ten'): ((.9, 1.05), (.9, 1.1), (.9, 1.1)),
    ('hot', 'told'): ((.9, 1.05), (.9, 1.1), (.9, 1.1)),
    ('hot', 'untold'): ((.9, 1.05), (.9, 1.1), (.9, 1.1)),
    ('hot', 'one'): ((.9, 1.05), (.9, 1.05), (.9, 1.05)),
    ('hot', 'completions'): ((.88, 1.05), (.88, 1.05), (.88, 1.05)),
    ('hot', 'issues'): ((.88, 1.05), (.88, 1.05), (.88, 1.05)),
    ('hot', 'overrun'): ((.9, 1.05), (.9, 1.05), (.9, 1.05)),
    ('hot', 'joined'): ((.9, 1.05), (.9, 1.05), (.9, 1.05)),
}


class Event:
    def __init__(self, time, cpu, action, request, letters, sector, sectors):
        self.time, self.cpu, self.action, self.request = time, cpu, action, request
        self.letters, self.sector, self.sectors = letters, sector, sectors
        self.number = 0  # index among the events of its CPU


# --- workloads -------------------------------------------------------------------------------------


class Device:
    """Draws requests and records their events."""

    def __init__(self, seed):
        self.random, self.events, self.requests = random.Random(seed), [], 0

    def spread(self, middle):
        """A random time around so many microseconds, mostly within half and twice."""
        return max(4, int(middle * self.random.lognormvariate(0, .5))) * MICRO

    def add(self, letters, sector, sectors, issued, completed, asked=None):
        cpu = self.random.randrange(2)
        steps = [('D', issued, cpu), ('C', completed, self.random.randrange(2))]
        if asked is not None:
            steps.append(('Q', asked, cpu))
        for action, time, where in steps:
            self.events.append(Event(time, where, action, self.requests, letters, sector, sectors))
        self.requests += 1

    def log(self):
        """Sorted by time; at equal times completions first."""
        self.events.sort(key=lambda e: (e.time, 'CQD'.index(e.action)))
        numbers = [0, 0]
        for event in self.events:
            numbers[event.cpu] += 1
            event.number = numbers[event.cpu]
        return self.events


def jobs():
    """Three jobs write a block, flush the device, and pause. The device does one flush at a time."""
    device, ready, free = Device(11), [0, 400 * MICRO, 900 * MICRO], 0
    for _ in range(2500):
        job = ready.index(min(ready))
        asked = ready[job]
        issued = asked + device.random.randrange(2, 20) * MICRO
        written = issued + device.spread(80)
        device.add('WS', 16 * device.random.randrange(1500), 16, issued, written, asked)
        flush = max(written + 4 * MICRO, free)
        done = flush + device.spread(450)
        free = done + 2 * MICRO
        device.add('FF', 0, 0, flush, done)
        ready[job] = done + int(device.random.expovariate(1 / 1200)) * MICRO
    return device.log()


def hot():
    """Sixteen reads in flight on eight sectors; those of one sector complete in order."""
    device, now, last = Device(12), 0, {}
    flying = []
    for _ in range(5000):
        if len(flying) == 16:
            flying.sort()
            now = max(now, flying.pop(0))
        now += device.random.randrange(1, 4) * MICRO
        sector = 8 * device.random.randrange(8)
        done = max(now + device.spread(60), last.get(sector, 0) + MICRO)
        last[sector] = done
        flying.append(done)
        device.add('R', sector, 8, now, done)
    return device.log()


def journal():
    """A journal of 512 positions is written cyclically, four blocks and a flush at a time, while two others read."""
    device, now, place = Device(13), 0, 0
    for _ in range(900):
        ends = []
        for _ in range(4):
            asked = now + device.random.randrange(8) * MICRO
            issued = asked + device.random.randrange(2, 30) * MICRO
            ends.append(issued + device.spread(120))
            device.add('WSM', 100000 + 8 * place, 8, issued, ends[-1], asked)
            place = (place + 1) % 512
        flush = max(ends) + 3 * MICRO
        now = flush + device.spread(700)
        device.add('FF', 0, 0, flush, now)
        now += int(device.random.expovariate(1 / 900)) * MICRO
    for _ in range(2):
        time = 0
        while time < now:
            issued = time + device.random.randrange(2, 10) * MICRO
            done = issued + device.spread(150)
            device.add('R', 8 * device.random.randrange(400), 8, issued, done, time)
            time = done + int(device.random.expovariate(1 / 1500)) * MICRO
    return device.log()


# --- losses ------------------------------------------------------------------------------------------


def lose(events, loss):
    """The remaining events."""
    draw = random.Random(21)
    first, last = events[0].time, events[-1].time
    length = last - first
    if loss == 'overrun':  # CPU 1 lost more
        return [e for e in events if e.time >= first + length * (.3, .42)[e.cpu]]
    if loss in ('told', 'untold'):  # 25 times, CPU 1 is silent for a hundredth of the time
        starts = [first + length * (i + .6 * draw.random()) / 25 for i in range(25)]
        return [e for e in events
                if e.cpu == 0 or not any(s <= e.time <= s + length / 125 for s in starts)]
    if loss in ('one', 'ten'):
        return [e for e in events if draw.random() >= {'one': .01, 'ten': .1}[loss]]
    if loss in ('completions', 'issues'):
        return [e for e in events
                if e.action != {'completions': 'C', 'issues': 'D'}[loss] or draw.random() >= .05]
    if loss == 'cut':
        return events[len(events) * 3 // 20:len(events) * 17 // 20]
    if loss == 'joined':
        return events[:len(events) * 2 // 5] + events[len(events) * 3 // 5:]
    return events


LOSSES = ('none', 'overrun', 'told', 'untold', 'one', 'ten', 'completions', 'issues', 'cut', 'joined')


def complete_since(left, loss):
    """After an overrun: the time from which all CPUs are complete."""
    if loss != 'overrun':
        return left[0].time
    return max(next(e.time for e in left if e.cpu == cpu) for cpu in (0, 1))


# --- forms -------------------------------------------------------------------------------------------


def ftrace(events, left, loss):
    if loss == 'overrun':
        yield f'# entries-in-buffer/entries-written: {len(left)}/{len(events)}   #P:2'
    yield '# tracer: nop'
    numbers = {}
    for at, event in enumerate(left):
        before = numbers.get(event.cpu, 0 if loss != 'overrun' else event.number - 1)
        if loss == 'told' and event.number > before + 1:
            yield f'CPU:{event.cpu} [LOST {event.number - before - 1} EVENTS]'
        if loss == 'joined' and at == len(events) * 2 // 5:
            yield '# tracer: nop'
        numbers[event.cpu] = event.number
        seconds, rest = divmod(event.time + 50 * 10**9, 10**9)
        sector, sectors = event.sector, event.sectors
        if event.letters == 'FF' and event.action == 'C':
            sector, sectors = 2**64 - 1, 0
        name = {'Q': f'block_bio_queue: 8,0 {event.letters} ',
                'D': f'block_rq_issue: 8,0 {event.letters} {sectors * 512} () ',
                'C': f'block_rq_complete: 8,0 {event.letters} () '}[event.action]
        end = '[0]' if event.action == 'C' else '[job]'
        yield (f'{"job":>16}-{77:<7} [{event.cpu:03d}] d..1. {seconds}.{rest // 1000:06d}: '
               f'{name}{sector} + {sectors} {end}')


def blkparse(events, left, loss):
    numbers = [0, 0]
    for event in left:
        numbers[event.cpu] += 1
        number = numbers[event.cpu] if loss in ('untold', 'cut') else event.number
        seconds, rest = divmod(event.time, 10**9)
        what = f'{event.sector} + {event.sectors} ' if event.sectors else '0 ' if event.action == 'C' else ''
        end = '[0]' if event.action == 'C' else '[job]'
        yield (f'  8,0 {event.cpu:4d} {number:8d} {seconds:5d}.{rest:09d} {77:5d}  {event.action} '
               f'{event.letters:>3} {what}{end}')


# --- what is true ------------------------------------------------------------------------------------

CLASSES = {'R': 'read', 'WS': 'writesync', 'WSM': 'writesync', 'FF': 'flush'}


def pairs(left, begin, since):
    """(letters, from, to) of requests with both ends, from D or Q to C."""
    begun = {e.request: e.time for e in left if e.action == begin and e.time >= since}
    return [(e.letters, begun[e.request], e.time) for e in left
            if e.action == 'C' and e.request in begun]


def figures(times):
    """Mean and 99th percentile (nearest rank)."""
    times = sorted(times)
    return sum(times) / len(times), times[math.ceil(len(times) * .99) - 1]


def rows(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8') as lines:
        return [line.rstrip('\n').split('\t') for line in lines if not line.startswith('#')]


def said_depth(folder):
    """Mean over time."""
    total = flying = 0
    for depth, time, *_ in rows(folder, 'queue.tsv'):
        total, flying = total + int(time), flying + int(depth) * int(time)
    return flying / total


class Judge:
    def __init__(self):
        self.wrong, self.lines = False, []

    def compare(self, what, said, true, bounds):
        ratio = said / true
        good = bounds[0] - 2e-5 <= ratio <= bounds[1] + 2e-5  # figures are printed as integers
        self.wrong |= not good
        self.lines.append(f'{"" if good else "WRONG: "}{what}: {said:.6g} for {true:.6g}, {ratio:.3f}')


def judge(workload, loss, folder):
    events = globals()[workload]()
    left = lose(events, loss)
    since = complete_since(left, loss)
    mean, p99, depth = EXACT if loss in ('none', 'cut') and workload != 'hot' or loss == 'none' \
        else KNOWN.get((workload, loss), CLOSE)
    whole = (workload, loss) in KNOWN  # then all classes are compared together
    result = Judge()
    true, said = {}, {}
    for letters, issued, completed in pairs(left, 'D', since):
        true.setdefault('all' if whole else CLASSES[letters], []).append(completed - issued)
    for name, count, _, value, _, _, ninety_nine, _ in rows(folder, 'latency.tsv'):
        said[name] = int(count), float(value), float(ninety_nine)
    if whole:
        said = {'all': (0, *figures([int(row[0]) for row in rows(folder, 'latencies.txt')]))}
    for name, times in true.items():
        exact_mean, exact_p99 = figures(times)
        result.compare(f'{name} mean', said[name][1], exact_mean, mean)
        result.compare(f'{name} p99', said[name][2], exact_p99, p99)
    flying = pairs(left, 'D', since)
    span = max(p[2] for p in flying) - min(p[1] for p in flying)
    result.compare('depth', said_depth(folder), sum(p[2] - p[1] for p in flying) / span, depth)
    data = [p[2] - p[1] for p in flying if p[0] != 'FF']
    stages = {row[0]: float(row[3]) for row in rows(folder, 'stages.tsv')}
    asked = [p[2] - p[1] for p in pairs(left, 'Q', since)]
    if asked:
        count = total = 0
        for _, number, _, value, *_ in rows(folder, 'q2c.tsv'):
            count, total = count + int(number), total + int(number) * float(value)
        result.compare('q2c mean', total / count, figures(asked)[0], mean)
    # If the head is cut, a request without Q has no stages.
    result.compare('stages D2C mean', stages['D2C'], figures(data)[0], CLOSE[0] if loss == 'cut' else mean)
    if result.wrong:
        print('\n'.join(result.lines))
    return result.wrong


def main():
    if sys.argv[1] == 'log':
        workload, loss, form = sys.argv[2:5]
        events = globals()[workload]()
        print('\n'.join(globals()[form](events, lose(events, loss), loss)))
        return 0
    return int(judge(*sys.argv[2:5]))


if __name__ == '__main__':
    sys.exit(main())
