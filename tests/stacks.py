"""Generates and reads stacks for tests/golden/stacks.test, independently of the program.

    stacks.py make SEED COUNT       as perf script prints random samples
    stacks.py folded FILE           what stackcollapse-perf.pl makes of them, but for the process in front and [unknown], sorted
    stacks.py functions FOLDED      name, samples that it is in, samples that it is innermost in, sorted
"""
import collections
import random
import re
import sys


def make(seed, count):
    chance = random.Random(seed)
    names = ["f%d" % i for i in range(8)] + ["operator new(unsigned long)", "a::b<int (*)(char)>::c(int) const", "[unknown]"]
    for number in range(count):
        print("%s %d/%d [%03d] %d.%06d: %10d cpu-clock:u: " % (chance.choice(["java", "Web Content", "a 1 b"]), 40, 40 + number % 3,
              number % 4, number // 1000, number % 1000 * 1000, 250000))
        for _ in range(chance.randrange(1, 9)):
            name = chance.choice(names)
            print("\t%16x %s%s (%s)" % (chance.randrange(1, 2**48), name, "" if name[0] == "[" else "+0x%x" % chance.randrange(99),
                  chance.choice(["/usr/lib/libc.so.6", "[kernel.kallsyms]", "/tmp/a (deleted)", "[unknown]"])))
        print()


def folded(path):
    counts = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for sample in file.read().split("\n\n"):
            frames = [re.match(r"\s+[0-9a-f]+ (.*?)(\+0x[0-9a-f]+)? \((\[.*\]|/.*)\)$", line) for line in sample.split("\n")[1:]]
            names = ["[unknown] (%s)" % f[3] if f[1] == "[unknown]" != f[3] else f[1] for f in frames]
            if names:
                counts[";".join(reversed(names))] += 1
    for stack, count in sorted(counts.items()):
        print(stack, count)


def functions(path):
    inside, innermost = collections.Counter(), collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, count = line.rsplit(" ", 1)
            for name in set(stack.split(";")):
                inside[name] += int(count)
            innermost[stack.split(";")[-1]] += int(count)
    for name in sorted(inside):
        print(name, inside[name], innermost[name], sep="\t")


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    {"folded": folded, "functions": functions}[sys.argv[1]](sys.argv[2])
