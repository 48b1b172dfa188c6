/* The journal of ext3 and ext4 (jbd2): which copies of which blocks it still holds.
 *
 * A transaction is a few descriptor blocks, each with the copies of the blocks that it names behind
 * it, and a commit block. The journal is written round and round, so that the newest transactions
 * are there, without a gap, and of older ones what was not yet written over. Numbers are big
 * endian.
 */
#ifndef TRACETOOL_JOURNAL_H
#define TRACETOOL_JOURNAL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define JOURNAL_MOST_BLOCKS ((uint32_t)1 << 24)

/* A copy of a block as it was after a transaction. */
struct journal_copy {
    uint64_t block;       /* of the file system */
    uint32_t transaction; /* index */
    uint32_t at;          /* block of the journal */
    bool escaped;         /* it begins with the journal's magic number, which was taken out */
};

struct journal_commit {
    uint32_t at;  /* block of the journal */
    int64_t wall; /* ns since 1970, by the device's clock; 0: not said */
};

/* A block that was freed, or is no longer journaled: older copies are not to be used. */
struct journal_revoke {
    uint64_t block;
    uint32_t transaction;
};

struct journal {
    ext2_filsys fs;         /* borrowed */
    uint64_t *blocks;       /* owned; where each block of the journal lies */
    uint32_t first, length; /* the log is the blocks from `first` on, `length` is behind its end */
    uint32_t features;
    uint32_t seed;                  /* of checksums */
    uint32_t start;                 /* 0: it was unmounted, and all is where it belongs */
    uint32_t tail;                  /* sequence number of the first transaction at `start` */
    uint32_t sequence;              /* of the first transaction below */
    struct journal_commit *commits; /* owned; the newest transactions without a gap, by index */
    struct journal_copy *copies;    /* owned; by block, then by transaction */
    struct journal_revoke *revokes; /* owned */
    size_t commit_count, copy_count, copy_capacity, revoke_count, revoke_capacity;
    unsigned char *buffer, *copy; /* owned; a block each */
};

/* Reads the zeroed journal. One that is not there, that lies on another device, or that cannot be
 * read has no transactions; false only without memory. To be freed in any case. */
bool journal_read(struct journal *journal, ext2_filsys fs, struct error *error);
/* Whether the transaction of a copy, or one after it, says that it is not to be used. */
bool journal_is_revoked(const struct journal *journal, const struct journal_copy *copy);

void journal_free(struct journal *journal);

/* The first copy of a block, or where it would be. */
size_t journal_find(const struct journal *journal, uint64_t block);

/* Reads a copy as it was before it was put into the journal. */
bool journal_read_copy(const struct journal *journal, const struct journal_copy *copy,
                       unsigned char *buffer);

#endif
