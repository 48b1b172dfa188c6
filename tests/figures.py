#!/usr/bin/env python3
"""Reads pictures of reports back and compares them with the reports.

    figures.py FOLDER [WORDS]    FOLDER has the database figures.db, and configurations (tests/figures.sh); WORDS: only
                                 cases whose names have these

Each text of a picture must be explained by the report, and each bar and curve must be at the position of the
report's value. Then, one at a time, each text is changed by a letter or a star, and each bar and curve is moved:
every such picture must be rejected. Prints a line per fault, and finally the numbers of correct pictures and
detected changes.
"""

import bisect
import collections
import json
import math
import os
import re
import shlex
import subprocess
import sys

import svg_figure

CLASSES = "read readsync write writesync flush other".split()
NEAR = 0.35  # in units of the picture; gnuplot writes hundredths, and areas begin at integers


THINNED = (r"drawn: (\d+) of (\d+) rows; of rows at the same place, only the first"
           r" \(\d+ parts of time, \d+ parts of id(?:, name)?\)$")


class Result:
    """A result of a report: names of traces, and rows by column name."""

    def __init__(self, made):
        names = [column["name"] for column in made["columns"]]
        self.title, self.traces, self.remarks = made["title"], made["traces"], made["remarks"]
        self.ledger, self.rows = made["ledger"], [dict(zip(names, row)) for row in made["rows"]]
        self.keys = names


class Case:
    def __init__(self, name, line, judge, **given):
        self.name, self.words, self.judge, self.given = name, shlex.split(line), judge, given
        self.changes = given.pop("changes", None)  # limit of modified pictures

    def run(self, folder, kind, more):
        words = [word.replace("FOLDER", folder) for word in self.words]
        at = 2 if words[0] == "-c" else 0
        command = shlex.split(os.environ["TRACETOOL"]) + ["-q", "-d", folder + "/figures.db"]
        command += words[:at] + [kind] + words[at:] + more
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    def report(self, folder):
        made = json.loads(self.run(folder, "report", ["--format", "json"]))
        return [Result(one) for one in (made if isinstance(made, list) else [made])]

    def as_people_read(self, folder, result):
        """Values of a report with a row per attribute, formatted like a table."""
        lines = self.run(folder, "report", ["--format", "table", "--all"]).decode().split("\n")
        names = sorted((row["attribute"] for row in result.rows), key=len, reverse=True)
        values = {next((name for name in names if line.startswith(name + " ")), None): line for line in lines}
        return [values.get(row["attribute"], "")[len(row["attribute"]) :].strip() for row in result.rows]

    def ledger(self, folder):
        """Lines about each trace, and remarks, as printed above the rows."""
        lines = self.run(folder, "report", ["--format", "tsv"]).decode().split("\n")
        return [line[2:] for line in lines if line.startswith("# trace ")]

    def picture(self, folder):
        path = folder + "/figure.svg"
        self.run(folder, "plot", ["-o", path])
        with open(path, encoding="utf-8") as file:
            return file.read()


class Judge:
    """Collects the faults of a picture. Explained texts are removed from those that remain."""

    def __init__(self, figure):
        self.figure, self.faults = figure, []
        self.drawn = None  # number of rows said to be drawn, if some are omitted
        self.left = [text for text in figure.all_texts]

    def fault(self, words, *values):
        self.faults.append(words % values if values else words)

    def take(self, words, among=None):
        """Finds a text with these words, or shortened with …; it counts as explained."""
        for text in self.left:
            if fits(text.words, words) and (among is None or among(text)):
                self.left.remove(text)
                return text
        self.fault("there is no text '%s'", words)
        return None

    def take_all(self, *several):
        for words in several:
            self.take(words)

    def near(self, got, wanted, what, by=NEAR):
        if not abs(got - wanted) <= by:
            self.fault("%s is at %.2f, not %.2f", what, got, wanted)

    def same(self, got, wanted, what):
        if got != wanted:
            self.fault("%s: %s, not %s", what, got, wanted)

    def scale(self, panel, axis, number=float):
        for _, words in panel.names(axis):
            self.take(words)
        try:
            return panel.scale(axis, number)
        except (ValueError, IndexError, ZeroDivisionError) as error:
            self.fault("axis %s: %s", axis, error)
            return lambda value: math.nan

    def labels(self, panel, axis, wanted):
        """The names along an axis, in order, with their positions."""
        names = panel.names(axis)
        for (_, got), name in zip(names, wanted):
            if not fits(got, name):
                self.fault("'%s' stands where '%s' should", got, name)
            self.take(got)
        self.same(len(names), len(wanted), "names along axis " + axis)
        return [at for at, _ in names]

    def titles(self, results, suffixes=None, one=False):
        """Checks titles of the picture and of its panels. one: all results are in one."""
        suffixes = suffixes or [""] * len(results)
        if len(results) == 1:
            self.take(results[0].title + ": " + ", ".join(results[0].traces) + suffixes[0])
            return
        self.take(results[0].title + (suffixes[0] if one else ""))
        for result, suffix in zip(results, suffixes):
            if not one:
                self.take(", ".join(result.traces) + suffix)

    def foot(self, results, ledger):
        """Checks ledger and remarks, which may be wrapped."""
        wanted = list(ledger)
        lines = [text for text in self.left if text.x < 12 and abs(text.size - 9.1) < 0.05 and text.anchor == "start"]
        for text in lines:
            self.left.remove(text)
        got = "".join(text.words for text in sorted(lines, key=lambda text: text.y))
        got = re.sub(r"more in the picture's description; --caption FILE writes all$", "", got)
        drawn = re.search(THINNED, got)
        if drawn:
            self.drawn = int(drawn.group(1))
            self.same(int(drawn.group(2)), sum(len(result.rows) for result in results), "rows that are said to be")
            got = got[: drawn.start()]
        for result in results:
            prefix = ", ".join(result.traces) + ": " if len(results) > 1 else ""
            wanted += [prefix + remark for remark in result.remarks]
        for line in sorted(wanted, key=len, reverse=True):
            packed = line.replace(" ", "")
            if packed not in got.replace(" ", ""):
                self.fault("below the picture there is no '%s'", line)
            got = got.replace(" ", "").replace(packed, "", 1)
        if got:
            self.fault("below the picture stands '%s'", got)

    def end(self):
        for text in self.left:
            self.fault("nothing explains the text '%s'", text.words)
        for text in self.figure.all_texts:
            width = 0.55 * text.size * len(text.words)
            left = text.x - {"start": 0, "middle": width / 2, "end": width}[text.anchor]
            if not text.is_turned and left < -1:
                self.fault("'%s' is cut at the left edge", text.words)


def fits(got, words):
    if re.sub(r"(\(\d+ of \d+) (rows|processes|file types|files|modules|names)\)$", r"\1)", got) == words or got == words:
        return True
    head, cut, tail = got.partition("…")
    return bool(cut) and len(got) < len(words) and words.startswith(head) and words.endswith(tail)


def bar_of(plot, panel, at, axis="y"):
    """Areas of a plot in the frame whose middle is near a position, sorted from left to right or bottom to top."""
    found = []
    for area in plot.inside(panel, plot.areas):
        low, high = (area.top, area.bottom) if axis == "y" else (area.left, area.right)
        if low - 0.5 <= at <= high + 0.5:
            found.append(area)
    return found


# --- stacked to 100 %, by class or by kind -----------------------------------------------------------------


