"""Runs the stanzas of golden files for tests/golden.sh, which documents them.

    golden.py FOLDER [--renew] FILE…

Runs one more thread than there are processors, a file per thread. FOLDER has `new`, which is copied for each
stanza. TIMES=1 in the environment prints each stanza's seconds of the processor. LONG=no skips stanzas that begin with `long:` or
`real:`; LONG=only skips all others. `real:` stanzas are skipped if the logs next to the checkout are missing. With
STANZAS=2/6 each file runs its stanzas 2, 8, 14 ….
"""
import concurrent.futures
import difflib
import os
import shutil
import subprocess
import sys


LONG = os.environ.get("LONG", "all")
FIRST, STEP = (int(number) for number in os.environ.get("STANZAS", "1/1").split("/"))
KINDS = ("setup", "test", "long", "real")


class Stanza:
    """A test of a file. `lines`: its name, commands and comments; `expected`: their output. The commands of a
    `setup` precede those of later tests."""

    def __init__(self, place, line, setup):
        self.kind, self.name = line.split(": ", 1)
        self.place = place
        self.lines, self.expected = [], []
        self.commands = [] if self.kind == "setup" or setup is None else list(setup.commands)

    def is_chosen(self, number):
        is_long = self.kind in ("long", "real")
        return (number % STEP == FIRST % STEP and self.kind != "setup"
                and not (is_long and LONG == "no" or not is_long and LONG == "only"))

    def is_possible(self):
        return self.kind != "real" or os.path.isdir(os.path.join(os.environ["SHARED"], "data"))


def read_stanzas(path):
    """Parses the file to lines and stanzas, in order, and a list of errors."""
    parts, faults, stanza, setup = [], [], None, None
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = file.read().split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        if line.split(": ")[0] in KINDS:
            stanza = Stanza(f"{os.path.basename(path)}:{number}", line, setup)
            parts.append(stanza)
            if stanza.kind == "setup":
                setup = stanza
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
    """Formats output like a stanza: each line with its mark, a missing newline as a line \\."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    got = [f"{mark} (holds a NUL)"] if b"\0" in data else []
    got += [f"{mark} {line}" if line else mark for line in lines[:-1]]
    return got + ([f"{mark} {lines[-1]}", "\\"] if lines[-1] else [])


def run_stanza(folder, home, stanza):
    """Runs the stanza in a new directory and returns its output and its seconds of the processor."""
    here = os.path.join(folder, stanza.place.replace(":", "-"))  # PATH may contain it
    shutil.copytree(os.path.join(folder, "new"), here, symlinks=True)
    script = "\n".join(stanza.commands) + "\n"
    # Settings of the user stay within the file.
    environment = dict(os.environb)
    environment[b"HOME"] = home.encode()
    with open(here + ".commands", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(script)
    # A stanza that hangs, such as one at a terminal, ends with status 124.
    most = "300" if stanza.kind == "test" else "3600"
    with open(here + ".out", "wb") as out, open(here + ".err", "wb") as err:
        # Background processes of a shell ignore SIGINT and SIGQUIT.
        process = subprocess.Popen(["timeout", most, "env", "--default-signal", "bash", "-e", here + ".commands"],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   cwd=os.path.join(here, "run"), env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status = os.waitstatus_to_exitcode(status)
    got = []
    for mark, end in ((">", ".out"), ("!", ".err")):
        with open(here + end, "rb") as file:
            got += marked(mark, file.read())
        os.unlink(here + end)
    os.unlink(here + ".commands")
    shutil.rmtree(here, ignore_errors=True)
    if status:
        got.append(f"? {status if status > 0 else 128 - status}")
    return got, usage.ru_utime + usage.ru_stime


def run_file(folder, path, renew):
    """Runs the stanzas of a file: returns (passed, failed, skipped, messages)."""
    parts, said = read_stanzas(path)
    failed, passed, skipped, new = len(said), 0, 0, []
    said = [f"FAILED: {fault}" for fault in said]
    home = os.path.join(folder, os.path.basename(path) + ".home")
    number = 0
    for part in parts:
        if isinstance(part, str):
            new.append(part)
            continue
        number += part.kind != "setup"
        if not part.is_chosen(number) or not part.is_possible():
            if part.is_chosen(number):
                skipped += 1
                said.append(f"skipped: {part.place}: {part.name}: no logs in {os.environ['SHARED']}")
            new += part.lines + part.expected
            continue
        got, seconds = run_stanza(folder, home, part)
        if "TIMES" in os.environ:
            said.append(f"{seconds:.3f}\t{part.place}\t{part.name}")
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
    return passed, failed, skipped, said


def main():
    folder, paths = sys.argv[1], sys.argv[2:]
    renew = paths[0] == "--renew"
    # Longest first; output is in the order of names.
    paths = paths[renew:]
    jobs = int(os.environ.get("GOLDEN_JOBS", 0)) or len(os.sched_getaffinity(0)) + 1
    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = {path: pool.submit(run_file, folder, path, renew)
                   for path in sorted(paths, key=os.path.getsize, reverse=True)}
        for path in paths:
            result = started[path].result()
            passed, failed, skipped = passed + result[0], failed + result[1], skipped + result[2]
            if not renew:
                for line in result[3]:
                    sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    if not renew:
        print(f"golden: {passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
        sys.exit(failed > 0)


main()
