#!/usr/bin/env python3
"""Checks a page with an independent parser.

    page_judge.py PAGE FILE…    prints the faults of the page, one per line

Each FILE is named REPORT.tsv or by its section, and has the output of `report` or `compare`. The page's data must
equal it, and so must the first 50 rows of each table: by data-v if present, else by text.
"""

import base64
import gzip
import hashlib
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

VOID = {"meta", "img"}
HTML = set(
    "html head title style body header h1 h2 h3 nav ul li a main section p div table caption thead tbody tr th "
    "td span figure figcaption details summary dl dt dd pre code footer script".split()
)
SVG = set("svg g line rect text title".split())

# Width of a picture on a screen of 390 pixels; smallest height of its letters.
NARROW, LEAST = 366, 11


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults = []
        self.open = []
        self.ids = []
        self.references = []
        self.sections = []
        self.texts = {"script": "", "style": ""}
        self.policy = None
        self.data = {}
        self.rows = {}
        self.heads = 0
        self.titles = {}
        self.seen = []
        self.table = ""
        self.svg = 1, 0

    def fault(self, what):
        self.faults.append("line %d: %s" % (self.getpos()[0], what))

    def in_svg(self):
        return "svg" in self.open

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if not self.in_svg() and tag != "svg":
            self.fault("<%s/> is no HTML" % tag)
        self.start(tag, attributes)

    def start(self, tag, attributes):
        known = SVG if self.in_svg() or tag == "svg" else HTML | VOID
        if tag not in known:
            self.fault("<%s> is not wanted" % tag)
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.fault("an attribute twice")
        values = dict(attributes)
        for name, value in attributes:
            if name.startswith("on") or name == "style" or not re.fullmatch(r"[a-z:-]+[0-9]?", name):
                self.fault("attribute %s" % name)
            if value is None:
                self.fault("attribute %s without a value" % name)
            elif name in ("href", "src"):
                self.address(tag, value)
            elif name in ("aria-labelledby", "aria-describedby"):
                self.references.append(value)
            else:
                for name_of in re.findall(r"url\(([^)]*)\)", value):
                    self.address(tag, name_of)
        if "id" in values:
            self.ids.append(values["id"])
        self.note(tag, values)

    def address(self, tag, value):
        if value.startswith("#"):
            self.references.append(value[1:])
        elif tag == "a" and value.startswith("data:text/tab-separated-values;charset=utf-8,"):
            self.data[self.sections[-1]] = urllib.parse.unquote_to_bytes(value.split(",", 1)[1])
        elif tag == "a" and value.startswith("data:application/gzip;base64,"):
            self.data[self.sections[-1]] = gzip.decompress(base64.b64decode(value.split(",", 1)[1], validate=True))
        elif tag == "img" and value.startswith("data:image/svg+xml,"):
            self.image(value.split(",", 1)[1])
        elif not (tag == "img" and value.startswith("data:image/png;base64,")):
            self.fault("an address: %.60s" % value)

    def image(self, address):
        if "#" in address or re.search("%(?!23|25)|[\x00-\x1f]", address):
            self.fault("a picture's address that ends early")
        try:
            picture = tree.fromstring(urllib.parse.unquote(address))
            if picture.tag != "{http://www.w3.org/2000/svg}svg":
                self.fault("a picture that is no SVG")
            self.letters(picture, NARROW / float(picture.get("viewBox", "0 0 1e9 0").split()[2]), 0)
        except tree.ParseError as error:
            self.fault("a picture: %s" % error)

    def letters(self, element, scale, size):
        size = float(element.get("font-size", size))
        if element.tag.endswith("}text") and size * scale < LEAST:
            self.fault("letters of %.1f pixels on a narrow screen" % (size * scale))
        for child in element:
            self.letters(child, scale, size)

    def judge_order(self):
        """Answers come first, data quality last; titles occur once, and tables are short."""
        if self.sections[0] not in ("overview", "changes") or self.sections[-1] != "quality":
            self.faults.append("sections: %s" % " ".join(self.sections))
        for section, titles in self.titles.items():
            for title in titles[1:]:
                if titles[0].strip() != "" and title.startswith(titles[0]):
                    self.faults.append("%s: its title stands there again" % section)
        if self.seen and max(self.seen) > 10:
            self.faults.append("a table with %d rows that are not folded" % max(self.seen))

    def note(self, tag, values):
        if tag == "table":
            self.table = values.get("class", "")
            self.seen.append(0)
            # The first section is always open.
            self.table = "head" if self.sections[-1:] == ["overview"] else self.table
        elif tag == "svg":
            scale = NARROW / float(values.get("viewbox", "0 0 1e9 0").split()[2])
            self.svg = scale, float(values["font-size"])
        if tag == "text" and float(values.get("font-size", self.svg[1])) * self.svg[0] < LEAST:
            self.fault("letters of a flame graph that are too small on a narrow screen")
        if tag in ("h2", "caption", "figcaption") and self.sections:
            self.titles.setdefault(self.sections[-1], []).append("")
        if tag == "section":
            self.sections.append(values.get("id", ""))
            self.rows[self.sections[-1]] = []
        elif tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            if "style" in self.open or self.texts["style"]:
                self.fault("the policy comes behind the style")
            self.policy = values["content"]
        elif tag == "img" and not values.get("alt"):
            self.fault("a picture without words")
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th"):
            self.row.append("")
            self.raw = values.get("data-v")
        elif tag == "div" and values.get("class") == "wide" and values.get("tabindex") != "0":
            self.fault("what scrolls cannot be reached")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.fault("</%s> closes %s" % (tag, self.open[-1:] or "nothing"))
            return
        self.open.pop()
        if tag == "td" and self.raw is not None:
            self.row[-1] = self.raw
        if tag == "tr" and "thead" in self.open:
            self.heads = len(self.row)
        elif tag == "tr":
            if len(self.row) != self.heads:
                self.fault("a row of %d cells below %d" % (len(self.row), self.heads))
            if self.sections:
                self.rows[self.sections[-1]].append(self.row)
            if self.table == "head":
                pass
            elif self.table == "rest":
                if "details" not in self.open:
                    self.fault("rows that are not folded")
            else:
                self.seen[-1] += 1

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]] += data
        elif "td" in self.open or "th" in self.open:
            # Indentation of a tree.
            self.row[-1] += "" if self.open[-1] == "span" else data
        if self.open and self.open[-1] in ("h2", "caption", "figcaption") and self.sections:
            self.titles[self.sections[-1]][-1] += data
        bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", data)
        if bad:
            self.fault("a character that must not be there: %r" % bad.group())

    def digest(self, what):
        if not self.texts[what]:
            return
        digest = base64.b64encode(hashlib.sha256(self.texts[what].encode()).digest()).decode()
        if "%s-src 'sha256-%s'" % (what, digest) not in self.policy and (
            what == "script" or "style-src 'unsafe-inline'" not in self.policy
        ):
            self.faults.append("the policy does not allow the page's own %s" % what)

    def judge(self):
        if self.open:
            self.faults.append("not closed: %s" % " ".join(self.open))
        for name in sorted({name for name in self.ids if self.ids.count(name) > 1}):
            self.faults.append("id twice: %s" % name)
        for name in sorted(set(self.references) - set(self.ids)):
            self.faults.append("no id: %s" % name)
        if self.policy is None or not self.policy.startswith("default-src 'none';"):
            self.faults.append("no policy")
        elif re.findall("img-src [^;]*", self.policy) != ["img-src data:"]:
            self.faults.append("the policy takes other images")
        else:
            self.digest("script")
            self.digest("style")
        if self.sections:
            self.judge_order()
        return self.faults


