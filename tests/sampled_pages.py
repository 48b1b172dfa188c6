#!/usr/bin/env python3
"""Measures how often estimates from sampled pages exceed the reported error, over logs with different random
numbers.

    sampled_pages.py TRACETOOL FOLDER LOGS

Prints for each row of footprint how many logs exceed the bound in its line. The truth is counted from the log.
"""
import os
import random
import re
import subprocess
import sys

START = 128166372000000000  # a FILETIME


def write_log(path, seed):
    """85 of 100 I/Os read; 70 of 100 are on one page of 12,000, the others on one of 100. Returns the pages by
    row."""
    chance, pages = random.Random(seed), {"read": set(), "written": set()}
    base = chance.randrange(1 << 30)  # sampling depends on addresses only
    with open(path, "w", encoding="ascii") as file:
        for i in range(10000):
            page = base + (7 * i % 12000 if chance.random() < 0.7 else 20000 + chance.randrange(100))
            reads = chance.random() < 0.85
            pages["read" if reads else "written"].add(page)
            file.write(f"{START + i * 10000},host,0,{'Read' if reads else 'Write'},{page * 4096},4096,100\n")
    return pages | {"used": pages["read"] | pages["written"], "both": pages["read"] & pages["written"]}


def main():
    tool, folder, logs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    beyond = dict.fromkeys(("used", "read", "written", "both"), 0)
    for seed in range(logs):
        if os.path.exists(f"{folder}/pages.db"):
            os.remove(f"{folder}/pages.db")
        right = write_log(f"{folder}/pages.csv", seed)
        subprocess.run([tool, "-q", "-d", f"{folder}/pages.db", "import", f"{folder}/pages.csv"], check=True)
        text = subprocess.run([tool, "-d", f"{folder}/pages.db", "report", "footprint", "--sample", "512", "--format",
                               "tsv"], capture_output=True, text=True, check=True).stdout
        bounds = dict(zip(beyond, map(float, re.search(
            r"error: pages up to ([0-9.]+) %, read ([0-9.]+) %, written ([0-9.]+) %, both ([0-9.]+) %",
            text).groups())))
        for row, bound in bounds.items():
            found = int(re.search(rf"^{row}\t(\d+)", text, re.M).group(1))
            beyond[row] += abs(found - len(right[row])) > bound / 100 * found
    print(*beyond.values())


main()
