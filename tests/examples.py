"""Executes the worked example of a document in a copy of the checkout.

    examples.py DOCUMENT COPY WORK     WORK stands for /tmp; prints a line for each fault, and how many steps were right

The example is the section that begins with `## An afternoon`. The paragraph before an indented block defines its
meaning: content of a file (Put this into `FILE`), lines to add (Add … to `FILE`), output of the previous commands
(… prints), or else commands. Commands must succeed, except the last one of a block followed by `The last one
fails`.
"""
import re
import subprocess
import sys


def blocks(path):
    """Paragraphs with their indented blocks: (paragraph, lines, next paragraph)."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("## An afternoon", 1)[1].split("\n## ", 1)[0]
    parts = [part for part in re.split(r"\n\n+(?=\S)", text)]
    found = []
    for part in parts:
        words, *lines = re.split(r"\n\n(?=    )", part, maxsplit=1)
        found.append([words, [line[4:] for line in "\n\n".join(lines).split("\n")] if lines else [], ""])
    for block, after in zip(found, found[1:]):
        block[2] = after[0]
    return [block for block in found if block[1]]


def insert(path, lines):
    """Inserts each line after the last one that begins alike, or at the end."""
    with open(path, encoding="utf-8") as file:
        old = file.read().split("\n")
    for line in lines:
        kind = re.match(r"\s*\W+|\w+", line).group()
        places = [i for i, one in enumerate(old) if one.startswith(kind)]
        old.insert(places[-1] + 1 if places else len(old) - 1, line)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(old))


class Example:
    def __init__(self, document, copy, work):
        self.document, self.copy, self.work = document, copy, work
        self.right, self.wrong, self.printed = 0, 0, ""

    def judge(self, right, what, *details):
        self.right, self.wrong = self.right + bool(right), self.wrong + (not right)
        if not right:
            print(f"FAILED: {self.document}: {what}", *details, sep="\n    ")

    def run(self, lines, fails):
        commands = [line for line in "\n".join(lines).split("\n") if line and not line.startswith("git ")]
        self.printed = ""
        for number, command in enumerate(commands):
            done = subprocess.run(["bash", "-c", command], cwd=self.copy, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800, errors="replace")
            self.printed += done.stdout
            last = number == len(commands) - 1
            self.judge((done.returncode == 0) != (fails and last), f"{command}: status {done.returncode}",
                       *done.stdout.splitlines()[-12:])

    def take(self, words, lines, after):
        lines = [line.replace("/tmp/", self.work + "/") for line in lines]
        words = words.replace("/tmp/", self.work + "/")
        put = re.search(r"[Pp]ut this into `([^`]*)`", words)
        add = re.search(r"Add (?:it|this line) to `([^`]*)`", words)
        if put or add:
            path = (put or add).group(1)
            path = path if path.startswith("/") else f"{self.copy}/{path}"
            if add:
                insert(path, [line for line in lines if line])
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines).rstrip("\n") + "\n")
            self.judge(True, path)
        elif words.rstrip(":").endswith("prints"):
            missing = [line for line in lines if line and line not in self.printed]
            self.judge(not missing, "is not printed", *missing, "but", *self.printed.splitlines()[:20])
        else:
            self.run(lines, "The last one fails" in after)


def main():
    example = Example(*sys.argv[1:4])
    for block in blocks(f"{sys.argv[2]}/{sys.argv[1]}"):
        example.take(*block)
    print(example.right, example.wrong)


main()
