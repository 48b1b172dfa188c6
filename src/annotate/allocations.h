/* Owners of blocks from the log's allocation events: the table `allocation`.
 *
 *     allocations_read()    reads the table for a trace
 *     allocations_sort()    sorts the records by block
 *     allocations_find()    returns the owner of a block at a time
 *
 * An owner is known from the time a block was allocated to a file until it is freed or allocated to
 * another. It is also known before a block's first record, if that names the owner until then,
 * because every allocation has a record. If records are missing in between, it is unknown.
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

/* Maximum records, and maximum records of all pieces of the device that they distinguish. With
 * more, none is used. */
#define ALLOCATIONS_MOST        ((size_t)16 << 20)
#define ALLOCATIONS_MOST_PIECES ((size_t)64 << 20)

/* A record of blocks. */
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
    size_t first; /* index in `pieces` */
};

/* Empty when zeroed. */
struct allocations {
    const struct file_map *map;        /* borrowed */
    struct allocation_record *records; /* owned, like all below; in time order */
    struct allocation_life *lives;     /* by inode, then by time */
    struct allocation_gap *gaps;       /* in order, disjoint */
    struct allocation_cut *cuts;       /* by block; the last one has no records */
    uint32_t *pieces;                  /* indices of records; for each cut in time order */
    uint32_t *inodes;                  /* inodes in records, ascending */
    bool *kept;                        /* for each of them: allocations_has_inode() */
    uint8_t *classes;                  /* for the files in the image: class of their blocks */
    size_t record_count, record_capacity;
    size_t life_count, life_capacity;
    size_t gap_count, gap_capacity;
    size_t cut_count, cut_capacity;
    size_t piece_count, piece_capacity;
    size_t inode_count;
    uint32_t strangers; /* file of the map for the first of `inodes`, whichever file had it */
    unsigned losing;    /* while adding records: number of current losses */
    bool whole;         /* there are records of allocated blocks */
    bool too_many;      /* there were too many records; all were dropped */
};

/* The owner of a block. */
struct allocation_owner {
    uint32_t inode;
    int64_t since; /* known from here … */
    int64_t until; /* … to the next record of the block; INT64_MAX: none */
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

#endif