def first_rows(lines):
    """The rows of each result that a page shows, in its format."""
    count = 0
    for line in lines:
        if line.startswith("#") or line == "":
            count = 0 if line == "" else count
            continue
        count += 1
        if count <= 50:
            line = line.replace("\u202e", "\\u202e")
            yield ["#" + cell[4:] if cell.startswith("\\x23") else cell for cell in line.split("\t")]


def is_same(cell, wanted):
    """The page shows "(none)" for an empty name, or for "(null)" of blkparse."""
    try:
        return cell == wanted or (cell == "(none)" and wanted in ("", "(null)")) or float(cell) == float(wanted)
    except ValueError:
        return False


def are_same(rows, wanted):
    """The page shows the unit of a comparison's row with its values, not in a last column."""
    return len(rows) == len(wanted) and all(
        len(wanted[i]) - len(rows[i]) in (0, 1) and all(is_same(*cells) for cells in zip(rows[i], wanted[i]))
        for i in range(len(rows))
    )


def compare(page, path):
    """A line for each difference between a section and its file."""
    name = os.path.basename(path)[: -len(".tsv")]
    section = name if name in page.sections else "r-" + name
    with open(path, "rb") as file:
        wanted = file.read()
    if section not in page.data:
        return ["%s: no data" % section] if len(wanted) <= 256 * 1024 else []
    faults = [] if page.data[section] == wanted else ["%s: other data" % section]
    rows = [row for row in page.rows[section]]
    if not are_same(rows, list(first_rows(wanted.decode().split("\n")))):
        faults.append("%s: other rows" % section)
    return faults


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        page.feed(file.read())
    page.close()
    faults = page.judge()
    for path in sys.argv[2:]:
        faults += compare(page, path)
    print("\n".join(faults), end="\n" if faults else "")


main()
