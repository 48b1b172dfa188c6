#include "model/call_counts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "model/event.h"

/* Adds a row; if there are too many, sets `given_up` and returns NULL. */
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

static struct call_counts_row *call_counts_find_row(struct call_counts *counts, uint32_t operation,
                                                    uint32_t error) {
    uint32_t number = pair_numbers_find(&counts->numbers, operation, error);

    return number != 0 ? &counts->rows[number - 1] : call_counts_add_row(counts, operation, error);
}

static enum call_result result_of(int64_t value, int64_t duration) {
    return value == EVENT_NONE ? duration >= 0 ? CALL_TIMED : CALL_OPEN
           : value < 0         ? CALL_RESULT_NEGATIVE
                               : CALL_RESULT;
}

/* Saturates, since a damaged log may have any time. */
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
        struct call_counts_row *row =
            call_counts_find_row(counts, columns->operation[i], columns->error[i]);

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
