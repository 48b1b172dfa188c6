/* Counts of a trace's calls by operation, error and kind of return value: the rollup of calls.
 *
 * An import adds each batch. Which calls failed or did not return depends on the trace's meanings
 * (call_times.c), not on these counts.
 */
#ifndef TRACETOOL_CALL_COUNTS_H
#define TRACETOOL_CALL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"
#include "model/event_columns.h"

/* Columns needed besides time. */
#define CALL_COUNT_FIELDS                                                                          \
    (EVENT_OPERATION | EVENT_ERROR | EVENT_SIZE | EVENT_VALUE | EVENT_DURATION)

/* Maximum pairs of operation and error; with more, there is no rollup. */
#define CALL_COUNT_PAIRS 4096

/* Form of a call's result. */
enum call_result {
    CALL_RESULT,          /* value >= 0 */
    CALL_RESULT_NEGATIVE, /* value < 0 */
    CALL_TIMED,           /* a duration but no value */
    CALL_OPEN,            /* neither */
    CALL_RESULTS,
};

/* Sums saturate at INT64_MAX. Times are relative to the trace's start. */
struct call_count {
    int64_t calls, bytes;              /* bytes: of calls with a size */
    int64_t timed, total, least, most; /* calls with a duration; their total, minimum and maximum */
    int64_t first, last;               /* start of the first call, end of the last one */
};

struct call_counts_row {
    uint32_t operation, error; /* name.id; error 0: none */
    struct call_count results[CALL_RESULTS];
};

/* Empty when zeroed. */
struct call_counts {
    struct call_counts_row *rows; /* owned */
    size_t count, capacity;
    struct pair_numbers numbers; /* row numbers, from 1, by operation and error */
    bool given_up;               /* too many pairs */
};

/* Adds `count` calls. */
void call_counts_add(struct call_counts *counts, const struct event_columns *columns, size_t count);
void call_counts_free(struct call_counts *counts);

#endif
