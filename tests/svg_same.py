#!/usr/bin/env python3
"""Checks whether the pictures of a page equal those of gnuplot.

    svg_same.py PAGE REPORT.svg…    prints differences, one per line

Compares every line, area, word and mark with its inherited attributes and its coordinates, which may differ by
rounding to a tenth of a unit.
"""

import html
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree

INITIAL = {"fill": "black", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter",
           "stroke-dasharray": "none", "stroke-opacity": "1", "fill-opacity": "1", "text-anchor": "start", "color": "black",
           "shape-rendering": "auto", "font-family": "", "font-size": "", "font-weight": "", "font-style": ""}
OF_LINES = ("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-opacity")
OF_WORDS = ("font-family", "font-size", "font-weight", "font-style", "text-anchor")
NAMES = {"black": (0, 0, 0), "white": (255, 255, 255)}


SOLID = {"x": "0", "y": "0", "width": "8", "height": "8", "patternUnits": "userSpaceOnUse"}
PATTERNS = {}


def note_patterns(root):
    """Replaces each pattern by its colour if one area fills it."""
    PATTERNS.clear()
    for element in root.iter():
        if element.tag.split("}")[-1] == "pattern":
            own = dict(element.attrib)
            name = own.pop("id")
            shapes = [(child.tag.split("}")[-1], sorted(styled(child).items())) for child in element]
            PATTERNS[name] = str((sorted(own.items()), shapes))
            if len(element) == 0:
                PATTERNS[name] = "none"
            elif own == SOLID and len(element) == 1:
                first = styled(element[0])
                if first["d"].replace(" ", "") == "M0,0L0,8L8,8L8,0L0,0":
                    PATTERNS[name] = colour(first["fill"])


def styled(element):
    own = dict(element.attrib)
    for part in own.pop("style", "").split(";"):
        if ":" in part:
            name, value = part.split(":", 1)
            own[name.strip()] = value.strip()
    return own


def colour(value):
    value = value.replace(" ", "")
    if value.startswith("url(#"):
        return PATTERNS[value[5:-1]]
    if value in NAMES:
        return NAMES[value]
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        value = "#" + "".join(2 * digit for digit in value[1:])
    if re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return tuple(int(value[i : i + 2], 16) for i in (1, 3, 5))
    match = re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", value)
    return tuple(map(int, match.groups())) if match else value


def plain(value):
    return str(float(value)) if re.fullmatch(r"-?[0-9.]+", value) else value


def numbers(text):
    return [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]


def lines(d):
    """Strokes of a path, as lists of points, without moves and invisible steps."""
    strokes, point, start = [], (0, 0), (0, 0)
    for command, given in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values = numbers(given)
        if command in "zZ":
            if strokes:
                strokes[-1].append("closed")
            point = start
            continue
        step = 1 if command in "hvHV" else 2
        for i in range(0, len(values), step):
            if command == "M":
                point = start = tuple(values[i : i + 2])
                strokes.append([point])
                command = "L"
                continue
            if command == "L":
                point = tuple(values[i : i + 2])
            elif command == "l":
                point = (point[0] + values[i], point[1] + values[i + 1])
            elif command == "h":
                point = (point[0] + values[i], point[1])
            elif command == "v":
                point = (point[0], point[1] + values[i])
            else:
                raise ValueError("a path with " + command)
            strokes[-1].append(point)
    return [stroke for stroke in strokes if len(stroke) > 1]


def near(one, other):
    return all(abs(a - b) < 0.0501 for a, b in zip(one, other))


def thinned(stroke):
    """Removes points that equal the previous one when rounded to tenths."""
    out = []
    for point in stroke:
        tenths = point if point == "closed" else tuple(int(10 * x + 0.5 + 1e-6) for x in point)
        if not out or out[-1][0] != tenths or len(out) == 1 and len(stroke) == 2:
            out.append((tenths, point))
    return [point for _, point in out]


