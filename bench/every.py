"""Every report in each of its forms, on a database made for that: what growth.py and reports.py share."""
import os

from measuring import Failed, answer, say


def forms(tracetool, kind):
    """The reports on a kind of trace with their options, each once."""
    found = {}
    for line in answer([tracetool, "reports", "--format", "tsv"]):
        name, kinds, when = line.split("\t")[:3]
        words = when.removesuffix(" (default)").split()
        if kind in kinds.split() and (not words or len(words) == 2 or words[0] in ("--cdf", "--histogram")):
            found[(name, *words)] = [name, *words]
    return list(found.values())


def make_database(options, log, events):
    """Of a generated log: its path, and the run of the import."""
    text, path = (os.path.join(options.work, f"{log}-{events}.{ending}") for ending in ("log", "db"))
    for old in (text, path):
        if os.path.exists(old):
            os.unlink(old)
    options.measure.run([os.path.join(options.tools, "generate"), log, str(events)], text)
    run = options.measure.run([options.tracetool, "-q", "-d", path, "import", text])
    os.unlink(text)
    return path, run


def run_report(options, path, form):
    """Its runs; None where it is refused."""
    try:
        return [options.measure.run([options.tracetool, "-q", "-d", path, "report", *form, "--format", "tsv"])
                for _ in range(options.rounds)]
    except Failed as refused:
        say(f"bench: {refused}")
        return None
