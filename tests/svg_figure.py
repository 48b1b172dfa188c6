"""Reads pictures of gnuplot's svg terminal: texts, areas, lines, marks and axes, by panel.

A picture is a Figure. Its panels are in drawing order; each has its frame, the tics of its axes and its plots, in
the order of the plot command. Texts outside of plots are in Figure.texts.
"""

import base64
import re
import struct
import xml.etree.ElementTree as tree
import zlib

HREF = "{http://www.w3.org/1999/xlink}href"
BORDER = re.compile(r"M(\S+) L(\S+) L(\S+) M(\S+) M(\S+)\s*$")


class Text:
    def __init__(self, words, x, y, group):
        self.words, self.x, self.y = words, x, y
        self.anchor, self.size = group.get("text-anchor", "start"), float(group.get("font-size", "0"))
        self.is_turned = "rotate" in group.get("transform", "")


class Area:
    """A polygon with its points and bounds."""

    def __init__(self, points, colour):
        self.points, self.colour = points, colour
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)


class Plot:
    def __init__(self, number):
        self.number = number
        self.texts, self.areas, self.lines, self.marks = [], [], [], []
        self.image = None

    def inside(self, panel, items):
        return [item for item in items if panel.holds(*place(item))]

    def key(self, panel):
        """Its name in the key: the text outside of the frame, or next to a sample in it."""
        words = [text.words for text in self.texts if text.words]
        return words[0] if words else ""


class Panel:
    def __init__(self, letter):
        self.letter, self.frame, self.plots = letter, None, {}
        self.ticks = {"x": [], "y": []}

    def holds(self, x, y):
        left, top, right, bottom = self.frame
        return left - 0.6 <= x <= right + 0.6 and top - 0.6 <= y <= bottom + 0.6

    def plot(self, number):
        return self.plots.setdefault(number, Plot(number))

    def names(self, axis):
        """Texts of an axis with their positions, from left to right or from top to bottom."""
        return sorted((at, words) for at, words in self.ticks[axis])

    def scale(self, axis, number=float):
        """A function from axis values to picture coordinates, from the tics, which must be linear."""
        ticks = [(at, number(words)) for at, words in self.names(axis)]
        (first, low), (last, high) = ticks[0], ticks[-1]
        per_unit = (last - first) / (high - low)
        apart = [b[0] - a[0] for a, b in zip(ticks, ticks[1:])]
        if max(apart) - min(apart) < 0.05 and number is float:
            for i, (_, value) in enumerate(ticks):
                if abs(value - low - i * (high - low) / len(apart)) > 1e-6 * abs(high - low):
                    raise ValueError("the tick %g is not as far from its neighbours as others" % value)
        for at, value in ticks:
            if abs(first + (value - low) * per_unit - at) > 0.2:
                raise ValueError("the tick %g of axis %s is not at its place" % (value, axis))
        return lambda value: first + (value - low) * per_unit


def place(item):
    if isinstance(item, Area):
        return (item.left + item.right) / 2, (item.top + item.bottom) / 2
    return (item.x, item.y) if isinstance(item, Text) else (item[0], item[1])


def colour(value, patterns=None):
    """#rrggbb of an attribute; hatched areas have the colour of their lines followed by /."""
    value = (value or "").replace(" ", "")
    if value.startswith("url(#"):
        return patterns[value[5:-1]]
    match = re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", value)
    return "#%02x%02x%02x" % tuple(map(int, match.groups())) if match else value.lower()


def points_of(d):
    """Strokes of a path of only M and L, as lists of points."""
    strokes = []
    for command, x, y in re.findall(r"([ML]?)\s*(-?[\d.]+),(-?[\d.]+)", d):
        if command == "M" or not strokes:
            strokes.append([])
        strokes[-1].append((float(x), float(y)))
    return [stroke for stroke in strokes if len(stroke) > 1]


