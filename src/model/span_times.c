#include "model/span_times.h"
#include "base/saturate.h"

#include <stdlib.h>

struct span_times_row *span_times_row(struct span_times *times, uint32_t operation,
                                      uint32_t actor) {
    struct span_times_key key = {operation, actor};
    struct span_times_row *row;

    HASH_FIND(hh, times->rows, &key, sizeof key, row);
    if (row == NULL && (row = calloc(1, sizeof *row)) != NULL) {
        row->key = key;
        HASH_ADD(hh, times->rows, key, sizeof key, row);
        if (!hash_added(row)) {
            free(row);
            row = NULL;
        }
    }
    return row;
}

void span_times_add(struct span_clock_times *times, int64_t duration, int64_t self,
                    bool outermost) {
    if (times->timed == 0 || duration < times->least) {
        times->least = duration;
    }
    if (times->timed == 0 || duration > times->most) {
        times->most = duration;
    }
    times->timed++;
    add_saturated(&times->sum, duration);
    add_saturated(&times->self, self);
    if (outermost) {
        add_saturated(&times->total, duration);
    }
}

void span_times_merge(struct span_clock_times *times, const struct span_clock_times *from) {
    if (from->timed == 0) {
        return;
    }
    if (times->timed == 0 || from->least < times->least) {
        times->least = from->least;
    }
    if (times->timed == 0 || from->most > times->most) {
        times->most = from->most;
    }
    times->timed += from->timed;
    add_saturated(&times->sum, from->sum);
    add_saturated(&times->self, from->self);
    add_saturated(&times->total, from->total);
}

size_t span_times_count(const struct span_times *times) {
    return HASH_COUNT(times->rows);
}

void span_times_free(struct span_times *times) {
    while (times->rows != NULL) {
        struct span_times_row *row = times->rows;

        HASH_DEL(times->rows, row);
        free(row);
    }
}
