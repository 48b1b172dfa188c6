#!/usr/bin/env python3
"""Writes to an image of F2FS as a kernel does: never over a node, and a checkpoint at the end.

    f2fs_write.py IMAGE LOG PREFIX

IMAGE is one that sload.f2fs made. Three times some files get other blocks, one of them those that
another file had before, and one file goes. PREFIX0 to PREFIX3 are the images at these times; the last
one becomes IMAGE. LOG is what blkparse would say: the writes, the checkpoints at 10, 20 and 30 s, and
reads of all blocks at 5, 15, 25 and 35 s. Only what tests/map.sh needs: data blocks in the inode, nodes
behind those of the last log, no summaries, no table of segments."""
import struct
import sys
import zlib

BLOCK = 4096


class Volume:
    def __init__(self, path):
        self.data = bytearray(open(path, 'rb').read())
        self.log = []
        number = lambda at: struct.unpack_from('<I', self.data, 1024 + at)[0]
        self.checkpoints, self.nat, self.main = number(76), number(84), number(92)
        self.packs = [self.checkpoints, self.checkpoints + 512]
        self.pack = max(self.packs, key=lambda at: self.u64(at * BLOCK))
        self.version = self.u64(self.pack * BLOCK)
        first = self.pack * BLOCK
        # the log of warm nodes, where those of files are, and the first block of it that is free
        segments = struct.unpack_from('<3I', self.data, first + 36)
        offsets = struct.unpack_from('<3H', self.data, first + 68)
        self.node = self.main + segments[1] * 512 + offsets[1]

    def u32(self, at):
        return struct.unpack_from('<I', self.data, at)[0]

    def u64(self, at):
        return struct.unpack_from('<Q', self.data, at)[0]

    def write(self, block, content, second):
        self.data[block * BLOCK:(block + 1) * BLOCK] = content
        self.log.append((second, 'W', block, 1))

    def entry(self, node):
        """Where the table has a node: in the newer copy, and not in the checkpoint's own entries."""
        first = self.pack * BLOCK
        sit, = struct.unpack_from('<I', self.data, first + 156)
        index = node // 455
        second = self.data[first + 192 + sit + index // 8] >> 7 - index % 8 & 1
        block = self.nat + (index >> 9) * 1024 + (index & 511) + 512 * second
        return block * BLOCK + node % 455 * 9

    def settle_journal(self):
        """Puts the checkpoint's entries into the table."""
        at = (self.pack + self.u32(self.pack * BLOCK + 140)) * BLOCK
        at += 0 if self.u32(self.pack * BLOCK + 132) & 4 else 3584
        for i in range(struct.unpack_from('<H', self.data, at)[0]):
            node, = struct.unpack_from('<I', self.data, at + 2 + 13 * i)
            place = self.entry(node)
            self.data[place:place + 9] = self.data[at + 6 + 13 * i:at + 15 + 13 * i]
        self.data[at:at + 2] = b'\0\0'

    def find(self, name):
        """The number and the block of the inode of that name."""
        for node in range(3, 455 * 4):
            block = self.u32(self.entry(node) + 5)
            at = block * BLOCK
            if block > 1 and self.data[at + 92:at + 92 + self.u32(at + 88)] == name:
                return node, block

    def change(self, name, blocks, second):
        """Gives a file these blocks, written at that time, by a new version of its inode."""
        node, old = self.find(name)
        content = bytearray(self.data[old * BLOCK:(old + 1) * BLOCK])
        content[3] &= ~2 & 0xff  # its content is not in the inode
        for i, block in enumerate(blocks):
            if block not in struct.unpack_from('<923I', content, 360):
                self.write(block, bytes([65 + i]) * BLOCK, second)
        struct.pack_into('<923I', content, 360, *(blocks + [0] * (923 - len(blocks))))
        struct.pack_into('<Q', content, 4084, self.version)
        self.write(self.node, content, second + 0.5)
        struct.pack_into('<I', self.data, self.entry(node) + 5, self.node)
        self.node += 1

    def remove(self, name):
        struct.pack_into('<I', self.data, self.entry(self.find(name)[0]) + 5, 0)

    def checkpoint(self, second):
        """Writes the other of the two, one version further."""
        other = self.packs[self.pack == self.packs[0]]
        total = self.u32(self.pack * BLOCK + 136)
        self.version += 1
        for i in range(total):
            content = bytearray(self.data[(self.pack + i) * BLOCK:(self.pack + i + 1) * BLOCK])
            if i in (0, total - 1):
                struct.pack_into('<Q', content, 0, self.version)
                at, = struct.unpack_from('<I', content, 164)
                crc = 0xffffffff ^ zlib.crc32(content[:at], 0xffffffff ^ 0xf2f52010)
                struct.pack_into('<I', content, at, crc)
            self.write(other + i, content, second - 0.1 + 0.1 * i / total)
        self.pack = other

    def save(self, path):
        open(path, 'wb').write(self.data)


def main():
    image, log, prefix = sys.argv[1:]
    volume = Volume(image)
    volume.settle_journal()
    end = volume.main + volume.u32(1024 + 68) * 512
    free = lambda i: end - 100 + i
    # a kernel's nodes are of the checkpoint before that which has them, those of sload.f2fs are not
    volume.checkpoint(0)
    volume.log = []
    volume.save(prefix + '0')
    volume.change(b'numbers', [free(0), free(1), free(2)], 6)
    volume.change(b'large', [free(9), free(10)], 6)
    volume.change(b'small', [free(3)], 7)
    volume.change(b'small', [free(3), free(4)], 8)
    volume.checkpoint(10)
    volume.save(prefix + '1')
    volume.change(b'numbers', [free(5), free(1), free(6)], 16)
    volume.remove(b'small')
    volume.checkpoint(20)
    volume.save(prefix + '2')
    volume.change(b'holes', [free(0), free(3), free(7)], 26)
    volume.change(b'numbers', [free(5), free(8)], 27)
    volume.checkpoint(30)
    volume.save(prefix + '3')
    volume.save(image)
    events = volume.log + [(t, 'R', block, 1) for t in (5, 15, 25, 35) for block in range(volume.main, end)]
    with open(log, 'w') as out:
        for second, kind, block, count in sorted(events):
            out.write('  8,0    0 %8d %5d.%09d     7  C %3s %d + %d [0]\n' % (
                1, int(second), round(second % 1 * 1e9), kind, block * 8, count * 8))


main()
