/* Rollups of a trace's calls.
 *
 * Counts by operation, error and kind of return value: the rollup of calls. An import adds each
 * batch. Which calls failed or did not return depends on the trace's meanings (call_times.c), not
 * on these counts.
 *
 * Times by function and thread: rollup_span, and the same over a selection. An import adds each
 * call as it ends; a filtered report fills the times by scanning events.
 */
#ifndef TRACETOOL_CALL_ROLLUPS_H
#define TRACETOOL_CALL_ROLLUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"
#include "model/event_columns.h"

/* Columns that call_counts_add() reads besides time. */
#define CALL_COUNT_FIELDS                                                                          \
    (EVENT_OPERATION | EVENT_ERROR | EVENT_SIZE | EVENT_VALUE | EVENT_DURATION)

/* Maximum pairs of operation and error; with more, there is no rollup. */
#define CALL_COUNT_PAIRS 4096

/* What the log tells of a call's result. */
enum call_result {
    CALL_RESULT,          /* a result of at least 0 */
    CALL_RESULT_NEGATIVE, /* a result below 0 */
    CALL_TIMED,           /* no result, but a duration: the call has returned */
    CALL_OPEN,            /* neither a result nor a duration */
    CALL_RESULTS,
};

/* Sums saturate at INT64_MAX. Times are relative to the trace's start. */
struct call_count {
    int64_t calls, bytes;              /* bytes: of calls with a size */
    int64_t timed, total, least, most; /* calls with a duration; their total, minimum and maximum */
    int64_t first, last;               /* start of the first call, end of the last one */
};

struct call_counts_row {
    uint32_t operation, error; /* name.id of operation and error; error 0: none */
    struct call_count results[CALL_RESULTS];
};

/* Empty when zeroed. */
struct call_counts {
    struct call_counts_row *rows; /* owned */
    size_t count, capacity;
    struct pair_numbers numbers; /* row numbers, from 1, by operation and error */
    bool given_up; /* true: too many pairs of operation and error: nothing is counted */
};

/* Adds `count` calls. */
void call_counts_add(struct call_counts *counts, const struct event_columns *columns, size_t count);
void call_counts_free(struct call_counts *counts);

/* Sums of the calls that have times on one of the trace's clocks. */
struct span_clock_times {
    int64_t timed;       /* number of calls with a duration */
    int64_t total;       /* sum of the durations of outermost calls */
    int64_t sum;         /* sum of the durations of all calls */
    int64_t self;        /* sum of the self times of all calls */
    int64_t least, most; /* minimum and maximum duration */
};

enum span_clock { SPAN_WALL, SPAN_CPU };

#define SPAN_CLOCKS 2

struct span_times_key {
    uint32_t operation, actor;
};

struct span_times_row {
    struct span_times_key key;
    uint32_t open; /* with stacks: index of its innermost open call plus 1; 0: none */
    int64_t calls;
    /* For calls added in any order, without stacks: ids of the first call that is not recursive,
     * and of the first and last recursive call before it; 0: none. */
    int64_t outermost, doubtful_from, doubtful_to;
    struct span_clock_times clocks[SPAN_CLOCKS]; /* SPAN_CPU, rarely needed, is last */
};

/* Empty when zeroed. */
struct span_times {
    struct span_times_row **rows; /* owned, rows too; their addresses are stable */
    size_t count, capacity;
    struct pair_numbers numbers; /* row numbers, from 1, by function and thread */
};

/* Adds the first row of a function in a thread. */
struct span_times_row *span_times_add_row(struct span_times *times, uint32_t operation,
                                          uint32_t actor);

/* Finds or adds the row of a function in a thread. */
static inline struct span_times_row *span_times_row(struct span_times *times, uint32_t operation,
                                                    uint32_t actor) {
    uint32_t number = pair_numbers_find(&times->numbers, operation, actor);

    return number != 0 ? times->rows[number - 1] : span_times_add_row(times, operation, actor);
}

/* Adds a call with a duration. */
void span_times_add(struct span_clock_times *times, int64_t duration, int64_t self, bool outermost);

/* Adds the times of `from`. */
void span_times_merge(struct span_clock_times *times, const struct span_clock_times *from);

/* Removes the rows of functions without open calls. */
void span_times_clear_closed(struct span_times *times);

void span_times_free(struct span_times *times);

#endif