def same_lines(one, other):
    if len(one) != len(other):
        return False
    for a, b in zip(one, other):
        a, b = thinned(a), thinned(b)
        if len(a) != len(b):
            return False
        for p, q in zip(a, b):
            if p != q and ("closed" in (p, q) or not near(p, q)):
                return False
    return True


def drawn(element, inherited, moved, out):
    tag = element.tag.split("}")[-1]
    if tag in ("defs", "title", "desc", "script", "style"):
        return
    here = dict(inherited)
    own = styled(element)
    here.update({name: value for name, value in own.items() if name in INITIAL})
    moved = moved + re.findall(r"(\w+)\(([^)]*)\)", own.get("transform", ""))
    if tag in ("path", "polygon", "rect", "text", "use", "circle", "image", "line", "polyline", "ellipse"):
        words = "".join(element.itertext())
        if tag == "polygon":
            tag, own["d"] = "path", "M" + own.pop("points") + "Z"
        if tag != "text" or words != "":
            out.append((tag, paint(tag, here), moved, own, words))
    else:
        for child in element:
            drawn(child, here, moved, out)


def paint(tag, here):
    seen = dict(here)
    for name in ("fill", "stroke"):
        seen[name] = colour(here["color"] if here[name] == "currentColor" else here[name])
    seen["color"] = colour(here["color"]) if tag == "use" else ""
    for name in OF_WORDS if tag != "text" else ("shape-rendering",):
        seen.pop(name)
    if tag == "use":
        seen["stroke"] = "none"  # marks have their own
    for name in OF_LINES if seen["stroke"] == "none" else ():
        seen.pop(name)
    return {name: plain(value) if isinstance(value, str) else value for name, value in seen.items()}


def place(one):
    return [(name, [1.0] if name == "" else numbers(values)) for name, values in one]


def differs(one, other):
    if one[0] != other[0] or one[4] != other[4]:
        return "%s %r instead of %s %r" % (other[0], other[4][:40], one[0], one[4][:40])
    if one[1] != other[1]:
        return "%s: %s" % (one[0], [(k, v, other[1].get(k)) for k, v in one[1].items() if other[1].get(k) != v])
    for (name, a), (called, b) in zip(place(one[2]), place(other[2])):
        if name != called or len(a) != len(b) or not near(a, b):
            return "%s: %s%s instead of %s%s" % (one[0], called, b, name, a)
    if len(one[2]) != len(other[2]):
        return one[0] + ": moved otherwise"
    a, b = one[3], other[3]
    if not same_lines(lines(a.get("d", "")), lines(b.get("d", ""))):
        return "path: %s instead of %s" % (b["d"][:60], a["d"][:60])
    for name in ("x", "y", "width", "height", "cx", "cy", "r"):
        if numbers(a.get(name, "")) != numbers(b.get(name, "")):
            return "%s: %s is %s instead of %s" % (one[0], name, b.get(name), a.get(name))
    return None


def picture(text):
    out = []
    root = tree.fromstring(text)
    note_patterns(root)
    drawn(root, INITIAL, [], out)
    return [shape for shape in out if shape[0] != "path" or lines(shape[3]["d"])]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    for path in sys.argv[2:]:
        name = os.path.basename(path)[: -len(".svg")]
        section = re.search(r'<section id="r-%s">.*?</section>' % name, page, re.S).group(0)
        with open(path, encoding="utf-8") as file:
            wanted = picture(file.read())
        address = re.search(r'src="data:image/svg\+xml,([^"]*)"', section).group(1)
        found = picture(urllib.parse.unquote(html.unescape(address)))
        if len(wanted) < 20 or len(wanted) != len(found):
            print("%s: %d shapes instead of %d" % (name, len(found), len(wanted)))
        faults = [fault for fault in map(differs, wanted, found) if fault]
        for fault in faults[:5]:
            print("%s: %s" % (name, fault))


main()
