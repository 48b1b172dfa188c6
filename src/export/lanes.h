/* Lanes for what is of the same time: each takes the first one that is free, so that what lies in a
 * lane does not overlap, and as many are in use as there are under way at once. */
#ifndef TRACETOOL_LANES_H
#define TRACETOOL_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many as there can be. */
#define LANES_MOST 4096

/* Zeroed: none. */
struct lanes {
    int64_t *ends; /* owned; of each lane when it is free again */
    size_t count, capacity;
};

enum lanes_result { LANES_TAKEN, LANES_FULL, LANES_NO_MEMORY };

/* Takes a lane from `begin` to `end`, which is not before that; each comes no earlier than the one
 * before it. `*is_new`: it is the first time that so many are needed. */
enum lanes_result lanes_take(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane,
                             bool *is_new);

void lanes_free(struct lanes *lanes);

#endif