def stacked(judge, results, bars_of, axis, numbers=True, all_keys=None):
    """bars_of(result): the bars in order, as (name, {kind: per cent})."""
    every = [bars_of(result) for result in results]
    for panel, bars in zip(judge.figure.panels, every):
        drawn = len(panel.names("y"))
        bars = bars[:drawn]
        places = judge.labels(panel, "y", [name for name, _ in bars])
        scale = judge.scale(panel, "x")
        judge.take(axis)
        keys = [(plot.texts[0], plot) for _, plot in sorted(panel.plots.items()) if has_key(plot, panel)]
        kinds = {kind for one in every for _, parts in one for kind, part in parts.items() if part > 0}
        named = {kind for kind in kinds for text, _ in keys if fits(text.words, kind)}
        judge.same(sorted(all_keys or []) or len(named), sorted(t.words for t, _ in keys) if all_keys else
                   len([t for t, _ in keys if not t.words.startswith("others")]), "kinds in the key")
        drawn_numbers = [t for plot in panel.plots.values() for t in plot.texts if re.fullmatch(r"[\d.]+ %", t.words)]
        for (name, parts), at in zip(bars, places):
            one_stack(judge, panel, keys, (name, parts, at), scale, kinds - named, drawn_numbers if numbers else None)
        for text, _ in keys:
            judge.take(text.words)
        for text in drawn_numbers:
            judge.fault("the number '%s' is in no part", text.words)
    judge.titles(results, [" (%d of %d)" % (len(p.names("y")), len(b)) if len(b) > len(p.names("y")) else ""
                           for p, b in zip(judge.figure.panels, every)])


def has_key(plot, panel):
    return bool(plot.texts) and not panel.holds(plot.texts[0].x, plot.texts[0].y) and bool(plot.areas)


def one_stack(judge, panel, keys, bar, scale, rest, numbers):
    name, parts, at = bar
    before = 0.0
    for text, plot in keys:
        kind = next((kind for kind in parts if fits(text.words, kind)), None)
        value = parts.get(kind, 0.0)
        if text.words.startswith("others"):
            value = sum(part for kind, part in parts.items() if kind in rest)
            judge.same(text.words, "others (%d)" % len(rest), "the last of the key")
        what = "%s of %s" % (text.words, name)
        areas = bar_of(plot, panel, at)
        if areas:
            judge.near(areas[0].left, scale(before), "the begin of " + what)
            judge.near(areas[0].right, scale(before + value), "the end of " + what)
        elif value > 0:
            judge.fault("%s has no part", what)
        if numbers is not None:
            number_of(judge, what, value, (scale(before), scale(before + value), at), numbers)
        before += value


def number_of(judge, what, value, where, numbers):
    left, right, at = where
    for text in numbers:
        if left <= text.x <= right and abs(text.y - at) < 6:
            judge.same(text.words, "%.1f %%" % value, "the number in " + what)
            numbers.remove(text)
            judge.take(text.words)
            return
    if right - left > 46:
        judge.fault("no number stands in %s", what)


def by_row(judge, results, **_):
    stacked(judge, results, lambda result: [(row[result.keys[0]], {c: 100 * row[c] for c in CLASSES})
                                            for row in result.rows], "share of the row's I/Os (%)")


def by_class(judge, results, bars, **_):
    def bars_of(result):
        return [(bar, {row[result.keys[0]]: 100 * row[bar] for row in result.rows}) for bar in bars.split()]

    stacked(judge, results, bars_of, "share of the I/Os of the class (%)")


def within(judge, results, column="share", of="partition", axis=None, **_):
    def bars_of(result):
        bars = {}
        for row in result.rows:
            bars.setdefault(row[result.keys[0]], {})[row[result.keys[1]]] = 100 * row[column]
        return list(bars.items())

    stacked(judge, results, bars_of, axis or "share of the I/Os of the %s (%%)" % of)


def within_row(judge, results, **_):
    stacked(judge, results, lambda result: [(row[result.keys[0]] + ": " + row[result.keys[1]],
                                             {c: 100 * row[c] for c in CLASSES}) for row in result.rows],
            "share of the row's I/Os (%)")


def counts(judge, results, **_):
    stacked(judge, results, lambda result: [(row[result.keys[0]], {c: row[c] for c in CLASSES}) for row in result.rows],
            "I/Os", numbers=False, all_keys=CLASSES)


def three_shares(judge, results, **_):
    """--share all: bars of all I/Os, reads and writes per row."""
    for panel, result in zip(judge.figure.panels, results):
        places = judge.labels(panel, "y", [row[result.keys[0]] for row in result.rows][: len(panel.names("y"))])
        scale = judge.scale(panel, "x")
        judge.take("share (%)")
        high = (places[1] - places[0] if len(places) > 1 else panel.frame[3] - panel.frame[1]) * 0.8 / 3
        for number, column in enumerate(("total", "reads", "writes")):
            plot = panel.plots[number + 1]
            judge.take(column, lambda text, plot=plot: text in plot.texts)
            for row, at in zip(result.rows, places):
                areas = bar_of(plot, panel, at + (number - 1) * high)
                judge.near(areas[0].right if areas else panel.frame[0], scale(100 * row[column]), column + " of a row")
    judge.titles(results)


# --- bars --------------------------------------------------------------------------------------------------


def upright(judge, results, bars, stacked_bars=False, label="%.1f", **_):
    """Vertical bars side by side, or stacked, above the names of rows."""
    for panel, result in zip(judge.figure.panels, results):
        names = judge.labels(panel, "x", [row[result.keys[0]] for row in result.rows])
        scale = judge.scale(panel, "y")
        judge.take("share (%)")
        width = 0.76 / len(bars) * (names[1] - names[0])
        for k, (title, column) in enumerate(bars):
            plot = panel.plots[k + 1]
            judge.take(title, lambda text, plot=plot: text in plot.texts)
            for at, row in zip(names, result.rows):
                if row[column] is None:
                    continue
                areas = bar_of(plot, panel, at + (k - (len(bars) - 1) / 2) * width, "x")
                end = areas[0].top if areas else panel.frame[3]
                judge.near(end, scale(100 * row[column]), title + " of " + row[result.keys[0]])
                words = label % (100 * row[column])
                text = judge.take(words, lambda text: panel.holds(text.x, text.y) or text.y < panel.frame[3])
                if text:
                    judge.near(text.x, at + (k - (len(bars) - 1) / 2) * width, "the number " + words, 1.0)
    judge.titles(results)


def directions(judge, results, **_):
    """Reads and writes, with plain and synchronous ones stacked; others are one part."""
    for panel, result in zip(judge.figure.panels, results):
        names = judge.labels(panel, "x", [row["direction"] for row in result.rows])
        scale = judge.scale(panel, "y")
        judge.take_all("share (%)", "plain", "sync", "neither")
        for at, row in zip(names, result.rows):
            has_parts = row["plain"] is not None
            parts = [(1, 0, row["plain"]), (2, row["plain"], row["total"])] if has_parts else [(3, 0, row["total"])]
            for number, begin, end in parts:
                areas = bar_of(panel.plots[number], panel, at, "x")
                low, high = (areas[0].bottom, areas[0].top) if areas else (panel.frame[3], panel.frame[3])
                judge.near(low, scale(100 * begin), "a part of " + row["direction"])
                judge.near(high, scale(100 * end), "a part of " + row["direction"])
            words = " + ".join("%.1f" % (100 * row[key]) for key in (("plain", "sync") if has_parts else ("total",)))
            judge.take(words, lambda text, at=at: abs(text.x - at) < 1)
    judge.titles(results)


def hourly(judge, results, **_):
    for panel, result in zip(judge.figure.panels, results):
        across, up = judge.scale(panel, "x"), judge.scale(panel, "y")
        judge.take_all("I/Os", "hour of the day" if result.rows[0].get("of_day", 1) else "hours since the start")
        for number, name in enumerate(CLASSES):
            plot = panel.plots[number + 3]
            judge.take(name, lambda text, plot=plot: text in plot.texts)
            for row in result.rows:
                before = sum(row[c] for c in CLASSES[:number])
                areas = bar_of(plot, panel, across(row["hour"]), "x")
                if areas:
                    judge.near(areas[0].bottom, up(before), "%s of hour %d" % (name, row["hour"]), 0.6)
                    judge.near(areas[0].top, up(before + row[name]), "%s of hour %d" % (name, row["hour"]), 0.6)
                elif row[name] > 0:
                    judge.fault("%s of hour %d has no part", name, row["hour"])
    judge.titles(results)


