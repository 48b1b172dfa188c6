/* Finds the file that owned a block at the time of an I/O, and how certain that is. */
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

/* Limits of the number of allocation records, and of elements of allocations.pieces. If one is
 * exceeded, no records are used. */
#define ALLOCATIONS_MOST        ((size_t)16 << 20)
#define ALLOCATIONS_MOST_PIECES ((size_t)64 << 20)

/* A record of the log: blocks were allocated to an inode, or freed. */
struct allocation_record {
    int64_t time;
    uint64_t block, end; /* first block, and the block after the last one */
    uint32_t inode;
    uint8_t what;
};

/* Creation (`begins`) or deletion of a file with this inode. */
struct allocation_life {
    int64_t time;
    uint32_t inode;
    bool begins;
    unsigned class; /* class of the file's blocks: enum block_class */
};

/* A time interval in which allocation records of the log may be missing. */
struct allocation_gap {
    int64_t from, to;
};

/* A range of blocks with the same allocation records: from `block` to before the next element's
 * `block`. */
struct allocation_cut {
    uint64_t block;
    size_t first; /* index in `pieces` of the range's first record */
};

/* Owners of blocks according to the log's allocation records; zeroed: none. */
struct allocations {
    const struct file_map *map;        /* borrowed */
    struct allocation_record *records; /* owned, like all arrays below; in order of time */
    struct allocation_life *lives; /* creations and deletions of files, by inode, then by time */
    struct allocation_gap *gaps;   /* in order of time, without overlaps */
    struct allocation_cut *cuts;   /* by block; the last element only marks the end */
    uint32_t *pieces; /* indices in `records`: for each cut, its records in order of time */
    uint32_t *inodes; /* inodes of all allocation records, ascending */
    bool *kept;       /* by index in `inodes`: result of allocations_has_inode() */
    uint8_t *classes; /* by index of the image's files: class of their blocks */
    size_t record_count, record_capacity;
    size_t life_count, life_capacity;
    size_t gap_count, gap_capacity;
    size_t cut_count, cut_capacity;
    size_t piece_count, piece_capacity;
    size_t inode_count;
    uint32_t strangers; /* index in the map of the nameless file for inodes[0]; the others follow */
    unsigned losing;    /* while records are read: number of CPUs that are losing records */
    bool whole;         /* true: the log records allocations of blocks, not only frees */
    bool too_many;      /* true: the limits were exceeded, so no records are used */
};

/* Owner of a block at a time. */
struct allocation_owner {
    uint32_t inode;
    int64_t since; /* time from which on the inode owned the block */
    int64_t until; /* time of the block's next record; INT64_MAX: there is none */
    bool content;  /* true: the block held the file's data, false: its metadata */
};

/* Reads the log's allocation records for two devices (which may be equal), `map`'s file system. */
bool allocations_read(struct allocations *allocations, const struct file_map *map,
                      struct database *database, int64_t trace, const int64_t devices[2],
                      struct error *error);

/* Sorts the records by block. Adds a nameless file to the map for each inode in records. If there
 * are too many records, drops them all and adds no file. */
bool allocations_sort(struct allocations *allocations, struct file_map *map, struct error *error);

/* Finds the owner of a block at a time. Returns false if it is unknown, or there was none. */
bool allocations_find(const struct allocations *allocations, uint64_t block, int64_t time,
                      struct allocation_owner *owner);

/* Returns whether the owner's inode still belonged to the same file at the end of the log. In the
 * image it may belong to another file, since later events are unknown. */
bool allocations_owner_is_current(const struct allocations *allocations,
                                  const struct allocation_owner *owner);

/* Returns whether the image's file with this inode owns a block that, by the block's last record,
 * belonged to the inode. */
bool allocations_has_inode(const struct allocations *allocations, uint32_t inode);

/* Returns the map's index of the nameless file that represents an inode of the records, whichever
 * file had this inode; 0: no record has it. */
uint32_t allocations_unnamed_file(const struct allocations *allocations, uint32_t inode);

/* Returns the class (enum block_class) of a block with this owner. `file`: index of the owner in
 * the map's files. */
unsigned allocations_block_class(const struct allocations *allocations,
                                 const struct allocation_owner *owner, uint32_t file);

void allocations_free(struct allocations *allocations);

/* Commit times of the journal's transactions, taken from the trace itself: the last write to the
 * block of each commit. So clocks need not be compared. */

/* Block of a transaction's commit. Older transactions, known from copies of the journal, may have
 * used the same block. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times; /* owned; ascending commit times of the transactions in the trace. INT64_MIN:
                       committed before the trace; INT64_MAX: after it */
    size_t count;   /* number of usable transactions; 0 if no commit is in the trace */
    size_t timed;   /* number of transactions whose commit is in the trace */
    /* during commits_record_write(): oldest transaction with a time; `count`: none */
    size_t oldest;
};

/* Begins to find commit times. `map` is borrowed. Always call commits_close(). */
void commits_open(struct commits *commits, const struct file_map *map);
void commits_close(struct commits *commits);

/* Records a completed write by its last block. Call it for writes in descending order of time.
 * Since the journal is a ring, a later transaction may reuse the block of a commit; the last write
 * to the block before that is the commit. A commit is written alone, or as the last of several
 * blocks. */
void commits_record_write(struct commits *commits, uint64_t last, int64_t time);

/* Computes the times of all transactions. Rejects times that deviate from the device's clock.
 * Rejects the whole journal if most transactions between the first and last known commit have no
 * time: the image is then not from the time of the trace. */
void commits_compute_times(struct commits *commits);

/* Returns the time since which the journal names owners of blocks; INT64_MAX: it names none. */
int64_t commits_oldest_time(const struct commits *commits);

/* Owner found for a block. */
struct evidence {
    uint32_t file;         /* index in the map's files; 0: no file */
    unsigned class;        /* content of the block: enum block_class */
    enum io_evidence word; /* certainty of the file; IO_EVIDENCE_NONE: no file */
    bool past;             /* true: the file's name is the one valid after transaction `then` */
    uint32_t then;
    bool by_log; /* true: events of the log named or confirmed the file */
};

/* Sources for the owner of a block; all borrowed. */
struct owner_sources {
    const struct file_map *map; /* map of the file system image made after the trace */
    /* map of an image made before the trace, which only confirms owners; or NULL */
    const struct file_map *before;
    const struct commits *commits;
    const struct allocations *log; /* allocation records of the log, with priority; NULL: none */
};

/* An I/O whose blocks are looked up. */
struct evidence_io {
    int64_t issued, completed; /* time of the issue (D), and of the completion (C); equal if only
                                  one is known */
    bool is_write;
};

/* Finds the file that owned a block at the time of an I/O. The result holds for all blocks before
 * `*after`. The caller sets `*after` to the block after the last block of interest; the function
 * may lower it. */
struct evidence find_block_owner(const struct owner_sources *sources, uint64_t block,
                                 const struct evidence_io *io, uint64_t *after);

#endif
