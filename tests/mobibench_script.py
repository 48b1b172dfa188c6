#!/usr/bin/env python3
"""Checks a script by the rules of Mobibench, and prints what Mobibench prints: threads, then calls by kind with
their bytes.

    mobibench_script.py FILE [--real-paths]

Rules: lines of at most 1023 bytes, complete and not empty. Threads are numbered from 0 on, one after the other,
each with times that never decrease. Known calls with at most three arguments; paths of at most 255 bytes without
blanks; offsets and lengths below 2^31. Descriptors are above 0, not opened twice at a time, and used only by the
thread that opened them. Without --real-paths no named file is opened or removed.
"""
import collections
import re
import sys

PATH = r'[^\s"]{1,255}'
NUMBER = r"(0|[1-9][0-9]*)"
CALLS = {
    "open": rf'(?P<path>"{PATH}"|{PATH}) (?P<flags>[A-Z0-9_|]+) (?P<fd>{NUMBER})',
    "close": rf"(?P<fd>{NUMBER}) 0",
    "read": rf"(?P<fd>{NUMBER}) (?P<bytes>{NUMBER})",
    "write": rf"(?P<fd>{NUMBER}) (?P<bytes>{NUMBER})",
    "pread": rf"(?P<fd>{NUMBER}) (?P<offset>{NUMBER}) (?P<bytes>{NUMBER})",
    "pwrite": rf"(?P<fd>{NUMBER}) (?P<offset>{NUMBER}) (?P<bytes>{NUMBER})",
    "fsync": rf"(?P<fd>{NUMBER}) 0",
    "fdatasync": rf"(?P<fd>{NUMBER}) 0",
    "access": rf'(?P<path>"{PATH}") 0',
    "stat64": rf'(?P<path>"{PATH}") 0',
    "lstat64": rf'(?P<path>"{PATH}") 0',
    "unlink": rf'(?P<path>"{PATH}") 0',
}


class Wrong(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Wrong(text)


def parse(line):
    require(len(line) <= 1023, "longer than 1023 bytes")
    match = re.fullmatch(rf"{NUMBER} {NUMBER} ([a-z0-9]+) (.*)", line.decode("utf-8", "surrogateescape"))
    require(match, "not thread, time, call and arguments")
    name = match[3]
    require(name in CALLS, "a call that is not known")
    require(len(match[4].split(" ")) <= 3, "more than three arguments")
    arguments = re.fullmatch(CALLS[name], match[4])
    require(arguments, "arguments are not those of the call")
    found = arguments.groupdict()
    for key in ("bytes", "offset"):
        require(int(found.get(key) or 0) < 2**31, f"{key} beyond 2^31")
    return int(match[1]), int(match[2]), name, found


def check_path(name, path, real):
    require(len(path.strip('"').encode("utf-8", "surrogateescape")) <= 255, "a path beyond 255 bytes")
    if not real:
        bare = not path.startswith('"')
        require(bare if name == "open" else path.startswith('"/nonexistent/'), "a file of a name")


def main(path, real):
    with open(path, "rb") as file:
        content = file.read()
    counts, sizes = collections.Counter(), collections.Counter()
    uses = collections.defaultdict(list)  # by descriptor: time, position in the file, operation, thread
    thread, time, here = -1, 0, {}
    assert content.endswith(b"\n") or not content, "the last line has no end"
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        try:
            this, at, name, found = parse(line)
            if this != thread:
                require(this == thread + 1, "threads are not one behind the other")
                thread, time, here = this, 0, set()
            require(at >= time, "time steps back")
            time = at
            if "path" in found:
                check_path(name, found["path"], real)
            if "fd" in found:
                fd = int(found["fd"])
                require(fd > 0, "a descriptor that is not above 0")
                if name == "open":
                    require(fd not in here, "a descriptor that is open already")
                    here.add(fd)
                else:
                    require(fd in here, "a descriptor that is not open")
                    here -= {fd} if name == "close" else set()
                if name in ("open", "close"):
                    uses[fd].append((at, number, name, this))
            counts[name] += 1
            sizes[name] += int(found.get("bytes") or 0)
        except Wrong as wrong:
            sys.exit(f"{path}:{number}: {wrong}: {line[:200]!r}")
    for fd, moments in uses.items():
        threads = {moment[3] for moment in moments}
        assert len(threads) == 1, f"descriptor {fd} is of threads {threads}"
    print(f"threads\t{thread + 1}\t0")
    for name in sorted(counts):
        print(f"{name}\t{counts[name]}\t{sizes[name]}")


main(sys.argv[1], "--real-paths" in sys.argv[2:])