def popular_bars(judge, results, marked=False, **_):
    stars = 0
    for panel, result in zip(judge.figure.panels, results):
        starred = [row.get("mark") == "*" for row in result.rows]
        names = [("* " if star else "") + row["name"] for star, row in zip(starred, result.rows)]
        stars += sum(starred)
        places = judge.labels(panel, "y", names)
        scale = judge.scale(panel, "x")
        judge.take("share (%)")
        for row, at, star in zip(result.rows, places, starred):
            drawn = [area for number in (1, 2) for area in bar_of(panel.plots[number], panel, at)]
            drawn = [area for area in drawn if area.right - area.left > 0.1]
            wanted = ["#e69f00" if star else "#0072b2"]
            judge.same([area.colour for area in drawn], wanted, "the colour of " + row["name"])
            for area in drawn:
                judge.near(area.right, scale(100 * row["share"]), "the bar of " + row["name"])
            judge.take("%.2f %%, together %.2f %%" % (100 * row["share"], 100 * row["cumulative"]),
                       lambda text, at=at: abs(text.y - at) < 6)
        if marked:
            judge.take("* popular in the marked trace, too")
    in_axis = sum(words.startswith("* ") for panel in judge.figure.panels for _, words in panel.names("y"))
    judge.same(in_axis, stars, "stars in the picture")
    judge.titles(results)


def popular_curves(judge, results, **_):
    panel = judge.figure.panels[0]
    across, up = judge.scale(panel, "x"), judge.scale(panel, "y")
    judge.take_all("rank, the most popular first", "cumulative share (%)")
    for number, result in enumerate(results):
        plot = panel.plots[number + 1]
        wanted = [(across(row["rank"]), up(100 * row["cumulative"])) for row in result.rows]
        if len(results) > 1:
            judge.take(", ".join(result.traces))
        curve(judge, plot, panel, wanted, "the curve of " + result.traces[0])
        ringed = [(across(row["rank"]), up(100 * row["cumulative"])) for row in result.rows if row.get("mark") == "*"]
        rings = [mark for mark in panel.plots[len(results) + number + 1].marks if mark[2] == "#gpPt5"]
        inside = [mark for mark in rings if not any(t.words.startswith("popular in") and abs(t.y - mark[1]) < 6
                                                    for t in judge.figure.all_texts)]
        judge.same(len(inside), len(ringed), "ringed marks")
        for mark, (x, y) in zip(inside, ringed):
            judge.near(mark[0], x, "a ring")
            judge.near(mark[1], y, "a ring")
        if ringed:
            judge.take("popular in the marked trace, too")
    if len(results) == 1:
        for row in results[0].rows[:12]:
            star = "* " if row.get("mark") == "*" else ""
            judge.take("%d  %s%s  %.2f %%" % (row["rank"], star, row["name"], 100 * row["share"]))
    judge.titles(results, one=True)


def curve(judge, plot, panel, wanted, what, steps=False):
    """Checks a line through these positions; with steps, each value holds until the next one."""
    strokes = [points for points, _, _ in plot.lines if not is_key_sample(plot, points)]
    corners = []
    for x, y in wanted:
        if steps and corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    if not strokes:
        judge.fault("%s is not there", what)
        return
    for x, y in corners:
        if all(away((x, y), points) > 0.5 for points in strokes):
            judge.fault("%s does not go through %.1f, %.1f", what, x, y)
    for point in (point for points in strokes for point in points):
        if away(point, corners) > 0.5:
            judge.fault("%s goes through %.1f, %.1f", what, *point)


def marks_at(judge, plot, panel, places, what):
    """Checks that a mark stands at each of these positions, and no other."""
    marks = [mark for mark in plot.marks if panel.holds(mark[0], mark[1])]
    judge.same(len(marks), len(places), "marks of " + what)
    for mark, (x, y) in zip(marks, places):
        judge.near(mark[0], x, "a mark of " + what)
        judge.near(mark[1], y, "a mark of " + what)


def is_key_sample(plot, points):
    """Detects the short line next to a text of the key, which may be in the frame."""
    level = len(points) == 2 and points[0][1] == points[1][1]
    return level and any(abs(points[0][1] - text.y) < 8 for text in plot.texts)


def away(point, line):
    """Distance of a point from a line that runs from left to right; at most 9."""
    begin = max(0, bisect.bisect_left(line, (point[0] - 1, -1e9)) - 1)
    end = bisect.bisect_right(line, (point[0] + 1, 1e9)) + 1
    best = 9.0
    for (ax, ay), (bx, by) in zip(line[begin:end], line[begin + 1 : end]):
        long = (bx - ax) ** 2 + (by - ay) ** 2
        part = 0 if long == 0 else min(1, max(0, ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / long))
        best = min(best, math.dist(point, (ax + part * (bx - ax), ay + part * (by - ay))))
    return best


def argsize(judge, results, **_):
    panel = judge.figure.panels[0]
    across = judge.scale(panel, "x", lambda words: math.log2(1 + float(words)))
    up = judge.scale(panel, "y")
    judge.take_all("argument size (bytes), log scale from 1 on", "share of the calls (%)")
    count = len(results)
    for number, result in enumerate(results):
        named = ", ".join(result.traces) + ", " if count > 1 else ""
        judge.take_all(named + "exactly this size", named + "up to it")
        places = [across(math.log2(1 + row["size"])) for row in result.rows]
        moved = (number - (count - 1) / 2) * 0.05 * (across(1) - across(0))
        upright = [points for points, _, _ in panel.plots[number + 1].lines if abs(points[0][0] - points[-1][0]) < 0.1]
        tops = {round(points[0][0] - moved, 1): min(y for _, y in points) for points in upright}
        for row, x in zip(result.rows, places):
            got = [top for at, top in tops.items() if abs(at - x) < 0.3]
            if got:
                judge.near(min(got), up(100 * row["share"]), "the bar of size %d" % row["size"])
            elif row["share"] > 0.002:
                judge.fault("size %d has no bar", row["size"])
        steps = [(x, up(100 * row["cumulative"])) for x, row in zip(places, result.rows)]
        curve(judge, panel.plots[count + number + 1], panel, steps, "the steps", True)
        marks_at(judge, panel.plots[2 * count + number + 1], panel, steps, "the steps")
    judge.titles(results, one=True)


def duration(words):
    """Logarithm of the duration in nanoseconds that a tic shows, such as 10 ms."""
    number, unit = words.split()
    return math.log10(float(number) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit])


def unit_of_times(end):
    """Seconds since the start, or a smaller unit below a hundredth of a second."""
    return (1, "s") if end >= 1e-2 else (1e-3, "ms") if end >= 1e-5 else (1e-6, "µs") if end >= 1e-8 else (1e-9, "ns")


def idle(judge, results, **_):
    for panel, result in zip(judge.figure.panels, results):
        across = judge.scale(panel, "x", duration)
        up = judge.scale(panel, "y")
        judge.take_all("time between calls, log scale", "share (%)")
        curves = (("cumulative", "of these times"), ("time_cumulative", "of their sum"),
                  ("off_share", "of the run time, off"))
        for number, (column, title) in enumerate(curves):
            judge.take(title)
            wanted = [(across(math.log10(row["timeout"])), up(100 * row[column])) for row in result.rows]
            curve(judge, panel.plots[number + 1], panel, wanted, "the curve " + title)
    judge.titles(results)


def trap_image(judge, results, **_):
    """More calls than marks: cells of a grid, coloured if not empty."""
    panel, rows = judge.figure.panels[0], results[0].rows
    judge.scale(panel, "x")
    judge.scale(panel, "y", lambda words: int(words, 16))
    judge.take_all("time since the start (s)", "trap ID", "calls")
    _, grid = panel.plots[1].image
    wide, high = len(grid[0]), len(grid)
    times, ids = [row["time"] for row in rows], [row["id"] for row in rows]
    end, low = max(times), min(ids)
    begin = 0 if min(times) < 0.2 * end else min(times)
    range_of_ids = max(ids) - low + 1
    wanted = {(min(wide - 1, int(wide * (time - begin) / (end - begin))), int(high * (one - low) / range_of_ids))
              for time, one in zip(times, ids)}
    got = {(x, high - 1 - y) for y, row in enumerate(grid) for x, pixel in enumerate(row) if pixel[-1] > 0}
    # Rows at one position are represented by the first one, which may be in a neighbouring cell.
    judge.same(len(got ^ wanted) <= 0.02 * len(wanted), True, "cells with calls (%d and %d)" % (len(got), len(wanted)))
    for one, other, what in ((got, wanted, "too many"), (wanted, got, "missing")):
        for x, y in one - other:
            if not any((x + i, y + k) in other for i in (-1, 0, 1) for k in (-1, 0, 1)):
                judge.fault("the cell %d, %d is %s", x, y, what)
    for words in [text.words for text in judge.left if re.fullmatch(r"[\d.e+]+", text.words)]:
        judge.take(words)
    judge.titles(results)


