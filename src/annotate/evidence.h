/* The file that owned a block at a given time, and the certainty of that. */
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

/* Limit of records, and limit of the indices in allocations.pieces. Beyond them, no records are
 * used. */
#define ALLOCATIONS_MOST        ((size_t)16 << 20)
#define ALLOCATIONS_MOST_PIECES ((size_t)64 << 20)

/* An event of the log that gives blocks to an inode, or frees them. */
struct allocation_record {
    int64_t time;
    uint64_t block, end; /* first block, and the one after the last */
    uint32_t inode;
    uint8_t what;
};

/* Time at which an inode began or ceased to be a file's. */
struct allocation_life {
    int64_t time;
    uint32_t inode;
    bool begins;
    unsigned class; /* class of its blocks: enum block_class */
};

/* A period with missing records. */
struct allocation_gap {
    int64_t from, to;
};

/* The records of the blocks from this one to the next cut. */
struct allocation_cut {
    uint64_t block;
    size_t first; /* index in `pieces` of the first record for the block */
};

/* Empty when zeroed. */
struct allocations {
    const struct file_map *map;        /* borrowed */
    struct allocation_record *records; /* owned, as are all arrays below; in order of time */
    struct allocation_life *lives; /* begins and ends of inodes' lives; by inode, then by time */
    struct allocation_gap *gaps;   /* gaps in order of time, disjoint */
    struct allocation_cut *cuts;   /* sorted by block; the last one only ends the one before */
    uint32_t *pieces;              /* indices of records; for each cut in time order */
    uint32_t *inodes;              /* inodes of the records, ascending */
    bool *kept;                    /* for each of `inodes`: allocations_has_inode() */
    uint8_t *classes;              /* for the files in the image: class of their blocks */
    size_t record_count, record_capacity;
    size_t life_count, life_capacity;
    size_t gap_count, gap_capacity;
    size_t cut_count, cut_capacity;
    size_t piece_count, piece_capacity;
    size_t inode_count;
    uint32_t strangers; /* first of the map's nameless files that stand for `inodes` */
    unsigned losing;    /* while adding records: number of current losses */
    bool whole;         /* true: there are records of allocated blocks */
    bool too_many;      /* true: there were too many records, and all were dropped */
};

/* The owner of a block. */
struct allocation_owner {
    uint32_t inode;
    int64_t since; /* time from which the inode owns the block */
    int64_t until; /* time of the block's next record; INT64_MAX: none */
    bool content;  /* the block holds data of the file, not metadata */
};

/* Adds the table's records of the file system on one of two devices, which may be equal. */
bool allocations_read(struct allocations *allocations, const struct file_map *map,
                      struct database *database, int64_t trace, const int64_t devices[2],
                      struct error *error);

/* Adds a file without a name for each inode to the map that was used for reading. If there are too
 * many records, drops them and adds none. */
bool allocations_sort(struct allocations *allocations, struct file_map *map, struct error *error);

/* Returns the owner of a block at a time; false if unknown or none. */
bool allocations_find(const struct allocations *allocations, uint64_t block, int64_t time,
                      struct allocation_owner *owner);

/* Whether the owner's file still has the inode after the last record. The image may differ, since
 * events after the log are unknown. */
bool allocations_lives_on(const struct allocations *allocations,
                          const struct allocation_owner *owner);

/* Whether the image's file with an inode has a block that belonged to that inode after the last
 * record. */
bool allocations_has_inode(const struct allocations *allocations, uint32_t inode);

/* Returns the nameless file of the map that stands for an inode in records, whichever file it was.
 */
uint32_t allocations_stranger(const struct allocations *allocations, uint32_t inode);

/* Returns enum block_class of a block with that owner, which is the given file of the map. */
unsigned allocations_class(const struct allocations *allocations,
                           const struct allocation_owner *owner, uint32_t file);

void allocations_free(struct allocations *allocations);

/* Commit times of a journal's transactions, taken from the trace: the last write to each commit
 * block. No clocks need comparing. */

/* A commit block and its transaction. The blocks of older transactions, known only from copies of
 * the journal, may be reused by newer ones. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times; /* owned; by transaction, event.time, ascending: INT64_MIN before the trace,
                       INT64_MAX after it */
    size_t count;   /* number of accepted transactions; 0 if the trace shows none */
    size_t timed;   /* number of accepted transactions with a time in the trace */
    size_t oldest;  /* oldest one with a time, while writes are noted; `count`: none yet */
};

/* Begins without known times; `map` must outlive it. Must always be closed. */
void commits_open(struct commits *commits, const struct file_map *map);
void commits_close(struct commits *commits);

/* Notes a completed write by its last block. Call in descending order of time. A transaction's
 * commit is the last write to its block before the next commit there, because the journal is
 * circular: it reuses a block only for other transactions. A commit block is written separately or
 * at the end of others. */
void commits_record(struct commits *commits, uint64_t last, int64_t time);

/* Computes the times. Rejects times far from the device's clock. Rejects all if most transactions
 * between the first and the last one with a time have none: the journal is then from another time.
 */
void commits_finish(struct commits *commits);

/* Returns the time from which the journal names owners; INT64_MAX: never. */
int64_t commits_oldest_time(const struct commits *commits);

/* The result for a block. */
struct evidence {
    uint32_t file;         /* index in the map's files; 0: no file */
    unsigned class;        /* enum block_class */
    enum io_evidence word; /* how certain the owner is; IO_EVIDENCE_NONE: no owner */
    bool past;             /* true: the file is named as after transaction `then` */
    uint32_t then;
    bool by_log; /* true: events of the log name the file or confirm it */
};

/* Sources of evidence; all borrowed. */
struct witnesses {
    const struct file_map *map; /* image from after the trace */
    const struct file_map
        *before; /* image from before the trace, which only confirms the other one; NULL: none */
    const struct commits *commits;
    const struct allocations *log; /* NULL: none. Overrides the others */
};

/* An I/O that asks for the owner of a block. */
struct evidence_io {
    int64_t issued, completed; /* event.time; equal if only one is known */
    bool is_write;
};

/* Finds the file that owned a block at the time of an I/O. The result holds for all blocks before
 * `*after`. The caller sets `*after` to the block after the last one of interest, above `block`;
 * the function only lowers it. */
struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *after);

#endif
