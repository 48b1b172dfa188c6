/* The file that owned a block at a given time, and the certainty of that. */
#ifndef TRACETOOL_EVIDENCE_H
#define TRACETOOL_EVIDENCE_H

#include "annotate/allocations.h"
#include "annotate/commits.h"
#include "model/event.h"

/* The result for a block. */
struct evidence {
    uint32_t file;         /* index into the map's files; 0: of no file */
    unsigned class;        /* enum block_class */
    enum io_evidence word; /* IO_EVIDENCE_NONE: no owner */
    bool past;             /* take the file's name after transaction `then` */
    uint32_t then;
    bool by_log; /* known, or certain, by events of the log */
};

/* The sources; all borrowed. */
struct witnesses {
    const struct file_map *map;    /* of after the trace */
    const struct file_map *before; /* of before it; NULL: none. It only confirms */
    const struct commits *commits;
    const struct allocations *log; /* NULL: none. It overrides the others */
};

/* An I/O on a block. */
struct evidence_io {
    int64_t issued, completed; /* event.time; equal, where only one is known */
    bool is_write;
};

/* Finds the file that owned a block at the time of an I/O. The result holds for all blocks before
 * `*behind`. The caller sets `*behind` to the block after the last one of interest, above `block`;
 * the function only lowers it. */
struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *behind);

#endif
