"""Questions for tracetool and its competitors (questions/*.sql), and comparison of the answers."""
import glob
import os
import string
from dataclasses import dataclass

from measuring import Failed


@dataclass(frozen=True)
class Question:
    """A report of tracetool, and the SQL that asks for the same. The header of its file has

    trace    format of the log
    report   words after `tracetool report`
    columns  columns of the report that the SQL computes
    rows     some: the report has additional rows
    reads    all, window: it scans events; without it, it rests on rollups
    """

    name: str
    trace: str
    report: str
    columns: tuple
    some: bool
    reads: str
    sql: str
    awk: str  # path of the same in awk, or None

    @property
    def scans(self):
        return self.reads is not None

    @property
    def title(self):
        """Its title in the tables."""
        report = self.report.replace("$process_option", "P")
        report = report.replace("$from_option", "A").replace("$to_option", "B")
        return f"{report} ({self.trace})"

    def words(self, values):
        return string.Template(self.report).substitute(values).split()

    def query(self, values):
        return string.Template(self.sql).substitute(values)


def read_question(path):
    header, sql = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("-- ") and not sql:
                key, value = line[3:].split(":", 1)
                header[key] = value.strip()
            else:
                sql.append(line)
    awk = path[:-len(".sql")] + ".awk"
    return Question(
        name=os.path.basename(path)[:-len(".sql")],
        trace=header["trace"],
        report=header["report"],
        columns=tuple(header["columns"].split()),
        some=header.get("rows") == "some",
        reads=header.get("reads"),
        sql="".join(sql),
        awk=awk if os.path.exists(awk) else None,
    )


def read_questions(folder):
    """All questions; those answered from rollups first."""
    questions = [read_question(path) for path in sorted(glob.glob(os.path.join(folder, "*.sql")))]
    return sorted(questions, key=lambda question: question.scans)


def read_rows(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n") for line in file]


def report_rows(path, columns):
    """Rows of a report, with these columns only."""
    heads, rows = [], []
    for line in read_rows(path):
        if line.startswith("# "):
            heads = line[2:].split("\t")
        elif line:
            rows.append(line.split("\t"))
    missing = [column for column in columns if column not in heads]
    if missing:
        raise Failed(f"the report has no column {missing[0]}")
    places = [heads.index(column) for column in columns]
    return ["\t".join(row[place] for place in places) for row in rows]


def difference(question, report, peer, path):
    """Difference between the competitor's answer and the report; None if there is none. The order is ignored."""
    ours = report_rows(report, question.columns)
    theirs = read_rows(path)
    same = set(theirs) <= set(ours) if question.some else sorted(ours) == sorted(theirs)
    if same and theirs:
        return None
    only_ours = sorted(set(ours) - set(theirs))[:3]
    only_theirs = sorted(set(theirs) - set(ours))[:3]
    return (f"{question.name}: {peer} gives another answer than tracetool: {only_theirs} instead of"
            f" {only_ours}")