def sector_dots(judge, results, **_):
    for panel, result in zip(judge.figure.panels, results):
        across, up = judge.scale(panel, "x"), judge.scale(panel, "y")
        judge.take("time since the start (s)")
        unit = 1e6 if max(row["id"] for row in result.rows) >= 2e6 else 1
        judge.take("sector (millions)" if unit > 1 else "sector")
        seen = {row["name"] for row in result.rows}
        for name in seen:
            judge.take(name)
        colours = dict(zip(CLASSES, "#0072b2 #0072b2 #e69f00 #e69f00 #009e73 #606060".split()))
        marks = [mark for plot in panel.plots.values() for mark in plot.marks if panel.holds(mark[0], mark[1])]
        judge.same(len(marks), judge.drawn or len(result.rows), "marks")
        for row in result.rows:
            x, y = across(row["time"]), up(row["id"] / unit)
            if not any(abs(m[0] - x) < 1.0 and abs(m[1] - y) < 1.0 and m[3] == colours[row["name"]] for m in marks):
                judge.fault("no mark stands for the I/O at %s s, sector %d", row["time"], row["id"])
        for mark in marks:
            if not any(abs(across(row["time"]) - mark[0]) < 1.0 and abs(up(row["id"] / unit) - mark[1]) < 1.0
                       for row in result.rows):
                judge.fault("a mark at %.1f, %.1f stands for no I/O", mark[0], mark[1])
    judge.titles(results)


# --- other reports ------------------------------------------------------------------------------------------


def lying(judge, results, parts, axis, called, comment=None, kept=lambda row: True, level="", colours=None, **_):
    """Checks horizontal bars. parts: key word (or None), begin and end of each part. colours: of each row."""
    every = [[row for row in result.rows if kept(row)] for result in results]
    for panel, rows in zip(judge.figure.panels, every):
        rows = rows[: len(panel.names("y"))]
        places = judge.labels(panel, "y", [called(row) for row in rows])
        across = judge.scale(panel, "x")
        judge.take(axis(every) if callable(axis) else axis)
        for number, (key, begin, end) in enumerate(parts(every) if callable(parts) else parts):
            if key is not None:
                judge.take(key)
            for row, at in zip(rows, places):
                what = "%s of %s" % (key or "the bar", called(row))
                areas = bar_of(panel.plots[number + 1], panel, at)
                judge.near(areas[0].left if areas else panel.frame[0], across(begin(row)), what)
                judge.near(areas[0].right if areas else across(begin(row)), across(end(row)), what)
                if colours and areas:
                    judge.same(areas[0].colour, colours(row), "the colour of " + what)
        for row, at in zip(rows if comment else [], places):
            judge.take(comment(row), lambda text, at=at: abs(text.y - at) < 8)
    if level:
        judge.take("%s: %s, %s" % (results[0].title, level, ", ".join(results[0].traces)))
        return
    judge.titles(results, [" (%d of %d)" % (len(p.names("y")), len(rows)) if len(rows) > len(p.names("y")) else ""
                           for p, rows in zip(judge.figure.panels, every)])


def bytes_scale(every):
    high = max(row["bytes"] for rows in every for row in rows)
    units = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
    return next(((size, unit) for size, unit in units if high >= 2 * size), (1, ""))


def file_parts(every):
    unit = bytes_scale(every)[0]
    return [("read", lambda row: 0, lambda row: row["bytes_read"] / unit),
            ("written", lambda row: row["bytes_read"] / unit, lambda row: row["bytes"] / unit)]


def self_and_total(every):
    scale = time_words(max(row["total"] for rows in every for row in rows))[0]
    return [("self", lambda row: 0, lambda row: row["self"] / scale),
            ("total", lambda row: row["self"] / scale, lambda row: row["total"] / scale)]


def time_axis(every):
    return "time (%s)" % time_words(max(row["total"] for rows in every for row in rows))[1]


SEQUENCES = {"parts": [(None, lambda row: 0, lambda row: 100 * row["share"])], "axis": "share of all sequences (%)",
             "called": lambda row: row["sequence"]}
FILES = {"parts": file_parts, "axis": lambda every: "bytes read and written (%s)" % bytes_scale(every)[1],
         "called": lambda row: row["file"], "comment": lambda row: "%.1f %%" % (100 * row["share"]),
         "kept": lambda row: row["bytes"] > 0}
FUNCTIONS = {"parts": self_and_total, "axis": time_axis, "called": lambda row: row["name"],
             "comment": lambda row: "%.1f %%, %d %s" % (100 * row["self_share"], row["calls"],
                                                        "call" if row["calls"] == 1 else "calls")}


def in_sequence(judge, results, **_):
    """Numbers of sequential reads and writes."""
    panel = judge.figure.panels[0]
    across = judge.scale(panel, "x")
    rows = [row for result in results for row in result.rows]
    named = [", ".join(result.traces) + ", " if len(results) > 1 else "" for result in results for _ in result.rows]
    places = judge.labels(panel, "y", [name + row["class"] for name, row in zip(named, rows)])
    judge.take("share of the I/Os (%); beside the bars: the sequential ones of all")
    for key in ("sequential", "random"):
        judge.take(key)
    for row, at in zip(rows, places):
        whole = row["sequential"] + row["random"]
        part = 100 * row["sequential"] / whole
        for number, begin, end in ((1, part, 100), (2, 0, part), (3, part, 100)):
            areas = bar_of(panel.plots[number], panel, at)
            judge.near(areas[0].left if areas else -1, across(begin), "a part of " + row["class"])
            judge.near(areas[0].right if areas else -1, across(end), "a part of " + row["class"])
        judge.take("%.1f %% of %d" % (part, whole), lambda text, at=at: abs(text.y - at) < 8)
    judge.titles(results, one=True)


def hours_of_calls(judge, results, **_):
    panel = judge.figure.panels[0]
    across, up = judge.scale(panel, "x"), judge.scale(panel, "y")
    judge.take_all("calls", "hours since the start")
    wide = 0.8 / len(results)
    for number, result in enumerate(results):
        if len(results) > 1:
            judge.take(", ".join(result.traces))
        for row in result.rows:
            areas = bar_of(panel.plots[number + 1], panel, across(row["hour"] - 0.4 + (number + 0.5) * wide), "x")
            top = areas[0].top if areas else panel.frame[3]
            judge.near(top, up(row["count"]), "the calls of hour %d" % row["hour"])
    judge.titles(results, one=True)


def size_of(words):
    number, unit = words.split()
    return math.log2(float(number)) + {"B": 0, "KiB": 10, "MiB": 20, "GiB": 30}[unit]


def sizes(judge, results, **_):
    panel, count = judge.figure.panels[0], len(results)
    across, up = judge.scale(panel, "x", size_of), judge.scale(panel, "y")
    judge.take_all("size of the I/O, log scale", "cumulative share (%)")
    for which, (column, key) in enumerate((("cumulative", "I/Os"), ("bytes_cumulative", "bytes"))):
        for number, result in enumerate(results):
            judge.take((", ".join(result.traces) + ": " if count > 1 else "") + key)
            places = [(across(math.log2(row["size"])), up(100 * row[column])) for row in result.rows]
            curve(judge, panel.plots[which * count + number + 1], panel, places, "the steps of " + key, True)
            marks_at(judge, panel.plots[(2 + which) * count + number + 1], panel, places, key)
    judge.titles(results, one=True)


