#!/usr/bin/env python3
"""Logs designed to be slow, derived from a good log, one file each.

    slow_logs.py SIZE FOLDER LOG…

The logs from the first good log are in FOLDER/1, from the second in FOLDER/2 …, SIZE bytes each. Variants: the
good log repeated, its lines reversed, different numbers in each line so that no name repeats, the same number
everywhere, a line without an end, unclosed brackets, and its beginning followed by a single repeated byte. Random
choices are reproducible.
"""
import pathlib
import random
import re
import sys


def fill(size, piece, first=b""):
    """`first`, then the piece repeatedly."""
    return (first + piece * (size // max(1, len(piece)) + 1))[:size]


def renumbered(data, size):
    """Changes digits of text, or any byte of binary logs, in each copy."""
    out = bytearray()
    text = data.count(b"\n") > 2 and b"\0" not in data
    while len(out) < size:
        if text:
            for line in data.splitlines(keepends=True):
                out += re.sub(rb"\d{2,}", lambda found: str(random.randrange(10 ** len(found[0]))).encode(), line)
        else:
            copy = bytearray(data)
            for _ in range(len(copy) // 16):
                copy[random.randrange(len(copy))] = random.randrange(256)
            out += copy
    return bytes(out[:size])


def same_numbers(data, size):
    """Makes all times, sizes and names equal, except in the first lines."""
    lines = data.splitlines(keepends=True)
    return fill(size, b"".join(re.sub(rb"\d", b"1", line) for line in lines), b"".join(lines[:3]))


def logs(data, size):
    lines = data.splitlines(keepends=True)
    head = data[: min(len(data), 200)]
    longest = max(lines, key=len) if lines else data
    yield "repeated", fill(size, data)
    yield "backwards", fill(size, b"".join(reversed(lines)), data)
    yield "renumbered", renumbered(data, size)
    yield "same", same_numbers(data, size)
    yield "one-line", fill(size, longest.rstrip(b"\r\n"), data)
    yield "last-line", fill(size, longest, data)
    yield "first-line", fill(size, lines[0] if lines else data)
    yield "short-lines", fill(size, b"1\n", data)
    for name, piece in [("zeros", b"\0"), ("ones", b"\xff"), ("newlines", b"\n"), ("blanks", b" "), ("tabs", b"\t"),
                        ("open", b"{[(<"), ("escapes", b"\\x\"'"), ("digits", b"9"), ("commas", b",;:=|"),
                        ("letters", b"ab")]:
        yield name, fill(size, piece, data if len(data) < size // 2 else head)
    yield "noise", random.randbytes(size)


def main():
    size, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    for number, log in enumerate(sys.argv[3:], 1):
        place = folder / str(number)
        place.mkdir(parents=True)
        random.seed(number)
        for name, content in logs(pathlib.Path(log).read_bytes(), size):
            (place / name).write_bytes(content)


main()
