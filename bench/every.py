"""Runs every report in each of its forms on a database made for it. Shared by growth.py and reports.py."""
import os

from measuring import Failed, answer, say


def forms(tracetool, kind):
    """Reports with their options for a kind of trace, each once."""
    found = {}
    for line in answer([tracetool, "reports", "--format", "tsv"]):
        name, kinds, when = line.split("\t")[:3]
        words = when.removesuffix(" (default)").split()
        if kind in kinds.split() and (not words or len(words) == 2 or words[0] in ("--cdf", "--histogram")):
            found[(name, *words)] = [name, *words]
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
