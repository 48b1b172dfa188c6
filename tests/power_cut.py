#!/usr/bin/env python3
"""Compares durability by tracetool with the kernel, in simulated power cuts of ext4.

    tests/power_cut.py check TRACETOOL OPTIONS SEEDS [FIRST [KEEP]]

For each seed: makes an ext4 on a loop device and mounts it with OPTIONS (defaults, noauto_da_alloc). Records with
strace a program that creates, writes, syncs, renames, links and removes files at random. Shuts the file system
down without writing its journal (EXT4_IOC_SHUTDOWN), mounts it again, and compares every file with its previous
content. Prints a line per state: files, and those lost or changed. Durable files must not be lost, neither by
POSIX nor with --filesystem ext4. KEEP is a folder for the logs' lines about the file system, mounted as /mnt, and
the kept files. Needs root, strace and a loop device; else exits with 77.

    tests/power_cut.py work FOLDER SEED        the program
    tests/power_cut.py judge TRACETOOL LOG KEPT    the same of a log and a list of files that were kept, which check wrote
"""
import collections
import fcntl
import mmap
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32)
WITHOUT_LOG_FLUSH = 2
SKIPPED = 77
MOST_SHOWN = 10


class Work:
    """Changes files of a folder at random."""

    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        os.chdir(folder)
        self.folders = ["a", "b", "c"]
        self.files = []
        self.number = 0
        for name in self.folders:
            os.mkdir(name)
        os.sync()

    def chance(self, share):
        return self.random.random() < share

    def name(self):
        self.number += 1
        return f"{self.random.choice(self.folders)}/f{self.number}"

    def file(self):
        return self.random.choice(self.files)

    def some(self):
        return (b"%06d " % self.number) * self.random.choice([1, 600, 5000])

    def sync_folder(self, path, share):
        if self.chance(share):
            folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(folder)
            os.close(folder)

    def sync(self, descriptor, share):
        if self.chance(share):
            other = os.dup(descriptor) if self.chance(0.2) else descriptor
            self.random.choice([os.fsync, os.fdatasync])(other)
            if other != descriptor:
                os.close(other)

    def create(self):
        path, more = self.name(), os.O_DSYNC if self.chance(0.15) else 0
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_TRUNC | more, 0o644)
        os.write(file, self.some())
        self.sync(file, 0.4)
        os.close(file)
        self.files.append(path)
        self.sync_folder(path, 0.25)

    def change(self):
        path = self.file()
        file = os.open(path, os.O_RDWR)
        kind = self.random.randrange(6)
        if kind == 0:
            os.ftruncate(file, self.random.choice([0, 10, 9000]))
        elif kind == 1:
            os.pwrite(file, self.some(), 0)
        elif kind == 2:
            os.posix_fallocate(file, 0, 20000)
        elif kind == 3:
            source = os.open(self.file(), os.O_RDONLY)
            if not os.path.sameopenfile(source, file):
                os.copy_file_range(source, file, 4000)
            os.close(source)
        elif kind == 4 and os.fstat(file).st_size > 0:
            with mmap.mmap(file, 0) as shared:
                shared[0:1] = b"#"
                if self.chance(0.6):
                    shared.flush()
        else:
            os.lseek(file, 0, os.SEEK_END)
            os.write(file, self.some())
        self.sync(file, 0.4)
        os.close(file)

    def rename(self):
        old, new = self.file(), self.name()
        os.rename(old, new)
        self.files.remove(old)
        self.files.append(new)
        self.sync_folder(new, 0.4)
        self.sync_folder(old, 0.4)

    def replace(self):
        path = self.file()
        file = os.open(path + ".tmp", os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o644)
        os.write(file, self.some())
        self.sync(file, 0.5)
        os.close(file)
        os.rename(path + ".tmp", path)
        self.sync_folder(path, 0.4)

    def link(self):
        old, new = self.file(), self.name()
        os.link(old, new)
        self.files.append(new)
        if self.chance(0.5):
            os.unlink(old)
            self.files.remove(old)
        self.sync_folder(new, 0.4)

    def remove(self):
        path = self.file()
        os.unlink(path)
        self.files.remove(path)
        self.sync_folder(path, 0.3)

    def make_folder(self):
        self.number += 1
        path = f"{self.random.choice(self.folders[:3])}/d{self.number}"
        os.mkdir(path)
        self.folders.append(path)
        self.sync_folder(path, 0.5)

    def rename_folder(self):
        if len(self.folders) == 3:
            return
        self.number += 1
        old, new = self.folders.pop(), f"{self.random.choice(self.folders[:3])}/d{self.number}"
        os.rename(old, new)
        self.folders.append(new)
        self.files = [new + path[len(old) :] if path.startswith(old + "/") else path for path in self.files]
        self.sync_folder(new, 0.5)

    def run(self, steps):
        actions = [(self.create, 40), (self.change, 20), (self.rename, 12), (self.replace, 12), (self.link, 6)]
        actions += [(self.remove, 6), (self.make_folder, 2), (self.rename_folder, 1)]
        for _ in range(steps):
            action = self.random.choices(*zip(*actions))[0] if len(self.files) > 2 else self.create
            action()


