/* Finds the files that block I/Os of a trace belong to, by a map of a file system image. */
#ifndef TRACETOOL_MAPPING_H
#define TRACETOOL_MAPPING_H

#include "annotate/annotation.h"
#include "filesystem/file_map.h"
#include "annotate/evidence.h"
#include "model/remap.h"
#include "store/catalog.h"

/* Finding where the file system of an image is on the traced device. */

/* Device of a file system image, as given by the user and the image. */
struct device_request {
    int64_t device;  /* device of the image; EVENT_NONE: the trace's only device */
    uint64_t offset; /* offset of the file system on the device in bytes */
    bool by_remaps;  /* true: no offset was given; find it by the log's remaps (A events) */
};

struct filesystem_location {
    int64_t device; /* device with the I/Os; EVENT_NONE: the log has no devices */
    int64_t from;   /* device that is remapped to `device`; EVENT_NONE: no remaps are used */
    /* Ascending ranges of the device's sectors, with the shift to sectors of the file system. A
     * single piece applies to the whole device. */
    struct remap pieces[REMAPS_MOST];
    size_t count;
};

/* Finds the device and place of the file system. If the given device has no I/Os, but the log has
 * remaps from it to a device with I/Os, uses that device, with the remaps' shifts. Without a given
 * device, does the same for the only remapped device. Returns false with `error` set if there are
 * several candidates, if the device is unknown, or if remaps are not linear. */
bool filesystem_location_find(struct filesystem_location *place,
                              const struct device_request *request, struct database *database,
                              const struct catalog_trace *trace, struct error *error);

/* A part of an I/O: blocks of the same file (or none) and class. */
struct io_part {
    struct evidence evidence; /* owner; its certainty is that of the least certain block */
    uint64_t place;           /* index of the part's first block in the I/O, from 0 */
    uint64_t blocks;
    int64_t bytes;
};

/* Limit of the blocks of an I/O, as each is looked up. A larger I/O is damaged, or a discard. */
#define MAPPING_BLOCKS 65536

/* The data of an I/O event that are needed to find the files of its blocks. */
struct io_lookup {
    int64_t id, time, issued, address, size;
    uint32_t operation, object, flags;
};

bool io_lookup_is_write(const struct io_lookup *io);

/* Place of an I/O in the file system. */
struct io_block_range {
    uint64_t first, last; /* first and last block of the I/O */
    /* begin: first byte; end: byte after the last, maybe behind the file system */
    uint64_t begin, end;
};

/* Finds the place of an I/O. Returns false if it begins outside the file system. */
bool io_block_range_find(struct io_block_range *place, const struct filesystem_location *device,
                         const struct file_map *map, const struct io_lookup *io);

/* Owners that were found for an I/O. */
struct owned_io {
    const struct io_lookup *io; /* element of the array passed to io_owners_send() */
    size_t first, count; /* range in io_owner_batch.parts; count 0: outside the file system */
    size_t files;        /* number of different files in the parts */
    bool too_large;      /* true: over MAPPING_BLOCKS blocks, so no owners are looked up */
};

#define OWNED_LOT 4096 /* limit of the I/Os in a lot (a group with results) */

struct io_owner_batch {
    struct owned_io ios[OWNED_LOT];
    size_t count;
    struct io_part *parts; /* owned */
    size_t part_count, part_capacity;
};

struct io_owners;

/* Starts a thread that finds owners of I/Os. If that fails, io_owners_receive() finds them itself.
 * All arguments are borrowed, and must not change until io_owners_free(). The result is owned. */
struct io_owners *io_owners_new(const struct owner_sources *sources,
                                const struct filesystem_location *device);

/* Submits I/Os to the thread. `ios` is borrowed until all their lots were received. All lots of
 * earlier I/Os must have been received. */
void io_owners_send(struct io_owners *owners, const struct io_lookup *ios, size_t count);

/* Returns the next lot of I/Os with their owners, in order. It is borrowed until the next call.
 * NULL after the last lot. */
const struct io_owner_batch *io_owners_receive(struct io_owners *owners);

void io_owners_free(struct io_owners *owners);

/* Request of `tracetool map`. */
struct mapping_request {
    const char *image;              /* file name of the file system image, stored in the database */
    const char *before;             /* file name of an image made before the trace; NULL: none */
    const struct file_map *earlier; /* borrowed; map of the image `before`; NULL: none */
    int64_t journals;               /* number of journal copies (files) that were read */
    int64_t device;                 /* device of the image; EVENT_NONE: the trace's only device */
    uint64_t offset;                /* offset of the file system on the device in bytes */
    bool by_remaps; /* true: no offset was given, and the image has none: find it by remaps */
    bool replace;   /* true: replaces the results of an earlier `tracetool map` */
};

/* Results of `tracetool map`. An I/O is counted once, at its counted action. */
struct mapping_counts {
    /* above: device of the image; below: device of its I/Os; EVENT_NONE: no remaps */
    int64_t above, below;
    int64_t place; /* offset of the file system on `below` in bytes; EVENT_NONE: in pieces */
    int64_t ios[IO_EVIDENCES];
    int64_t by_log;    /* number of I/Os whose file is known from the log's allocations */
    bool log_left_out; /* true: over ALLOCATIONS_MOST allocations in the log, so none are used */
    int64_t unused;  /* device with allocations in the log that are not used, since the I/Os are on
                        another device without remaps; EVENT_NONE: none */
    int64_t several; /* number of I/Os on several files, counted under the one with most blocks */
    int64_t outside; /* number of I/Os outside the file system */
    int64_t too_large;    /* number of I/Os with over MAPPING_BLOCKS blocks, which get no file */
    int64_t transactions; /* number of journal transactions whose commit is in the trace */
    int64_t horizon; /* time since which the journal names owners of blocks; EVENT_NONE: never */
};

/* Sets object, block type, block class and evidence of each I/O for which the log names no file. An
 * I/O on several files gets the one with the most blocks, and a row of table `io_part` for each.
 * Writes a row of table `map`. The caller commits. On return, `map` is as before the call. */
bool map_ios_to_files(struct annotation *annotation, const struct mapping_request *request,
                      struct file_map *map, struct mapping_counts *counts, struct error *error);

#endif
