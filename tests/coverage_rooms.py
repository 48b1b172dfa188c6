#!/usr/bin/env python3
"""Sums gcovr's coverage by directory: coverage_rooms.py SUMMARY (of gcovr --json-summary)."""
import collections
import json
import os
import sys


def percent(covered, total):
    return f"{100 * covered / total:.1f} %" if total else "-"


sums = collections.defaultdict(collections.Counter)
with open(sys.argv[1], encoding="utf-8") as file:
    for entry in json.load(file)["files"]:
        for count in ("line_covered", "line_total", "branch_covered", "branch_total"):
            sums[os.path.dirname(entry["filename"])][count] += entry[count]
print("| folder | lines | run | branches | run |")
print("| --- | ---: | ---: | ---: | ---: |")
for folder, sum_ in sorted(sums.items()):
    print(f"| `{folder}` | {sum_['line_total']} | {percent(sum_['line_covered'], sum_['line_total'])}"
          f" | {sum_['branch_total']} | {percent(sum_['branch_covered'], sum_['branch_total'])} |")
