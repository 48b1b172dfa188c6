#!/usr/bin/env python3
"""Computes the report `results` from lines of tables of results.

    results.py [0.95|0.99] FILE…      a row a test, name and unit: test, name, unit, runs, mean, least,
                                      largest, deviation, and the bounds of the mean
    results.py --compare FILE FILE    name and unit, means, and the bounds of their ratio
"""
import csv
import fractions
import math
import re
import statistics
import sys

# Two-sided quantiles of Student's t, by degrees of freedom: from a published table.
TABLE = {
    "0.95": dict(enumerate([12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
                            2.262157, 2.228139], 1)),
    "0.99": dict(enumerate([63.656741, 9.924843, 5.840909, 4.604095, 4.032143, 3.707428, 3.499483, 3.355387,
                            3.249836, 3.169273], 1)),
}
NAMES = {"test": "test device", "name": "name benchmark", "value": "value result", "unit": "unit"}


def read(path):
    rows = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        header = [word.lower() for word in next(lines)]
        at = {key: next((header.index(word) for word in words.split() if word in header), None)
              for key, words in NAMES.items()}
        for line in lines:
            value = line[at["value"]] if len(line) == len(header) else ""
            if not re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?", value):
                continue
            key = tuple("" if place is None else line[place] for key, place in at.items() if key != "value")
            rows.setdefault(key, []).append(fractions.Fraction(value))
    return rows


def mean_of(values):
    return float(statistics.mean(values))


def report(confidence, paths):
    for path in paths:
        for (test, name, unit), values in read(path).items():
            row = [f"{figure:.6f}" for figure in (mean_of(values), float(min(values)), float(max(values)))]
            if len(values) > 1:
                deviation = statistics.stdev(values)
                reach = TABLE[confidence][len(values) - 1] * deviation / math.sqrt(len(values))
                row += [f"{figure:.6f}" for figure in
                        (deviation, mean_of(values) - reach, mean_of(values) + reach)]
            print(test, name, unit, len(values), *row, *[""] * (6 - len(row)), sep="\t")


def compare(path_a, path_b):
    """If both sides have equally many values and the same deviation, Welch's degrees are 2 (n - 1)."""
    both = read(path_b)
    for key, a in read(path_a).items():
        b = both[key]
        means = mean_of(a), mean_of(b)
        row = [f"{means[0]:.6f}", f"{means[1]:.6f}", "", ""]
        if len(a) == len(b) > 1 and statistics.stdev(a) > 0:
            t = TABLE["0.95"][2 * (len(a) - 1)]
            variances = [float(statistics.variance(side)) / len(side) for side in (a, b)]
            # Fieller: ratios r for which |b - r a| is t standard errors.
            least = means[0] ** 2 - t * t * variances[0]
            product = means[0] * means[1]
            root = math.sqrt(product**2 - least * (means[1] ** 2 - t * t * variances[1]))
            row[2:] = [f"{(product - root) / least:.6f}", f"{(product + root) / least:.6f}"]
        print(" ".join(key[1:]), *row, sep="\t")


if sys.argv[1] == "--compare":
    compare(*sys.argv[2:])
else:
    report(sys.argv[1], sys.argv[2:])
