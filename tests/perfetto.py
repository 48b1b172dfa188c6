"""Perfetto's traces for tests/golden/perfetto.test, written and read without the program.

    perfetto.py encode LOG TRACE LINES   ftrace's text LOG as TRACE; in LINES, of its events, what a trace can hold
    perfetto.py compact LOG TRACE        the same, scheduling in columns, and all in compressed packets
    perfetto.py late LOG TRACE           the same, processes told last, by another clock that is 5 s behind
    perfetto.py lines TRACE              a trace as lines of ftrace, those of its processors merged by time
    perfetto.py tracks TRACE             events of tracks: of a thread by a clock of its own, of another track, and counters
    perfetto.py make FOLDER              testdata/perfetto
"""
import pathlib
import re
import sys
import zlib

# Messages: field of the event, and names of its fields from 1, as google/perfetto's protos/perfetto/trace/ftrace have
# them; and what the kernel prints, {name:kind}: d and u a number, s a string, v a device, x and o hexadecimal and octal, S a
# state, f flags, m letters, i a softirq, l a list of numbers.
RQ, BIO = "dev sector nr_sector bytes rwbs comm cmd", "dev sector nr_sector rwbs comm"
DONE, WAKE = "dev sector nr_sector errors rwbs cmd", "comm pid prio success target_cpu"
WRITE, DIO, MAP = "dev ino pos len flags", "dev ino pos len rw", "dev ino flags pblk lblk len mflags ret"
RQ_TEXT = "{dev:v} {rwbs:s} {bytes:d} ({cmd:s}) {sector:u} + {nr_sector:d} [{comm:s}]"
DONE_TEXT = "{dev:v} {rwbs:s} ({cmd:s}) {sector:u} + {nr_sector:d} [{errors:d}]"
BIO_TEXT, WAKE_TEXT = "{dev:v} {rwbs:s} {sector:u} + {nr_sector:d} [{comm:s}]", \
    "comm={comm:s} pid={pid:d} prio={prio:d} target_cpu={target_cpu:d}"
EXT4, F2FS = "dev {dev:v} ino {ino:d} ", "dev = ({dev:v}), ino = {ino:d}, "
MAP_TEXT = EXT4 + "flags {flags:f} lblk {lblk:d} pblk {pblk:d} len {len:d} mflags {mflags:m} ret {ret:d}"
SEGMENTS = ", nodes = {nodes:d}, dents = {dents:d}, imeta = {imeta:d}, free_sec:{free_sec:d}, free_seg:{free_seg:d}, " \
    "rsv_seg:{rsv_seg:d}, prefree_seg:{prefree_seg:d}"
ANDROID, ANDROID_END = "bytes cmdline i_size ino offset path pid", "ino {ino:d}, offset {offset:d}, bytes {bytes:d}"
ANDROID_TEXT = "entry_name {path:s}, offset {offset:d}, bytes {bytes:d}, cmdline {cmdline:s}, pid {pid:d}, " \
    "i_size {i_size:d}, ino {ino:d}"
