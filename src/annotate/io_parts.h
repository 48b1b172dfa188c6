/* Whose the blocks of one I/O are: its parts, each of one file, or of what else the file system
 * has.
 *
 *     io_parts_clear()      for the next I/O
 *     io_parts_add()        its bytes, run of blocks by run
 *     io_parts_settle()     puts together what belongs together
 */
#ifndef TRACETOOL_IO_PARTS_H
#define TRACETOOL_IO_PARTS_H

#include "annotate/evidence.h"

/* What holds the same of one file, or the same of no file. */
struct io_part {
    struct evidence evidence; /* the weakest of its blocks; IO_EVIDENCE_NONE: nobody's */
    uint64_t place;           /* of its first block, from 0 */
    uint64_t blocks;
    int64_t bytes;
};

/* Zeroed: of nothing. */
struct io_parts {
    struct io_part *items; /* owned */
    size_t count, capacity;
    uint64_t blocks; /* that were added */
    size_t files;    /* how many the parts are of; once io_parts_settle() was called */
};

/* Forgets all parts, and keeps the memory. */
void io_parts_clear(struct io_parts *parts);

/* Adds the next blocks, at least 1, which have one owner, or as much of them as the I/O has: so
 * many bytes. False when memory ran out. */
bool io_parts_add(struct io_parts *parts, const struct evidence *owner, uint64_t blocks,
                  int64_t bytes, struct error *error);

/* Makes one part of what has the same owner and class. First comes that which the I/O is counted
 * with: of the file that has most of its blocks, what most of these hold; the first of equal ones;
 * nobody's blocks only if there are no others. The rest follows in order of place. */
void io_parts_settle(struct io_parts *parts);

void io_parts_free(struct io_parts *parts);

#endif
