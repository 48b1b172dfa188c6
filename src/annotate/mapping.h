/* Finds the files of a trace's block I/O, using the map of an image. */
#ifndef TRACETOOL_MAPPING_H
#define TRACETOOL_MAPPING_H

#include "annotate/annotation.h"
#include "filesystem/file_map.h"
#include "annotate/evidence.h"
#include "model/remap.h"
#include "store/catalog.h"

/* Finds the position of an image's file system on the traced device. */

/* What is known before the trace is read. */
struct device_request {
    int64_t device;  /* EVENT_NONE: the trace's only device */
    uint64_t offset; /* start of the file system on the device, in bytes */
    bool by_remaps;  /* neither the user nor the image gives the offset: use the log's remaps */
};

struct device_place {
    int64_t device; /* device of the I/Os; EVENT_NONE: not in the log */
    int64_t from;   /* device above `device`, by remaps; EVENT_NONE: no remaps used */
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

/* Part of an I/O: blocks with the same class of one file, or of no file. */
struct io_part {
    struct evidence evidence; /* the weakest evidence of a block; IO_EVIDENCE_NONE: no owner */
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
    uint64_t first, last; /* first and last block of the I/O */
    uint64_t begin, end;  /* bytes; the end may be after that of the file system */
};

/* Finds the position; false: outside. */
bool io_place_find(struct io_place *place, const struct device_place *device,
                   const struct file_map *map, const struct asked_io *io);

/* Result for an I/O. */
struct owned_io {
    const struct asked_io *io; /* the I/O, one of those given to io_owners_send() */
    size_t first,
        count;      /* its parts in owned_lot.parts; count 0: it is outside of the file system */
    size_t files;   /* number of files of the parts */
    bool too_large; /* more than MAPPING_BLOCKS blocks, without an owner */
};

#define OWNED_LOT 4096 /* limit of I/Os in a lot */

struct owned_lot {
    struct owned_io ios[OWNED_LOT];
    size_t count;
    struct io_part *parts; /* owned */
    size_t part_count, part_capacity;
};

struct io_owners;

/* Starts a thread that finds the owners of I/Os. If no thread can be created, io_owners_receive()
 * does the lookups. All arguments are borrowed, and must not change while the thread runs. Owned by
 * the caller. */
struct io_owners *io_owners_new(const struct witnesses *witnesses,
                                const struct device_place *device);

/* Submits I/Os, borrowed until all lots are taken. The lots of earlier I/Os must have been taken.
 */
void io_owners_send(struct io_owners *owners, const struct asked_io *ios, size_t count);

/* Returns the next lot, in order, borrowed until the next call; NULL at the end. */
const struct owned_lot *io_owners_receive(struct io_owners *owners);

void io_owners_free(struct io_owners *owners);

/* Parameters of the mapping. */
struct mapping_request {
    const char *image;              /* name of the image, for the database */
    const char *before;             /* name of the image from before the trace; NULL: none */
    const struct file_map *earlier; /* map of that image; NULL: none; borrowed */
    int64_t journals;               /* number of journal copies read */
    int64_t device;                 /* device of the image; EVENT_NONE: the trace's only one */
    uint64_t offset;                /* start of the file system on that device, bytes */
    bool by_remaps; /* the offset is not given, and 0 in the image: use the log's remaps */
    bool replace;   /* discards the results of an earlier map */
};

/* Results. Each I/O is counted once: by the action that reports count. */
struct mapping_counts {
    int64_t above, below; /* devices of the remaps that gave the position; EVENT_NONE: none */
    int64_t
        place; /* position of the file system on the device below, bytes; EVENT_NONE: in pieces */
    int64_t ios[IO_EVIDENCES];
    int64_t by_log;    /* I/Os attributed by allocation events in the log */
    bool log_left_out; /* the log has more than ALLOCATIONS_MOST allocations, which are ignored */
    int64_t unused;  /* device with ignored allocations in the log: I/Os are of another one, and no
                        remaps give its position; EVENT_NONE: none */
    int64_t several; /* I/Os on several files, counted for the one with most blocks */
    int64_t outside; /* I/Os beyond the file system */
    int64_t too_large;    /* I/Os of more than MAPPING_BLOCKS blocks, without an owner */
    int64_t transactions; /* transactions of the journal with a commit in the trace */
    int64_t horizon;      /* event.time from which the journal gives owners; EVENT_NONE: never */
};

/* Sets object, block type, block class and evidence of each I/O in the annotation's trace for which
 * the log names no file. If they differ between its blocks, sets those of the file with most
 * blocks, and adds a row to the table `io_part` for each. Writes a row of the table `map`. The
 * caller commits. Restores the map afterwards. */
bool map_trace(struct annotation *annotation, const struct mapping_request *request,
               struct file_map *map, struct mapping_counts *counts, struct error *error);

#endif