UFS_TEXT = ": {dev_name:s}: tag: {tag:d}, DB: 0x{doorbell:x}, size: {size:d}, IS: {intr:d}, LBA: {lba:u}, opcode: 0x{opcode:x}"
# Older kernels have other fields: of several texts, an event has that with its own.
EVENTS = {
    "tracing_mark_write": (3, "ip buf", "{buf:s}"),
    "sched_switch": (4, "prev_comm prev_pid prev_prio prev_state next_comm next_pid next_prio",
                     "prev_comm={prev_comm:s} prev_pid={prev_pid:d} prev_prio={prev_prio:d} "
                     "prev_state={prev_state:S} ==> next_comm={next_comm:s} next_pid={next_pid:d} "
                     "next_prio={next_prio:d}"),
    "cpu_frequency": (11, "state cpu_id", "state={state:d} cpu_id={cpu_id:d}"),
    "cpu_idle": (13, "state cpu_id", "state={state:d} cpu_id={cpu_id:d}"),
    "sched_wakeup": (17, WAKE, WAKE_TEXT),
    "sched_blocked_reason": (18, "pid caller io_wait", "pid={pid:d} iowait={io_wait:d} caller={caller:a}"),
    "sched_waking": (20, WAKE, WAKE_TEXT),
    "softirq_entry": (24, "vec", "vec={vec:i}"),
    "softirq_exit": (25, "vec", "vec={vec:i}"),
    "irq_handler_entry": (36, "irq name", "irq={irq:d} name={name:s}"),
    "irq_handler_exit": (37, "irq ret", "irq={irq:d} ret={ret:d}"),
    "ext4_da_write_begin": (41, WRITE, EXT4 + "pos {pos:d} len {len:d} flags {flags:d}"),
    "ext4_da_write_end": (42, "dev ino pos len copied", EXT4 + "pos {pos:d} len {len:d} copied {copied:d}"),
    "ext4_sync_file_enter": (43, "dev ino parent datasync", EXT4 + "parent {parent:d} datasync {datasync:d}"),
    "ext4_sync_file_exit": (44, "dev ino ret", EXT4 + "ret {ret:d}"),
    "block_rq_issue": (45, RQ, RQ_TEXT),
    "sched_wakeup_new": (114, WAKE, WAKE_TEXT),
    "block_bio_backmerge": (115, BIO, BIO_TEXT),
    "block_bio_complete": (117, "dev sector nr_sector error rwbs",
                           "{dev:v} {rwbs:s} {sector:u} + {nr_sector:d} [{error:d}]"),
    "block_bio_frontmerge": (118, BIO, BIO_TEXT),
    "block_bio_queue": (119, BIO, BIO_TEXT),
    "block_bio_remap": (120, "dev sector nr_sector old_dev old_sector rwbs",
                        "{dev:v} {rwbs:s} {sector:u} + {nr_sector:d} <- ({old_dev:v}) {old_sector:d}"),
    "block_getrq": (122, BIO, BIO_TEXT),
    "block_plug": (123, "comm", "[{comm:s}]"),
    "block_rq_complete": (125, DONE, DONE_TEXT),
    "block_rq_insert": (126, RQ, RQ_TEXT),
    "block_rq_requeue": (129, DONE, DONE_TEXT),
    "block_split": (131, "dev sector new_sector rwbs comm", "{dev:v} {rwbs:s} {sector:u} / {new_sector:d} [{comm:s}]"),
    "block_unplug": (133, "nr_rq comm", "[{comm:s}] {nr_rq:d}"),
    "ext4_allocate_blocks": (135, "dev ino block len logical lleft lright goal pleft pright flags",
                             EXT4 + "flags {flags:f} len {len:d} block {block:d} lblk {logical:d}"),
    "ext4_allocate_inode": (136, "dev ino dir mode", EXT4 + "dir {dir:d} mode 0{mode:o}"),
    "ext4_direct_IO_enter": (144, DIO, EXT4 + "pos {pos:d} len {len:d} rw {rw:d}"),
    "ext4_direct_IO_exit": (145, DIO + " ret", EXT4 + "pos {pos:d} len {len:d} rw {rw:d} ret {ret:d}"),
    "ext4_ext_map_blocks_exit": (167, MAP, MAP_TEXT),
    "ext4_free_blocks": (178, "dev ino block count flags mode",
                         EXT4 + "mode 0{mode:o} block {block:d} count {count:d} flags {flags:f}"),
    "ext4_free_inode": (179, "dev ino uid gid blocks mode",
                        EXT4 + "mode 0{mode:o} uid {uid:d} gid {gid:d} blocks {blocks:d}"),
    "ext4_ind_map_blocks_exit": (183, MAP, MAP_TEXT),
    "ext4_unlink_enter": (217, "dev ino parent size", EXT4 + "size {size:d} parent {parent:d}"),
    "ext4_unlink_exit": (218, "dev ino ret", EXT4 + "ret {ret:d}"),
    "sched_process_exec": (237, "filename pid old_pid", "filename={filename:s} pid={pid:d} old_pid={old_pid:d}"),
    "sched_process_fork": (239, "parent_comm parent_pid child_comm child_pid",
                           "comm={parent_comm:s} pid={parent_pid:d} child_comm={child_comm:s} child_pid={child_pid:d}"),
    "f2fs_readpage": (251, "dev ino index", F2FS + "page_index = 0x{index:x}"),
    "f2fs_sync_file_enter": (255, "dev ino pino mode size",
                             F2FS + "pino = {pino:d}, i_mode = 0x{mode:x}, i_size = {size:d}"),
    "f2fs_sync_file_exit": (256, "dev ino need_cp datasync ret", F2FS + "datasync = {datasync:d}, ret = {ret:d}"),
    "f2fs_unlink_enter": (268, "dev ino size blocks name",
                          "dev = ({dev:v}), dir ino = {ino:d}, i_size = {size:d}, i_blocks = {blocks:d}, name = {name:s}"),
    "f2fs_unlink_exit": (269, "dev ino ret", F2FS + "ret = {ret:d}"),
    "f2fs_write_checkpoint": (272, "dev is_umount msg reason",
                              "dev = ({dev:v}), checkpoint for {reason:c}, state = {msg:s}",
                              "dev = ({dev:v}), checkpoint for {is_umount:w}, state = {msg:s}"),
    "f2fs_iostat": (419, "app_bio app_brio app_dio app_drio app_mio app_mrio app_rio app_wio dev fs_cdrio fs_cp_dio fs_cp_mio "
                    "fs_cp_nio fs_dio fs_discard fs_drio fs_gc_dio fs_gc_nio fs_gdrio fs_mio fs_mrio fs_nio fs_nrio",
                    "dev = ({dev:v}), app [write={app_wio:d} (direct={app_dio:d}, buffered={app_bio:d}), "
                    "mapped={app_mio:d}], fs [data={fs_dio:d}, node={fs_nio:d}, meta={fs_mio:d}, discard={fs_discard:d}], "
                    "gc [data={fs_gc_dio:d}, node={fs_gc_nio:d}], cp [data={fs_cp_dio:d}, node={fs_cp_nio:d}, "
                    "meta={fs_cp_mio:d}], app [read={app_rio:d} (direct={app_drio:d}, buffered={app_brio:d}), "
                    "mapped={app_mrio:d}], fs [data={fs_drio:d}, (gc_data={fs_gdrio:d}, cdata={fs_cdrio:d}), "
                    "node={fs_nrio:d}, meta={fs_mrio:d}]"),
    "ufshcd_command": (406, "dev_name doorbell intr lba opcode str tag size group_id str_t",
                       "{str_t:y}" + UFS_TEXT + ", group_id: 0x{group_id:x}", "{str:s}" + UFS_TEXT),
    "ufshcd_clk_gating": (407, "dev_name state", "{dev_name:s}: gating state changed to {state:k}"),
    "android_fs_dataread_end": (431, "bytes ino offset", ANDROID_END),
    "android_fs_dataread_start": (432, ANDROID, ANDROID_TEXT),
    "android_fs_datawrite_end": (433, "bytes ino offset", ANDROID_END),
    "android_fs_datawrite_start": (434, ANDROID, ANDROID_TEXT),
    "android_fs_fsync_end": (435, "bytes ino offset", ANDROID_END),
    "android_fs_fsync_start": (436, "cmdline i_size ino path pid", "entry_name {path:s}, cmdline {cmdline:s}, pid {pid:d}, "
                               "i_size {i_size:d}, ino {ino:d}"),
    "f2fs_gc_begin": (496, "dev sync background nodes dents imeta free_sec free_seg rsv_seg prefree_seg gc_type no_bg nr_free",
                      "dev = ({dev:v}), gc_type = {gc_type:g}, no_background_GC = {no_bg:d}, nr_free_secs = {nr_free:d}" +
                      SEGMENTS, "dev = ({dev:v}), sync = {sync:d}, background = {background:d}" + SEGMENTS),
    "f2fs_gc_end": (497, "dev ret seg_freed sec_freed nodes dents imeta free_sec free_seg rsv_seg prefree_seg",
                    "dev = ({dev:v}), ret = {ret:d}, seg_freed = {seg_freed:d}, sec_freed = {sec_freed:d}" + SEGMENTS),
    "sys_enter": (329, "id args", "NR {id:d} ({args:l})"),
    "sys_exit": (330, "id ret", "NR {id:d} = {ret:d}"),
}
SOFTIRQS = "HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU".split()
STATES = {"R": 0, "S": 1, "D": 2, "R+": 256, "16": 16}
REASONS = ["Umount", "Fastboot", "Sync", "Recovery", "Discard", "Trimmed"]
SYMBOLS = [""]  # functions of the kernel, by number
FLAGS = {"HINT_DATA": 0x20, "METADATA": 1} # others say nothing here
MAPPED = {"N": 0x20, "M": 0x10, "U": 0x800, "B": 0x200}


