#!/usr/bin/env python3
"""Compares the map of a trace with allocations recorded by the kernel.

    map_judge.py split LOG >BLOCKS          splits completions of blkparse's text by block
    map_judge.py tell BLOCKS TRUTH >LOG       adds the kernel's allocations, as in its own trace
    map_judge.py judge LOG TRUTH NAMES ROWS [CLUSTER]

ROWS has, separated by TAB: time in ns since the first line of LOG, sector, inode, evidence, block class and file.
TRUTH has time in s, event, inode, block, count, of allocate_inode, alloc (of clusters) and free. NAMES has time,
event, inode and path. Prints for each evidence how many blocks are right, wrong, or unowned, and how many names;
proven ones first.
"""
import bisect
import collections
import sys

BLOCK = 8  # sectors
PROVEN = ('image', 'journal', 'journal-over-image', 'both-images')


def fields_of(line):
    """Device, CPU, time, pid, action, RWBS, sector, +, sectors."""
    words = line.split()
    return words if len(words) > 8 and words[7] == '+' else None


def split(log):
    for line in open(log):
        words = fields_of(line)
        if words is None or words[4] != 'C':
            continue
        first, end = int(words[6]), int(words[6]) + int(words[8])
        while first < end:
            piece = min(end, first // BLOCK * BLOCK + BLOCK) - first
            print('%5s %4s %14s %5s  C %3s %d + %d [0]' % (*words[:4], words[5], first, piece))
            first += piece


def tell(blocks, truth):
    """Lines of ftrace, with times in microseconds: allocations precede I/Os."""
    lines = []
    for line in open(truth):
        time, what, inode, block, count = line.split()
        text = {'alloc': f'ext4_allocate_blocks: dev 7,1 ino {inode} flags HINT_DATA len {count} block {block} lblk 0',
                'free': f'ext4_free_blocks: dev 7,1 ino {inode} mode 0100644 block {block} count {count} flags ',
                'allocate_inode': f'ext4_allocate_inode: dev 7,1 ino {inode} dir 2 mode 0100644',
                'free_inode': f'ext4_free_inode: dev 7,1 ino {inode} mode 0100644 uid 0 gid 0 blocks 0'}[what]
        lines.append((float(time), 0, f'x-1 [000] ..... {time}: {text}'))
    for words in map(fields_of, open(blocks)):
        lines.append((float(words[2]), 1, f'x-{words[3]} [000] ..... {words[2]}: block_rq_complete: '
                      f'{words[0]} {words[5]} () {words[6]} + {words[8]} [0]'))
    print('# tracer: nop', *(text for _, _, text in sorted(lines, key=lambda line: line[:2])), sep='\n')


class Truth:
    """Owners of blocks, and names of files, at any time."""

    def __init__(self, truth, names, cluster):
        self.blocks = collections.defaultdict(list)
        self.lives = collections.defaultdict(list)  # by inode number: begin of each of its files
        self.names = collections.defaultdict(list)
        for line in open(truth):
            time, what, inode, block, count = line.split()
            time, inode, block, count = float(time), int(inode), int(block), int(count)
            if what == 'allocate_inode':
                self.lives[inode].append(time)
            elif what == 'alloc':
                for at in range(block, block + count * cluster):
                    self.blocks[at].append((time, inode))
            elif what == 'free':
                for at in range(block, block + count):
                    self.blocks[at].append((time, 0))
        for line in open(names):
            time, _, inode, path, _ = line.rstrip('\n').split('\t')
            self.names[int(inode)].append((float(time), path))

    def owner(self, block, time):
        """The inode and the begin of its ownership; None if it was not allocated during the recording. A block
        freed before an I/O completed still belonged to that file."""
        events = self.blocks.get(block, [])
        at = bisect.bisect_right(events, (time, 1 << 40)) - 1
        if at > 0 and events[at][1] == 0:
            at -= 1
        return (events[at][1], events[at][0]) if at >= 0 else None

    def paths(self, inode, time):
        """All names of the file that had that number then."""
        begins = [0.0] + self.lives.get(inode, []) + [float('inf')]
        at = bisect.bisect_right(begins, time) - 1
        return {path for seen, path in self.names.get(inode, ())
                if begins[at] - 1e-4 <= seen < begins[at + 1]}


def judge(log, truth, rows):
    begin = min(int(words[2].replace('.', '')) for words in map(fields_of, open(log)) if words)
    counts, names = collections.Counter(), collections.Counter()
    for row in open(rows):
        time, sector, inode, evidence, kind, path = row.rstrip('\n').split('\t')
        time = (begin + int(time)) / 1e9
        owner = truth.owner(int(sector) // BLOCK, time)
        if owner is None or evidence == '':
            continue
        sure = 'proven' if evidence in PROVEN else 'likely' if evidence != 'none' else 'none'
        verdict = 'nobody' if inode == '' else 'right' if int(inode) == owner[0] else 'wrong'
        counts[sure, verdict] += 1
        if verdict == 'right' and kind == 'data':
            known = truth.paths(owner[0], min(owner[1], time))
            if known and '/<' not in path:
                names[sure, 'right' if path in known else 'wrong'] += 1
        if sure == 'proven' and verdict != 'right':
            print('wrong:', row.rstrip('\n'), 'is', owner, file=sys.stderr)
    for sure in 'proven', 'likely', 'none':
        print(sure, *(f'{counts[sure, verdict]} {verdict}' for verdict in ('right', 'wrong', 'nobody')),
              *(f'{names[sure, verdict]} names {verdict}' for verdict in ('right', 'wrong')), sep='\t')


if sys.argv[1] == 'split':
    split(sys.argv[2])
elif sys.argv[1] == 'tell':
    tell(*sys.argv[2:4])
else:
    judge(sys.argv[2], Truth(sys.argv[3], sys.argv[4], int(sys.argv[6]) if len(sys.argv) > 6 else 1),
          sys.argv[5])
