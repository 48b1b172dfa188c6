"""The script of somebody who knows re and pandas: ten questions to a log of strace.

    script.py LOG FOLDER      each answer goes to FOLDER/NAME.tsv
"""
import os
import re
import sys
from array import array

import pandas

LINE = re.compile(
    r'(\d+) (\d+)\.(\d{6}) (<\.\.\. )?(\w+)(?:\((?:\d+<([^>]*)>|(?:AT_FDCWD<([^>]*)>, )?"([^"]*)")?)?'
    r'.*?(?:\) = (-?\d+|\?)(?:<[^>]*>)?(?: (E[A-Z]+) [^<]*)?(?: \([^)]*\))?(?: <(\d+)\.(\d{6})>)?'
    r'| <unfinished \.\.\.>)$')
TRANSFERS = {"read": "read", "pread64": "read", "write": "write", "pwrite64": "write", "sendto": "send",
             "fdatasync": "flush"}
NONE = -(1 << 62)


class Calls:
    """Columns of the calls, in order of their ends; names as numbers."""

    def __init__(self):
        self.columns = {name: array("q") for name in ("time", "name", "file", "result", "error", "duration")}
        self.numbers = {}
        self.open = {}

    def number(self, text):
        return NONE if text is None else self.numbers.setdefault(text, len(self.numbers))

    def add(self, begin, end):
        result, error, seconds, micros = end
        for column, value in zip(self.columns.values(), (
                begin[0], self.number(begin[1]), self.number(begin[2]),
                NONE if result in (None, "?") else int(result), self.number(error),
                NONE if seconds is None else int(seconds) * 1000000 + int(micros))):
            column.append(value)

    def take(self, line):
        found = LINE.match(line)
        if found is None:
            return
        thread, seconds, micros, resumed, name, descriptor, folder, path, *end = found.groups()
        if resumed:
            self.add(self.open.pop(thread), end)
            return
        file = f"{folder}/{path}" if folder else path or descriptor
        begin = (int(seconds) * 1000000 + int(micros), name, file)
        if line.endswith("<unfinished ...>\n"):
            self.open[thread] = begin
        else:
            self.add(begin, end)

    def frame(self):
        for begin in self.open.values():
            self.add(begin, (None, None, None, None))
        frame = pandas.DataFrame({name: pandas.Series(column, dtype="int64")
                                  for name, column in self.columns.items()})
        texts = list(self.numbers)
        for name in ("name", "file", "error"):
            frame[name] = pandas.Categorical.from_codes(frame[name].where(frame[name] != NONE, -1), texts)
            frame[name] = frame[name].cat.remove_unused_categories()
        return frame


def by(calls, *keys):
    return calls.groupby(list(keys), observed=True)


def latency(ended):
    rows = []
    for name, values in by(ended, "name")["duration"]:
        values = values.sort_values().to_numpy() * 1000
        ranks = [values[-(-len(values) * percent // 100) - 1] for percent in (50, 90, 99)]
        rows.append([name, len(values), values[0], round(float(values.mean())), *ranks, values[-1]])
    return pandas.DataFrame(rows)


def syscalls(ended):
    failed = by(ended[ended["error"].notna()], "name").size()
    found = by(ended, "name")["duration"].agg(["count", "sum", "min", "max"])
    found[["sum", "min", "max"]] *= 1000
    found.insert(1, "errors", failed.reindex(found.index, fill_value=0))
    return found.reset_index()


def files(calls):
    kinds = calls["name"].astype(str).map(TRANSFERS).fillna("")
    kinds = kinds.where(calls["name"] != "openat", "open")
    chosen = calls[~calls["name"].isin(["close", "execve", "sendto"]) & calls["file"].notna()]
    counts = pandas.crosstab(chosen["file"].astype(str), kinds[chosen.index]).reindex(
        columns=["open", "read", "write", "flush"], fill_value=0)
    for kind in ("read", "write"):
        moved = chosen[(kinds[chosen.index] == kind) & (chosen["result"] >= 0)]
        counts[f"bytes_{kind}"] = moved["result"].groupby(moved["file"].astype(str)).sum()
    return counts.fillna(0).astype("int64").reset_index()


def rw(calls):
    kinds = calls["name"].astype(str).map(TRANSFERS)
    kinds = kinds[kinds.notna() & (kinds != "send")]
    moved = calls["result"][kinds.index].where(calls["result"] >= 0, 0)
    return moved.groupby(kinds).agg(["count", "sum"]).reset_index()


def answers(calls):
    ended = calls[calls["duration"] != NONE]
    failed = calls[calls["error"].notna()]
    moved = calls["name"].astype(str).map(TRANSFERS).isin(["read", "write", "send"]) & (calls["result"] >= 0)
    yield "syscalls", syscalls(ended)
    yield "errors", failed.astype({"file": str}).replace({"file": {"nan": ""}}).groupby(
        ["name", "error", "file"], observed=True).size().reset_index()
    yield "files", files(calls)
    yield "file", by(calls, "file").size().reset_index()
    yield "operation", by(calls, "name").size().reset_index()
    yield "latency", latency(ended)
    yield "argsize", calls["result"][moved].value_counts().reset_index()
    returned = calls[(calls["result"] != 0) & (calls["result"] != NONE)].astype({"error": str})
    yield "returns", by(returned.replace({"error": {"nan": ""}}), "name", "result", "error").size().reset_index()
    yield "rw", rw(calls)
    yield "hourly", by(calls.assign(hour=calls["time"] // 3600000000 % 24), "hour").size().reset_index()


def main(log, folder):
    calls = Calls()
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            calls.take(line)
    for name, rows in answers(calls.frame()):
        rows.to_csv(os.path.join(folder, name + ".tsv"), sep="\t", header=False, index=False)


main(sys.argv[1], sys.argv[2])