def device(text):
    major, minor = map(int, text.split(","))
    return (major & 0xFFF) << 8 | (minor & 0xFFF00) << 12 | minor & 0xFF


def symbol(text):
    if text not in SYMBOLS:
        SYMBOLS.append(text)
    return SYMBOLS.index(text)


def one_of(*names):
    return "|".join(names), names.index, names.__getitem__


# Of a kind: expression, value of the text, text of the value.
KINDS = {
    "d": ("-?[0-9]+", int, lambda v: str(v - (1 << 64) if v >> 63 else v)),
    "u": ("[0-9]+", int, str),
    "s": (".*?", str.encode, lambda v: (v or b"").decode()),
    "v": ("[0-9]+,[0-9]+", device, lambda v: f"{v >> 8 & 0xFFF},{v >> 12 & 0xFFF00 | v & 0xFF}"),
    "x": ("[0-9a-f]+", lambda t: int(t, 16), lambda v: f"{v:x}"),
    "o": ("[0-7]+", lambda t: int(t, 8), lambda v: f"{v:o}"),
    "S": ("[^ ]+", STATES.__getitem__, str),
    "m": ("[A-Z]*", lambda t: sum(map(MAPPED.__getitem__, t)), lambda v: "".join(k for k, b in MAPPED.items() if v & b)),
    "f": ("[A-Z0-9_|]*", lambda t: int(t) if t.isdigit() else sum(FLAGS.get(word, 0) for word in t.split("|")), str),
    "i": (r"[0-9]+ \[action=[A-Z_]+\]", lambda t: int(t.split()[0]), lambda v: f"{v} [action={SOFTIRQS[v]}]"),
    "a": (r"\S+", symbol, lambda v: SYMBOLS[v]),
    "c": ("[A-Z][a-z]+(?:\\|[A-Z][a-z]+)*", lambda t: sum(1 << REASONS.index(w) for w in t.split("|")),
          lambda v: "|".join(w for at, w in enumerate(REASONS) if v >> at & 1)),
    "g": one_of("Background GC", "Foreground GC"),
    "k": one_of("CLKS_OFF", "CLKS_ON", "REQ_CLKS_OFF", "REQ_CLKS_ON"),
    "w": one_of("consistency", "clean umount"),
    "y": one_of("send_req", "complete_rsp"),
    "l": ("[0-9a-f, ]*", lambda t: [int(w, 16) for w in t.split(",")], lambda v: ", ".join(f"{n:x}" for n in v)),
}
PIECE = re.compile(r"\{(\w+):(\w)\}")
PATTERNS = {}
for event, (number, fields, *texts) in EVENTS.items():
    PATTERNS[event] = []
    for text in texts:
        words, places = re.split(r"\{\w+:\w\}", text), PIECE.findall(text)
        pattern = re.escape(words[0]) + "".join(f"({KINDS[kind][0]}){re.escape(word)}"
                                                for (_, kind), word in zip(places, words[1:]))
        more = "(?:,? [a-z].*)?" if event[:4] in ("ext4", "f2fs") and event[:10] != "f2fs_write" else ""
        PATTERNS[event].append((places, re.compile(pattern.replace(r"==>\ ", "==> ?") + more)))
