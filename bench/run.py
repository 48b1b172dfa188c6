"""Benchmark of tracetool and its competitors (README.md).

    run.py --tracetool FILE --tools FOLDER --palmist FILE --schema FILE --work FOLDER
           --events N --rounds N [--duckdb LIBRARY] [--brief] [--only FORMAT …]

Prints the tables, and writes them to table.md in the work folder.
"""
import argparse
import datetime
import os
import platform
import shutil
import sqlite3
import sys

import tables
from mapping import FORMAT as MAP_FORMAT
from mapping import measure_mapping
from measuring import Failed, Measure, answer, say
from peers import Duckdb, Floor, Script, Shell, Tracetool, version_of
from questions import read_questions
from stages import Bench, Format, Workshop, log_path
from whole import measure_whole

FORMATS = [
    Format("most-binary", "io", "script_most_binary.py"),
    Format("most", "io"),
    Format("msr", "io"),
    Format("palmist", "calls", "script_palmist.py"),
    Format("dwtrace", "spans"),
    Format("android-trace", "spans"),
    Format("strace", "calls", counted=True),
    Format("ftrace", "calls io", counted=True),
    Format("sched", "states", reads_as="ftrace", counted=True),
    Format("blktrace", "io", parts=("disk.blktrace.0", "disk.blktrace.1"), counted=True),
]
HERE = os.path.dirname(os.path.abspath(__file__))


def read_arguments():
    parser = argparse.ArgumentParser(description="tracetool and its peers")
    for name in ("tracetool", "tools", "palmist", "schema", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--events", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--duckdb", help="libduckdb.so")
    parser.add_argument("--brief", action="store_true", help="does it run? without the memory of all reports")
    parser.add_argument("--only", nargs="*", default=[], help="formats")
    arguments = parser.parse_args()
    if arguments.events < 10 or arguments.rounds < 1:
        parser.error("at least 10 events and 1 round")
    return arguments


def set_up(arguments):
    def tool(name):
        return os.path.join(arguments.tools, name)

    duckdb = None
    if arguments.duckdb and os.path.exists(arguments.duckdb):
        duckdb = Duckdb(tool("duckdb"), os.path.abspath(arguments.duckdb))
    generators = {form.name: [tool("generate"), form.name] for form in FORMATS}
    generators["palmist"] = [arguments.palmist, "big"]
    script = Script(HERE)
    return Workshop(
        work=arguments.work, events=arguments.events, rounds=arguments.rounds,
        measure=Measure(tool("measure"), arguments.work), generators=generators,
        tracetool=Tracetool(arguments.tracetool, os.path.join(HERE, "bench.yaml")),
        shell=Shell(), duckdb=duckdb, script=script,
        floor=Floor(tool("floor"), arguments.schema), pandas=script.pandas_version(),
        questions=read_questions(os.path.join(HERE, "questions")), brief=arguments.brief,
    )


def choose_formats(shop, only, notes):
    known = shop.tracetool.formats()
    chosen = []
    for form in FORMATS:
        if only and form.name not in only:
            continue
        if form.importer in known:
            chosen.append(form)
        else:
            notes.append(f"{form.name} is left out: tracetool has no importer for it.")
    if not chosen:
        raise Failed("no format to run with")
    return chosen


def processor_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def describe_machine(shop):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    duckdb = f"DuckDB {shop.duckdb.version()}" if shop.duckdb else "no DuckDB"
    return [
        f"{datetime.date.today()}; {os.cpu_count()} cores of {processor_name()},"
        f" {memory:.0f} GB, Linux {platform.release().split('-')[0]};"
        f" SQLite {version_of('sqlite3').split()[0]} (library {sqlite3.sqlite_version}), {duckdb},"
        f" {answer([shop.script.python, '--version'])[0]},"
        f" {'pandas ' + shop.pandas if shop.pandas else 'no pandas'}. {shop.events} events a log,"
        f" {shop.rounds} rounds; load of the machine before: {os.getloadavg()[0]:.1f}.",
    ]


def write_tables(shop, machine, notes, results, asked, mapped):
    notes = notes + (shop.doubts or
                     ["All peers had the same rows, and gave the same answers as tracetool."])
    text = tables.document(results, machine, notes, shop.duckdb is not None, asked,
                           mapped)
    with open(shop.path("table.md"), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    return text


def run(arguments):
    shop = set_up(arguments)
    notes = ["Median (least–largest) of the rounds; ratios pair by pair within a round."]
    if shop.duckdb is None:
        notes.append("DuckDB is left out: its library could not be had (npm).")
    if shop.pandas is None:
        notes.append("pandas is left out: it is not installed.")
    notes += [f"{program} is left out: it is not installed." for program in ("gawk", "blkparse", "btt")
              if shutil.which(program) is None]
    os.makedirs(shop.work, exist_ok=True)
    machine = describe_machine(shop)
    results, asked, mapped, text = [], [], None, ""
    for form in choose_formats(shop, arguments.only, notes):
        result = Bench(shop, form).run()
        results.append(result)
        answered = measure_whole(shop, form, log_path(shop, form), result.rows, result.log_bytes)
        asked += [answered] if answered else []
        if form.name == MAP_FORMAT:
            mapped = measure_mapping(shop, log_path(shop, form))
        # Tables so far, in case the rest fails.
        text = write_tables(shop, machine, notes, results, asked, mapped)
    print(text)
    if shop.doubts:
        raise Failed("not all peers did the same work")


def main():
    try:
        run(read_arguments())
    except Failed as failed:
        say(f"bench: {failed}")
        sys.exit(1)


main()
