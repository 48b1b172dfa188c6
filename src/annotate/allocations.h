/* Owners of blocks by the allocation events of the log: the table `allocation`.
 *
 *     allocations_read()      what the table has of a trace
 *     allocations_settle()    puts them in order by block
 *     allocations_find()      the owner of a block at a time
 *
 * It is known from the time at which a block was given to a file until it is freed or given to
 * another; and before the first record of it, where that says whose it was until then, for no block
 * is given to anyone without a record. Where records are missing in between, it is not known.
 */
#ifndef TRACETOOL_ALLOCATIONS_H
#define TRACETOOL_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"
#include "model/allocation.h"

struct database;

/* Most records, and of all pieces of the device that are told apart by them, records of each. Where
 * there are more, nothing is known by any of them. */
#define ALLOCATIONS_MOST        ((size_t)16 << 20)
#define ALLOCATIONS_MOST_PIECES ((size_t)64 << 20)

/* A record of blocks. */
struct allocation_record {
    int64_t time;
    uint64_t block, end; /* from the first to behind the last */
    uint32_t inode;
    uint8_t what;
};

/* When an inode began or ended to be a file's. */
struct allocation_life {
    int64_t time;
    uint32_t inode;
    bool begins;
    unsigned class; /* that its blocks are of: enum block_class */
};

/* A time without records. */
struct allocation_gap {
    int64_t from, to;
};

/* From a block on, up to that of the next cut: which records are of these blocks. */
struct allocation_cut {
    uint64_t block;
    size_t first; /* of `pieces` */
};

/* Zeroed: of nothing. */
struct allocations {
    const struct file_map *map;        /* borrowed */
    struct allocation_record *records; /* owned, as all below; in order of time */
    struct allocation_life *lives;     /* by inode, then by time */
    struct allocation_gap *gaps;       /* in order, apart from one another */
    struct allocation_cut *cuts;       /* by block; the last one has no records */
    uint32_t *pieces;                  /* indices of records, of each cut in order of time */
    uint32_t *inodes;                  /* that records are of, ascending */
    bool *kept;                        /* of each of them: allocations_kept() */
    uint8_t *classes;                  /* of the files in the image: of their blocks */
    size_t record_count, record_capacity;
    size_t life_count, life_capacity;
    size_t gap_count, gap_capacity;
    size_t cut_count, cut_capacity;
    size_t piece_count, piece_capacity;
    size_t inode_count;
    uint32_t strangers; /* file of the map that stands for the first of `inodes`, whatever had it */
    unsigned losing;    /* while records are added: how many losses go on */
    bool whole;         /* there are records of blocks that were given away */
    bool too_many;      /* there were too many records, and none is left */
};

/* The owner of a block. */
struct allocation_owner {
    uint32_t inode;
    int64_t since; /* it is known from then on … */
    int64_t until; /* … until the next record of the block; INT64_MAX: there is none */
    bool content;  /* the block holds data of the file, not metadata */
};

/* Adds what the table has of the file system on one of two devices, which may be the same. */
bool allocations_read(struct allocations *allocations, const struct file_map *map,
                      struct database *database, int64_t trace, const int64_t devices[2],
                      struct error *error);

/* Adds to the map, which all of them were added by, a file without a name for each inode; none
 * where there are too many records, which go. */
bool allocations_settle(struct allocations *allocations, struct file_map *map, struct error *error);

/* The owner of a block then; false: not known, or none. */
bool allocations_find(const struct allocations *allocations, uint64_t block, int64_t time,
                      struct allocation_owner *owner);

/* Whether the file that the owner's inode was then is the one that has it behind the last record:
 * not yet that of the image, for what comes behind the log is not told. */
bool allocations_lives_on(const struct allocations *allocations,
                          const struct allocation_owner *owner);

/* Whether the image's file of an inode has a block that was that inode's behind the last record. */
bool allocations_kept(const struct allocations *allocations, uint32_t inode);

/* The file of the map that stands for an inode that records are of, whatever file it was; it has no
 * name. */
uint32_t allocations_stranger(const struct allocations *allocations, uint32_t inode);

/* What a block of that owner, which is that file of the map, holds: enum block_class. */
unsigned allocations_class(const struct allocations *allocations,
                           const struct allocation_owner *owner, uint32_t file);

void allocations_free(struct allocations *allocations);

#endif
