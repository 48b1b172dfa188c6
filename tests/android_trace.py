#!/usr/bin/env python3
"""Independent computation of reports on an Android method trace.

    tests/android_trace.py FILE FOLDER
    tests/android_trace.py FILE TABLE, as: calltree --clock wall

Parses a .trace file by shared/formats/android-trace.md, pairs its records by docs/spans.md, and writes the rows of
`functions`, `functions --per-thread` and `calltree`, without lines that begin with '#', for each clock and with or
without `--open leave-out`: files that are called as their options, or one of them to stdout. `records`: events and
rejected; `clocks`: wall, cpu, or both.
Shares no code with tracetool.
"""
import collections
import os
import struct
import sys

ENTRY = 0
WRAP = 1 << 32
MICROSECOND = 1000


class Damaged(Exception):
    """The file is unreadable."""


class Trace:
    """A parsed file, without pairing."""

    def __init__(self):
        self.version = None
        self.record_size = None
        self.streaming = False
        self.keys = {}
        self.threads = {}  # thread ID: name
        self.methods = {}  # value: (class, method, signature)
        self.records = []  # (thread, value, action, cpu or None, wall or None), in microseconds
        self.rejected = []  # 

    def clocks(self):
        """The clocks of a record, in their order."""
        if self.version == 3 and self.record_size == 14:
            return ("cpu", "wall")
        return ("cpu",) if self.keys.get("clock") == b"thread-cpu" else ("wall",)


# --- reading --------------------------------------------------------------------------------------


def add_method(trace, line):
    fields = line.rstrip(b"\n").split(b"\t")
    try:
        value = int(fields[0], 16)
    except ValueError:
        return
    fields += [b""] * (4 - len(fields))
    trace.methods[value] = (fields[1].replace(b"/", b"."), fields[2], fields[3])


def read_text(trace, text):
    """Parses the key section; without *end it is truncated."""
    section = None
    for line in text.split(b"\n"):
        if line.startswith(b"*"):
            section = line
            if line == b"*end":
                return
        elif section == b"*version" and b"=" in line:
            key, _, value = line.partition(b"=")
            trace.keys[key.decode("ascii", "replace")] = value
        elif section == b"*version" and line:
            trace.keys["version"] = line
        elif section == b"*threads" and b"\t" in line:
            number, _, name = line.partition(b"\t")
            trace.threads[int(number)] = name
        elif section == b"*methods" and line:
            add_method(trace, line)


def read_header(trace, data, at):
    """Returns the offset of the records."""
    if data[at:at + 4] != b"SLOW" or len(data) < at + 16:
        raise Damaged("no binary header")
    version, offset = struct.unpack_from("<HH", data, at + 4)
    trace.streaming = version >= 0xF0
    trace.version = version - 0xF0 if trace.streaming else version
    if trace.version not in (1, 2, 3):
        raise Damaged("version %d" % trace.version)
    trace.record_size = {1: 9, 2: 10, 3: 0}[trace.version]
    if trace.version == 3:
        trace.record_size = struct.unpack_from("<H", data, at + 16)[0]
    least = 18 if trace.version == 3 else 16
    if trace.record_size not in (9, 10, 14) or offset < least or at + offset > len(data):
        raise Damaged("record size %d, offset %d" % (trace.record_size, offset))
    return at + offset


