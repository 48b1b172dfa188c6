/* Which file was it? What the map of an image says of a trace's block I/O. */
#ifndef TRACETOOL_MAPPING_H
#define TRACETOOL_MAPPING_H

#include "annotate/annotation.h"
#include "annotate/io_owners.h"
#include "filesystem/file_map.h"

/* What is asked. */
struct mapping_request {
    const char *image;  /* its name, for the database */
    const char *before; /* that of the image from before the trace; NULL: there is none */
    const struct file_map *earlier; /* what that one says; NULL: there is none; borrowed */
    int64_t journals;               /* copies of its journal that were read */
    int64_t device;  /* that the image is of; EVENT_NONE: the only one of the trace */
    uint64_t offset; /* where the file system begins on that device, bytes */
    bool by_remaps;  /* that is not given, and 0 in the image: the log may say it by its remaps */
    bool replace;    /* what an earlier map said goes */
};

/* What came of it. I/Os are counted once each: by the action that reports count. */
struct mapping_counts {
    int64_t above, below; /* devices of the remaps that gave the place; EVENT_NONE: none */
    int64_t place;        /* of the file system on the device below, bytes; EVENT_NONE: in pieces */
    int64_t ios[IO_EVIDENCES];
    int64_t by_log;    /* I/Os attributed by allocation events in the log */
    bool log_left_out; /* the log tells more than ALLOCATIONS_MOST: it is not used */
    int64_t unused; /* a device that the log has allocations of, of which none is used: I/Os are of
                       another, and no remaps say where it lies; EVENT_NONE: there is none */
    int64_t
        several; /* of these, those on several files: they are counted with that of most blocks */
    int64_t outside;      /* I/Os beyond the file system */
    int64_t too_large;    /* I/Os of more than MAPPING_BLOCKS, which are nobody's */
    int64_t transactions; /* of the journal with a commit in the trace */
    int64_t horizon;      /* event.time from which the journal tells; EVENT_NONE: it does not */
};

/* Sets object, block type, block class and evidence of each I/O of the annotation's trace that the
 * log itself names no file of; where these are not the same for all of its blocks, those of the
 * file with most blocks, and a row of the table `io_part` for each. Writes a row of the table
 * `map`. The caller commits. The map is afterwards what it was. */
bool map_trace(struct annotation *annotation, const struct mapping_request *request,
               struct file_map *map, struct mapping_counts *counts, struct error *error);

#endif