def times(judge, results, percentiles, axis, **_):
    """A line from the shortest to the longest time, with marks at percentiles."""
    for panel, result in zip(judge.figure.panels, results):
        names = ["%s, n = %d" % (row[result.keys[0]], row["count"]) for row in result.rows]
        places = judge.labels(panel, "y", names)
        across = judge.scale(panel, "x", duration)
        judge.take_all(axis, "min to max")
        lines = [points for points, _, _ in panel.plots[1].lines if panel.holds(*points[0])]
        for row, at in zip(result.rows, places):
            found = [points for points in lines if abs(points[0][1] - at) < 0.5]
            judge.near(found[0][0][0] if found else -1, across(math.log10(row["min"])), "the least time")
            judge.near(found[0][-1][0] if found else -1, across(math.log10(row["max"])), "the longest time")
        for percentile in percentiles:
            judge.take(percentile)
            plot = panel.plots[2 + ("p50", "p90", "p99", "p99.9", "max").index(percentile)]
            marks_at(judge, plot, panel, [(across(math.log10(row[percentile])), at)
                                          for row, at in zip(result.rows, places)], percentile)
    judge.titles(results)


def corrected_and_measured(every):
    scale = time_words(max(row["measured"] for rows in every for row in rows))[0]
    return [("corrected", lambda row: 0, lambda row: row["corrected"] / scale),
            ("measured", lambda row: row["corrected"] / scale, lambda row: row["measured"] / scale)]


HOTSPOTS = {"parts": corrected_and_measured, "called": lambda row: row["name"],
            "axis": lambda every: "time (%s)" % time_words(max(row["measured"] for rows in every for row in rows))[1],
            "comment": lambda row: "%.1f %%, %d %s" % (100 * row["share"], row["calls"],
                                                       "call" if row["calls"] == 1 else "calls")}


def named_dots(judge, results, **_):
    """A mark per call, on the line of its name; most frequent names on top."""
    for panel, result in zip(judge.figure.panels, results):
        across = judge.scale(panel, "x")
        unit, name = unit_of_times(max(row["time"] for row in result.rows))
        judge.take("time since the start (%s)" % name)
        number_of_calls = collections.Counter(row["name"] for row in result.rows)
        lines = panel.names("y")
        for (_, words), (_, after) in zip(lines, lines[1:]):
            if number_of_calls[words] < number_of_calls[after]:
                judge.fault("%s stands above %s", words, after)
        places = {words: at for at, words in lines}
        judge.labels(panel, "y", [words for _, words in lines])
        judge.same(sorted(places), sorted(number_of_calls), "lines")
        wanted = [(across(row["time"] / unit), places.get(row["name"], -1)) for row in result.rows]
        marks = [mark for plot in panel.plots.values() for mark in plot.marks if panel.holds(mark[0], mark[1])]
        for x, y in wanted:
            if not any(abs(mark[0] - x) < 1 and abs(mark[1] - y) < 0.5 for mark in marks):
                judge.fault("no mark stands for the call at %.1f, %.1f", x, y)
        for mark in marks:
            if not any(abs(mark[0] - x) < 1 and abs(mark[1] - y) < 0.5 for x, y in wanted):
                judge.fault("a mark at %.1f, %.1f stands for no call", mark[0], mark[1])
    judge.titles(results)


def number_of_calls(row):
    return "%d %s" % (row["calls"], "call" if row["calls"] == 1 else "calls")


def in_calls(every):
    scale, unit, _ = time_words(max(row["total"] or 0 for rows in every for row in rows))
    return scale, "time in calls (%s)" % unit


SYSCALLS = {"parts": lambda every: [(None, lambda row: 0, lambda row: row["total"] / in_calls(every)[0])],
            "axis": lambda every: in_calls(every)[1], "kept": lambda row: bool(row["total"]),
            "colours": lambda row: "#e69f00" if row["errors"] else "#0072b2",
            "comment": lambda row: "%.1f %%, %s%s" % (100 * row["share"], number_of_calls(row),
                                                      ", %d failed" % row["errors"] if row["errors"] else "")}
WAITS = {"parts": SYSCALLS["parts"], "axis": SYSCALLS["axis"], "kept": SYSCALLS["kept"],
         "called": lambda row: "%s: %s, %s" % (row["thread"], row["name"], row["waits_for"]),
         "comment": lambda row: "%.1f %%, %s" % (100 * row["share"], number_of_calls(row))}
ERRORS = {"parts": [(None, lambda row: 0, lambda row: row["count"])], "axis": "calls that failed",
          "called": lambda row: ", ".join(row[key] or "(none)" for key in ("name", "error", "file")),
          "comment": lambda row: "%.1f %% of %d" % (100 * row["rate"], row["calls"])}
def returned(row):
    code = "" if row["return"] is None else " = %d" % row["return"]
    return row["name"] + code + (" " + row["error"] if row.get("error") else "")


RETURNS = {"parts": [(None, lambda row: 0, lambda row: row["count"])], "axis": "times returned", "called": returned,
           "comment": lambda row: "%d" % row["count"]}
CALLERS = {"parts": [(None, lambda row: 0, lambda row: 100 * row["total_share"])],
           "axis": "share of the function's time (%)",
           "called": lambda row: row["relation"] + ": " + row["name"],
           "colours": lambda row: {"caller": "#e69f00", "callee": "#009e73"}.get(row["relation"], "#0072b2"),
           "comment": lambda row: "%.2f %%, %s" % (100 * row["total_share"], number_of_calls(row))}
PAGE_COLOURS = {"read": "#0072b2", "written": "#e69f00", "both": "#009e73"}
PAGES = {"parts": [(None, lambda row: 0, lambda row: row["bytes"] / 2**20)], "axis": "different pages (MiB)",
         "called": lambda row: row["access"],
         "colours": lambda row: PAGE_COLOURS.get(row["access"], "#606060"),
         "comment": lambda row: "%d, %.1f %%" % (row["pages"], 100 * row["share"])}


def runs(judge, results, **_):
    curves = [(kind, column, what) for column, what in (("ios_cumulative", "I/Os"), ("cumulative", "runs"))
              for kind in ("read", "write")]
    for panel, result in zip(judge.figure.panels, results):
        across, up = judge.scale(panel, "x", lambda words: math.log2(float(words))), judge.scale(panel, "y")
        judge.take_all("I/Os in the run, log scale", "cumulative share (%)")
        for number, (kind, column, what) in enumerate(curves):
            judge.take(kind + ": " + what)
            own = [row for row in result.rows if row["class"] == kind]
            wanted = [(across(math.log2(row["length"])), up(100 * row[column])) for row in own]
            curve(judge, panel.plots[number + 1], panel, wanted, kind + ": " + what)
    judge.titles(results)


def latencies(judge, results, title, **_):
    """A step curve per class, from 0 at the picture's left edge."""
    for panel, result in zip(judge.figure.panels, results):
        across, up = judge.scale(panel, "x", duration), judge.scale(panel, "y")
        judge.take_all(title + ", log scale", "cumulative share (%)")
        groups = collections.defaultdict(list)
        for row in (row for row in result.rows if row["count"]):
            groups[row[result.keys[0]], row["count"]].append(row)
        for number, ((name, count), rows) in enumerate(groups.items()):
            judge.take("%s, n = %d" % (name, count))
            wanted = [(across(math.log10(row["time"])), up(100 * row["cumulative"])) for row in rows]
            wanted.insert(0, (panel.frame[0], up(0)))
            curve(judge, panel.plots[number + 1], panel, wanted, "the steps of " + name, True)
    judge.titles(results)


def cache_sizes(judge, results, **_):
    """A line per result: share of references that hit in a cache of so many bytes."""
    panel = judge.figure.panels[0]
    across, up = judge.scale(panel, "x", lambda tic: math.log10(int(tic[:-4]) * 1024 ** "KMG".index(tic[-3:-2] * (tic[-2:] == "iB") or "?"))), judge.scale(panel, "y")
    judge.take_all("size of the LRU cache, log scale", "hits (% of references), cumulative")
    for number, result in enumerate(results):
        if len(results) > 1:
            judge.take(", ".join(result.traces))
        places = [(across(math.log10(row["bytes"] / 1024)), up(100 * row["cumulative"])) for row in result.rows]
        curve(judge, panel.plots[number + 1], panel, places, "the curve of hits")
        marks_at(judge, panel.plots[number + 1], panel, places, "the curve")
    judge.titles(results, one=True)


