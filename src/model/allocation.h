/* A file system event that allocates blocks to a file or frees them (importers/ftrace_block.h): a
 * row of the table `allocation`. */
#ifndef TRACETOOL_ALLOCATION_H
#define TRACETOOL_ALLOCATION_H

#include <stddef.h>
#include <stdint.h>

/* Event type. Databases store these words: append new ones at the end. */
enum allocation_what {
    ALLOCATION_DATA,     /* blocks were allocated for a file's data */
    ALLOCATION_METADATA, /* blocks were allocated for other uses of an inode: a directory, its tree,
                            attributes */
    ALLOCATION_HELD,     /* blocks were seen to hold a file's data */
    ALLOCATION_FREED,    /* blocks were freed */
    ALLOCATION_CREATED,  /* a file's inode was allocated */
    ALLOCATION_DELETED,  /* the inode was freed */
    ALLOCATION_LOST,     /* records are missing from this event on */
    ALLOCATION_REGAINED, /* no more records are missing after this event */
    ALLOCATION_WHATS,
};

struct allocation {
    int64_t time;   /* as event.time */
    int64_t device; /* device of the file system, major << 20 | minor; 0 for lost records, like the
                       fields below */
    enum allocation_what what;
    int64_t inode; /* 0: unknown */
    int64_t mode;  /* mode of the inode, as in stat(2); EVENT_NONE: unknown */
    int64_t block; /* first block, in file system blocks; 0 for an inode */
    int64_t count; /* blocks; clusters for DATA and METADATA; 0 for an inode */
};

#endif
