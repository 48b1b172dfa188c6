"""Checks the output of reports on logs that do not state all facts.

    facts.py TRACE UNKNOWN FOLDER

UNKNOWN: facts that the trace's log does not state, separated by ", ". FOLDER: a file NAME.json per report. Prints
errors. The columns and rows of each fact are listed here, independently of the query files.
"""

import json
import os
import sys

COLUMNS = {
    "synchronous flags": {"readsync", "writesync", "sync"},
    "flushes": {"flush", "flushes"},
    "reads and writes": {"read", "write", "reads", "writes", "read_bytes", "write_bytes", "bytes_read", "bytes_written"},
    "sizes": {"bytes", "bytes_share", "byte_rate", "read_bytes", "write_bytes"},
    "results": {"errors"},
}
ROWS = {
    "synchronous flags": {"readsync", "writesync", "synchronous share of writes"},
    "flushes": {"flush", "flushes"},
    "reads and writes": {"read", "write", "reads", "writes", "writes per read", "bytes read", "bytes written"},
    "sizes": {"bytes read", "bytes written", "mean I/O size", "share of 4 KB I/Os"},
    "file types": {"share of SQLite databases", "share of SQLite journals"},
    "files": {"files"},
    "processes": {"processes"},
    "threads": {"threads"},
}
# A report with such a column has a row for each thing that the log names.
KEYS = {
    "block types": "block_type",
    "file types": "file_type",
    "files": "file",
    "processes": "process",
    "threads": "thread",
}


def judge_result(result, unknown):
    names = [column["name"] for column in result["columns"]]
    remarks = [remark for remark in result["remarks"] if remark.startswith("not in this log: ")]
    told = remarks[0].split(": ", 1)[1].split(", ") if remarks else []

    if len(remarks) > 1:
        yield "more than one line on what is not in the log"
    for fact in unknown:
        key = KEYS.get(fact)
        # If the report says that it is not in the log, the column may be empty.
        if key in names and (fact not in told or any(row[names.index(key)] is not None for row in result["rows"])) \
                and result["rows"]:
            yield "rows by %s: %s" % (key, result["rows"][0])
        shown = COLUMNS.get(fact, set()) & set(names)
        if shown and result["rows"] and fact not in told:
            yield "columns %s, and no word on %s" % (sorted(shown), fact)
        for row in result["rows"]:
            for name, value in zip(names, row):
                if name in shown and value is not None:
                    yield "%s is %s: %s" % (name, value, row)
            if row[0] in ROWS.get(fact, set()):
                yield "a row on %s: %s" % (fact, row)
    for fact in told:
        if fact not in unknown:
            yield "%s are in the log" % fact


def main():
    trace, unknown, folder = sys.argv[1], [fact for fact in sys.argv[2].split(", ") if fact], sys.argv[3]

    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                results = json.load(file)
            for result in results if isinstance(results, list) else [results]:
                for wrong in judge_result(result, unknown):
                    print("%s, report %s: %s" % (trace, name[:-5], wrong))


main()
