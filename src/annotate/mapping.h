/* Finds the files that the block I/Os of a trace belong to, by the map of a file system's image. */
#ifndef TRACETOOL_MAPPING_H
#define TRACETOOL_MAPPING_H

#include "annotate/annotation.h"
#include "filesystem/file_map.h"
#include "annotate/evidence.h"
#include "model/remap.h"
#include "store/catalog.h"

/* Finding where the file system of an image is on the traced device. */

/* What the user and the image tell about the device. */
struct device_request {
    int64_t device;  /* device of the image; EVENT_NONE: the only one in the trace */
    uint64_t offset; /* where the file system begins on the device, in bytes */
    bool by_remaps;  /* true: nobody gives the offset: find it by the log's remaps */
};

struct device_place {
    int64_t device; /* device that has the I/Os; EVENT_NONE: it is not in the log */
    int64_t from;   /* device on top of `device`, by remaps; EVENT_NONE: none are used */
    /* Ranges of sectors of the device, ascending, with shifts to sectors of the file system. If
     * there is one piece, it is for the whole device. */
    struct remap pieces[REMAPS_MOST];
    size_t count;
};

/* Finds where the file system is. If its device has no I/Os, but the log has remaps from it to a
 * device with I/Os, that device is used, with the offset by the remaps. Without a given device, the
 * same for the only one that the log has remaps from. Returns false and sets `error` if there are
 * several candidates, if the given device is unknown, or if remaps are not linear. */
bool device_place_find(struct device_place *place, const struct device_request *request,
                       struct database *database, const struct catalog_trace *trace,
                       struct error *error);

/* A part of an I/O: blocks of the same class of one file, or without a file. */
struct io_part {
    struct evidence evidence; /* evidence for the least certain block; IO_EVIDENCE_NONE: no file */
    uint64_t place;           /* index of the part's first block in the I/O, from 0 */
    uint64_t blocks;
    int64_t bytes;
};

/* Limit of the blocks of an I/O: each one is looked up, for each event of the I/O. A larger I/O is
 * damaged, or a discard. */
#define MAPPING_BLOCKS 65536

/* What is needed of an event to find its owner. */
struct asked_io {
    int64_t id, time, issued, address, size;
    uint32_t operation, object, flags;
};

bool asked_io_is_write(const struct asked_io *io);

/* Where an I/O is in the file system. */
struct io_place {
    uint64_t first, last; /* first and last block in the file system */
    uint64_t begin, end;  /* first byte and byte after the last, perhaps after the system's end */
};

/* Finds where an I/O is; returns false if it begins outside of the file system. */
bool io_place_find(struct io_place *place, const struct device_place *device,
                   const struct file_map *map, const struct asked_io *io);

/* The owners that were found for an I/O. */
struct owned_io {
    const struct asked_io *io; /* the I/O, in the array given to io_owners_send() */
    size_t first,
        count;      /* its parts in owned_lot.parts; count 0: it is outside of the file system */
    size_t files;   /* number of files that the parts belong to */
    bool too_large; /* true: it has more than MAPPING_BLOCKS blocks, and no owner */
};

#define OWNED_LOT 4096 /* limit of I/Os in a lot, which are handed over together */

struct owned_lot {
    struct owned_io ios[OWNED_LOT];
    size_t count;
    struct io_part *parts; /* owned */
    size_t part_count, part_capacity;
};

struct io_owners;

/* Starts a thread that finds the owners of I/Os. If that fails, io_owners_receive() finds them
 * itself. All arguments are borrowed and must not change meanwhile. The caller owns the result. */
struct io_owners *io_owners_new(const struct witnesses *witnesses,
                                const struct device_place *device);

/* Hands I/Os over to the thread; they are borrowed until all lots of them are received. All lots of
 * earlier I/Os must have been received. */
void io_owners_send(struct io_owners *owners, const struct asked_io *ios, size_t count);

/* Returns the next lot of I/Os with their owners, in order; borrowed until the next call. NULL
 * after the last one. */
const struct owned_lot *io_owners_receive(struct io_owners *owners);

void io_owners_free(struct io_owners *owners);

/* What `tracetool map` is asked to do. */
struct mapping_request {
    const char *image;              /* name of the image, to be stored in the database */
    const char *before;             /* name of an image from before the trace; NULL: none */
    const struct file_map *earlier; /* borrowed map of the image `before`; NULL: none */
    int64_t journals;               /* number of files with copies of the journal that were read */
    int64_t device;                 /* device of the image; EVENT_NONE: the only one in the trace */
    uint64_t offset;                /* where the file system begins on this device, in bytes */
    bool by_remaps; /* true: no offset was given, and it is 0 in the image: use remaps */
    bool replace;   /* true: replaces the results of an earlier `map` */
};

/* What the command reports. I/Os are counted once each: by the action that reports count. */
struct mapping_counts {
    int64_t above, below; /* devices of remaps that led to the file system; EVENT_NONE: none */
    int64_t
        place; /* where the file system begins on the device below, bytes; EVENT_NONE: in pieces */
    int64_t ios[IO_EVIDENCES];
    int64_t by_log;    /* number of I/Os with a file by allocations that the log records */
    bool log_left_out; /* true: the log has more than ALLOCATIONS_MOST allocations: not used */
    int64_t unused;    /* a device whose allocations in the log are not used, as I/Os are of another
                          device, and no remaps join them; EVENT_NONE: none */
    int64_t several;   /* number of I/Os on several files: counted for the file with most blocks */
    int64_t outside;   /* number of I/Os outside of the file system */
    int64_t too_large; /* number of I/Os of more than MAPPING_BLOCKS blocks, which get no file */
    int64_t transactions; /* number of the journal's transactions whose commit is in the trace */
    int64_t horizon;      /* time from which on the journal names owners; EVENT_NONE: never */
};

/* Sets object, block type, class of block and evidence of each I/O in the trace for which the log
 * names no file. If an I/O has several files, takes the one with most blocks, and writes a row of
 * the table `io_part` for each. Writes a row of the table `map`. The caller commits. Afterwards the
 * map is as before. */
bool map_trace(struct annotation *annotation, const struct mapping_request *request,
               struct file_map *map, struct mapping_counts *counts, struct error *error);

#endif
