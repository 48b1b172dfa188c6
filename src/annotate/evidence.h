/* The file that owned a block at a given time, and the certainty of that. */
#ifndef TRACETOOL_EVIDENCE_H
#define TRACETOOL_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotate/allocations.h"
#include "filesystem/file_map.h"
#include "model/event.h"

/* Commit times of a journal's transactions, taken from the trace: the last write to each commit
 * block. No clocks need comparing. */

/* A commit block and its transaction. The blocks of older transactions, known only from copies of
 * the journal, may be reused by newer ones. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times; /* owned; by transaction, event.time, ascending: INT64_MIN before the trace,
                       INT64_MAX after it */
    size_t count;   /* number of accepted transactions; 0 if the trace shows none */
    size_t timed;   /* number of these with a time in the trace */
    size_t oldest;  /* oldest one with a time, while writes are noted; `count`: none yet */
};

/* Begins without known times; `map` must outlive it. Must always be closed. */
void commits_open(struct commits *commits, const struct file_map *map);
void commits_close(struct commits *commits);

/* Notes a completed write by its last block. Call in descending order of time. A transaction's
 * commit is the last write to its block before the next commit there, because the journal is
 * circular: it reuses a block only for other transactions. A commit block is written separately or
 * at the end of others. */
void commits_record(struct commits *commits, uint64_t last, int64_t time);

/* Computes the times. Rejects times far from the device's clock. Rejects all if most transactions
 * between the first and the last one with a time have none: the journal is then from another time.
 */
void commits_finish(struct commits *commits);

/* Returns the time from which the journal names owners; INT64_MAX: never. */
int64_t commits_horizon(const struct commits *commits);

/* The result for a block. */
struct evidence {
    uint32_t file;         /* index in the map's files; 0: no file */
    unsigned class;        /* enum block_class */
    enum io_evidence word; /* IO_EVIDENCE_NONE: no owner */
    bool past;             /* take the file's name after transaction `then` */
    uint32_t then;
    bool by_log; /* known, or made certain, by events of the log */
};

/* The sources; all borrowed. */
struct witnesses {
    const struct file_map *map;    /* image from after the trace */
    const struct file_map *before; /* image from before it; NULL: none. Only confirms */
    const struct commits *commits;
    const struct allocations *log; /* NULL: none. Overrides the others */
};

/* An I/O on a block. */
struct evidence_io {
    int64_t issued, completed; /* event.time; equal if only one is known */
    bool is_write;
};

/* Finds the file that owned a block at the time of an I/O. The result holds for all blocks before
 * `*behind`. The caller sets `*behind` to the block after the last one of interest, above `block`;
 * the function only lowers it. */
struct evidence evidence_find(const struct witnesses *witnesses, uint64_t block,
                              const struct evidence_io *io, uint64_t *behind);

#endif
