#include "model/call_rollups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "model/event.h"

/* Adds a row for an operation and error. With too many rows, sets `given_up` and returns NULL. */
static struct call_counts_row *call_counts_add_row(struct call_counts *counts, uint32_t operation,
                                                   uint32_t error) {
    struct call_counts_row *row;

    counts->given_up = counts->count == CALL_COUNT_PAIRS;
    if (counts->given_up) {
        return NULL;
    }
    row = ARRAY_NEW(counts->rows, counts->count, counts->capacity);
    *row = (struct call_counts_row){.operation = operation, .error = error};
    for (int result = 0; result < CALL_RESULTS; result++) {
        row->results[result] = (struct call_count){
            .least = INT64_MAX, .most = -1, .first = INT64_MAX, .last = INT64_MIN};
    }
    pair_numbers_add(&counts->numbers, operation, error, (uint32_t)counts->count);
    return row;
}

static enum call_result result_of(int64_t value, int64_t duration) {
    return value == EVENT_NONE ? duration >= 0 ? CALL_TIMED : CALL_OPEN
           : value < 0         ? CALL_RESULT_NEGATIVE
                               : CALL_RESULT;
}

/* Adds a call. Sums saturate, since a damaged log may contain any time. */
static void call_counts_count_call(struct call_count *count, int64_t time, int64_t duration,
                                   int64_t size) {
    int64_t end = time;

    count->calls++;
    if (size >= 0) {
        add_saturated(&count->bytes, size);
    }
    if (duration >= 0) {
        count->timed++;
        add_saturated(&count->total, duration);
        count->least = duration < count->least ? duration : count->least;
        count->most = duration > count->most ? duration : count->most;
        add_saturated(&end, duration);
    }
    count->first = time < count->first ? time : count->first;
    count->last = end > count->last ? end : count->last;
}

void call_counts_add(struct call_counts *counts, const struct event_columns *columns,
                     size_t count) {
    for (size_t i = 0; i < count && !counts->given_up; i++) {
        uint32_t operation = columns->operation[i];
        uint32_t error = columns->error[i];
        uint32_t number = pair_numbers_find(&counts->numbers, operation, error);

        struct call_counts_row *row =
            number != 0 ? &counts->rows[number - 1] : call_counts_add_row(counts, operation, error);

        if (row != NULL) {
            call_counts_count_call(
                &row->results[result_of(columns->value[i], columns->duration[i])], columns->time[i],
                columns->duration[i], columns->size[i]);
        }
    }
}

void call_counts_free(struct call_counts *counts) {
    free(counts->rows);
    pair_numbers_free(&counts->numbers);
    *counts = (struct call_counts){0};
}

/* --- times by function and thread ------------------------------------------------------------- */

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
    free_each(times->rows, times->count);
    pair_numbers_free(&times->numbers);
    *times = (struct span_times){0};
}
