/* An event of a file system that gives blocks to a file or takes them (importers/ftrace_block.h): a
 * record of the table `allocation`. */
#ifndef TRACETOOL_ALLOCATION_H
#define TRACETOOL_ALLOCATION_H

#include <stddef.h>
#include <stdint.h>

/* What happened. The words are kept in databases: new ones come at the end. */
enum allocation_what {
    ALLOCATION_DATA,     /* blocks were given to a file for what it holds */
    ALLOCATION_METADATA, /* to an inode for something else: a directory, its tree, attributes */
    ALLOCATION_HELD,     /* blocks were seen to hold what is in a file */
    ALLOCATION_FREED,    /* blocks are nobody's from then on */
    ALLOCATION_CREATED,  /* a file was given its inode */
    ALLOCATION_DELETED,  /* the inode is nobody's from then on */
    ALLOCATION_LOST,     /* from then on records are missing … */
    ALLOCATION_REGAINED, /* … until then */
    ALLOCATION_WHATS,
};

struct allocation {
    int64_t time;   /* as event.time */
    int64_t device; /* of the file system, major << 20 | minor; of lost records 0, as all below */
    enum allocation_what what;
    int64_t inode; /* 0: not known */
    int64_t mode;  /* of the inode, as stat(2) has it; EVENT_NONE: not known */
    int64_t block; /* the first, in blocks of the file system; of an inode 0 */
    int64_t count; /* blocks, or of DATA and METADATA clusters; of an inode 0 */
};

#endif