LINE = re.compile(r"\s*(.*)-(\d+) +(?:\( *([0-9-]*)\) +)?\[(\d+)\] +(\S+) +(\d+)\.(\d{6}): (\w+)[^ ]*: (.*?) *$")


THREADS = {}  # of the log, or told by the trace before: name and process
CONTEXT = {"h": 8, "s": 16, "H": 24, "z": 64, "Z": 72}  # flags of an event, by letter
CONTEXTS = {}  # flags by time and CPU
RUNNING = {}  # by CPU: thread, name, priority, as the last switch tells


def head(cpu, thread, time, event, flags=0):
    """What stands before the fields of an event; the last switch knows a name best."""
    running, (name, process) = RUNNING.get(cpu, (0, "", 0)), THREADS.get(thread, ("", 0))
    name = "<idle>" if thread == 0 else running[1] if running[0] == thread and running[1] else name or "<...>"
    letter = next((letter for letter, bits in CONTEXT.items() if bits == flags & 88), "")
    column = f"{'d' if flags & 1 else '.'}{'n' if flags & 4 else '.'}{letter}. " if letter else ""
    return (f"{name}-{thread} {f'({process}) ' if process else ''}[{cpu:03}] {column}{time // 10**9}.{time % 10**9:09}: "
            f"{event}: ")


def varint(value):
    value &= 2**64 - 1
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def put(number, value):
    """A field: bytes, a number, or numbers in a list, one by one."""
    if isinstance(value, list):
        return b"".join(put(number, one) for one in value)
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def take_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def take(data):
    """Fields of a message: number and value."""
    at = 0
    while at < len(data):
        tag, at = take_varint(data, at)
        if tag & 7 == 0:
            value, at = take_varint(data, at)
        else:
            length, at = {1: (8, at), 5: (4, at)}.get(tag & 7) or take_varint(data, at)
            value, at = data[at:at + length], at + length
        yield tag >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = take_varint(data, at)
        yield value


