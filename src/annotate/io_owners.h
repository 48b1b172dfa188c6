/* Finds the owners of the blocks of many I/Os in a separate thread, without the database, while the
 * caller writes earlier results.
 *
 *     io_owners_new()
 *     io_owners_send()       submits some I/Os
 *     io_owners_receive()    returns their results, lot by lot; NULL at the end
 *     io_owners_free()       always; ends the thread
 */
#ifndef TRACETOOL_IO_OWNERS_H
#define TRACETOOL_IO_OWNERS_H

#include "annotate/evidence.h"
#include "model/remap.h"
#include "store/catalog.h"

/* Finds the position of an image's file system on the traced device. */

/* Known data before the trace is read. */
struct device_request {
    int64_t device;  /* EVENT_NONE: the trace's only device */
    uint64_t offset; /* start of the file system on it, bytes */
    bool by_remaps;  /* neither the user nor the image gives the offset: use the log's remaps */
};

struct device_place {
    int64_t device; /* device of the I/Os; EVENT_NONE: not in the log */
    int64_t from;   /* the device above it, by remaps; EVENT_NONE: no remaps used */
    /* Sector ranges of the device, ascending; their shifts give the file system's sectors. A single
     * piece covers the whole device. */
    struct remap pieces[REMAPS_MOST];
    size_t count;
};

/* Finds the position. If a device has no I/Os, but the log has remaps from it to one that has some,
 * it stands for that one, with the offset given by the remaps. The same for the only device with
 * remaps to it. False with `error` set if there are several candidates, if the given device is
 * neither, or if remaps are not linear. */
bool device_place_find(struct device_place *place, const struct device_request *request,
                       struct database *database, const struct catalog_trace *trace,
                       struct error *error);

/* Returns the bytes of the device before the file system; EVENT_NONE: it is in pieces or begins
 * elsewhere. */
int64_t device_place_offset(const struct device_place *place);

/* Part of an I/O: blocks with the same class of one file, or of no file. */
struct io_part {
    struct evidence evidence; /* the weakest of its blocks; IO_EVIDENCE_NONE: no owner */
    uint64_t place;           /* index of its first block, from 0 */
    uint64_t blocks;
    int64_t bytes;
};

/* Maximum blocks of an I/O, since each is looked up, for each of its steps. A larger one is
 * damaged, or a discard. */
#define MAPPING_BLOCKS 65536

/* Fields of an event that are used. */
struct asked_io {
    int64_t id, time, issued, address, size;
    uint32_t operation, object, flags;
};

bool asked_io_writes(const struct asked_io *io);

/* Position of an I/O in the file system. */
struct io_place {
    uint64_t first, last; /* blocks */
    uint64_t begin, end;  /* bytes; the end may be after that of the file system */
};

/* Finds the position; false: outside. */
bool io_place_find(struct io_place *place, const struct device_place *device,
                   const struct file_map *map, const struct asked_io *io);

/* Result for an I/O. */
struct owned_io {
    const struct asked_io *io; /* one of those submitted */
    size_t first, count;       /* its parts in the lot, settled; 0: outside */
    size_t files;              /* number of files of the parts */
    bool too_large;            /* more than MAPPING_BLOCKS blocks, without an owner */
};

#define OWNED_LOT 4096 /* maximum I/Os */

struct owned_lot {
    struct owned_io ios[OWNED_LOT];
    size_t count;
    struct io_part *parts; /* owned */
    size_t part_count, part_capacity;
};

struct io_owners;

/* If no thread can be created, io_owners_receive() does the lookups. All arguments are borrowed,
 * and must not change while the thread runs. Owned by the caller. */
struct io_owners *io_owners_new(const struct witnesses *witnesses,
                                const struct device_place *device);

/* Submits I/Os, borrowed until all lots are taken. Earlier ones must have been taken. */
void io_owners_send(struct io_owners *owners, const struct asked_io *ios, size_t count);

/* Returns the next lot, in order, borrowed until the next call; NULL at the end. */
const struct owned_lot *io_owners_receive(struct io_owners *owners);

void io_owners_free(struct io_owners *owners);

#endif
