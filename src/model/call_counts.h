/* Calls of a trace by operation, error and what is known of their result: the rollup of calls.
 *
 * While an import passes, each batch is added. What failed and what did not return follows from the
 * meanings of the trace (call_times.c), not from the counts.
 */
#ifndef TRACETOOL_CALL_COUNTS_H
#define TRACETOOL_CALL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"
#include "model/event_columns.h"

/* What the events have to have, beside their time. */
#define CALL_COUNT_FIELDS                                                                          \
    (EVENT_OPERATION | EVENT_ERROR | EVENT_SIZE | EVENT_VALUE | EVENT_DURATION)

/* Most pairs of operation and error; beyond that the rollup is given up. */
#define CALL_COUNT_PAIRS 4096

/* What is known of how calls ended. */
enum call_result {
    CALL_RESULT,          /* a value of 0 or more */
    CALL_RESULT_NEGATIVE, /* a value below 0 */
    CALL_TIMED,           /* no value, but a duration */
    CALL_OPEN,            /* neither */
    CALL_RESULTS,
};

/* Sums stop at INT64_MAX. Times are the trace's. */
struct call_count {
    int64_t calls, bytes;              /* bytes: of those that have a size */
    int64_t timed, total, least, most; /* calls with a duration, and these */
    int64_t first, last;               /* when the first began, and the last was over */
};

struct call_counts_row {
    uint32_t operation, error; /* name.id; error 0: none */
    struct call_count results[CALL_RESULTS];
};

/* Zeroed: of no calls. */
struct call_counts {
    struct call_counts_row *rows; /* owned */
    size_t count, capacity;
    struct pair_numbers numbers; /* of rows, from 1 on, by operation and error */
    bool given_up;               /* there are too many pairs */
};

/* Adds `count` calls. */
void call_counts_add(struct call_counts *counts, const struct event_columns *columns, size_t count);
void call_counts_free(struct call_counts *counts);

#endif
