/* When the transactions of a journal were committed: the trace itself says so, by the last write to
 * each commit block. No clocks have to be compared. */
#ifndef TRACETOOL_COMMITS_H
#define TRACETOOL_COMMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

/* A commit block, and the transaction that it is of. */
struct commit_place {
    uint64_t block;
    uint32_t transaction;
};

struct commits {
    const struct file_map *map;  /* borrowed */
    struct commit_place *places; /* owned; by block */
    int64_t *times; /* owned; by transaction, event.time: INT64_MIN before the trace, INT64_MAX
                       behind it; they ascend */
    size_t count;   /* of transactions that are believed: 0, when the trace shows none */
    size_t timed;   /* of these, those with a time in the trace */
};

bool commits_open(struct commits *commits, const struct file_map *map, struct error *error);
void commits_close(struct commits *commits);

/* Notes a write to the blocks from `first` to `last` that was completed then. Times ascend. */
void commits_note(struct commits *commits, uint64_t first, uint64_t last, int64_t time);

/* Makes times of what was noted. Positions of the journal that were written once more after the
 * trace have the times of older transactions: theirs fall behind those before them, or are far from
 * what the device's clock said. Such transactions came after the trace. */
void commits_settle(struct commits *commits);

/* How many transactions were committed before then. */
size_t commits_before(const struct commits *commits, int64_t time);

/* The time from which the journal tells whose blocks were; INT64_MAX: it does not. */
int64_t commits_horizon(const struct commits *commits);

#endif
