/* Journal of ext3 and ext4 (jbd2): the copies of blocks that it still holds.
 *
 * A transaction has descriptor blocks, each followed by copies of the blocks that it names, and a
 * commit block. The log is written cyclically. It holds the newest transactions without a gap, and
 * remains of older ones. Numbers are big-endian.
 *
 * Earlier copies of the journal hold older transactions. Each transaction is taken from one source,
 * the journal or a copy, that has all of it. It is complete if its blocks fill the log from the
 * previous commit to its own, with the right checksums. A copy made of a mounted file system may be
 * torn; its incomplete transactions are not used. */
#ifndef TRACETOOL_JOURNAL_H
#define TRACETOOL_JOURNAL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define JOURNAL_MOST_BLOCKS ((uint32_t)1 << 24)

/* A copy of the journal in a file. */
struct journal_file {
    const char *name; /* file name, for messages */
    int descriptor;
};

/* A copy, in the journal, of a block as a transaction left it. */
struct journal_copy {
    uint64_t block;       /* block of the file system */
    uint32_t transaction; /* index of its source file */
    uint32_t at;          /* block of the journal */
    bool escaped;         /* the block began with the journal's magic number, which was removed */
};

struct journal_commit {
    uint32_t at;     /* block of the journal */
    uint32_t source; /* 0: the journal itself; else 1 + the index of a file */
    int64_t wall;    /* ns since 1970, by the device's clock; 0: unknown */
};

/* A block that was freed, or is no longer journaled: older copies must not be used. */
struct journal_revoke {
    uint64_t block;
    uint32_t transaction;
};

struct journal {
    ext2_filsys fs;                   /* borrowed */
    const struct journal_file *files; /* borrowed */
    size_t file_count;
    uint64_t *blocks;       /* owned; position of each block of the journal */
    uint32_t first, length; /* the log begins at block `first` and ends before `length` */
    uint32_t fast;          /* number of blocks for fast commits, after `length` */
    uint32_t features;
    uint32_t seed;     /* seed of checksums */
    uint32_t start;    /* 0: the file system was unmounted, and all blocks have been written back */
    uint32_t tail;     /* sequence number of the first transaction at `start` */
    uint32_t sequence; /* sequence number of the first element of `commits` */
    struct journal_commit *commits; /* owned; the newest transactions without a gap, by index */
    struct journal_copy *copies;    /* owned; sorted by block, then by transaction */
    struct journal_revoke *revokes; /* owned */
    size_t commit_count, copy_count, copy_capacity, revoke_count, revoke_capacity;
    unsigned char *buffer, *copy; /* owned; each holds a block */
    /* Owned: a read buffer of several blocks, with their position and source. */
    unsigned char *ahead;
    uint32_t ahead_source, ahead_first, ahead_count;
};

/* Reads the zeroed journal, and copies of it in `files`; free it in any case. A journal that is
 * missing, unreadable or on another device has no transactions. False if a file is not a copy of
 * this journal. */
bool journal_read(struct journal *journal, ext2_filsys fs, const struct journal_file *files,
                  size_t file_count, struct error *error);

/* Returns whether fast commits of ext4 follow the newest transaction of a file system that was not
 * unmounted. They hold data of fsync() that belongs to the next transaction. They are not read. */
bool journal_has_fast_commits(const struct journal *journal);

/* Returns the number of files from which no transaction was taken. */
uint32_t journal_unused_files(const struct journal *journal);

/* Returns the number of log blocks between the commits of two successive transactions.
 * `transaction` is the index of the second, from 1 on. */
uint32_t journal_distance(const struct journal *journal, size_t transaction);

/* Returns whether the transaction of a copy, or a later one, revokes the copy. */
bool journal_is_revoked(const struct journal *journal, const struct journal_copy *copy);

void journal_free(struct journal *journal);

/* Returns the position of a block's first copy, or where it would be inserted. */
size_t journal_find(const struct journal *journal, uint64_t block);

/* Reads a copy with its original contents. */
bool journal_read_copy(const struct journal *journal, const struct journal_copy *copy,
                       unsigned char *buffer);

#endif
