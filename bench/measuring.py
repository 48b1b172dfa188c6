"""Runs commands, measures them, and summarises the figures."""
import argparse
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass


class Failed(Exception):
    """An error that ends the benchmark."""


@dataclass(frozen=True)
class Run:
    """A run of a command: seconds, and peak resident size in bytes."""

    wall: float
    user: float
    system: float
    peak: int

    @property
    def processor(self):
        return self.user + self.system


def say(text):
    print(text, file=sys.stderr, flush=True)


class Measure:
    """Runs commands by the small program `measure`: a child of Python would begin with Python's peak memory."""

    def __init__(self, program, work):
        self.program = program
        self.took = os.path.join(work, "took")

    def run(self, command, output=os.devnull):
        with open(output, "wb") as stream:
            done = subprocess.run([self.program, self.took, *command], stdin=subprocess.DEVNULL,
                                  stdout=stream, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
        with open(self.took, encoding="ascii") as file:
            wall, user, system, peak = file.read().split()
        return Run(float(wall), float(user), float(system), int(peak) * 1024)


def read_options(description, *further):
    """Options of the smaller benchmarks: the program, the folders of tools and of work, number of events of the
    largest log, number of runs, and `further` ones. `measure` runs commands."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    for name in ("tracetool", "tools", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--events", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=3)
    for name in further:
        parser.add_argument(f"--{name}")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    options.measure = Measure(os.path.join(options.tools, "measure"), options.work)
    return options


def answer(command):
    """Output of a command, by line."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode("utf-8", "replace").splitlines()


@dataclass(frozen=True)
class Spread:
    """Median, least and largest of a figure."""

    median: float
    low: float
    high: float


def spread(values):
    values = list(values)
    return Spread(statistics.median(values), min(values), max(values)) if values else None


def ratio(above, below):
    """Ratio by pairs: adjacent runs had the same conditions."""
    return spread(a / b for a, b in zip(above, below))


def walls(runs):
    return [run.wall for run in runs]


def processors(runs):
    return [run.processor for run in runs]
