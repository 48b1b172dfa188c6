"""Writes trace-cmd's trace.dat for tests/golden/trace-dat.test, without the program and trace-cmd.

    trace_dat.py encode LOG TRACE [VERSION [ORDER [BITS [BUFFERS]]]]   ftrace's text LOG; version 6 or 7, little or big, 32 or
                                                                       64, in 7 several buffers (record -B)
    trace_dat.py latency LOG TRACE [VERSION]                           the file of a latency tracer: LOG is its text
    trace_dat.py make FOLDER                                           testdata/trace-dat

The file is that of trace-cmd.dat.v6(5) and v7(5). Scheduling, system calls and marks have fields as in the kernel; other
events have their text as a string. A mark `CPU:n [LOST m EVENTS]` becomes a flag of the processor's next page.
"""
import pathlib
import re
import struct
import sys

PAGE = 4096
LINE = re.compile(r"\s*(.*)-(\d+) +\[(\d+)\] +(?:([^ ]+) +)?(\d+)\.(\d{6,9}): (\w+): (.*?) *$")
LOST = re.compile(r"CPU:(\d+) \[(?:LOST )?(?:(\d+) )?EVENTS(?: DROPPED)?\]")
COMM, WAKEUP = "char {}[16]", ("comm=%s pid=%d prio=%d target_cpu=%03d", "comm pid prio target_cpu",
                               "char comm[16]; pid_t pid; int prio; int target_cpu")
LETTERS = {1: "S", 2: "D", 4: "T", 8: "t", 16: "X", 32: "Z", 64: "P", 128: "I"}
# What the kernel prints, its arguments, and fields.
EVENTS = {
    "sched_switch": ("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d",
                     "prev_comm prev_pid prev_prio prev_state prev_state next_comm next_pid next_prio",
                     "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
                     "pid_t next_pid; int next_prio"),
    "sched_waking": WAKEUP,
    "sched_wakeup": WAKEUP,
    "sched_wakeup_new": WAKEUP,
    "sys_enter": ("NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)", "id args[0] args[1] args[2] args[3] args[4] args[5]",
                  "long id; unsigned long args[6]"),
    "sys_exit": ("NR %ld = %ld", "id ret", "long id; long ret"),
}
STATE = '( REC->prev_state & 0xff ) ? __print_flags(REC->prev_state & 0xff, "|", ' + \
    ", ".join(f'{{ {bit:#x}, "{letter}" }}' for bit, letter in LETTERS.items()) + ') : "R"'
SIZES = {"char": 1, "pid_t": 4, "int": 4, "__data_loc char[]": 4}


