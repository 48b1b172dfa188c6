/* The file that owned a block at a given time, and the certainty of that. */
#ifndef TRACETOOL_EVIDENCE_H
#define TRACETOOL_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotate/allocations.h"
#include "filesystem/file_map.h"
#include "model/event.h"

/* When the transactions of a journal were committed: the trace itself says so, by the last write to
 * each commit block. No clocks have to be compared. */

/* A commit block, and the transaction that it is of. Those of older transactions, which only copies
 * of the journal have, may lie where newer ones lie. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times; /* owned; by transaction, event.time: INT64_MIN before the trace, INT64_MAX
                       behind it; they ascend */
    size_t count;   /* of transactions that are believed: 0, when the trace shows none */
    size_t timed;   /* of these, those with a time in the trace */
    size_t oldest;  /* that has a time, while writes are noted; `count`: none yet */
};

/* Begins without any time known; `map` outlives it. To be closed in any case. */
void commits_open(struct commits *commits, const struct file_map *map);
void commits_close(struct commits *commits);

/* Notes a completed write by its last block. Times descend: the newest write comes first. A
 * transaction's commit was the last write to its block before the commit behind it, for the journal
 * goes round: it comes back to a block only when it holds other transactions. A commit block is
 * written by itself or at the end of others. */
void commits_note(struct commits *commits, uint64_t last, int64_t time);

/* Makes times of what was noted. Such as are far from what the device's clock said are none; nor
 * are they, when most transactions between the first and the last with a time have none: the
 * journal is of another time then. */
void commits_settle(struct commits *commits);

/* The time from which the journal names owners; INT64_MAX: it does not. */
int64_t commits_horizon(const struct commits *commits);

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
