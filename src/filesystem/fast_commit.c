#include "filesystem/fast_commit.h"

#include <stdlib.h>

#include "input/bytes.h"
#include "base/memory.h"

/* A tag is its kind and how many bytes follow. */
enum { TAG_ADD_RANGE = 1, TAG_TAIL = 8, TAG_HEAD = 9, TAG_SIZE = 4 };

enum {
    HEAD_SIZE = 8,     /* features, of which there are none, and the transaction */
    TAIL_SIZE = 8,     /* the transaction and a checksum; the rest of the block belongs to it */
    RANGE_SIZE = 16,   /* inode, and an extent */
    UNWRITTEN = 32768, /* blocks of an extent; those of one that is not written count from there */
};

struct scan {
    uint32_t transaction; /* that they belong to */
    bool begun;           /* the head was seen */
    uint32_t sum;         /* of what was read since the last tail */
    uint64_t pending;     /* blocks, likewise */
    uint32_t commits;
    uint64_t blocks;
};

static bool take_head(struct scan *scan, const unsigned char *body, uint32_t length) {
    if (length < HEAD_SIZE || bytes_u32_little(body) != 0 ||
        bytes_u32_little(body + 4) != scan->transaction) {
        return false;
    }
    scan->begun = true;
    return true;
}

/* Its checksum is of all bytes in front of it. */
static bool take_tail(struct scan *scan, const unsigned char *tag, uint32_t length) {
    const unsigned char *body = tag + TAG_SIZE;

    if (length < TAIL_SIZE || bytes_u32_little(body) != scan->transaction ||
        bytes_u32_little(body + 4) != ext2fs_crc32c_le(scan->sum, tag, TAG_SIZE + 4)) {
        return false;
    }
    scan->commits++;
    scan->blocks += scan->pending;
    scan->pending = 0;
    scan->sum = 0;
    return true;
}

static void take_range(struct scan *scan, const unsigned char *body, uint32_t length) {
    uint32_t blocks = length < RANGE_SIZE ? 0 : bytes_u16_little(body + 8);

    scan->pending += blocks > UNWRITTEN ? blocks - UNWRITTEN : blocks;
}

/* The tags of a block; false: what follows is no fast commit. */
static bool take_block(struct scan *scan, const unsigned char *block, uint32_t size) {
    for (uint32_t at = 0; at + TAG_SIZE <= size;) {
        const unsigned char *tag = block + at;
        uint32_t kind = bytes_u16_little(tag), length = bytes_u16_little(tag + 2);

        if (kind == 0 || kind > TAG_HEAD || length > size - at - TAG_SIZE ||
            (!scan->begun && kind != TAG_HEAD) ||
            (kind == TAG_HEAD && !take_head(scan, tag + TAG_SIZE, length))) {
            return false;
        }
        if (kind == TAG_TAIL) {
            return take_tail(scan, tag, length);
        }
        if (kind == TAG_ADD_RANGE) {
            take_range(scan, tag + TAG_SIZE, length);
        }
        scan->sum = ext2fs_crc32c_le(scan->sum, tag, TAG_SIZE + length);
        at += TAG_SIZE + length;
    }
    return true;
}

/* A block lies between the log and them. */
bool fast_commits_count(const struct journal *journal, uint32_t *commits, uint64_t *blocks,
                        struct error *error) {
    struct scan scan = {.transaction = journal->sequence + (uint32_t)journal->commit_count};
    ext2_filsys fs = journal->fs;
    unsigned char *buffer;
    bool more = journal->start != 0 && journal->fast > 0 && journal->commit_count > 0;

    *commits = 0;
    *blocks = 0;
    if (!more) {
        return true;
    }
    buffer = xmalloc(fs->blocksize);
    for (uint32_t at = 1; more && at < journal->fast; at++) {
        uint64_t block = journal->blocks[journal->length + at];

        more = block != 0 && block < ext2fs_blocks_count(fs->super) &&
               io_channel_read_blk64(fs->io, block, 1, buffer) == 0 &&
               take_block(&scan, buffer, fs->blocksize);
    }
    free(buffer);
    *commits = scan.commits;
    *blocks = scan.blocks;
    return true;
}
