"""The script of somebody who knows pandas: ten questions to a log of MOST's text form.

    script.py LOG FOLDER      each answer goes to FOLDER/NAME.tsv
"""
import os
import sys

import pandas

NAMES = ["time", "action", "rwbs", "sector", "blocks", "pid", "process", "type", "file"]
CLASSES = ["read", "readsync", "write", "writesync", "flush", "other"]
TYPES = {"D": "data", "J": "journal", "M": "metadata"}


def read(log):
    """Dispatched and completed I/Os, with the class, and the latency of the latter."""
    io = pandas.read_csv(log, sep="\t", header=None, names=NAMES, skipinitialspace=True, quoting=3,
                         dtype={"action": "category", "rwbs": "category", "process": "category",
                                "type": "category", "file": "category"})
    io = io[io["action"].isin(["D", "C"])].copy()
    io["time"] = (io["time"] * 1e9).round().astype("int64")
    io["write"] = io["rwbs"].map(lambda rwbs: "W" in rwbs).astype(bool)
    io["class"] = io["rwbs"].map(class_of)
    io["bytes"] = io["blocks"] * 512
    before = io.groupby(["sector", "write"])[["time", "action"]].shift()
    io["latency"] = (io["time"] - before["time"]).where(before["action"] == "D")
    return io[io["action"] == "C"]


def class_of(rwbs):
    name = "read" if "R" in rwbs else "write" if "W" in rwbs else "flush" if "F" in rwbs else "other"
    return name + "sync" if name in ("read", "write") and "S" in rwbs else name


def by_class(io, key):
    """How often each class is, and bytes, by something."""
    counts = pandas.crosstab(key, io["class"].astype(str)).reindex(columns=CLASSES, fill_value=0)
    counts["total"] = counts.sum(axis=1)
    counts["bytes"] = io["bytes"].groupby(key).sum()
    return counts


def seconds(time):
    return f"{time // 10**9}.{time % 10**9:09d}"


def gaps(io):
    start = io["time"].shift()
    length = io["time"] - start
    longest = length.sort_values(ascending=False, kind="stable").head(20).index
    return pandas.DataFrame({"start": start[longest].astype("int64"),
                             "length": length[longest].astype("int64")}).reset_index(drop=True)


def latency(io):
    known = io[io["latency"].notna()]
    rows = []
    for name, values in known["latency"].astype("int64").groupby(known["class"].astype(str)):
        values = values.sort_values().to_numpy()
        ranks = [values[-(-len(values) * percent // 100) - 1] for percent in (50, 90, 99)]
        rows.append([name, len(values), values[0], round(float(values.mean())), *ranks, values[-1]])
    return pandas.DataFrame(rows)


def locality(io):
    rows = []
    for write, name in ((False, "read"), (True, "write")):
        chosen = io[io["write"] == write]
        follows = (chosen["sector"] + chosen["blocks"]).shift()
        sequential = int((chosen["sector"] == follows).sum())
        rows.append([name, sequential, len(chosen) - sequential])
    return pandas.DataFrame(rows)


def answers(io):
    classes = io["class"].astype(str)
    yield "rw", io.groupby(classes)["bytes"].agg(["count", "sum"]).reset_index()
    yield "iosize", io["bytes"].value_counts().reset_index()
    yield "hourly", by_class(io, io["time"] // (3600 * 10**9)).drop(columns="bytes").reset_index()
    types = io["type"].astype(str).map(TYPES).fillna("none")
    yield "blocktype", by_class(io, types).reset_index()
    yield "process", by_class(io, io["process"].astype(str)).reset_index()
    files = io["file"][io["file"].notna() & (io["file"] != "file-NONE")].astype(str)
    yield "file", files.value_counts().reset_index()
    sectors = io["sector"].value_counts().reset_index()
    sectors.columns = ["sector", "count"]
    yield "sector", sectors.sort_values(["count", "sector"], ascending=[False, True]).head(100)
    yield "latency", latency(io)
    yield "gaps", gaps(io)
    yield "locality", locality(io)


def main(log, folder):
    io = read(log)
    for name, rows in answers(io):
        rows.to_csv(os.path.join(folder, name + ".tsv"), sep="\t", header=False, index=False)


main(sys.argv[1], sys.argv[2])
