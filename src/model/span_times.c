#include "model/span_times.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"

struct span_times_row *span_times_add_row(struct span_times *times, uint32_t operation,
                                          uint32_t actor) {
    struct span_times_row *row = xcalloc(1, sizeof *row);

    times->rows =
        array_grow(times->rows, times->count, &times->capacity, sizeof(struct span_times_row *));
    pair_numbers_add(&times->numbers, operation, actor, (uint32_t)times->count + 1);
    row->key = (struct span_times_key){operation, actor};
    times->rows[times->count++] = row;
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

void span_times_clear_closed(struct span_times *times) {
    size_t count = times->count;

    pair_numbers_clear(&times->numbers);
    times->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct span_times_row *row = times->rows[i];

        if (row->open == 0) {
            free(row);
            continue;
        }
        times->rows[times->count++] = row;
        pair_numbers_add(&times->numbers, row->key.operation, row->key.actor,
                         (uint32_t)times->count);
    }
}

void span_times_free(struct span_times *times) {
    for (size_t i = 0; i < times->count; i++) {
        free(times->rows[i]);
    }
    free(times->rows);
    pair_numbers_free(&times->numbers);
    *times = (struct span_times){0};
}