def read_log(path):
    """Events of a log that a trace can hold: CPU, ns, thread, name, values, text; None for the values of a loss."""
    for line in pathlib.Path(path).read_text().splitlines():
        lost = re.match(r"CPU:(\d+) \[LOST", line)
        if lost:
            yield int(lost[1]), 0, 0, "", None, ""
        parts = LINE.match(line)
        if not parts or parts[8] not in EVENTS:
            continue
        body = re.sub(r" [a-z]+,\d,\d( \[)|cp_reason: [a-z ]+, ", lambda m: m[1] or "", parts[9].replace("ret=handled", "ret=1"))
        body += " flags 0" if re.search(r"write_begin: .* len \d+ *$", line) else ""
        body = re.sub(r", compr\([^)]*\)|, hwq_id: \d+| \([A-Z_0-9]*\)(?=, group)|\], compr\([^)]*\)(?=\])", "",
                      body).replace(", cdata=0, ", ", ")
        found = next((match for match in ((places, pattern.fullmatch(body)) for places, pattern in PATTERNS[parts[8]])
                      if match[1]), None)
        if not found:
            print("not encoded:", line, file=sys.stderr)
            continue
        if parts[1] not in ("<...>", "<idle>"):
            THREADS.setdefault(int(parts[2]), (parts[1].strip()[:15], int((parts[3] or "-").strip("-") or parts[2])))
        CONTEXTS[int(parts[6]) * 10**9 + int(parts[7]) * 1000, int(parts[4])] = \
            parts[5].startswith("d") + 4 * (parts[5][1:2] in list("nN")) + CONTEXT.get(parts[5][2:3], 0)
        names = EVENTS[parts[8]][1].split()
        values = {names.index(name) + 1: KINDS[kind][1](text) for (name, kind), text in zip(found[0], found[1].groups())}
        yield (int(parts[4]), int(parts[6]) * 10**9 + int(parts[7]) * 1000, int(parts[2]), parts[8], values, body)


def message(event):
    _, time, thread, name, values, _ = event
    body = b"".join(put(number, values[number]) for number in sorted(values))
    return put(1, time) + put(2, thread) + put(EVENTS[name][0], body)


def columns(events):
    """compact_sched of switches and wakeups."""
    names, out = [], {number: [] for number in range(1, 13)}

    def index(name):
        if name not in names:
            names.append(name)
        return names.index(name)
    last = {4: 0, 20: 0}
    for cpu, time, _, name, values, _ in events:
        field = EVENTS[name][0]
        delta, last[field] = time - last[field], time
        row = {1: delta, 2: values[4], 3: values[6], 4: values[7], 6: index(values[5])} if field == 4 else \
            {7: delta, 8: values[2], 9: values[5], 10: values[3], 11: index(values[1]),
             12: CONTEXTS[time, cpu]}
        for number, value in row.items():
            out[number].append(value)
    return b"".join(put(5, name) for name in names) + \
        b"".join(put(number, b"".join(map(varint, values))) for number, values in out.items() if values)


def bundles(events, compact, size=8):
    """Messages of bundles: of as many events of each CPU as come, in turns."""
    waiting, lost = {}, set()

    def flush():
        for cpu, some in sorted(waiting.items(), reverse=True):
            packed = [e for e in some if compact and e[3] in ("sched_switch", "sched_waking")]
            rest = [e for e in some if e not in packed]
            yield put(1, cpu) + b"".join(put(2, message(e)) for e in rest) + \
                (put(3, 1) if cpu in lost else b"") + (put(4, columns(packed)) if packed else b"")
            lost.discard(cpu)
        waiting.clear()
    for event in events:
        if event[4] is None:
            yield from flush()
            lost.add(event[0])
        else:
            waiting.setdefault(event[0], []).append(event)
            if len(waiting[event[0]]) == size:
                yield from flush()
    yield from flush()


def clocks(boot, wall):
    return put(6, put(1, put(1, 6) + put(2, boot)) + put(1, put(1, 1) + put(2, wall)))


def symbols(some):
    """Names of functions that a packet is the first to have."""
    return put(12, b"".join(put(26, put(1, at) + put(2, SYMBOLS[at].encode())) for at in some)) if some else b""


def packet(body):
    return put(1, body + put(10, 1))