class Writer:
    def __init__(self, order, bits):
        self.order, self.long = "<" if order == "little" else ">", bits // 8

    def number(self, value, size):
        return (value & (1 << 8 * size) - 1).to_bytes(size, "little" if self.order == "<" else "big")

    def sized(self, text, size=8):
        return self.number(len(text), size) + text.encode()

    def field(self, text):
        """Type, name, count and size of a declaration."""
        kind, name, count = re.fullmatch(r"(.*) (\w+)(?:\[(\d+)\])?", text).groups()
        return kind, name, int(count or 1), SIZES.get(kind, self.long)

    def format(self, name, number, fields, print_format):
        common = "unsigned short common_type; unsigned char common_flags; unsigned char common_preempt_count; int common_pid"
        out, offset = f"name: {name}\nID: {number}\nformat:\n", 0
        for i, text in enumerate(common.split("; ") + fields.split("; ")):
            kind, field, count, size = self.field(text)
            size = [2, 1, 1, 4][i] if i < 4 else size
            offset = -(-offset // size) * size
            array = f"[{count}]" if count > 1 else ""
            signed = int(kind in ("int", "long", "pid_t"))
            out += f"\tfield:{kind} {field}{array};\toffset:{offset};\tsize:{size * count};\tsigned:{signed};\n"
            out += "\n" if i == 3 else ""
            offset += size * count
        return out + f"\nprint fmt: {print_format}\n"

    def body(self, head, fields, values):
        """Bytes of an event with the values of its fields."""
        out = head
        for text, value in zip(fields.split("; "), values):
            kind, _, count, size = self.field(text)
            out += bytes(-len(out) % size)
            if kind == "__data_loc char[]":
                text = value.encode() + b"\0"
                out += self.number(len(text) << 16 | len(out) + 4, 4) + text
            elif kind == "char":
                out += value.encode()[:count - 1].ljust(count, b"\0")
            else:
                out += b"".join(self.number(one, size) for one in (value if count > 1 else [value]))
        return out + bytes(-len(out) % 4)


def pattern_of(name):
    text = re.escape(EVENTS[name][0])
    for conversion, found in ("%s%s", "([^ ]+)"), ("%s", "(.*)"), ("%l?x", "([0-9a-f]+)"), ("%(?:03)?l?d", "(-?[0-9]+)"):
        text = re.sub(conversion, lambda m, found=found: found, text)
    return re.compile(text)


def values_of(name, text):
    """Values of the fields; None for a text that they cannot give."""
    found = pattern_of(name).fullmatch(text)
    if not found:
        return None
    words = list(found.groups())
    if name == "sys_enter":
        return [int(words[0]), [int(word, 16) for word in words[1:]]]
    if name == "sched_switch":
        bits = {letter: bit for bit, letter in LETTERS.items()} | {"R": 0}
        state = words[3].rstrip("+")
        if state not in bits:
            return None
        words[3] = str(bits[state] | (256 if words[3].endswith("+") else 0))
    return [word if re.search("comm", field) else int(word) for word, field in zip(words, EVENTS[name][2].split("; "))]


def read_log(path):
    """Events: CPU, time, thread, flags, name, text; a loss has a number for the name. And names of threads."""
    events, threads = [], {}
    for line in pathlib.Path(path).read_text().splitlines():
        lost, found = LOST.match(line), LINE.match(line)
        if lost:
            events.append((int(lost[1]), 0, 0, "", int(lost[2] or -1), ""))
        elif found:
            task, thread, cpu, flags, seconds, part, name, text = found.groups()
            threads.setdefault(int(thread), task.strip())
            events.append((int(cpu), int(seconds) * 10**9 + int(part.ljust(9, "0")), int(thread), flags or "....", name, text))
    return events, threads


def pages_of(writer, events, encoded):
    """Pages of a processor. The first word of an event has its type or its length, and the time since the one before."""
    out, page, start, last, lost = [], b"", 0, 0, 0

    def end_page():
        nonlocal page
        if page:
            stored = lost > 0 and len(page) + writer.long + 8 + writer.long <= PAGE
            commit = len(page) | (1 << 31 if lost else 0) | (1 << 30 if stored else 0)
            data = writer.number(start, 8) + writer.number(commit, writer.long) + page
            out.append((data + (writer.number(lost, writer.long) if stored else b"")).ljust(PAGE, b"\0"))
            page = b""
    for event, data in zip(events, encoded):
        if data is None:
            end_page()
            lost = event[4]
            continue
        if len(page) + len(data) + 64 > PAGE:
            end_page()
            lost = 0
        if not page:
            start = last = event[1]
        delta, last = event[1] - last, event[1]

        def word(kind, value):
            return writer.number(kind | value << 5 if writer.order == "<" else kind << 27 | value, 4)
        if delta >> 27:
            page += word(30, delta & (1 << 27) - 1) + writer.number(delta >> 27, 4)
            delta = 0
        short = len(data) // 4 <= 28
        page += word(len(data) // 4, delta) if short else word(0, delta) + writer.number(len(data) + 4, 4)
        page += data
    end_page()
    return b"".join(out)


def context_of(flags):
    """common_flags and common_preempt_count as the letters of a line have them."""
    bits = {"d": 1, "n": 2 | 4, "N": 4, "p": 8}
    number = bits.get(flags[0], 0) | bits.get(flags[1], 0)
    number |= {"h": 8, "s": 16, "H": 24, "z": 64 | 8, "Z": 64}.get(flags[2], 0)
    return number, int(flags[3], 16) if flags[3] != "." else 0


def contents(path, writer):
    """What is in the file: formats by system, names of threads, pages by processor."""
    events, threads = read_log(path)
    numbers, formats = {}, []
    for name in dict.fromkeys(event[4] for event in events if event[3]):
        numbers[name] = 100 + len(numbers)
        known = name in EVENTS and all(values_of(name, e[5]) for e in events if e[4] == name)
        fields = EVENTS[name][2] if known else "__data_loc char[] text"
        text, arguments = EVENTS[name][:2] if known else ("%s", "__get_str(text)")
        arguments = [f"REC->{argument}" if known else argument for argument in arguments.split()]
        if known and name == "sched_switch":
            arguments[3:5] = [STATE, 'REC->prev_state & 0x100 ? "+" : ""']
        formats.append((name, known, fields, writer.format(name, numbers[name], fields, f'"{text}", ' + ", ".join(arguments))))
    known = {name: (structured, fields) for name, structured, fields, _ in formats}

    def encode(event):
        _, _, thread, flags, name, text = event
        if not flags:
            return None
        head = writer.number(numbers[name], 2) + bytes(context_of(flags)) + writer.number(thread, 4)
        structured, fields = known[name]
        return writer.body(head, fields, values_of(name, text) if structured else [text])
    cpus = [pages_of(writer, some, map(encode, some)) for cpu in range(max(e[0] for e in events) + 1)
            for some in [[event for event in events if event[0] == cpu]]]
    names = "".join(f"{thread} {name}\n" for thread, name in threads.items() if thread and name != "<...>")
    return [text for *_, text in formats], names, cpus


def header_of(writer, number, formats):
    """Layout of pages and events, then formats: the same in both versions."""
    long, rest = writer.long, PAGE - 8 - writer.long
    page = (f"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:{long};"
            f"\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
            f"\tfield: char data;\toffset:{8 + long};\tsize:{rest};\tsigned:0;\n")
    event = ("# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
             "\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\tdata max type_len  == 28\n")
    info = b"header_page\0" + writer.sized(page) + b"header_event\0" + writer.sized(event)
    return info, number(0, 4), number(1, 4) + b"events\0" + number(len(formats), 4) + b"".join(map(writer.sized, formats))


def version_6(writer, magic, parts, names, cpus):
    number = writer.number
    out = magic + b"".join(parts) + number(0, 4) + number(0, 4) + writer.sized(names) + number(len(cpus), 4)
    out += b"options  \0" + number(0, 2) + b"flyrecord\0"
    at = -(-(len(out) + 16 * len(cpus)) // PAGE) * PAGE
    begin = at
    for pages in cpus:
        out += number(at, 8) + number(len(pages), 8)
        at += len(pages)
    return out.ljust(begin, b"\0") + b"".join(cpus)


def version_7_text(writer, magic, parts, text):
    """As version_7(), but with a section of text instead of pages."""
    number, out, options = writer.number, magic + b"none\0\0" + bytes(8), b""
    place = len(out) - 8
    for kind, body in zip((16, 17, 18, 21, 22), (*parts, writer.sized(""), text)):
        options += number(kind, 2) + number(8 + (7 if kind == 22 else 0), 4) + number(len(out), 8)
        options += b"\0local\0" if kind == 22 else b""
        out += number(kind, 2) + number(0, 2) + number(0, 4) + number(len(body), 8) + body
    options += number(0, 2) + number(8, 4) + number(0, 8)
    return out[:place] + number(len(out), 8) + out[place + 8:] + number(0, 8) + number(len(options), 8) + options


def version_7(writer, magic, parts, names, cpus, count=1):
    """Sections of formats and names, one of options that has their places, and the pages; a processor is in a buffer."""
    number = writer.number

    def section(kind, body):
        return number(kind, 2) + number(0, 2) + number(0, 4) + number(len(body), 8) + body

    def option(kind, body):
        return number(kind, 2) + number(len(body), 4) + body

    def buffers(place, at):
        out = b""
        for buffer in range(count):
            some = range(buffer, len(cpus), count)
            body = number(place, 8) + (b"instance" if buffer else b"") + b"\0local\0" + number(PAGE, 4) + number(len(some), 4)
            for cpu in some:
                begin = at + sum(map(len, cpus[:cpu]))
                body += number(cpu, 4) + number(begin, 8) + number(len(cpus[cpu]), 8)
            out += option(3, body)
        return out + option(0, number(0, 8))
    out = magic + b"none\0\0" + bytes(8)
    place, options = len(out) - 8, b""
    for kind, body in zip((16, 17, 18, 21), (*parts, writer.sized(names))):
        options += option(kind, number(len(out), 8))
        out += section(kind, body)
    behind = len(out) + len(section(0, options + buffers(0, 0)))
    begin = -(-(behind + 16) // PAGE) * PAGE
    out = out[:place] + number(len(out), 8) + out[place + 8:] + section(0, options + buffers(behind, begin))
    pages = b"".join(cpus)
    out += number(3, 2) + number(0, 2) + number(0, 4) + number(begin + len(pages) - len(out) - 16, 8)
    return out.ljust(begin, b"\0") + pages


def encode(path, version="6", order="little", bits="64", buffers="1"):
    writer = Writer(order, int(bits))
    formats, names, cpus = contents(path, writer)
    magic = b"\x17\x08\x44tracing" + version.encode() + bytes([0, order == "big", writer.long]) + writer.number(PAGE, 4)
    parts = header_of(writer, writer.number, formats)
    return version_6(writer, magic, parts, names, cpus) if version == "6" else \
        version_7(writer, magic, parts, names, cpus, int(buffers))


def latency(path, version="6"):
    writer, text = Writer("little", 64), pathlib.Path(path).read_bytes()
    magic = b"\x17\x08\x44tracing" + version.encode() + bytes([0, 0, 8]) + writer.number(PAGE, 4)
    parts = header_of(writer, writer.number, [])
    if version == "7":
        return version_7_text(writer, magic, parts, text)
    head = magic + b"".join(parts) + writer.number(0, 4) + writer.number(0, 4) + writer.sized("") + writer.number(1, 4)
    return head + b"options  \0" + writer.number(0, 2) + b"latency  \0" + text


if __name__ == "__main__":
    if sys.argv[1] == "encode":
        pathlib.Path(sys.argv[3]).write_bytes(encode(sys.argv[2], *sys.argv[4:]))
    elif sys.argv[1] == "latency":
        pathlib.Path(sys.argv[3]).write_bytes(latency(sys.argv[2], *sys.argv[4:]))
    else:
        folder = pathlib.Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        for version in "67":
            (folder / f"small-{version}.dat").write_bytes(encode(folder / "small.txt", version))