def contents(root):
    """The bytes of each file below the folder."""
    found = {}
    for folder, _, files in os.walk(root):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[path] = file.read()
    return found


def states(tracetool, log, *options):
    command = [tracetool, "report", "durability", log, "--no-cache", "--format", "tsv", *options]
    rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = {}
    for row in rows:
        if not row.startswith("#"):
            fields = row.split("\t")
            found[fields[0]] = fields[6]
    return found


def word(state):
    for known in ("durable", "data exposed", "name exposed", "replaced", "unknown", "lost", "removed"):
        if state.startswith(known):
            return known
    return state


def judge(tracetool, log, was, kept, counts):
    """Counts the files in `was`, by state and by whether they are unchanged in `kept`."""
    wrong = []
    for options in ((), ("--filesystem", "ext4")):
        said = states(tracetool, log, *options)
        for path in was:
            state = word(said.get(path, "not mentioned"))
            key = ("ext4" if options else "posix", state)
            counts[key, path in kept] += 1
            if path not in kept and state in ("durable", "not mentioned"):
                wrong.append(f"{log}: {path} ({key[0]}: {said.get(path)})")
    return wrong


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def cut(options, seed, folder):
    """Records the program and cuts the power. Returns the log, the files before, and the files after."""
    image, mount, log = (os.path.join(folder, name) for name in ("image", "mount", "log"))
    os.makedirs(mount, exist_ok=True)
    with open(image, "wb") as file:
        file.truncate(64 << 20)
    run("mkfs.ext4", "-q", "-F", image)
    device = run("losetup", "-f", "--show", image)
    try:
        run("mount", "-o", options, device, mount)
        run("strace", "-f", "-y", "-ttt", "-T", "-o", log, "-e", "trace=file,desc,process,memory,sync,syncfs",
            sys.executable, os.path.abspath(__file__), "work", mount, str(seed))  # fmt: skip
        was = contents(mount)
        root = os.open(mount, os.O_RDONLY)
        fcntl.ioctl(root, SHUTDOWN, struct.pack("I", WITHOUT_LOG_FLUSH))
        os.close(root)
        run("umount", mount)
        run("mount", device, mount)
        now = contents(mount)
        run("umount", mount)
    finally:
        subprocess.run(["umount", mount], capture_output=True, check=False)
        run("losetup", "-d", device)
    return log, sorted(was), {path for path, content in was.items() if now.get(path) == content}


def can_cut(folder):
    try:
        cut("defaults", 0, folder)
        return True
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no power cuts here: {error}", file=sys.stderr)
        return False


def report(counts):
    for key in sorted({key for key, _ in counts}):
        there, gone = counts[key, True], counts[key, False]
        print(f"{key[0]}\t{key[1]}\t{there + gone}\t{gone}")


def write_kept(name, folder, was, kept):
    """Writes the log's lines from the program's begin on, for these folders only."""
    mount = os.path.join(folder, "mount")
    lines, begun = [], False
    with open(os.path.join(folder, "log"), encoding="utf-8") as log:
        for line in log:
            begun = begun or f'chdir("{mount}")' in line
            line = line.replace(mount, "/mnt")
            if begun and not re.search(r'["<]/(?!mnt)', line):
                lines.append(line)
    with open(name + ".strace", "w", encoding="utf-8") as file:
        file.writelines(lines)
    run("zstd", "-q", "-f", "-19", "--rm", name + ".strace")
    with open(name + ".kept", "w", encoding="utf-8") as file:
        file.writelines(f"{'kept' if path in kept else 'gone'}\t{path.replace(mount, '/mnt')}\n" for path in was)


def check(tracetool, options, seeds, first=0, keep=None):
    counts, wrong = collections.Counter(), []
    # tracetool treats files in /dev/shm as not on disk.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        if os.geteuid() != 0 or not can_cut(folder):
            return SKIPPED
        for seed in range(first, first + seeds):
            log, was, kept = cut(options, seed, folder)
            wrong += judge(tracetool, log, was, kept, counts)
            if keep is not None:
                write_kept(os.path.join(keep, f"{options}-{seed}"), os.path.dirname(log), was, kept)
    report(counts)
    print("\n".join(wrong[:MOST_SHOWN]))
    return 1 if wrong else 0


def judge_kept(tracetool, log, listed):
    counts, kept, was = collections.Counter(), set(), []
    with open(listed, encoding="utf-8") as file:
        for line in file:
            mark, path = line.rstrip("\n").split("\t")
            was.append(path)
            if mark == "kept":
                kept.add(path)
    wrong = judge(tracetool, log, was, kept, counts)
    report(counts)
    print("\n".join(wrong[:MOST_SHOWN]))
    return 1 if wrong else 0


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "work":
        Work(arguments[0], int(arguments[1])).run(120)
        return 0
    if command == "judge":
        return judge_kept(*arguments)
    return check(arguments[0], arguments[1], *(int(number) for number in arguments[2:4]), *arguments[4:])


if __name__ == "__main__":
    sys.exit(main())
