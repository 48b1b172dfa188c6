/* Reads the journal of ext3 and ext4 (jbd2): the copies of blocks that it still has.
 *
 * A transaction has descriptor blocks, each followed by copies of the blocks that it lists, and
 * ends with a commit block. The log is a ring: it has the newest transactions without a gap, and
 * pieces of older ones. Numbers are big-endian.
 *
 * Earlier copies of the journal, in files, have older transactions. Each transaction is read from
 * one source, the journal or a copy, that has all of it: its blocks fill the log from the previous
 * commit to its own, with right checksums. A copy of a mounted file system's journal may have been
 * made while the journal changed. Incomplete transactions in a copy are not used. */
#ifndef TRACETOOL_JOURNAL_H
#define TRACETOOL_JOURNAL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define JOURNAL_MOST_BLOCKS ((uint32_t)1 << 24)

/* A file with a copy of the journal. */
struct journal_file {
    const char *name; /* file name, for messages */
    int descriptor;
};

/* A copy of a block in the journal: the contents of the block after a transaction. */
struct journal_copy {
    uint64_t block;       /* number of the block in the file system */
    uint32_t transaction; /* index of the transaction in `commits` */
    uint32_t at;          /* number of the block in the journal */
    bool escaped; /* true: the block begins with the journal's magic number, zeroed in the copy */
};

struct journal_commit {
    uint32_t at;     /* number of the block in the journal */
    uint32_t source; /* 0: the journal itself; otherwise 1 + index in `files` */
    int64_t wall;    /* time of the commit, ns since 1970 by the device's clock; 0: unknown */
};

/* A block that was freed, or is no longer journaled: earlier copies of it must not be used. */
struct journal_revoke {
    uint64_t block;
    uint32_t transaction;
};

struct journal {
    ext2_filsys fs;                   /* borrowed */
    const struct journal_file *files; /* borrowed */
    size_t file_count;
    uint64_t *blocks;       /* owned; number in the file system of each block of the journal */
    uint32_t first, length; /* the log is the blocks from `first` to `length` - 1 */
    uint32_t fast;          /* number of blocks for fast commits, after `length` */
    uint32_t features;
    uint32_t seed;     /* initial value of checksums */
    uint32_t start;    /* 0: unmounted cleanly, nothing to replay; else first block to replay */
    uint32_t tail;     /* sequence number of the transaction that begins at `start` */
    uint32_t sequence; /* sequence number of commits[0] */
    struct journal_commit *commits; /* owned; newest consecutive transactions, oldest first */
    struct journal_copy *copies;    /* owned; sorted by file system block, then by transaction */
    struct journal_revoke *revokes; /* owned */
    size_t commit_count, copy_count, copy_capacity, revoke_count, revoke_capacity;
    unsigned char *buffer, *copy; /* owned; one block each */
    /* Owned: a buffer of `ahead_count` blocks, from block `ahead_first` of `ahead_source` on. */
    unsigned char *ahead;
    uint32_t ahead_source, ahead_first, ahead_count;
};

/* Reads the journal, and copies of it in `files`, into a zeroed struct; free it even after a
 * failure. A journal that is missing, unreadable or on another device has no transactions. Returns
 * false if a file is not a copy of this journal. */
bool journal_read(struct journal *journal, ext2_filsys fs, const struct journal_file *files,
                  size_t file_count, struct error *error);

/* Returns whether a file system that was not unmounted has ext4's fast commits after the newest
 * transaction. They have data of fsync() for the next transaction, and are not read. */
bool journal_has_fast_commits(const struct journal *journal);

/* Returns the number of copies in `files` from which no transaction is used. */
uint32_t journal_unused_files(const struct journal *journal);

/* Returns the number of the log's blocks from the commit of the previous transaction to that of
 * `transaction`, an index of at least 1. */
uint32_t journal_count_blocks(const struct journal *journal, size_t transaction);

/* Returns whether a copy must not be used, as its own or a later transaction revokes the block. */
bool journal_is_revoked(const struct journal *journal, const struct journal_copy *copy);

void journal_free(struct journal *journal);

/* Returns the index of the first copy of a block; if there is none, the index where it would be. */
size_t journal_find(const struct journal *journal, uint64_t block);

/* Reads the contents of a copied block. If the block begins with the journal's magic number, the
 * copy has zeros there; this function restores the number. */
bool journal_read_copy(const struct journal *journal, const struct journal_copy *copy,
                       unsigned char *buffer);

#endif
