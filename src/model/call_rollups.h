/* Counts and times of a trace's calls, for the rollup tables rollup_call and rollup_span, which are
 * stored with the trace.
 *
 * Counts by operation, error and kind of return value: an import adds batch by batch. Which calls
 * failed or did not return is decided later, by the meanings of the trace's columns (call_times.c).
 *
 * Times by function and thread: an import adds each call when it ends. A report with a filter
 * computes the same times from the events it selects. */
#ifndef TRACETOOL_CALL_ROLLUPS_H
#define TRACETOOL_CALL_ROLLUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"
#include "model/event_columns.h"

/* Columns of events that call_counts_add() reads, besides time. */
#define CALL_COUNT_FIELDS                                                                          \
    (EVENT_OPERATION | EVENT_ERROR | EVENT_SIZE | EVENT_VALUE | EVENT_DURATION)

/* Limit of different pairs of operation and error; beyond it, there are no counts. */
#define CALL_COUNT_PAIRS 4096

/* What the log says about the end of a call. */
enum call_result {
    CALL_RESULT,          /* a return value of 0 or above */
    CALL_RESULT_NEGATIVE, /* a return value below 0 */
    CALL_TIMED,           /* no return value, but a duration: the call returned */
    CALL_OPEN,            /* neither return value nor duration: its end is unknown */
    CALL_RESULTS,
};

/* Counts and times of calls. Sums saturate at INT64_MAX. `first` and `last` are trace times. */
struct call_count {
    int64_t calls, bytes;              /* number of calls; bytes of those that have a size */
    int64_t timed, total, least, most; /* calls with a duration: number, sum, minimum and maximum */
    int64_t first, last;               /* start of the first call, and end of the last one */
};

struct call_counts_row {
    uint32_t operation, error; /* ids in table `name`; error 0: none */
    struct call_count results[CALL_RESULTS];
};

/* Counts by operation and error; zeroed: none. */
struct call_counts {
    struct call_counts_row *rows; /* owned */
    size_t count, capacity;
    struct pair_numbers numbers; /* index + 1 in `rows` by operation and error */
    bool given_up; /* true: too many pairs of operation and error, so the counts are invalid */
};

/* Adds the calls in the first `count` elements of columns. */
void call_counts_add(struct call_counts *counts, const struct event_columns *columns, size_t count);
void call_counts_free(struct call_counts *counts);

/* Sums over the calls of a function in a thread, by one of the trace's clocks. */
struct span_clock_times {
    int64_t timed;       /* number of calls with a duration */
    int64_t total;       /* sum of the durations of calls not inside a call of the same function */
    int64_t sum;         /* sum of all durations, including recursive calls */
    int64_t self;        /* sum of all self times */
    int64_t least, most; /* smallest and largest duration */
};

enum span_clock { SPAN_WALL, SPAN_CPU };

#define SPAN_CLOCKS 2

struct span_times_key {
    uint32_t operation, actor;
};

struct span_times_row {
    struct span_times_key key;
    uint32_t open; /* index + 1 of the innermost open call in the thread's stack; 0: none */
    int64_t calls;
    /* Used without stacks, if calls are added in any order. outermost: id of the first call that is
     * not recursive; doubtful_…: ids of the first and last recursive call before it; 0: none. */
    int64_t outermost, doubtful_from, doubtful_to;
    struct span_clock_times clocks[SPAN_CLOCKS]; /* SPAN_CPU is last, since it is rarely needed */
};

/* Times by function and thread; zeroed: none. */
struct span_times {
    struct span_times_row **rows; /* owned, as are the rows; the address of a row never changes */
    size_t count, capacity;
    struct pair_numbers numbers; /* index + 1 in `rows` by function and thread */
};

/* Adds a row for a pair of function and thread that has none yet. */
struct span_times_row *span_times_add_row(struct span_times *times, uint32_t operation,
                                          uint32_t actor);

/* Returns the row of a function in a thread; adds one if there is none. */
static inline struct span_times_row *span_times_row(struct span_times *times, uint32_t operation,
                                                    uint32_t actor) {
    uint32_t number = pair_numbers_find(&times->numbers, operation, actor);

    return number != 0 ? times->rows[number - 1] : span_times_add_row(times, operation, actor);
}

/* Adds a call with a duration. `outermost`: it is not inside a call of the same function. */
void span_times_add(struct span_clock_times *times, int64_t duration, int64_t self, bool outermost);

/* Adds all sums of `from` to those of `times`. */
void span_times_merge(struct span_clock_times *times, const struct span_clock_times *from);

/* Removes the rows whose function has no open call in the thread. */
void span_times_clear_closed(struct span_times *times);

void span_times_free(struct span_times *times);

#endif