def trace_of(path, compact=False):
    THREADS.clear()
    del SYMBOLS[1:]
    events = list(read_log(path))
    tree = b"".join(put(2, put(1, thread) + put(2, name.encode()) + put(3, process))
                    for thread, (name, process) in THREADS.items())
    packets = [packet(clocks(events[0][1], 1700000000 * 10**9)), packet(put(36, bytes(16)) + put(2, tree))]
    packets += [packet(put(1, bundle)) for bundle in bundles(events, compact)]
    packets[2] = packets[2] if len(SYMBOLS) == 1 else packet(next(take(packets[2]))[1] + symbols(range(1, len(SYMBOLS))))
    if compact:
        packets = packets[:2] + [put(1, put(50, zlib.compress(b"".join(packets[at:at + 3]), 9)))
                                 for at in range(2, len(packets), 3)]
    return b"".join(packets), events


def late(path):
    """Times of the global clock (2), which the first two bundles tell, the second with a drift that does not count."""
    behind, told = 5 * 10**9, []
    events = [(cpu, time - behind if values is not None else 0, *rest, values, text)
              for cpu, time, *rest, values, text in trace_of(path)[1]]
    tree = b"".join(put(2, put(1, thread) + put(2, name.encode()) + put(3, process))
                    for thread, (name, process) in THREADS.items())
    for bundle in bundles(events, False):
        told.append(put(5, 2) + (put(6, 10**9 + len(told)) + put(7, 10**9 + behind) if len(told) < 2 else b"") + bundle)
    return packet(clocks(events[0][1] + behind, 1700000000 * 10**9)) + \
        b"".join(packet(put(1, bundle) + symbols(range(1, len(SYMBOLS)))) for bundle in told) + packet(put(2, tree))


def encode(path, out, lines):
    data, events = trace_of(path)
    pathlib.Path(out).write_bytes(data)
    lost = set()  # told by a bundle, so only where events follow
    with open(lines, "w", encoding="utf-8") as file:
        file.write("# tracer: nop\n")
        for cpu, time, thread, name, values, text in events:
            if values is None:
                lost.add(cpu)
                continue
            if cpu in lost:
                file.write(f"CPU:{cpu} [LOST EVENTS]\n")
                lost.discard(cpu)
                RUNNING.pop(cpu, None)
            file.write(head(cpu, thread, time, name) + text + "\n")
            if name == "sched_switch":
                RUNNING[cpu] = (values[6], values[5].decode(), values[7])


def text_of(name, body):
    names, values = EVENTS[name][1].split(), {}
    for number, value in take(body):
        kept = values.setdefault(names[number - 1], []) if number <= len(names) else []
        kept.append(value)
    text = next((text for text in EVENTS[name][2:] if all(field in values for field, _ in PIECE.findall(text))), EVENTS[name][2])
    return PIECE.sub(lambda m: KINDS[m[2]][2](values.get(m[1], []) if m[2] == "l" else values.get(m[1], [0])[-1] or
                                              (b"" if m[2] == "s" else 0)), text)


def rows_of(compact):
    """Events in columns: time, kind, values as the columns have them."""
    data = {number: list(numbers(value)) for number, value in take(compact) if number != 5}
    names = [value.decode() for number, value in take(compact) if number == 5]
    for first, wanted in (1, (2, 3, 4, 6)), (7, (8, 9, 10, 12, 11)):
        time = 0
        for row, delta in enumerate(data.get(first, [])):
            time += delta
            values = [data[number][row] if number in data else 0 for number in wanted]
            yield time, first, values[:-1] + [names[values[-1]]]


def packets_of(data):
    for _, one in take(data):
        for number, value in take(one):
            if number == 50:
                yield from packets_of(zlib.decompress(value))
            else:
                yield number, value


def tell(kind, message):
    """Threads of a process tree, or of a track."""
    for number, value in take(message):
        of = list(take(value)) if isinstance(value, bytes) and (kind, number) in ((2, 1), (2, 2), (60, 4)) else None
        if of is None:
            continue
        last = dict(of)
        if (kind, number) == (2, 1):
            words = [word.decode() for at, word in of if at == 3]
            plain = len(words) == 1 and len(words[0]) < 16 and words[0][:1] != "/"
            thread, name, process = last.get(1, 0), words[0] if plain else "", last.get(1, 0)
        else:
            thread, name, process = (last.get(at, 0) for at in ((1, 2, 3) if kind == 2 else (2, 5, 1)))
            name = (name or b"").decode()[:15]
        THREADS[thread] = name, process