def attributes(judge, results, **_):
    """Lines of attributes and values, with digits in groups of three."""
    pairs = list(zip(results[0].rows, results[0].values))
    said = [re.search(r" \((\d+) of \d+ lines\)$", text.words) for text in judge.left]
    drawn = min([int(match.group(1)) for match in said if match] + [len(pairs)])
    for row, words in pairs[:drawn]:
        name = judge.take(row["attribute"], lambda text: text.anchor == "start")
        for text in judge.left:
            same = text.words == words or re.sub(r"[\s,]", "", text.words) == words.replace(",", "")
            if name and abs(text.y - name.y) < 2 and text.anchor == "end" and same:
                judge.left.remove(text)
                break
        else:
            judge.fault("beside %s there is no %s", row["attribute"], words)
    judge.titles(results, [" (%d of %d lines)" % (drawn, len(pairs)) if drawn < len(pairs) else ""])


def longest_breaks(judge, results, **_):
    """Idle times: lines at their starts, as high as they are long; a dot on each of the twenty longest."""
    for panel, result in zip(judge.figure.panels, results):
        across, up = judge.scale(panel, "x"), judge.scale(panel, "y", duration)
        judge.take_all("start of the gap (s)", "duration, log scale")
        marks_at(judge, panel.plots[3], panel, [(across(row["start"] / 1e9), up(math.log10(row["duration"])))
                                                for row in result.rows[:20]], "the longest")
    judge.titles(results)


MODULES = {"parts": [(None, lambda row: 0, lambda row: 100 * row["share"])], "axis": "share (%)",
           "called": lambda row: row["module"],
           "comment": lambda row: "%.2f %% (%d)" % (100 * row["share"], row["calls"])}


def usage(judge, results, **_):
    """Mean and maximum per process: load above, memory below."""
    rows = [row for result in results for row in result.rows]
    named = [row["process"] + (", " + result.traces[0] if len(results) > 1 else "")
             for result in results for row in result.rows]
    unit = 2**20 if max(row["memory_max"] for row in rows) >= 2**21 else 2**10
    kinds = (("cpu", 0.01, "CPU load (% of one processor)"),
             ("memory", unit, "memory (%s)" % ("MiB" if unit == 2**20 else "KiB")))
    for panel, (what, scale, axis) in zip(judge.figure.panels, kinds):
        places = judge.labels(panel, "y", named)
        across = judge.scale(panel, "x")
        judge.take_all(axis, "most", "mean")
        for row, at in zip(rows, places):
            mean, most = row[what + "_mean"] / scale, row[what + "_max"] / scale
            for number, value in ((1, most), (2, mean)):
                areas = bar_of(panel.plots[number], panel, at)
                judge.near(areas[0].right if areas else -1, across(value), what + " of " + row["process"])
            judge.take("%.4g, at most %.4g" % (mean, most), lambda text, at=at: abs(text.y - at) < 8)
    judge.titles(results, one=True)


# --- of profiles and benchmarks ----------------------------------------------------------------------------