def pixels(data):
    """Rows of pixels (tuples of bytes) of an 8-bit PNG without interlacing."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    size = {2: 3, 6: 4}[kind]
    packed, at = b"", 8
    assert depth == 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    raw, before, rows = zlib.decompress(packed), bytearray(size * width), []
    for y in range(height):
        start = y * (size * width + 1)
        row = unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + size * width]), before, size)
        rows.append([tuple(row[x : x + size]) for x in range(0, len(row), size)])
        before = row
    return rows


def unfiltered(kind, row, before, size):
    for i in range(len(row)):
        left, up = row[i - size] if i >= size else 0, before[i]
        corner = before[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            away = [(abs(left + up - corner - one), k, one) for k, one in enumerate((left, up, corner))]
            guess = min(away)[2]
        else:
            guess = 0
        row[i] = (row[i] + guess) & 255
    return row


class Figure:
    def __init__(self, svg):
        self.texts, self.panels, self.patterns = [], [], {}
        self.pending, self.pending_frame, self.in_plot = [], None, None
        root = tree.fromstring(svg)
        self.width, self.height = float(root.get("width")), float(root.get("height"))
        self.all_texts = []
        self.walk(root, 0.0, 0.0, {})

    def panel(self, letter):
        for panel in self.panels:
            if panel.letter == letter:
                return panel
        panel = Panel(letter)
        panel.frame = self.pending_frame
        for axis, at, words in self.pending:
            panel.ticks[axis].append((at, words))
        self.pending = []
        self.panels.append(panel)
        return panel

    def walk(self, element, x, y, group):
        name = element.tag.split("}")[-1]
        if name == "pattern":
            self.note_pattern(element)
        if name in ("title", "desc", "pattern", "filter", "script") or element.get("id", "").startswith("gpPt"):
            return
        moved = re.match(r"translate\((\S+?),(\S+?)\)", element.get("transform", ""))
        if moved and name == "g":
            x, y = x + float(moved.group(1)), y + float(moved.group(2))
        if name == "g":
            self.begin_group(element)
            group = {**group, **element.attrib}
        else:
            self.draw(name, element, x, y, group)
        for child in element:
            self.walk(child, x, y, group)
        if name == "g" and element.get("id", "").startswith("gnuplot_plot_"):
            self.in_plot = None

    def note_pattern(self, element):
        if len(element) == 0:
            self.patterns[element.get("id")] = "none"
            return
        style = element[0].get("style", "").replace(" ", "")
        solid = re.search(r"fill:(rgb[^;]*\))", style)
        line = re.search(r"stroke:(rgb[^;]*\))", style)
        self.patterns[element.get("id")] = colour(solid.group(1)) if solid else colour(line.group(1)) + "/"

    def begin_group(self, element):
        """Begins a plot, or a group with a tic and its label."""
        plot = re.fullmatch(r"gnuplot_plot_(\d+)([a-z]*)", element.get("id", ""))
        if plot:
            self.in_plot = self.panel(plot.group(2)).plot(int(plot.group(1)))
            return
        path, inner = element.find("{*}path"), element.find("{*}g")
        text = inner.find("{*}text") if inner is not None else None
        if self.in_plot is not None or path is None or text is None or not (text.text or "").strip():
            return
        start = re.match(r"M(-?[\d.]+),(-?[\d.]+)", path.get("d", ""))
        strokes = points_of(path.get("d", ""))
        if start and all(abs(a - c) + abs(b - d) < 12 for (a, b), (c, d) in (s[:2] for s in strokes)):
            axis = "y" if inner.get("text-anchor") == "end" else "x"
            self.pending.append((axis, float(start.group(2 if axis == "y" else 1)), text.text.strip()))

    def draw(self, name, element, x, y, group):
        if name == "text":
            text = Text("".join(element.itertext()).strip(), x, y, group)
            if text.words:
                self.all_texts.append(text)
                (self.texts if self.in_plot is None else self.in_plot.texts).append(text)
        elif name == "path":
            self.draw_path(element, group)
        elif self.in_plot is None:
            return
        elif name == "polygon":
            values = [float(value) for value in re.findall(r"-?[\d.]+", element.get("points", ""))]
            corners = list(zip(values[::2], values[1::2]))
            self.in_plot.areas.append(Area(corners, colour(element.get("fill"), self.patterns)))
        elif name == "use":
            at = re.match(r"translate\((\S+?),(\S+?)\)", element.get("transform", ""))
            where = (float(at.group(1)), float(at.group(2))) if at else (float(element.get("x")), float(element.get("y")))
            self.in_plot.marks.append((*where, element.get(HREF), colour(element.get("color"))))
        elif name == "image":
            bounds = [float(element.get(side)) for side in ("x", "y", "width", "height")]
            self.in_plot.image = bounds, pixels(base64.b64decode(element.get(HREF).split(",", 1)[1]))

    def draw_path(self, element, group):
        border = BORDER.match(" ".join(element.get("d", "").split()))
        if self.in_plot is not None:
            stroke = colour(element.get("stroke") or group.get("stroke"))
            dashes = element.get("stroke-dasharray") or group.get("stroke-dasharray") or ""
            for points in points_of(element.get("d", "")):
                self.in_plot.lines.append((points, stroke, dashes))
        elif border:
            corners = [tuple(map(float, corner.split(","))) for corner in border.groups()[:3]]
            self.pending_frame = (corners[0][0], corners[0][1], corners[2][0], corners[2][1])
            if self.panels:
                self.panels[-1].frame = self.panels[-1].frame or self.pending_frame
