#!/usr/bin/env python3
"""Measures the texts of pictures (SVG of gnuplot and flame graphs) with the metrics of their font.

    picture_judge.py FONT.ttf LEAST PICTURE.svg…    prints faults, one per line

Texts must not leave the canvas, overlap, or be lower than LEAST pixels. Marks and areas of a plot must be inside
some axes, except for the samples of its key.
"""

import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as tree

# Tolerance for rounding and font differences, in pixels.
TOLERANCE = 1.5


class Font:
    """Widths of letters, relative to the font's height."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        count = struct.unpack(">H", self.data[4:6])[0]
        self.tables = {}
        for i in range(count):
            tag, _, offset, _ = struct.unpack(">4sIII", self.data[12 + 16 * i : 28 + 16 * i])
            self.tables[tag] = offset
        self.units = self.short(self.tables[b"head"] + 18)
        self.wide = self.short(self.tables[b"hhea"] + 34)
        self.glyphs = self.read_glyphs()

    def short(self, at):
        return struct.unpack(">H", self.data[at : at + 2])[0]

    def read_glyphs(self):
        """Glyph of each letter, from the table of format 4."""
        start, glyphs = self.tables[b"cmap"], {}
        for i in range(self.short(start + 2)):
            at = start + struct.unpack(">I", self.data[start + 8 + 8 * i : start + 12 + 8 * i])[0]
            if self.short(at) != 4:
                continue
            segments = self.short(at + 6) // 2
            for k in range(segments):
                end, first = self.short(at + 14 + 2 * k), self.short(at + 16 + 2 * segments + 2 * k)
                delta = self.short(at + 16 + 4 * segments + 2 * k)
                place = at + 16 + 6 * segments + 2 * k
                away = self.short(place)
                for code in range(first, min(end, 0xFFFE) + 1):
                    glyph = code if away == 0 else self.short(place + away + 2 * (code - first))
                    glyphs[code] = (glyph + delta) & 0xFFFF
        return glyphs

    def width(self, text):
        total = 0.0
        for letter in text:
            glyph = self.glyphs.get(ord(letter), 0)
            total += self.short(self.tables[b"hmtx"] + 4 * min(glyph, self.wide - 1)) / self.units if glyph else 0.9
        return total


class Box:
    """The rotated bounding box of a text."""

    def __init__(self, words, size, anchor, steps, font):
        self.words, self.size = words, size
        wide = font.width(words) * size
        left = {"start": 0, "middle": -wide / 2, "end": -wide}[anchor]
        # Height of capitals, and part of the descenders.
        self.corners = [move(steps, x, y) for x, y in ((left, -0.7 * size), (left + wide, -0.7 * size),
                                                       (left + wide, 0.12 * size), (left, 0.12 * size))]

    def bounds(self):
        xs, ys = zip(*self.corners)
        return min(xs), min(ys), max(xs), max(ys)

    def overlaps(self, other):
        """Whether no line separates the boxes, with TOLERANCE."""
        for one in (self, other):
            for i in range(2):
                (ax, ay), (bx, by) = one.corners[i], one.corners[i + 1]
                away = math.hypot(bx - ax, by - ay) or 1
                across = (bx - ax) / away, (by - ay) / away
                mine = [x * across[0] + y * across[1] for x, y in self.corners]
                its = [x * across[0] + y * across[1] for x, y in other.corners]
                if min(max(mine) - min(its), max(its) - min(mine)) < TOLERANCE:
                    return False
        return True


def move(steps, x, y):
    for name, values in reversed(steps):
        if name == "translate":
            x, y = x + values[0], y + values[1]
        else:
            turn = math.radians(values[0])
            x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    return x, y


class Picture:
    def __init__(self, path, font):
        root = tree.parse(path).getroot()
        self.width, self.height = (float(x) for x in root.get("viewBox").split()[2:])
        self.font, self.boxes, self.marks, self.frames = font, [], [], []
        self.walk(root, [], {}, False)

    def walk(self, element, steps, group, in_plot):
        name = element.tag.split("}")[-1]
        if name in ("title", "desc", "defs", "pattern", "script", "filter") or element.get("display") == "none":
            return
        found = re.findall(r"(translate|rotate)\(([^)]*)\)", element.get("transform", ""))
        steps = steps + [(what, [float(x) for x in re.split("[ ,]+", values.strip())]) for what, values in found]
        group = {**group, **element.attrib}
        in_plot = in_plot or element.get("id", "").startswith("gnuplot_plot_")
        if name == "text":
            words = "".join(element.itertext()).rstrip()
            if words.strip():
                size = float(group.get("font-size", "0"))
                steps = steps + [("translate", [float(element.get("x", 0)), float(element.get("y", 0))])]
                self.boxes.append(Box(words, size, group.get("text-anchor", "start"), steps, self.font))
        elif name == "path" and not in_plot:
            self.note_frame(" ".join(element.get("d", "").split()))
        elif name == "use" and in_plot and element.get("transform"):
            self.marks.append(move(steps, 0, 0))
        for child in element:
            self.walk(child, steps, group, in_plot)

    def note_frame(self, d):
        """The frame of a plot: the longest path that is not part of it runs from corner to corner."""
        points = [(float(x), float(y)) for x, y in re.findall(r"[ML]?(-?[\d.]+),(-?[\d.]+)", d)]
        if len(points) < 3:
            return
        xs, ys = zip(*points)
        if max(xs) - min(xs) > 20 and max(ys) - min(ys) > 20:
            self.frames.append((min(xs), min(ys), max(xs), max(ys)))

    def faults(self, least):
        for box in self.boxes:
            left, top, right, bottom = box.bounds()
            if left < -TOLERANCE or top < -TOLERANCE or right > self.width + TOLERANCE or bottom > self.height + TOLERANCE:
                yield "leaves the canvas by %.0f: %s" % (max(-left, -top, right - self.width, bottom - self.height), box.words)
            if box.size < least - 0.01:
                yield "letters of %.1f pixels: %s" % (box.size, box.words)
        for i, one in enumerate(self.boxes):
            for other in self.boxes[i + 1 :]:
                if one.overlaps(other):
                    yield "one on another: %s | %s" % (one.words, other.words)
        for x, y in self.marks if self.frames else []:
            if not any(a - 3 <= x <= c + 3 and b - 3 <= y <= d + 3 for a, b, c, d in self.frames) and not self.is_sample(x, y):
                yield "a mark outside of the axes, at %.0f, %.0f" % (x, y)

    def is_sample(self, x, y):
        """A sample of the key: a text is next to it."""
        return any(b.bounds()[1] - 6 < y < b.bounds()[3] + 6 and min(abs(x - b.bounds()[0]), abs(x - b.bounds()[2])) < 6 * b.size
                   for b in self.boxes)


def main():
    font = Font(sys.argv[1])
    for path in sys.argv[3:]:
        for fault in Picture(path, font).faults(float(sys.argv[2])):
            print("%s: %s" % (os.path.basename(path), fault))


main()