def read_record(trace, data, at):
    wide = trace.version > 1
    thread = struct.unpack_from("<H", data, at)[0] if wide else data[at]
    words = struct.unpack_from("<%dI" % ((trace.record_size - 1 - wide) // 4), data, at + 1 + wide)
    if words[0] & 3 == 3:
        trace.rejected.append(("action", at))
        return
    times = dict(zip(trace.clocks(), words[1:]))
    trace.records.append(
        (thread, words[0] & ~3, words[0] & 3, times.get("cpu"), times.get("wall")))


def read_packet(trace, data, at):
    """`at`: offset after the thread ID 0. Returns the packet's end; None if it is malformed."""
    kind = data[at]
    at += 1
    if kind == 1:
        length = struct.unpack_from("<H", data, at)[0]
        add_method(trace, data[at + 2:at + 2 + length])
        return at + 2 + length
    if kind == 2:
        number, length = struct.unpack_from("<HH", data, at)
        trace.threads[number] = data[at + 4:at + 4 + length]
        return at + 4 + length
    if kind == 3:
        length = struct.unpack_from("<I", data, at)[0]
        read_text(trace, data[at + 4:at + 4 + length])
        return at + 4 + length
    return None


def read_records(trace, data, at):
    width = 1 if trace.version == 1 else 2
    summary = False
    while at < len(data):
        end = at + trace.record_size
        if summary:
            trace.rejected.append(("after the summary", at))
            return
        try:
            if trace.streaming and data[at:at + width] == bytes(width):
                summary = data[at + width] == 3
                end = read_packet(trace, data, at + width)
            elif end <= len(data):
                read_record(trace, data, at)
        except (IndexError, struct.error):
            end = len(data) + 1
        if end is None or end > len(data):
            trace.rejected.append(("cut short" if end else "packet", at))
            return
        at = end


def read_trace(path):
    with open(path, "rb") as file:
        data = file.read()
    trace = Trace()
    at = 0
    if not data.startswith(b"SLOW"):
        if not data.startswith(b"*version\n"):
            raise Damaged("no Android method trace")
        found = data.find(b"\n*end\n")
        at = len(data) if found < 0 else found + 6
        read_text(trace, data[:at])
    try:
        read_records(trace, data, read_header(trace, data, at))
    except Damaged as damage:
        # The text part is still useful.
        if trace.streaming or not trace.keys:
            raise
        trace.rejected.append((str(damage), at))
    return trace


# --- names ----------------------------------------------------------------------------------------


def method_names(trace):
    """Names by value, for every method that the file names or a record uses."""
    signatures = collections.defaultdict(set)
    for group, method, signature in trace.methods.values():
        signatures[group, method].add(signature)
    names = {}
    for value, (group, method, signature) in trace.methods.items():
        name = b".".join(part for part in (group, method) if part)
        if name:
            names[value] = name + (signature if len(signatures[group, method]) > 1 else b"")
    for record in trace.records:
        names.setdefault(record[1], b"0x%x" % record[1])
    return names


def thread_labels(trace):
    """Threads without records are omitted."""
    labels = {}
    for number in {record[0] for record in trace.records}:
        name = trace.threads.get(number, b"")
        labels[number] = b"%s/%d" % (name, number) if name else b"%d" % number
    return labels


# --- records become calls -------------------------------------------------------------------------


class Call:
    def __init__(self, value, thread, parent, begin):
        self.value, self.thread, self.parent, self.begin = value, thread, parent, begin
        self.end = None  # unknown until it ends
        self.inside = {"cpu": 0, "wall": 0}  # total duration of direct callees

    def duration(self, clock):
        return None if self.end is None else self.end[clock] - self.begin[clock]

    def self_time(self, clock):
        return None if self.end is None else max(0, self.duration(clock) - self.inside[clock])

    def outermost(self):
        caller = self.parent
        while caller is not None and caller.value != self.value:
            caller = caller.parent
        return caller is None


class Spans:
    """Pairs records by docs/spans.md."""

    def __init__(self, trace, leave_out):
        self.calls = []
        self.last = {}  # time of the last record, by thread
        self.wall = None  # time of the file's last record, extended
        stacks = collections.defaultdict(list)
        for thread, value, action, cpu, wall in trace.records:
            times = self.times_of(thread, cpu, wall)
            if action == ENTRY:
                self.enter(stacks[thread], value, thread, times)
            else:
                self.leave(stacks[thread], value, times)
        if not leave_out:
            self.end_open(trace)
        self.add_up()

    def end_open(self, trace):
        """All threads share wall time, which ends at the file's last record; CPU time ends at the thread's."""
        latest = max((times["wall"] for times in self.last.values() if "wall" in times), default=0)
        for call in self.calls:
            if call.end is None:
                call.end = dict(self.last[call.thread])
                if "wall" in trace.clocks():
                    call.end["wall"] = latest

    @staticmethod
    def extend(last, time):
        """Extends a 32-bit counter near `last`, by less than half its range in either direction."""
        if last is None:
            return time
        extended = last + (time - last + WRAP // 2) % WRAP - WRAP // 2
        return extended if extended >= 0 else extended + WRAP

    def times_of(self, thread, cpu, wall):
        """All threads share the extended wall clock, so that a quiet thread does not miss a wraparound."""
        before = self.last.get(thread, {})
        times = {}
        if wall is not None:
            times["wall"] = self.wall = self.extend(self.wall, wall)
        if cpu is not None:
            times["cpu"] = self.extend(before.get("cpu"), cpu)
        times = {clock: max(time, before.get(clock, time)) for clock, time in times.items()}
        self.last[thread] = times
        return times

    def enter(self, stack, value, thread, times):
        call = Call(value, thread, stack[-1] if stack else None, times)
        self.calls.append(call)
        stack.append(call)

    @staticmethod
    def leave(stack, value, times):
        if all(call.value != value for call in stack):
            return
        while True:
            call = stack.pop()
            call.end = times
            if call.value == value:
                return

    def add_up(self):
        for call in self.calls:
            if call.parent is not None and call.end is not None:
                for clock in call.end:
                    call.parent.inside[clock] += call.duration(clock)


# --- reports --------------------------------------------------------------------------------------


def escape(text):
    """Escapes a tsv field."""
    out = []
    for character in text.decode("utf-8", "surrogateescape"):
        code = ord(character)
        if character in "\t\n\\":
            out.append({"\t": "\\t", "\n": "\\n", "\\": "\\\\"}[character])
        elif code < 0x20 or code == 0x7F:
            out.append("\\x%02x" % code)
        elif 0xDC80 <= code <= 0xDCFF:
            out.append("\\x%02x" % (code - 0xDC00))
        else:
            out.append(character)
    field = "".join(out)
    return "\\x23" + field[1:] if field.startswith("#") else field


def cell(value):
    if value is None:
        return ""
    return escape(value) if isinstance(value, bytes) else str(value)


def share(part, whole):
    return None if part is None or not whole else "%.6f" % (part / whole)


def largest_first(number):
    return (1, 0) if number is None else (0, -number)


def all_self(spans, clock):
    return sum(call.self_time(clock) or 0 for call in spans.calls)


def functions(trace, spans, clock, per_thread):
    names, labels = method_names(trace), thread_labels(trace)
    groups = collections.defaultdict(list)
    for call in spans.calls:
        groups[call.thread if per_thread else 0, names[call.value]].append(call)
    whole = all_self(spans, clock)
    rows = []
    for (thread, name), calls in groups.items():
        times = [call.duration(clock) for call in calls if call.end is not None]
        own = [call.self_time(clock) for call in calls if call.end is not None]
        outer = [call.duration(clock) for call in calls if call.end is not None and call.outermost()]
        row = [name, len(calls)] + [None] * 6
        if times:
            scaled = [sum(outer), sum(own), min(times), 0, max(times)]
            scaled = [number * MICROSECOND for number in scaled]
            scaled[3] = (2 * sum(times) * MICROSECOND + len(times)) // (2 * len(times))
            row[2:] = scaled + [share(sum(own), whole)]
        rows.append(([thread], largest_first(row[3]), name,
                     [labels[thread]] + row if per_thread else row))
    return [row[3] for row in sorted(rows, key=lambda row: row[:3])]


class Node:
    def __init__(self, name, depth):
        self.name, self.depth = name, depth
        self.all = 0  # time with callees
        self.calls, self.total, self.own = 0, None, None
        self.inside = {}

    def add(self, call, clock):
        self.calls += 1
        if call.end is not None:
            self.total = (self.total or 0) + call.duration(clock)
            self.own = (self.own or 0) + call.self_time(clock)


def weigh(node):
    """Sort key: time of the subtree."""
    node.all = max(node.total or 0, sum(map(weigh, node.inside.values())))
    return node.all


def calltree(trace, spans, clock):
    names = method_names(trace)
    root, nodes, rows = Node(b"", -1), {}, []
    for call in spans.calls:
        above = root if call.parent is None else nodes[call.parent]
        name = names[call.value]
        node = above.inside.setdefault(name, Node(name, above.depth + 1))
        node.add(call, clock)
        nodes[call] = node
    whole = all_self(spans, clock)
    weigh(root)
    left = [root]
    while left:
        node = left.pop()
        if node is not root:
            times = [None if time is None else time * MICROSECOND for time in (node.total, node.own)]
            rows.append([node.depth, node.name, node.calls] + times + [share(node.total, whole)])
        left += sorted(node.inside.values(), key=lambda inner: (-inner.all, inner.name),
                       reverse=True)
    return rows


def main():
    try:
        trace = read_trace(sys.argv[1])
    except Damaged as damage:
        sys.exit("%s: %s" % (sys.argv[1], damage))
    sys.setrecursionlimit(100000)

    wanted = " ".join(sys.argv[2:])
    folder = wanted if os.path.isdir(wanted) else None

    def write(name, rows):
        text = "".join("\t".join(map(cell, row)) + "\n" for row in rows).encode()
        if folder is not None:
            with open(os.path.join(folder, name), "wb") as out:
                out.write(text)
        elif name == wanted:
            sys.stdout.buffer.write(text)

    for option in ("", " --open leave-out"):
        spans = Spans(trace, bool(option))
        for clock in trace.clocks():
            clocked = " --clock " + clock
            write("functions" + clocked + option, functions(trace, spans, clock, False))
            write("functions" + clocked + " --per-thread" + option, functions(trace, spans, clock, True))
            write("calltree" + clocked + option, calltree(trace, spans, clock))
    write("records", [["events", len(trace.records)], ["rejected", len(trace.rejected)]])
    write("clocks", [[name.encode()] for name in trace.clocks()])


if __name__ == "__main__":
    main()
