/* Finds the files of a trace's block I/O, using the map of an image. */
#ifndef TRACETOOL_MAPPING_H
#define TRACETOOL_MAPPING_H

#include "annotate/annotation.h"
#include "annotate/io_owners.h"
#include "filesystem/file_map.h"

/* Parameters of the mapping. */
struct mapping_request {
    const char *image;              /* its name, for the database */
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
