/* Whose a block was at a time, and how far that can be believed. */
#ifndef TRACETOOL_EVIDENCE_H
#define TRACETOOL_EVIDENCE_H

#include "annotate/allocations.h"
#include "annotate/commits.h"
#include "model/event.h"

/* What is said of a block. */
struct evidence {
    uint32_t file;         /* index into the map's files; 0: of no file */
    unsigned class;        /* enum block_class */
    enum io_evidence word; /* IO_EVIDENCE_NONE: nobody's */
    bool past;             /* the file's name is to be that after transaction `then` */
    uint32_t then;
    bool by_log; /* the log's word made it known, or certain */
};

/* What it is found out from; all borrowed. */
struct witnesses {
    const struct file_map *map;    /* of after the trace */
    const struct file_map *before; /* of before it; NULL: there is none. It only confirms */
    const struct commits *commits;
    const struct allocations *log; /* NULL: it tells of none. It is believed before the others */
};

/* An I/O on a block. */
struct evidence_io {
    int64_t issued, completed; /* event.time; equal, where only one is known */
    bool is_write;
};

/* Finds out whose a block was that an I/O was done on. The same holds of all blocks up to before
 * `*behind`, which is larger than `block`; it is the caller's to set, to the block behind the last
 * that is asked for, and only becomes less. */
struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *behind);

#endif