def time_words(time):
    scale, unit = next(((s, u) for s, u in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")) if time >= 2 * s), (1, "ns"))
    return scale, unit, "%.4g %s" % (time / scale, unit)


def overhead(judge, results, **_):
    rows = [row for result in results for row in result.rows]
    against = "run_time" in rows[0]
    high = {column: max(row[column] or 0 for row in rows) for column in ("bytes", "time_added")}
    time_scale, time_unit, _ = time_words(high["time_added"])
    size_scale, size_unit = size_unit_of(high["bytes"])
    kinds = [("size of the log", "size (%s)" % size_unit, lambda row: row["bytes"] / size_scale, size_words),
             ("bytes per event", "bytes per event", lambda row: row["bytes_per_event"],
              lambda row: "%.4g" % row["bytes_per_event"]),
             ("time added", "time added (%s)" % time_unit, lambda row: row["time_added"] / time_scale,
              lambda row: time_words(row["time_added"])[2] + ", %.2f %%" % (100 * row["time_share"]))]
    if against:
        scale, unit, _ = time_words(max(row["run_time"] for row in rows))
        kinds = [("run time", "run time (%s)" % unit, lambda row: row["run_time"] / scale,
                  lambda row: time_words(row["run_time"])[2]),
                 ("extra run time", "extra run time (%)", lambda row: 100 * row["extra_share"],
                  lambda row: "%+.2f %%" % (100 * row["extra_share"]))] + kinds
    for number, (panel, (title, axis, value, words)) in enumerate(zip(judge.figure.panels, kinds)):
        judge.take_all(title, axis)
        across = judge.scale(panel, "x")
        named = [row["trace"] for row in rows] if number == 0 or number == 2 and against else []
        if named:
            judge.labels(panel, "y", named)
        for row, area in zip(rows, panel.plots[1].areas):
            judge.near(area.right, across(max(0, value(row))), "%s of %s" % (title, row["trace"]))
            judge.near(area.left, across(min(0, value(row))), "%s of %s" % (title, row["trace"]))
            judge.take(words(row), lambda text, area=area, panel=panel: area.top < text.y < area.bottom
                       and panel.plots[2] and text in panel.plots[2].texts)
    judge.same(len(judge.figure.panels), len(kinds), "panels")
    if len(results) > 1:
        judge.take(results[0].title)
    else:
        judge.titles(results)


def size_words(row):
    scale, unit = size_unit_of(row["bytes"])
    return "%.4g %s" % (row["bytes"] / scale, unit)


def size_unit_of(size):
    return (1e6, "MB") if size >= 2e6 else (1e3, "kB") if size >= 2e3 else (1, "bytes")


def slices(judge, results, **_):
    """A pie: slices are adjacent, clockwise from the top."""
    for panel, result in zip(judge.figure.panels, results):
        begin = 0.0
        for number, row in enumerate(result.rows):
            judge.take("%s, %.2f %%" % (row["module"], 100 * row["share"]))
            if row["share"] >= 0.03:
                judge.take("%.2f %%" % (100 * row["share"]))
            area = panel.plots[number + 1].areas
            if not area:
                judge.fault("%s has no slice", row["module"])
                continue
            slice_of(judge, area[0].points, begin, row)
            begin += row["share"]
    judge.titles(results)


def slice_of(judge, points, begin, row):
    """The polygon of a slice: its arc from end to start, and the centre."""
    arc, (x, y) = points[:-1], points[-1]
    wide = sum(math.dist(point, (x, y)) for point in arc) / len(arc)
    for point in arc:
        judge.near(math.dist(point, (x, y)), wide, "the arc of " + row["module"], 0.2)
    for point, part in ((arc[-1], begin), (arc[0], begin + row["share"])):
        judge.near(math.remainder(math.atan2(point[0] - x, y - point[1]) / 2 / math.pi - part, 1), 0,
                   "%s, which begins or ends at %.4f of the pie" % (row["module"], part), 0.001)


def accuracy(judge, results, **_):
    for panel, result in zip(judge.figure.panels, results):
        several = "ratio" in result.keys
        names = [row["name"] + (": " + row["trace"] if several else "") for row in result.rows]
        scale, unit, _ = time_words(max(max(row["reference"], row["measured"]) for row in result.rows))
        places = judge.labels(panel, "y", names)
        across = judge.scale(panel, "x")
        judge.take("time (%s); beside the bars: the error" % unit)
        for number, column in enumerate(("reference", "measured")):
            judge.take(column)
            per_row = places[1] - places[0]
            for row, at in zip(result.rows, places):
                areas = bar_of(panel.plots[number + 1], panel, at + (number - 0.5) * 0.4 * per_row)
                judge.near(areas[0].right if areas else -1, across(row[column] / scale), column + " of " + row["name"])
        for row, at in zip(result.rows, places):
            judge.take("%.2f %%" % (100 * row["error"]), lambda text, at=at: abs(text.y - at) < 8)
    judge.titles(results)


def load(judge, results, **_):
    processes = []
    for row in (row for result in results for row in result.rows):
        if (row["process"], row["trace"]) not in processes:
            processes.append((row["process"], row["trace"]))
    rows = [row for result in results for row in result.rows]
    order = sorted(processes, key=lambda key: -max(r["cpu"] for r in rows if (r["process"], r["trace"]) == key))
    unit = 2**20 if max(row["memory"] for row in rows) >= 2**21 else 2**10
    kinds = (("cpu", 0.01, "CPU load (% of one processor)"),
             ("memory", unit, "memory (%s)" % ("MiB" if unit == 2**20 else "KiB")))
    for panel, (column, scale, title) in zip(judge.figure.panels, kinds):
        across, up = judge.scale(panel, "x"), judge.scale(panel, "y")
        judge.take(title)
        for number, (process, trace) in enumerate(order):
            judge.take(process + (", " + trace if len({t for _, t in processes}) > 1 else ""))
            own = [row for row in rows if (row["process"], row["trace"]) == (process, trace)]
            wanted = [(across(row["time"]), up(row[column] / scale)) for row in own]
            curve(judge, panel.plots[number + 1], panel, wanted, column + " of " + process)
    judge.take("time (s)")
    if any(text.words == "time (s)" for text in judge.left):
        judge.take("time (s)")
    if len(results) > 1:
        judge.take(results[0].title)
    else:
        judge.titles(results)


def benchmarks(judge, results, measures, **_):
    """measures: quantity and unit of each panel."""
    rows = [dict(row, trace=row.get("trace") or result.traces[0]) for result in results for row in result.rows]
    tests = list(dict.fromkeys(row["test"] for row in rows))
    series = list(dict.fromkeys(row["trace"] for row in rows))
    for number, (panel, (measure, unit)) in enumerate(zip(judge.figure.panels, measures)):
        judge.take_all(measure, "%s (%s)" % (measure, unit))
        across = judge.scale(panel, "x")
        if number == 0:
            places = judge.labels(panel, "y", tests)
        per_test = places[1] - places[0]
        for row in rows:
            if (row["measure"], row["unit"]) != (measure, unit):
                continue
            s = series.index(row["trace"])
            at = places[tests.index(row["test"])] + (-0.4 + (s + 0.5) * 0.8 / len(series)) * per_test
            areas = bar_of(panel.plots[s + 1], panel, at)
            judge.near(areas[0].left if areas else -1, across(0), "%s of %s" % (measure, row["test"]))
            judge.near(areas[0].right if areas else -1, across(row["mean"]), "%s of %s" % (measure, row["test"]))
            words = "%.0f" % row["mean"] if row["mean"] >= 1000 else "%.4g" % row["mean"]
            judge.take(words, lambda text, at=at, panel=panel: abs(text.y - at) < 8 and panel.holds(text.x, text.y))
    judge.same(len(judge.figure.panels), len(measures), "panels")
    for s, trace in enumerate(series):
        judge.take(trace if len(series) > 1 else "run %d" % (s + 1))
    judge.take(results[0].title + ": " + ", ".join(series) + " (%d of 4 measures)" % len(measures))


# --- which pictures ----------------------------------------------------------------------------------------

USERS = "-t user1 -t user2 --by-trace "
THREE = "--class read --class write --class writesync"
RW_SHARES = [("plain", "plain"), ("sync", "sync"), ("total", "total")]
CASES = [
    Case("I/O paper, Figure 3", "hourly " + USERS, hourly),
    Case("hours of one user", "hourly -t user1", hourly),
    Case("hours of the day", "hourly --from 02:00 --to 12:00 -t user1", hourly),
    Case("I/O paper, Figure 4", "partition " + USERS, counts),
    Case("I/O paper, Figure 5", "partition " + USERS + "--share row --class write --class writesync", by_row),
    Case("partitions, all classes", "partition -t user1 --share row", by_row),
    Case("partitions of each class", "partition -t user1 --share column", by_class,
         bars="total reads read readsync writes write writesync"),
    Case("partitions, of all", "partition -t user1 --share all", three_shares),
    Case("I/O paper, Figure 6", "filetype " + USERS + "--share column", by_class,
         bars="total reads read readsync writes write writesync"),
    Case("I/O paper, Figure 6, three classes", "filetype " + USERS + "--share column " + THREE, by_class,
         bars="read write writesync"),
    Case("file types of each class, one", "filetype -t user1 --share column --class write", by_class, bars="write"),
    Case("I/O paper, Figure 7", "filetype " + USERS, counts),
    Case("I/O paper, Figure 8", "filetype-partition " + USERS + "--share column", within, column="total"),
    Case("file types within partitions", "filetype-partition -t user1", within),
    Case("file types within partitions, classes", "filetype-partition -t user1 --share row --top 12", within_row),
    Case("processes within partitions", "process-partition " + USERS + "--share column", within, column="total"),
    Case("processes of each class", "process " + USERS + "--share column " + THREE, by_class,
         bars="read write writesync"),
    Case("processes, their classes", "process -t user2 --share row", by_row),
    Case("block types, their classes", "blocktype -t user1 --share row", by_row),
    Case("block types of each class", "blocktype -t user2 --share column --class writesync", by_class,
         bars="writesync"),
    Case("I/O paper, Table III", "-c FOLDER/names.yaml process --by application --top 3 " + USERS, counts),
    Case("reads and writes", "rw -t user1", upright, bars=[("I/Os", "count_share"), ("bytes", "bytes_share")]),
    Case("files", "files -t user1", lying, **FILES),
    Case("files of two users", "files --top 5 " + USERS, lying, **FILES),
    Case("sequential and random I/Os", "locality " + USERS, in_sequence),
    Case("sizes of I/Os", "iosize -t user1", sizes),
    Case("sizes of I/Os of two users", "iosize " + USERS, sizes),
    Case("sizes of I/Os, cumulative", "iosize --cdf -t user1", sizes),
    Case("latency, cumulative", "latency --cdf -t user1", latencies, title="time from issue to completion"),
    Case("sizes of a cache, cumulative", "reuse --cdf -t user1", cache_sizes),
    Case("sizes of a cache, two users", "reuse --cdf " + USERS, cache_sizes),
    Case("files by popularity", "popularity --cdf -t user1", popular_curves),
    Case("latency", "latency -t user1", times, percentiles=["p50", "p90", "p99", "max"],
         axis="time from issue to completion, log scale"),
    Case("percentiles by process", "percentiles --by process --top 5 -t user2", times,
         percentiles=["p50", "p90", "p99", "p99.9", "max"], axis="time from issue to completion, log scale"),
    Case("processes by popularity", "popularity --of process --top 5 -t user1", popular_bars),
    Case("reads and writes of each row", "rw --share row " + USERS, directions),
    Case("reads and writes of all", "rw -t most --share all", directions),
    Case("file types within partitions, of all", "filetype-partition --share all -t user2", within, column="total",
         axis="share of all I/Os (%)"),
    Case("processes and file types", "filetype-process --share column --top 30 -t user1", within, column="total",
         of="process"),
    Case("calls by module", "modules -t representative", lying, **MODULES),
    Case("load and memory", "usage -t debug-load", usage),
    Case("load and memory, two runs", "usage --by-trace -t debug-load -t rmp-load", usage),
    Case("hotspots", "hotspots -t session --resolution method", lying, level="method", **HOTSPOTS),
    Case("hotspots, loops", "hotspots -t session --resolution loop", lying, level="loop", **HOTSPOTS),
    Case("calls over time", "timeline -t mobigen", named_dots),
    Case("system calls", "syscalls -t strace", lying, called=lambda row: row["name"], **SYSCALLS),
    Case("system calls by thread", "syscalls --by thread -t strace", lying, called=lambda row: row["thread"],
         **SYSCALLS),
    Case("waits", "waits -t strace", lying, **WAITS),
    Case("errors", "errors -t strace", lying, **ERRORS),
    Case("results of system calls", "returns -t strace", lying, **RETURNS),
    Case("results of functions", "returns -t dwtrace", lying, **RETURNS),
    Case("AndroStep, Table 4", "summary -t mobigen", attributes),
    Case("reads and writes of system calls", "rw -t mobigen", upright,
         bars=[("calls", "count_share"), ("bytes", "bytes_share")]),
    Case("summary of a user", "summary -t user1", attributes),
    Case("the longest breaks", "gaps --top 12 -t pinemark", longest_breaks),
    Case("callers", "callers --function com.android.browser.TabControl.restoreState -t session", lying, **CALLERS),
    Case("footprint", "footprint -t user1", lying, **PAGES),
    Case("runs", "runs --cdf -t user1", runs),
    Case("sequences of calls", "sequences -t representative", lying, **SEQUENCES),
    Case("sequences of three calls", "sequences --length 3 --top 4 -t pinemark", lying, **SEQUENCES),
    Case("hours of calls", "hourly -t representative", hours_of_calls),
    Case("hours of calls, two logs", "hourly -t representative -t pinemark --by-trace", hours_of_calls),
    Case("functions", "functions -t rmp", lying, **FUNCTIONS),
    Case("functions that call others", "functions -t session", lying, **FUNCTIONS),
    Case("reads and writes of each column", "rw -t user1 --share column", upright, bars=RW_SHARES),
    Case("MOST, sectors over time", "timeline -t most", sector_dots),
    Case("Palmist, Figure 4.1(a)", "popularity -t representative", popular_curves),
    Case("Palmist, Figure 4.1(a), marked", "popularity -t representative --mark pinemark", popular_curves),
    Case("Palmist, Figures 4.1(a) and 4.2(a)", "popularity -t representative -t pinemark --by-trace", popular_curves),
    Case("Palmist, Figure 4.1(b)", "popularity -t representative --top 10 --mark pinemark", popular_bars, marked=True),
    Case("Palmist, Figure 4.1(c)", "argsize -t representative", argsize),
    Case("Palmist, Figure 4.1(c), by --cdf", "argsize --cdf -t representative", argsize),
    Case("Palmist, Figure 4.2(b)", "popularity -t pinemark --top 10 --mark representative", popular_bars, marked=True),
    Case("the most popular, without marks", "popularity -t pinemark --top 5", popular_bars),
    Case("Palmist, Figures 4.1(c) and 4.2(c)", "argsize -t representative -t pinemark --by-trace", argsize),
    Case("Palmist, Figure 4.3", "timeline -t pinemark", trap_image, changes=4),
    Case("without the most popular", "popularity -t pinemark --without-top 10", upright,
         bars=[("of the events", "events_share"), ("of the bytes", "bytes_share"), ("of the run time", "time_share")]),
    Case("Palmist, Tables 4.3 to 4.5",
         "-c testdata/palmist/demo.yaml popularity --process Address --without-top 3,7,10 -t representative", upright,
         bars=[("of the events", "events_share"), ("of the bytes", "bytes_share"), ("of the run time", "time_share")]),
    Case("idle times", "gaps --cdf -t pinemark", idle),
    Case("RMP, Figure 5", "overhead -t debug-run -t rmp-least -t rmp-most --against untraced", overhead),
    Case("RMP, Figure 5, faster runs", "overhead -t untraced -t rmp-least -t rmp-most --against debug-run", overhead),
    Case("what measuring cost", "overhead -t debug-run -t rmp-least", overhead),
    Case("RMP, Figures 6 and 7", "load -t rmp-load", load),
    Case("RMP, Figures 6 and 7, runs beside", "load -t untraced-load -t debug-load -t rmp-load --by-trace", load),
    Case("RMP, Figure 8", "-c testdata/rmp/ok/figure8.yaml modules -t figure8", slices),
    Case("RMP, Table 2", "accuracy -t rmp -t debug --reference testdata/rmp/ok/table2.reference", accuracy),
    Case("RMP, Table 2, one", "accuracy -t rmp --reference testdata/rmp/ok/table2.reference", accuracy),
    Case("Mobibench, two runs", "results -t run1 -t run2", benchmarks,
         measures=[("throughput", "KB/sec"), ("I/Os", "IOPS(4KB)"), ("latency", "usec")]),
    Case("Mobibench, one run", "results -t run1", benchmarks,
         measures=[("throughput", "KB/sec"), ("I/Os", "IOPS(4KB)"), ("latency", "usec")]),
]


def faults_of(case, svg, results, ledger):
    try:
        judge = Judge(svg_figure.Figure(svg))
        judge.foot(results, ledger)
        case.judge(judge, results, **case.given)
        judge.end()
        return judge.faults
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, AssertionError) as error:
        return ["cannot be read: %r" % error]


# --- wrong pictures ----------------------------------------------------------------------------------------


def changed_texts(svg):
    """Pictures with one changed text: a star more or less, another number or letter."""
    found = list(re.finditer(r"<text>([^<]+)</text>", svg))
    step = max(1, len(found) // 12)
    starred = [match for match in found if match.group(1).startswith("* ")][:1]
    plain = [match for match in found if re.fullmatch(r"[A-Z][A-Za-z]{5,}", match.group(1))][:1]
    for match in starred:
        yield "a star less", replaced(svg, match, match.group(1)[2:])
    for match in plain:
        yield "a star more", replaced(svg, match, "* " + match.group(1))
    for match in found[::step]:
        words = match.group(1)
        at = next((i for i in range(len(words) - 1, -1, -1) if words[i].isalnum()), None)
        if at is not None and words[at - 4 : at + 1] != "&amp;":
            if re.fullmatch(r" ?\d+", words):
                at = words.startswith(" ")  # a tic label: its last digit may be below the resolution
            yield "'%s'" % words, replaced(svg, match, words[:at] + another(words, at) + words[at + 1 :])


def another(words, at):
    """Another character; a 0 of a tic becomes a number that is visibly wrong."""
    if words.strip() == "0":
        return "900"
    if words[at].isdigit():
        return str((int(words[at]) + 5) % 10)
    return "q" if words[at] != "q" else "x"


def replaced(svg, match, words):
    return svg[: match.start(1)] + words + svg[match.end(1) :]


def moved_shapes(svg):
    """Pictures with one area that ends elsewhere, or one moved mark of a curve."""
    begin = svg.index('id="gnuplot_plot_1')
    areas = [m for m in re.finditer(r"points = '([^']*)'", svg[begin:])]
    for match in areas[1 :: max(1, len(areas) // 4)]:
        corners = [tuple(map(float, corner.split(","))) for corner in match.group(1).split()]
        wide = max(x for x, _ in corners) - min(x for x, _ in corners)
        high = max(y for _, y in corners) - min(y for _, y in corners)
        if wide > 20 and high > 3 and not is_sample(svg[begin:], match) and not is_ground(svg[begin:], match):
            longer = " ".join("%.2f,%.2f" % (x + 3 * (x == max(c[0] for c in corners)),
                                             y - 3 * (y == min(c[1] for c in corners))) for x, y in corners)
            yield "an area", svg[:begin] + svg[begin:][: match.start(1)] + longer + svg[begin:][match.end(1) :]


def is_sample(svg, match):
    """Detects a sample of the key, which follows its text."""
    return "</text>" in svg[max(0, match.start() - 420) : match.start()]


def is_ground(svg, match):
    """Detects the white background of a number."""
    return "255,255,255" in svg[match.start() - 60 : match.start()].replace(" ", "")


def main(folder):
    made, found, failed = 0, 0, 0
    for case in CASES:
        if len(sys.argv) > 2 and sys.argv[2] not in case.name:
            continue
        results, svg, ledger = case.report(folder), case.picture(folder), case.ledger(folder)
        if case.judge is attributes:
            results[0].values = case.as_people_read(folder, results[0])
        faults = faults_of(case, svg, results, ledger)
        made += not faults
        failed += bool(faults)
        for fault in faults[:6]:
            print("FAILED: %s: %s" % (case.name, fault))
        if faults:
            continue
        for what, wrong in (list(changed_texts(svg)) + list(moved_shapes(svg)))[: case.changes]:
            if faults_of(case, wrong, results, ledger):
                found += 1
            else:
                failed += 1
                print("FAILED: %s: the change of %s was not noticed" % (case.name, what))
    print("%d pictures read back, %d changes noticed, %d failed" % (made, found, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
