"""Runs the stanzas of golden files for tests/golden.sh, which explains them.

    golden.py FOLDER [--renew] FILE…

One file after the other in as many threads as there are processors, and one more. FOLDER has `new`, of which each
stanza gets a copy. With TIMES=1 in the environment each stanza's seconds are printed. Of stanzas that begin with
`long:`, LONG=no leaves all out, and LONG=only all others.
"""
import concurrent.futures
import difflib
import os
import shutil
import subprocess
import sys
import time


LONG = os.environ.get("LONG", "all")


class Stanza:
    """A test of a file: `lines` are its name, commands and comments; `expected` what they must print."""

    def __init__(self, place, line):
        kind, self.name = line.split(": ", 1)
        self.place, self.is_long = place, kind == "long"
        self.lines, self.commands, self.expected = [], [], []


def read_stanzas(path):
    """The file as a list of lines and stanzas, in order, and the faults in it."""
    parts, faults, stanza = [], [], None
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = file.read().split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        if line.startswith(("test: ", "long: ")):
            stanza = Stanza(f"{os.path.basename(path)}:{number}", line)
            parts.append(stanza)
        elif not line or line.startswith("#"):
            stanza = None
        elif stanza is None or not (line == "\\" or line.startswith(("$ ", ">", "!", "?"))):
            faults.append(f"{os.path.basename(path)}:{number}: not understood: {line}")
        elif not line.startswith("$ "):
            stanza.expected.append(line)
            continue
        else:
            stanza.commands.append(line[2:])
        if stanza:
            stanza.lines.append(line)
        else:
            parts.append(line)
    return parts, faults


def marked(mark, data):
    """What was printed, as a stanza writes it: each line with its mark, a missing newline as a line \\."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    got = [f"{mark} (holds a NUL)"] if b"\0" in data else []
    got += [f"{mark} {line}" if line else mark for line in lines[:-1]]
    return got + ([f"{mark} {lines[-1]}", "\\"] if lines[-1] else [])


def run_stanza(folder, home, stanza):
    """Runs it in a new folder, and gives what came of it."""
    here = os.path.join(folder, stanza.place.replace(":", "-"))  # PATH may have it
    shutil.copytree(os.path.join(folder, "new"), here, symlinks=True)
    script = "\n".join(stanza.commands) + "\n"
    # Settings of the user's own stay within the file.
    environment = dict(os.environb)
    environment[b"HOME"] = home.encode()
    with open(here + ".commands", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(script)
    with open(here + ".out", "wb") as out, open(here + ".err", "wb") as err:
        # A stanza that hangs, as one at a terminal may, ends with status 124.
        status = subprocess.call(["timeout", "300", "sh", "-e", here + ".commands"], stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=err, cwd=os.path.join(here, "run"), env=environment)
    got = []
    for mark, end in ((">", ".out"), ("!", ".err")):
        with open(here + end, "rb") as file:
            got += marked(mark, file.read())
        os.unlink(here + end)
    os.unlink(here + ".commands")
    shutil.rmtree(here, ignore_errors=True)
    if status:
        got.append(f"? {status if status > 0 else 128 - status}")
    return got


def run_file(folder, path, renew):
    """The stanzas of a file one by one: (passed, failed, what is said of them)."""
    parts, said = read_stanzas(path)
    failed, passed, new = len(said), 0, []
    said = [f"FAILED: {fault}" for fault in said]
    home = os.path.join(folder, os.path.basename(path) + ".home")
    for part in parts:
        if isinstance(part, str):
            new.append(part)
            continue
        if part.is_long and LONG == "no" or not part.is_long and LONG == "only":
            new += part.lines + part.expected
            continue
        begin = time.monotonic()
        got = run_stanza(folder, home, part)
        if "TIMES" in os.environ:
            said.append(f"{time.monotonic() - begin:.3f}\t{part.place}\t{part.name}")
        new += part.lines + got
        if got == part.expected:
            passed += 1
            continue
        failed += 1
        said.append(f"FAILED: {part.place}: {part.name}")
        difference = list(difflib.unified_diff(part.expected, got, "expected", "got", lineterm=""))
        said += ["    " + line for line in difference[:int(os.environ.get("FAILURE_LINES", 40))]]
    if renew:
        text = "".join(line + "\n" for line in new).encode("utf-8", "surrogateescape")
        with open(path, "rb") as file:
            same = file.read() == text
        if not same:
            with open(path, "wb") as file:
                file.write(text)
    return passed, failed, said


def main():
    folder, paths = sys.argv[1], sys.argv[2:]
    renew = paths[0] == "--renew"
    # The longest first; what they say comes in the order of their names.
    paths = paths[renew:]
    jobs = int(os.environ.get("GOLDEN_JOBS", 0)) or len(os.sched_getaffinity(0)) + 1
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = {path: pool.submit(run_file, folder, path, renew)
                   for path in sorted(paths, key=os.path.getsize, reverse=True)}
        for path in paths:
            result = started[path].result()
            passed, failed = passed + result[0], failed + result[1]
            if not renew:
                for line in result[2]:
                    sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    if not renew:
        print(f"golden: {passed} passed, {failed} failed")
        sys.exit(failed > 0)


main()
