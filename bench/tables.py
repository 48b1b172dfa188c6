"""Tables of the benchmark, in Markdown."""
import os
from dataclasses import dataclass

from measuring import processors, ratio, spread, walls
from whole import ASKED, DUCKDB, IMPORTED, MAWK

MB = 1e6
MEMORY_LIMIT = 128 * 1024 * 1024
MEMORY_SLACK = 1.1  # the same memory at 1/10 and at all events, within a tenth,
PAGE_CACHE = 32 * 1024 * 1024  # plus the part of the import's page cache that a small database does not use,
READ_CACHE = 8 * 1024 * 1024  # and of a report's, which may read little of it
WAYS = (("tracetool", "tracetool"), ("sqlite3", "sqlite3 .import"), ("DuckDB", "DuckDB"),
        ("Python", "Python"), ("floor", "floor, whole process"))


def table(heads, rows):
    """Aligns texts left and figures right."""
    lines = ["| " + " | ".join(heads) + " |",
             "| --- |" + " ---: |" * (len(heads) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def shown(figure, digits=2, factor=1.0, unit=""):
    """Median (least-largest)."""
    if figure is None:
        return "–"
    median, low, high = (value * factor for value in (figure.median, figure.low, figure.high))
    if low == high:
        return f"{median:.{digits}f}{unit}"
    return f"{median:.{digits}f}{unit} ({low:.{digits}f}–{high:.{digits}f})"


@dataclass(frozen=True)
class Goal:
    """A line of the table of goals. Compares `measured` with `goal`."""

    work: str
    measured: str
    goal: str
    met: bool  # None: unknown

    def row(self):
        return [self.work, self.measured, self.goal,
                "–" if self.met is None else "yes" if self.met else "**no**"]


def at_least(work, figure, goal):
    if figure is None:
        return Goal(work, "–", f"at least {goal:g}", None)
    return Goal(work, shown(figure), f"at least {goal:g}", figure.median >= goal)


def at_most(work, figure, goal):
    if figure is None:
        return Goal(work, "–", f"at most {goal:g}", None)
    return Goal(work, shown(figure), f"at most {goal:g}", figure.median <= goal)


# --- imports ---

PROCESSOR_RATE = 100  # MB of log per second of processor time, of an import with rows
PRIVATE_RATE = 150  # and to the first answer of a directly queried log, which has no rows
CLOCK_RATE = 180  # MB per second of wall time, of calls, with two cores
CALL_LOGS = ("strace", "ftrace")
RATED = (*CALL_LOGS, "sched", "blktrace", "most", "msr")


def rates(log_bytes, seconds):
    """MB of log per second."""
    return spread(log_bytes / each / MB for each in seconds)


def best_peer(result):
    """Seconds of the faster of sqlite3 and DuckDB, by round."""
    runs = [walls(result.imports[name]) for name in ("sqlite3", "DuckDB")
            if name in result.imports]
    return [min(seconds) for seconds in zip(*runs)]


def import_goals(result):
    name, ours = result.format.name, walls(result.imports["tracetool"])
    goals = []
    least = {"most-binary": 1.5, "palmist": 1.5, "most": 1.2}.get(name)
    if least is not None:
        goals.append(at_least(f"import of {name}: times faster than the best of sqlite3 .import"
                              " and DuckDB", ratio(best_peer(result), ours), least))
    if "Python" in result.imports:
        goals.append(at_least(f"import of {name}: times faster than Python",
                              ratio(walls(result.imports["Python"]), ours), 8))
    goals.append(at_least(f"import of {name}: of the floor's events a second",
                          ratio(result.floor_seconds, ours), 0.8))
    if name in RATED:
        goals.append(at_least(f"import of {name}: MB of log a second of processor time",
                              rates(result.log_bytes, processors(result.imports["tracetool"])), PROCESSOR_RATE))
    if name in CALL_LOGS:
        goals.append(at_least(f"import of {name}: MB of log a second, with two cores",
                              rates(result.log_bytes, ours), CLOCK_RATE))
    return goals


def import_row(result, name):
    runs = result.imports.get(name)
    if runs is None:
        return None
    ours = walls(result.imports["tracetool"])
    size = result.database_bytes.get(name)
    return [
        result.format.name, dict(WAYS)[name], shown(spread(walls(runs))),
        shown(spread(processors(runs)), 1), shown(ratio(walls(runs), ours)),
        f"{spread(run.peak for run in runs).median / MB:.0f}",
        "–" if size is None else f"{size / MB:.0f}",
    ]


def import_table(results):
    rows = []
    for result in results:
        rows += filter(None, (import_row(result, name) for name, _ in WAYS))
        floor = [result.format.name, "floor, its transaction", shown(spread(result.floor_seconds)),
                 "–", shown(ratio(result.floor_seconds, walls(result.imports["tracetool"]))),
                 "–", "–"]
        rows.append(floor)
    return table(["log", "way", "seconds", "processor s", "ratio to tracetool", "peak MB",
                  "database MB"], rows)


def size_table(results):
    rows = [[
        result.format.name, f"{result.log_bytes / MB:.0f}", f"{result.csv_bytes / MB:.0f}",
        f"{result.database_bytes['tracetool'] / MB:.0f}", str(result.rows),
        f"{result.database_bytes['tracetool'] / result.rows:.1f}",
    ] for result in results]
    return table(["log", "log MB", "CSV MB", "database MB", "rows", "bytes a row"], rows)


def size_goals(result):
    if result.format.name != "most-binary":
        return []
    size = result.database_bytes["tracetool"] / result.rows
    return [Goal("bytes of database a MOST binary event (46 in the log)", f"{size:.1f}",
                 "at most 46", size <= 46)]


# --- reports ---


def milliseconds(runs):
    return shown(spread(walls(runs)), 1, 1000)


def cell(text, met):
    """Bold if the goal is missed."""
    return text if met in (True, None) else f"**{text}**"


def rollup_checks(each, duckdb):
    """For each of ROLLUP_GOALS: the figure as number and text, and whether it meets the goal."""
    ours = spread(walls(each.tracetool))
    growth = ratio(walls(each.tracetool), walls(each.small))
    faster = ratio(walls(each.duckdb), walls(each.tracetool)) if duckdb else None
    sql = spread(walls(each.sql)).median / ours.median
    return [
        (ours.median, shown(ours, 1, 1000), ours.median < 0.020),
        (growth.median, shown(growth), growth.median <= 1.5),
        (0, "–", None) if faster is None else
        (faster.median, shown(faster, 1), faster.median >= 10),
        (sql, f"{sql:.0f}", sql >= 100),
    ]


ROLLUP_GOALS = (
    ("milliseconds, process start included", "below 20", max),
    ("times as long as at 1/10 of the events", "at most 1.5", max),
    ("times faster than DuckDB on its own file", "at least 10", min),
    ("times faster than plain SQL on our table", "at least 100", min),
)


def rollup_table(answers, duckdb):
    rows = []
    for each in answers:
        quick, growth, faster, sql = (cell(text, met)
                                      for _, text, met in rollup_checks(each, duckdb))
        rows.append([each.question.title, quick, milliseconds(each.small), growth,
                     milliseconds(each.duckdb), faster, shown(spread(walls(each.sql)), 1), sql,
                     shown(spread(walls(each.awk)), 1)])
    return table(["report", "ms", "ms at 1/10", "ratio", "DuckDB ms", "times faster",
                  "plain SQL s", "times faster", "awk s"], rows)


def rate(each):
    """Million events per second of processor time."""
    return spread(each.events / run.processor / 1e6 for run in each.tracetool)


def scan_checks(each):
    both = (os.cpu_count() or 1) > 1
    wall = ratio(walls(each.sql), walls(each.tracetool))
    processor = ratio(processors(each.sql), processors(each.tracetool))
    speed = rate(each)
    return [
        (wall.median, shown(wall, 1), wall.median >= 8 if both else None),
        (processor.median, shown(processor, 1), processor.median >= 5),
        (speed.median, shown(speed, 1), speed.median >= 5),
    ]


SCAN_GOALS = (
    ("times faster than plain SQL on our table, with both cores", "at least 8", min),
    ("times less processor time than plain SQL", "at least 5", min),
    ("million events a second and core", "at least 5", min),
)


def scan_table(answers):
    rows = []
    for each in answers:
        wall, processor, speed = (cell(text, met) for _, text, met in scan_checks(each))
        rows.append([each.question.title, shown(spread(walls(each.tracetool))),
                     shown(spread(processors(each.tracetool))), speed,
                     shown(spread(walls(each.sql)), 1), wall, processor,
                     shown(spread(walls(each.duckdb))), shown(spread(walls(each.awk)), 1)])
    return table(["report", "seconds", "processor s", "million events/s/core", "plain SQL s",
                  "times faster", "times less processor", "DuckDB s", "awk s"], rows)


def summary(kind, answers, goals, checks):
    """A line per goal: how many reports meet it, and the worst one."""
    lines = []
    for place, (work, goal, worst) in enumerate(goals):
        figures = [(each.question.title, *checks(each)[place]) for each in answers]
        figures = [figure for figure in figures if figure[3] is not None]
        if not figures:
            lines.append(Goal(f"{kind}: {work}", "–", goal, None))
            continue
        met = sum(is_met for _, _, _, is_met in figures)
        title, _, text, _ = worst(figures, key=lambda figure: figure[1])
        lines.append(Goal(f"{kind}: {work}",
                          f"{met} of {len(figures)} meet it; the worst: {text}, {title}", goal,
                          met == len(figures)))
    return lines


# --- reports of calls ---


# By report: seconds for 10 million calls, and passes of mawk that count and sum by call (both processor time).
CALL_GOALS = {"syscalls": (0.4, 0.15), "files": (0.4, 0.3), "errors": (0.4, 0.3), "latency": (0.4, None),
              "argsize": (0.4, 0.3), "waits": (1, 0.6), "rate --by file": (1, 0.7), "gaps --cdf": (1, 0.6)}
IMPORT_PASSES = 2.0


def call_rows(result):
    """Of each report: its name, runs, and the goals."""
    yield "import", result.imports["tracetool"], None, IMPORT_PASSES
    for words, runs in result.calls.items():
        yield words, runs, *CALL_GOALS[words]


def call_table(results):
    rows = []
    for result in filter(lambda result: result.calls, results):
        for words, runs, limit, passes in call_rows(result):
            seconds, share = spread(processors(runs)), ratio(processors(runs), processors(result.passes))
            rows.append([f"{words} ({result.format.name})", shown(spread(walls(runs))),
                         cell(shown(seconds), limit is None or seconds.median <= limit),
                         "–" if limit is None else f"{limit:g}",
                         cell(shown(share), passes is None or share.median <= passes),
                         "–" if passes is None else f"{passes:g}",
                         f"{max(run.peak for run in runs) / 1048576:.0f}"])
        rows.append([f"a pass of mawk ({result.format.name})", shown(spread(walls(result.passes))),
                     shown(spread(processors(result.passes))), "–", "1", "–",
                     f"{max(run.peak for run in result.passes) / 1048576:.0f}"])
    return table(["report", "seconds", "processor s", "goal", "passes of mawk", "goal", "peak MB"],
                 rows) if rows else []


def call_goals(results):
    goals = []
    for result in filter(lambda result: result.calls, results):
        rows = list(call_rows(result))
        seconds = [(words, spread(processors(runs)).median / limit) for words, runs, limit, _ in rows if limit]
        passes = [(words, ratio(processors(runs), processors(result.passes)).median / limit)
                  for words, runs, _, limit in rows if limit]
        for work, figures in ((f"reports of {result.format.name}: processor seconds", seconds),
                              (f"import and reports of {result.format.name}: passes of mawk", passes)):
            met = sum(figure <= 1 for _, figure in figures)
            words, worst = max(figures, key=lambda each: each[1])
            goals.append(Goal(work, f"{met} of {len(figures)} meet it; the worst: {worst:.2f} of its goal, {words}",
                              "a goal each", met == len(figures)))
    return goals


# --- from log to answers ---

# Speedup over DuckDB reading the log, from log to all answers.
DUCKDB_GOALS = {"strace": 3}
BEST_GOALS = {"most": 3}  # speedup over the fastest competitor
IMPORT_GOAL = 1  # speedup over an import and reports
PRIVATE_SIZE = {"calls": 20, "io": 12}  # bytes per event


def whole_table(asked):
    rows = []
    for each in asked:
        ours = walls(each.ways[0].whole)
        for way in each.ways:
            runs = way.whole or way.first
            rows.append([f"{each.name}, {each.answers} answer{'s' if each.answers > 1 else ''}", way.name, shown(spread(walls(way.first))),
                         shown(spread(processors(way.first)), 1), shown(spread(walls(way.whole))),
                         shown(spread(processors(way.whole)), 1), shown(ratio(walls(way.whole), ours)),
                         f"{spread(run.peak for run in runs).median / MB:.0f}"])
    return table(["log", "way", "first answer: s", "processor s", "all answers: s", "processor s",
                  "ratio to tracetool LOG", "peak MB"], rows) if rows else []


def whole_goals(asked):
    goals = []
    for each in asked:
        ours = each.ways[0]
        title = f"from log to {each.answers} answers, {each.name}: times as fast as"
        for name, least in ((DUCKDB, DUCKDB_GOALS.get(each.name, 1)), (MAWK, 1), (IMPORTED, IMPORT_GOAL)):
            way = each.way(name)
            if way is not None and each.answers == 10:
                goals.append(at_least(f"{title} {name}", ratio(walls(way.whole), walls(ours.whole)), least))
        if each.name in BEST_GOALS:
            best = [min(seconds) for seconds in zip(*(walls(way.whole) for way in each.ways[2:] if way.whole))]
            goals.append(at_least(f"{title} the best peer", ratio(best, walls(ours.whole)), BEST_GOALS[each.name]))
        if each.name in RATED:
            goals.append(at_least(f"first answer of {each.name}: MB of log a second of processor time",
                                  rates(each.log_bytes, processors(ours.first)), PRIVATE_RATE))
        if each.kind in PRIVATE_SIZE:
            goals.append(at_most(f"private database of {each.name}: bytes an event",
                                 spread([each.private_bytes / each.events]), PRIVATE_SIZE[each.kind]))
    return goals


# --- reports during an import ---


def beside_table(results):
    rows = [[f"{report} ({result.format.name})",
             *(text for runs in (beside.idle[report], beside.during[report])
               for text in (f"{spread(walls(runs)).median * 1000:.1f}",
                            f"{spread(walls(runs)).high * 1000:.1f}", str(len(runs))))]
            for result in results for beside in filter(None, [result.beside])
            for report in beside.idle]
    if not rows:
        return []
    lines = table(["report", "idle: median ms", "worst", "runs", "during an import: median ms",
                   "worst", "runs"], rows)
    return lines + ["", *(f"The import of {result.format.name} took {result.beside.took:.1f} s with"
                          " these beside it.  " for result in results if result.beside)]


# --- memory, dump ---


@dataclass(frozen=True)
class Peak:
    """Bytes at 1/10 of the events and at all; `free`: unused part of the page cache at 1/10."""

    work: str
    small: int
    big: int
    free: int = READ_CACHE

    @property
    def met(self):
        return self.big <= min(MEMORY_LIMIT, self.small * MEMORY_SLACK + self.free + 1048576)


def peaks(result):
    yield Peak(f"import ({result.format.name})", max(run.peak for run in result.small_imports),
               max(run.peak for run in result.imports["tracetool"]),
               max(0, PAGE_CACHE - result.database_bytes["small"]))
    for words, (small, big) in result.peaks.items():
        yield Peak(f"{words} ({result.format.name})", small, big)
    for each in result.answers:
        yield Peak(each.question.title, max(run.peak for run in each.small),
                   max(run.peak for run in each.tracetool))


def all_peaks(results):
    found = [peak for result in results for peak in peaks(result)]
    return sorted(found, key=lambda peak: peak.big, reverse=True)


def memory_table(results):
    found = all_peaks(results)
    kept = [peak for peak in found if not peak.met or peak.work.startswith("import ")]
    rest = [peak for peak in found if peak not in kept]
    lines = table(["work", "MB at 1/10", "MB"], [
        [peak.work, f"{peak.small / 1048576:.1f}", cell(f"{peak.big / 1048576:.1f}", peak.met)]
        for peak in kept])
    if rest:
        lines.append(f"| the other {len(rest)} reports, at most |"
                     f" {max(peak.small for peak in rest) / 1048576:.1f} |"
                     f" {max(peak.big for peak in rest) / 1048576:.1f} |")
    unfit = [f"{result.format.name} {result.unfit}" for result in results if result.unfit]
    if unfit:
        lines += ["", f"Reports that do not fit the log: {', '.join(unfit)}.  "]
    for result in results:
        lines += [""] if result.failures else []
        lines += [f"`{words}` ({result.format.name}) gave no report: {why}.  "
                  for words, why in result.failures.items()]
    return lines


def memory_goal(results):
    found = all_peaks(results)
    met = [peak for peak in found if peak.met]
    worst = max(found, key=lambda peak: (not peak.met, peak.big))
    return Goal("peak memory of imports and reports",
                f"{len(met)} of {len(found)} meet it; the worst: {worst.big / 1048576:.0f} MB"
                f" (1/10: {worst.small / 1048576:.0f}), {worst.work}",
                "128 MB, the same at 1/10", len(met) == len(found))


def dump_rate(result):
    return spread(result.dump_bytes / run.wall / MB for run in result.dumps)


def dump_table(results):
    return table(["log", "listing MB", "seconds", "MB/s", "peak MB"], [[
        result.format.name, f"{result.dump_bytes / MB:.0f}", shown(spread(walls(result.dumps))),
        shown(dump_rate(result), 0),
        f"{max(run.peak for run in result.dumps) / 1048576:.0f}"] for result in results])


# --- files by their blocks ---


def mapping_ways(mapped):
    return [("image of 64 GiB alone (`map --list`)", mapped.image), ("`map`", mapped.map),
            ("scan of the trace (`rw --from`)", mapped.scan),
            ("`UPDATE` of two columns, sqlite3", mapped.update)]


def mapping_table(mapped):
    return table(["what", "seconds", "processor s", "million events/s", "peak MB"], [[
        what, shown(spread(walls(runs))), shown(spread(processors(runs)), 1),
        "–" if runs is mapped.image else shown(map_rate(mapped, runs)),
        f"{max(run.peak for run in runs) / 1048576:.0f}"] for what, runs in mapping_ways(mapped)])


def map_rate(mapped, runs):
    return spread(mapped.events / run.wall / 1000000 for run in runs)


def mapping_goals(mapped):
    if mapped is None:
        return []
    seconds = spread(walls(mapped.image))
    peak = max(run.peak for run in mapped.image) / 1048576
    return [at_least("map: million I/Os a second", map_rate(mapped, mapped.map), 2),
            Goal("map --list of 64 GiB: seconds", shown(seconds), "at most 0.2",
                 seconds.median <= 0.2),
            Goal("map --list of 64 GiB: peak MB", f"{peak:.0f}", "at most 32", peak <= 32)]


# --- all of it ---


def goal_table(results, duckdb, asked, mapped):
    rollups, scans = split(results)
    goals = [goal for result in results for goal in import_goals(result)]
    goals += summary("reports on rollups", rollups, ROLLUP_GOALS,
                     lambda each: rollup_checks(each, duckdb))
    goals += summary("reports that scan", scans, SCAN_GOALS, scan_checks)
    goals += call_goals(results)
    goals += whole_goals(asked)
    goals += mapping_goals(mapped)
    goals += [goal for result in results for goal in size_goals(result)]
    goals.append(memory_goal(results))
    goals += [at_least(f"dump of {result.format.name}, MB/s", dump_rate(result), 150)
              for result in results]
    return table(["work", "measured", "goal", "met"], [goal.row() for goal in goals])


def split(results):
    answers = [each for result in results for each in result.answers]
    return ([each for each in answers if not each.question.scans],
            [each for each in answers if each.question.scans])


def document(results, machine, notes, duckdb, asked, mapped):
    rollups, scans = split(results)
    parts = [
        ("", machine + [""] + [f"- {note}" for note in notes]),
        ("### Goals", goal_table(results, duckdb, asked, mapped)),
        ("### Imports", import_table(results)),
        ("### Sizes", size_table(results)),
        ("### Reports that rest on rollups", rollup_table(rollups, duckdb)),
        ("### Reports that scan", scan_table(scans)),
        ("### Reports of calls", call_table(results)),
        ("### From log to answers", whole_table(asked)),
        ("### Files by their blocks (most-binary)",
         [] if mapped is None else mapping_table(mapped)),
        ("### Reports during an import", beside_table(results)),
        ("### Peak memory", memory_table(results)),
        ("### Dump", dump_table(results)),
    ]
    return "\n\n".join("\n".join(([title] if title else []) + lines)
                       for title, lines in parts if lines)
