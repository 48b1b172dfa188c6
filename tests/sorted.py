#!/usr/bin/python3
"""Checks `report --sort COLUMN`: its rows must be those without it, sorted here.

    sorted.py columns|ends <PLAIN.json      the columns that there are to sort by, or the first and the last
    sorted.py COLUMN PLAIN DOWN UP          files of JSON: not sorted, by COLUMN, by +COLUMN

Status 1 with the first difference."""
import json
import sys


def read(name):
    with open(name) as file:
        document = json.load(file)
    return [column["name"] for column in document["columns"]], document["rows"]


def kept(names):
    return [i for i, name in enumerate(names) if not name.endswith("cumulative")]


def judge(column, plain, given, plus):
    names, rows = plain
    keep, at = kept(names), names.index(column)
    place = keep.index(at)
    known = [[row[i] for i in keep] for row in rows if row[at] is not None]
    texts = [isinstance(row[place], str) for row in known]

    if given[0] != [names[i] for i in keep]:
        sys.exit("columns are %s" % given[0])
    if any(texts) and not all(texts):
        return  # both kinds
    if any(texts):
        known.sort(key=lambda row: row[place].lower(), reverse=plus)
    else:
        known.sort(key=lambda row: row[place], reverse=not plus)
    wanted, got = known + [[row[i] for i in keep] for row in rows if row[at] is None], given[1]
    if any(isinstance(row[place], float) for row in known):
        # Values are rounded: rows that look equal may differ.
        same = [row[place] for row in wanted] == [row[place] for row in got] and sorted(map(str, wanted)) == sorted(map(str, got))
    else:
        same = wanted == got
    if not same:
        sys.exit("wanted %s\ngot %s" % (wanted[:20], got[:20]))


if len(sys.argv) == 2:
    found = [column["name"] for column in json.load(sys.stdin)["columns"]]
    found = [found[i] for i in kept(found)]
    print(" ".join(found if sys.argv[1] == "columns" else found[:: max(len(found) - 1, 1)]))
else:
    results = [read(name) for name in sys.argv[2:]]
    judge(sys.argv[1], results[0], results[1], False)
    judge(sys.argv[1], results[0], results[2], True)
