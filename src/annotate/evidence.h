/* Finds which file owned a block at some time, and how certain that is. */
#ifndef TRACETOOL_EVIDENCE_H
#define TRACETOOL_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filesystem/file_map.h"
#include "model/event.h"
#include "base/error.h"
#include "model/allocation.h"

struct database;

/* Limits of records, and of all elements of allocations.pieces. If there are more, no records are
 * used. */
#define ALLOCATIONS_MOST        ((size_t)16 << 20)
#define ALLOCATIONS_MOST_PIECES ((size_t)64 << 20)

/* A record of the log: an event in which blocks are given to an inode, or freed. */
struct allocation_record {
    int64_t time;
    uint64_t block, end; /* first block, and the block after the last one */
    uint32_t inode;
    uint8_t what;
};

/* When a file was created with an inode (`begins`), or deleted. */
struct allocation_life {
    int64_t time;
    uint32_t inode;
    bool begins;
    unsigned class; /* class of the file's blocks: enum block_class */
};

/* A time in which the log lacks records. */
struct allocation_gap {
    int64_t from, to;
};

/* The records about all blocks from `block` to before the next element's block. */
struct allocation_cut {
    uint64_t block;
    size_t first; /* index in `pieces` of the first record about these blocks */
};

/* Owners of blocks by the log's records; zeroed: none. */
struct allocations {
    const struct file_map *map;        /* borrowed */
    struct allocation_record *records; /* owned, like all arrays below; in order of time */
    struct allocation_life *lives; /* creations and deletions of files, by inode, then by time */
    struct allocation_gap *gaps;   /* in order of time, without overlaps */
    struct allocation_cut *cuts;   /* by block; the last element only ends the one before */
    uint32_t *pieces;              /* indices of records: those of each cut, in order of time */
    uint32_t *inodes;              /* inodes in records, ascending */
    bool *kept;                    /* for each of `inodes`: result of allocations_has_inode() */
    uint8_t *classes;              /* for each file of the image: class of its blocks */
    size_t record_count, record_capacity;
    size_t life_count, life_capacity;
    size_t gap_count, gap_capacity;
    size_t cut_count, cut_capacity;
    size_t piece_count, piece_capacity;
    size_t inode_count;
    uint32_t strangers; /* index in the map of the first nameless file, for inodes[0] */
    unsigned losing;    /* while records are read: number of CPUs that lose records now */
    bool whole;         /* true: some records tell that blocks were allocated */
    bool too_many;      /* true: there were too many records, so none are used */
};

/* The owner of a block at a time. */
struct allocation_owner {
    uint32_t inode;
    int64_t since; /* time from which on the inode owned the block */
    int64_t until; /* time of the next record about the block; INT64_MAX: none */
    bool content;  /* true: the block held data of the file, not metadata */
};

/* Adds the trace's records about a file system that is on one of two devices, which may be the
 * same. */
bool allocations_read(struct allocations *allocations, const struct file_map *map,
                      struct database *database, int64_t trace, const int64_t devices[2],
                      struct error *error);

/* Sorts the records for looking up blocks. Adds a file without a name to the map for each inode in
 * records. If there are too many records, drops them all and adds no file. */
bool allocations_sort(struct allocations *allocations, struct file_map *map, struct error *error);

/* Finds the owner of a block at a time. Returns false if it is unknown, or if there was none. */
bool allocations_find(const struct allocations *allocations, uint64_t block, int64_t time,
                      struct allocation_owner *owner);

/* Returns whether the owner's file still has its inode after the last record. In the image, the
 * inode may be another file's: nothing is known of events after the log. */
bool allocations_keeps_inode(const struct allocations *allocations,
                             const struct allocation_owner *owner);

/* Returns whether the file that has this inode in the image owns a block there that was the inode's
 * after the last record. */
bool allocations_has_inode(const struct allocations *allocations, uint32_t inode);

/* Returns the file without a name, in the map, that stands for an inode of records, whichever file
 * it was. */
uint32_t allocations_nameless_file(const struct allocations *allocations, uint32_t inode);

/* Returns the class (enum block_class) of a block with this owner, which is file `file` of the
 * map. */
unsigned allocations_block_class(const struct allocations *allocations,
                                 const struct allocation_owner *owner, uint32_t file);

void allocations_free(struct allocations *allocations);

/* When the journal's transactions were committed, found in the trace itself: by the last write to
 * the block of each commit. So clocks need not be compared. */

/* The block of a transaction's commit. Older transactions, known only from copies of the journal,
 * may have had their commit in the same block. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times; /* owned; for each transaction, the commit's time in the trace; ascending.
                       INT64_MIN: before the trace; INT64_MAX: after it */
    size_t count;   /* number of transactions that are used; 0 if the trace has no commit */
    size_t timed;   /* number of these transactions with a commit in the trace */
    size_t oldest;  /* while writes are recorded: oldest transaction with a time, or `count` */
};

/* Begins to find the times of commits. `map` must live as long. Call commits_close() in any
 * case. */
void commits_open(struct commits *commits, const struct file_map *map);
void commits_close(struct commits *commits);

/* Records a write that was completed, by its last block. Call it in descending order of time. The
 * commit of a transaction is the last write to its block before the next transaction's commit
 * there, because the journal is overwritten in turn. A commit is written by itself, or at the end
 * of other blocks. */
void commits_record_write(struct commits *commits, uint64_t last, int64_t time);

/* Computes the times of all transactions. Rejects times that are far from the device's clock.
 * Rejects all if most transactions between the first and the last commit seen have none: then the
 * journal is from another time. */
void commits_finish(struct commits *commits);

/* Returns the time from which on the journal names owners; INT64_MAX: never. */
int64_t commits_oldest_time(const struct commits *commits);

/* What was found about a block. */
struct evidence {
    uint32_t file;         /* index in the files of the map; 0: no file */
    unsigned class;        /* what the block holds: enum block_class */
    enum io_evidence word; /* how certain the file is; IO_EVIDENCE_NONE: it has none */
    bool past;             /* true: take the name that the file had after transaction `then` */
    uint32_t then;
    bool by_log; /* true: the file was named or confirmed by events of the log */
};

/* Sources that tell the owner of a block; all borrowed. */
struct witnesses {
    const struct file_map *map; /* map of the image that was made after the trace */
    const struct file_map
        *before; /* map of an image from before the trace, which only confirms; NULL: none */
    const struct commits *commits;
    const struct allocations *log; /* records of the log, which go before the others; NULL: none */
};

/* An I/O for which the owner of a block is wanted. */
struct evidence_io {
    int64_t issued, completed; /* times of issue (D) and completion (C); equal if one is unknown */
    bool is_write;
};

/* Finds which file owned a block at the time of an I/O. The result is valid for all blocks before
 * `*after`. The caller sets `*after` to the block after the last wanted one; it can only get
 * less. */
struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *after);

#endif
