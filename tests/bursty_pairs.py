#!/usr/bin/env python3
"""Measures how often the bounds of the share of reads contain 1, for pairs of logs of the same process.

    bursty_pairs.py TRACETOOL FOLDER SHAPE PAIRS

Twenty sources alternate between on and off, for times from a Pareto distribution with shape SHAPE (1 to 2:
long-range dependence with Hurst parameter (3 - SHAPE) / 2). Half of them read, half write. With SHAPE 0, each I/O
is randomly a read or a write. Prints the number of pairs with bounds, and how many of these contain 1.
"""
import os
import random
import subprocess
import sys

SECONDS, SOURCES, RATE = 240, 20, 6
START = 128166372000000000  # a FILETIME


def independent(chance):
    time = chance.expovariate(SOURCES * RATE / 2)
    while time < SECONDS:
        yield time, chance.random() < 0.5
        time += chance.expovariate(SOURCES * RATE / 2)


def on_and_off(chance, shape):
    for source in range(SOURCES):
        begin, on = -150 * chance.random(), chance.random() < 0.5
        while begin < SECONDS:
            end = begin + min(0.5 * (1 - chance.random()) ** (-1 / shape), SECONDS)
            time = max(begin, 0) + chance.expovariate(RATE)
            while on and time < min(end, SECONDS):
                yield time, source < SOURCES / 2
                time += chance.expovariate(RATE)
            begin, on = end, not on


def write_log(path, seed, shape):
    chance = random.Random(seed)
    events = sorted(on_and_off(chance, shape) if shape else independent(chance))
    with open(path, "w", encoding="ascii") as file:
        for time, reads in events:
            file.write(f"{START + int(time * 1e7)},host,0,{'Read' if reads else 'Write'},0,4096,100\n")


def share_of_reads(tool, folder):
    """Returns low and high of count_share of reads; empty if unknown."""
    text = subprocess.run([tool, "-d", f"{folder}/pair.db", "compare", "a.csv", "b.csv", "rw", "--format", "tsv"],
                          capture_output=True, text=True, check=True).stdout
    head = next(line[2:].split("\t") for line in text.splitlines() if line.startswith("# ") and "\tlow\t" in line)
    row = next(line.split("\t") for line in text.splitlines() if line.startswith("read count_share\t"))
    found = dict(zip(head, row))
    return found["low"], found["high"]


def main():
    tool, folder, shape, pairs = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    bounded = held = 0
    for pair in range(pairs):
        if os.path.exists(f"{folder}/pair.db"):
            os.remove(f"{folder}/pair.db")
        for side in range(2):
            write_log(f"{folder}/{'ab'[side]}.csv", 2 * pair + side, shape)
        subprocess.run([tool, "-q", "-d", f"{folder}/pair.db", "import", f"{folder}/a.csv", f"{folder}/b.csv"], check=True)
        low, high = share_of_reads(tool, folder)
        if low:
            bounded += 1
            held += float(low) <= 1 <= float(high)
    print(bounded, held)


main()