def lines(path):
    by_field, events, signed = {number: name for name, (number, *_) in EVENTS.items()}, [], KINDS["d"][2]
    for kind, bundle in packets_of(pathlib.Path(path).read_bytes()):
        if kind in (2, 60):
            tell(kind, bundle)
        if kind == 12:
            SYMBOLS.extend(dict(take(value))[2].decode() for number, value in take(bundle) if number == 26)
        if kind != 1:
            continue
        parts = list(take(bundle))
        cpu = dict(part for part in parts if part[0] == 1).get(1, 0)
        some = []
        if (3, 1) in parts:
            RUNNING.pop(cpu, None)
        for number, value in parts:
            if number == 2:
                of = dict(take(value))
                name = next((by_field[field] for field in of if field in by_field), None)
                if name:
                    some.append((of[1], 0, name, of.get(2, 0), of[EVENTS[name][0]]))
            elif number == 4:
                some += [(time, 1, kind, 0, values) for time, kind, values in rows_of(value)]
        for time, compact, kind, thread, values in sorted(some, key=lambda event: event[:2]):
            now, flags = RUNNING.get(cpu), 0
            following = now
            if compact and kind == 1:
                state, pid, priority, name = values
                following, kind = (pid, name, priority), "sched_switch"
                if now:
                    values = (f"prev_comm={now[1]} prev_pid={now[0]} prev_prio={now[2]} prev_state={state} ==> "
                              f"next_comm={name} next_pid={pid} next_prio={priority}")
            elif compact:
                kind, flags = "sched_waking", values[3]
                values = f"comm={values[4]} pid={values[0]} prio={signed(values[2])} target_cpu={values[1]}"
            else:
                if kind == "sched_switch":
                    of = dict(take(values))
                    following = of.get(6, 0), of.get(5, b"").decode(), of.get(7, 0)
                values = text_of(kind, values)
            if not now and compact and kind == "sched_switch":
                now, kind, values = following, "first_switch_of_a_processor", ""
            RUNNING.update({cpu: now or (thread, "", 0)} if now or not compact else {})
            events.append((time, head(cpu, thread if not compact else now[0] if now else 0, time, kind, flags) + values))
            RUNNING.update({cpu: following} if following else {})
    print("# tracer: nop")
    for _, line in sorted(events, key=lambda event: event[0]):
        print(line)


def tracks():
    def event(sequence, time, kind, *more, extra=b""):
        return put(1, put(8, time) + put(11, put(9, kind) + b"".join(put(at, value) for at, value in more)) + extra +
                   put(10, sequence))

    def names(**of):
        return put(12, b"".join(put(2, put(1, int(at[1:])) + put(2, name.encode())) for at, name in of.items()))
    double = put(1, put(8, 10**10 + 7000) + put(11, put(9, 4) + put(11, 300) + b"\xe1\x02" + bytes(8)) + put(10, 2))
    return b"".join([
        put(1, clocks(10**10, 1700000000 * 10**9) + put(10, 3)),
        # Microseconds since the packet before.
        put(1, put(6, put(1, put(1, 6) + put(2, 10**10)) +
                   put(1, put(1, 64) + put(2, 10**7) + put(3, 1) + put(4, 1000))) + put(10, 1)),
        *(put(1, put(60, track)) for track in (
            put(1, 50) + put(3, put(1, 5)), put(1, 100) + put(5, 50) + put(4, put(1, 5) + put(2, 7) + put(5, b"main")),
            put(1, 200) + put(2, b"net|x") + put(5, 50), put(1, 300) + put(2, b"fps") + put(5, 50) + put(8, put(4, 1000)),
            put(1, 400) + put(2, b"delta") + put(8, put(5, 1)))),
        event(1, 1, 1, (10, 1), extra=put(59, put(58, 64) + put(11, put(11, 100))) + names(n1="draw")),
        event(2, 10**10 + 2000, 1, (11, 200), (23, b"get")),
        event(1, 2, 1, (10, 2), extra=names(n2="text|bold")),
        event(1, 3, 3, (23, b"tick")),
        event(2, 10**10 + 3500, 1, (11, 200), (23, b"parse")),
        event(2, 10**10 + 4500, 2, (11, 200)),
        event(2, 10**10 + 4600, 3, (11, 200), (23, b"sent")),
        event(1, 1, 2), event(1, 5, 2),
        event(2, 10**10 + 5500, 2, (11, 200)),
        event(2, 10**10 + 6000, 4, (11, 300), (30, 60)), event(2, 10**10 + 6500, 4, (11, 300), (30, -5)),
        double, event(2, 10**10 + 8000, 4, (11, 400), (30, 1)), event(2, 10**10 + 8000, 0),
        event(4, 10**10 + 9000, 1, (10, 9)), event(5, 1, 1, (23, b"lost"), extra=put(58, 65)),
        put(1, put(6, put(1, put(1, 6) + put(2, 2 * 10**10)) + put(1, put(1, 64) + put(2, 2 * 10**7) + put(3, 1) + put(4, 1000))) +
            put(10, 1)),
        event(1, 1, 1, (10, 1)), event(1, 1, 2),
        # Packets of sequence 6 are dropped: its names are void until it begins anew.
        *(event(6, 3 * 10**10 + time, kind, (11, 100), *more, extra=extra) for time, kind, more, extra in (
            (100, 1, [(10, 1)], put(13, 1) + names(n1="old")), (200, 2, [], put(13, 2)),
            (300, 1, [(10, 1)], put(42, 1) + put(13, 2)), (400, 2, [], put(13, 2)), (500, 3, [(23, b"free")], b""),
            (600, 1, [(10, 1)], put(13, 3) + names(n1="new")), (700, 2, [], put(13, 2)), (800, 3, [(10, 1)], put(41, 1))))])


