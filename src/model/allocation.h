/* An event of a file system that allocates or frees blocks of a file: a row of table `allocation`
 * (importers/ftrace_block.h). */
#ifndef TRACETOOL_ALLOCATION_H
#define TRACETOOL_ALLOCATION_H

#include <stddef.h>
#include <stdint.h>

/* What happened. Databases store the words of these values; add new ones at the end. */
enum allocation_what {
    ALLOCATION_DATA,     /* blocks were allocated for the data of a file */
    ALLOCATION_METADATA, /* blocks were allocated for directories, extent trees, attributes */
    ALLOCATION_HELD,     /* an event shows that a file's data is in these blocks */
    ALLOCATION_FREED,    /* blocks were freed */
    ALLOCATION_CREATED,  /* a file's inode was allocated */
    ALLOCATION_DELETED,  /* a file's inode was freed */
    ALLOCATION_LOST,     /* the log lacks records from this event on */
    ALLOCATION_REGAINED, /* the log is complete again from this event on */
    ALLOCATION_WHATS,
};

struct allocation {
    int64_t time;   /* in ns from the trace's time 0, as in table `event` */
    int64_t device; /* major << 20 | minor; LOST, REGAINED: 0, and so are all members below */
    enum allocation_what what;
    int64_t inode; /* inode number; 0: unknown */
    int64_t mode;  /* mode of the inode, as stat(2) returns it; EVENT_NONE: unknown */
    int64_t block; /* first block, numbered in the file system; 0 for CREATED, DELETED */
    int64_t count; /* number of blocks; of clusters for DATA, METADATA; 0 for CREATED, DELETED */
};

#endif
