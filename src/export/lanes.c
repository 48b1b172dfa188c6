#include "export/lanes.h"

#include <stdlib.h>

#include "base/memory.h"

static bool grow(struct lanes *lanes) {
    size_t capacity = lanes->capacity == 0 ? 8 : 2 * lanes->capacity;
    int64_t *ends = xreallocarray(lanes->ends, capacity, sizeof *ends);

    if (ends != NULL) {
        lanes->ends = ends;
        lanes->capacity = capacity;
    }
    return ends != NULL;
}

enum lanes_result lanes_take(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane,
                             bool *is_new) {
    size_t at = 0;

    while (at < lanes->count && lanes->ends[at] > begin) {
        at++;
    }
    *is_new = at == lanes->count;
    if (at == LANES_MOST) {
        return LANES_FULL;
    }
    if (*is_new) {
        if (lanes->count == lanes->capacity && !grow(lanes)) {
            return LANES_NO_MEMORY;
        }
        lanes->count++;
    }
    lanes->ends[at] = end;
    *lane = at;
    return LANES_TAKEN;
}

void lanes_free(struct lanes *lanes) {
    free(lanes->ends);
    *lanes = (struct lanes){0};
}