def make(folder):
    folder, logs = pathlib.Path(folder), pathlib.Path(__file__).parent.parent / "testdata/ftrace/ok"
    good = trace_of(logs / "states.txt")[0]

    def write(name, data, *expected):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if expected:
            (folder / (name + ".expected")).write_text("\n".join(expected) + "\n")
    write("ok/states.perfetto-trace", good)
    write("ok/compact.perfetto-trace", trace_of(logs / "states.txt", True)[0])
    for name, log in ("block-io", "trace"), ("files", "files"), ("marks", "async"), ("device", "device"), ("syscalls", "syscalls-raw"):
        write(f"ok/{name}.perfetto-trace", trace_of(logs / f"{log}.txt")[0])
    write("ok/tracks.perfetto-trace", tracks())
    first = packet(clocks(10**10, 1700000000 * 10**9))
    issue = message(next(e for e in read_log(logs / "states.txt") if e[3] == "block_rq_issue"))
    done = message(next(e for e in read_log(logs / "states.txt") if e[3] == "block_rq_complete"))
    whole = first + packet(put(1, put(2, issue))) + packet(put(1, put(2, done)))
    at = len(whole)
    bad = {
        "cut": put(1, put(1, put(2, issue)))[:-5],
        "long-varint": packet(put(1, b"\xff" * 11)),
        "length": packet(put(1, varint(2 << 3 | 2) + varint(2**40) + issue)),
        "group": packet(put(1, varint(2 << 3 | 3))),
        "field-0": packet(b"\0\1"),
        "cpu": packet(put(1, put(1, 4096) + put(2, issue))),
        "time": packet(put(1, put(2, put(1, 2**63) + put(2, 1) + put(3, b"")))),
        "columns": packet(put(1, put(4, put(1, b"\1\1") + put(2, b"\1")))),
        "packed": packet(put(50, zlib.compress(packet(put(1, put(1, 0))))[:-6])),
        "not-packed": packet(put(50, b"no zlib")),
        "not-zstd": packet(put(133, b"no zstd")),
        "no-packet": b"\x12\1\1" + first,
        "huge": b"\n" + varint(2**62),
    }
    for name, data in bad.items():
        write(f"damaged/{name}.perfetto-trace", whole + data, "events\t2", f"reason\tpacket\t1\t{at}", "rejected\t1")
    write("fail/clocks.perfetto-trace", first * 3)
    write("fail/other.perfetto-trace", packet(put(33, b"\x08\1")) * 3 + packet(put(2, put(1, put(1, 7)))))
    write("fail/short.perfetto-trace", first[:-3])


if __name__ == "__main__":
    if sys.argv[1] == "compact":
        pathlib.Path(sys.argv[3]).write_bytes(trace_of(sys.argv[2], True)[0])
    elif sys.argv[1] == "tracks":
        pathlib.Path(sys.argv[2]).write_bytes(tracks())
    elif sys.argv[1] == "late":
        pathlib.Path(sys.argv[3]).write_bytes(late(sys.argv[2]))
    else:
        {"encode": encode, "lines": lines, "make": make}[sys.argv[1]](*sys.argv[2:])
