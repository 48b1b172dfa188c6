"""Runs commands, says what they took, and boils the figures down."""
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass


class Failed(Exception):
    """Something that ends the benchmark."""


@dataclass(frozen=True)
class Run:
    """One run of a command: seconds, and the largest resident size in bytes."""

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
    """Runs commands by way of `measure`, which is small: a child of Python would begin with
    Python's peak memory."""

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


def answer(command):
    """What a command prints, line by line."""
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
    """Pair by pair: what ran one after the other met the same machine."""
    return spread(a / b for a, b in zip(above, below))


def walls(runs):
    return [run.wall for run in runs]


def processors(runs):
    return [run.processor for run in runs]
