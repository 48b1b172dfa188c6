/* When the transactions of a journal were committed: the trace itself says so, by the last write to
 * each commit block. No clocks have to be compared. */
#ifndef TRACETOOL_COMMITS_H
#define TRACETOOL_COMMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotate/turns.h"
#include "base/error.h"
#include "filesystem/file_map.h"

/* A commit block, and the transaction that it is of. Those of older transactions, which only copies
 * of the journal have, may lie where newer ones lie. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block, then by transaction */
    int64_t *times;     /* owned; by transaction, event.time: INT64_MIN before the trace, INT64_MAX
                           behind it; they ascend */
    size_t count;       /* of transactions that are believed: 0, when the trace shows none */
    size_t timed;       /* of these, those with a time in the trace */
    size_t oldest;      /* that has a time, while writes are noted; `count`: none yet */
    struct turns turns; /* instead of the places, where a map has these */
};

/* Begins without any time known; `map` outlives it. To be closed in any case. */
bool commits_open(struct commits *commits, const struct file_map *map, struct error *error);
void commits_close(struct commits *commits);

/* Notes a write to the blocks from `first` to `last`, which was completed then. Times descend: the
 * newest write comes first. A transaction's commit was the last write to its block before the
 * commit behind it, for the journal goes round: it comes back to a block only when it holds other
 * transactions. A commit block is written by itself or at the end of others. */
bool commits_note(struct commits *commits, uint64_t first, uint64_t last, int64_t time,
                  struct error *error);

/* Makes times of what was noted. Such as are far from what the device's clock said are none; nor
 * are they, when most transactions between the first and the last with a time have none: the
 * journal is of another time then. */
void commits_settle(struct commits *commits);

/* How many transactions were committed before then. */
size_t commits_before(const struct commits *commits, int64_t time);

/* The time from which the journal tells whose blocks were; INT64_MAX: it does not. */
int64_t commits_horizon(const struct commits *commits);

#endif
