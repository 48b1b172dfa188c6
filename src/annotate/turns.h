/* When the checkpoints of F2FS were made. They are written to two places by turns, over and over,
 * so the trace shows each of them; which one it was tell the nodes: each that is still there says
 * how many checkpoints came before it, and the trace has the write of it between two of them. */
#ifndef TRACETOOL_TURNS_H
#define TRACETOOL_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

struct turns {
    const struct file_map *map; /* borrowed */
    int64_t *times; /* owned; the last write of each checkpoint, event.time, the newest first */
    size_t count, capacity;
    uint64_t first, place; /* first block of the place of the newest, and of the one noted last */
    int64_t newest; /* transaction that the newest is, or the last before the trace, if it has
                       none; INT64_MAX: no node tells */
};

/* Begins without a checkpoint noted; `map` outlives it. Nothing is owned yet. */
void turns_open(struct turns *turns, const struct file_map *map);
void turns_close(struct turns *turns);

/* Notes a write to the blocks from `first` to `last` that was completed then. Times descend. */
bool turns_note(struct turns *turns, uint64_t first, uint64_t last, int64_t time,
                struct error *error);

/* Fills the times of all transactions of the map: INT64_MIN before the trace, INT64_MAX behind it.
 * False: the trace does not tell. `*timed` is how many of them it has. */
bool turns_settle(const struct turns *turns, int64_t *times, size_t *timed);

#endif
