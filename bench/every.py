"""Runs every report in each of its forms on a database made for it. Shared by growth.py and reports.py."""
import os

from measuring import Failed, answer, say


def option_values():
    """A value for each option that takes one, from tests/registry. Options that take a file have none."""
    values = {}
    with open(os.path.join(os.path.dirname(__file__), "..", "tests", "registry"), encoding="utf-8") as lines:
        for kind, name, value in (line.split(" | ")[:3] for line in lines if line.startswith("option | ")):
            values["--" + name] = value.split()[0]
    return {name: value for name, value in values.items() if not value.endswith((".yaml", ".txt"))}


def forms(tracetool, kinds):
    """Reports for these kinds of traces, each in all its forms: words after `report`."""
    values = option_values()
    found = {}
    for line in answer([tracetool, "reports", "--format", "tsv"]):
        if line.startswith("#"):
            continue
        name, fitting, option = line.split("\t")[:3]
        words = [name, *option.removesuffix(" (default)").split()]
        words += [values[words[-1]]] if words[-1] in values else []
        if set(kinds.split()) & set(fitting.split()) and words[-1] not in ("--weights", "--reference"):
            found[tuple(words)] = words
    return list(found.values())


def make_database(options, log, events):
    """Imports a generated log: returns its path, and the run of the import."""
    text, path = (os.path.join(options.work, f"{log}-{events}.{ending}") for ending in ("log", "db"))
    for old in (text, path):
        if os.path.exists(old):
            os.unlink(old)
    options.measure.run([os.path.join(options.tools, "generate"), log, str(events)], text)
    run = options.measure.run([options.tracetool, "-q", "-d", path, "import", text])
    os.unlink(text)
    return path, run


def run_report(options, path, form):
    """Returns its runs; None if it is refused."""
    try:
        return [options.measure.run([options.tracetool, "-q", "-d", path, "report", *form, "--format", "tsv"])
                for _ in range(options.rounds)]
    except Failed as refused:
        say(f"bench: {refused}")
        return None
