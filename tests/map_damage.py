#!/usr/bin/env python3
"""Damages images of file systems and runs `tracetool map --list` on them.

    map_damage.py TRACETOOL COUNT SEED IMAGE...

Damages an image COUNT times in 1 to 64 places, mostly in metadata according to the map. Damage is a flipped bit,
or a number that becomes 0, the maximum, random, its neighbour, or another number of the image. Each image must be
mapped, or refused in one line, within 2 s. Prints the numbers of mapped and refused images and the slowest time.
Faults go to stderr, with status 1. Restores the images."""
import random
import subprocess
import sys
import time

DATA = ('data', 'unwritten', 'symbolic link')
SECONDS = 2


def structures(tool, image):
    """Positions of non-zero blocks, by class."""
    lines = subprocess.run([tool, 'map', '--list', image, '--format', 'tsv'], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    size = int(next(line for line in lines if ' blocks of ' in line).split(' blocks of ')[1].split()[0])
    places = {}
    with open(image, 'rb') as file:
        for line in lines:
            if line.startswith('#') or line.startswith('start'):
                continue
            start, count, what = line.split('\t')[:3]
            for block in range(int(start), int(start) + int(count)):
                file.seek(block * size)
                if what not in DATA and any(file.read(size)):
                    places.setdefault(what, []).append(block * size)
    return size, list(places.values())


def wound(chance, image, size, kinds):
    """Changes some bytes; returns the previous ones."""
    start = chance.choice(chance.choice(kinds))
    if chance.random() < 0.1:
        start = 1024 if start < size else start // size * size
    at = start + min(chance.choice((chance.randrange(size), chance.randrange(128))), size - 4)
    width = chance.choice((1, 2, 4))
    at -= at % width
    image.seek(at)
    before = image.read(width)
    number = int.from_bytes(before, 'little')
    if chance.random() < 0.3:
        after = (number ^ 1 << chance.randrange(8 * width)).to_bytes(width, 'little')
    else:
        image.seek(chance.choice(chance.choice(kinds)) + chance.randrange(size - 4))
        after = chance.choice((bytes(width), b'\xff' * width, chance.randbytes(width), image.read(width),
                               ((number + chance.choice((1, -1))) % (1 << 8 * width)).to_bytes(width, 'little')))
    image.seek(at)
    image.write(after)
    return at, before


def judge(tool, path):
    """Returns the result and the time; None if it was wrong."""
    begin = time.monotonic()
    try:
        done = subprocess.run([tool, 'map', '--list', path], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None, 60.0
    took = time.monotonic() - begin
    if took > SECONDS or done.returncode not in (0, 1) or (
            done.returncode == 1 and done.stderr.count(b'\n') != 1):
        return None, took
    return ('mapped', 'refused')[done.returncode], took


def main():
    tool, count, seed, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    images = [(path, *structures(tool, path)) for path in paths]
    counts, slowest, wrong = {'mapped': 0, 'refused': 0}, 0.0, 0
    for number in range(seed, seed + count):
        chance = random.Random(number)
        path, size, kinds = images[number % len(images)]
        with open(path, 'r+b', buffering=0) as image:
            undo = [wound(chance, image, size, kinds) for _ in range(chance.choice((1, 1, 4, 16, 64)))]
            what, took = judge(tool, path)
            for at, before in reversed(undo):
                image.seek(at)
                image.write(before)
        slowest = max(slowest, took)
        if what is None:
            wrong += 1
            print(f'{path}, number {number}: {took:.1f} s, neither mapped nor refused in one line',
                  file=sys.stderr)
        else:
            counts[what] += 1
    print(f'{counts["mapped"]} mapped, {counts["refused"]} refused, slowest {slowest:.2f} s')
    sys.exit(wrong > 0)


main()
