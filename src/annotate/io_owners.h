/* The owners of the blocks of many I/Os, found by a thread of its own without the database, while
 * the caller writes the results of those before.
 *
 *     io_owners_new()
 *     io_owners_ask()      some I/Os
 *     io_owners_take()     what was found of them, lot by lot; NULL behind the last
 *     io_owners_free()     ends the thread, in any case
 */
#ifndef TRACETOOL_IO_OWNERS_H
#define TRACETOOL_IO_OWNERS_H

#include "annotate/device_place.h"
#include "annotate/evidence.h"

/* What holds the same of one file, or the same of no file. */
struct io_part {
    struct evidence evidence; /* the weakest of its blocks; IO_EVIDENCE_NONE: nobody's */
    uint64_t place;           /* of its first block, from 0 */
    uint64_t blocks;
    int64_t bytes;
};

/* Blocks of an I/O: each is looked up, of each step of it. One of more is damaged, or a discard. */
#define MAPPING_BLOCKS 65536

/* What is looked at of an event. */
struct asked_io {
    int64_t id, time, issued, address, size;
    uint32_t operation, object, flags;
};

bool asked_io_writes(const struct asked_io *io);

/* Where an I/O is on the file system. */
struct io_place {
    uint64_t first, last; /* blocks */
    uint64_t begin, end;  /* bytes; the end may lie behind the file system */
};

/* False: it lies outside. */
bool io_place_find(struct io_place *place, const struct device_place *device,
                   const struct file_map *map, const struct asked_io *io);

/* What was found of an I/O. */
struct owned_io {
    const struct asked_io *io; /* of those that were asked */
    size_t first, count;       /* its parts among those of the lot, settled; 0: it lies outside */
    size_t files;              /* how many the parts are of */
    bool too_large;            /* it is of more than MAPPING_BLOCKS, which are nobody's */
};

#define OWNED_LOT 4096 /* I/Os, at most */

struct owned_lot {
    struct owned_io ios[OWNED_LOT];
    size_t count;
    struct io_part *parts; /* owned */
    size_t part_count, part_capacity;
};

struct io_owners;

/* Without a thread, where the system gives none, io_owners_take() looks up. All is borrowed, and
 * does not change as long as the thread is there. Owned by the caller. */
struct io_owners *io_owners_new(const struct witnesses *witnesses,
                                const struct device_place *device);

/* Has the I/Os looked up, which are borrowed until all lots were taken; those that were asked
 * before have been. */
void io_owners_ask(struct io_owners *owners, const struct asked_io *ios, size_t count);

/* The next lot, in order, borrowed until the next call; NULL: there is no more. */
const struct owned_lot *io_owners_take(struct io_owners *owners);

void io_owners_free(struct io_owners *owners);

#endif
