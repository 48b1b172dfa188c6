/* Times of calls by function and thread: the rollup_span, and the same over a selection.
 *
 * While an import passes, each call that ends is added to the times of its trace. A report with
 * filters fills the same times by scanning events.
 */
#ifndef TRACETOOL_SPAN_TIMES_H
#define TRACETOOL_SPAN_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"

/* Times of one clock; valid where calls were added that have that time. */
struct span_clock_times {
    int64_t timed;       /* calls that have a duration */
    int64_t total;       /* durations of the outermost ones */
    int64_t sum;         /* durations of all */
    int64_t self;        /* self times of all */
    int64_t least, most; /* durations */
};

enum span_clock { SPAN_WALL, SPAN_CPU };
#define SPAN_CLOCKS 2

struct span_times_key {
    uint32_t operation, actor;
};

struct span_times_row {
    struct span_times_key key;
    uint32_t open; /* for who follows the stack: index of its innermost open call and 1; 0: none */
    int64_t calls;
    /* For who sees calls in any order, ids; 0: none. The first call that is not recursive, and of
     * the recursive ones that came before any such the first and the last. */
    int64_t outermost, doubtful_from, doubtful_to;
    struct span_clock_times clocks[SPAN_CLOCKS]; /* the second, which few want, behind all */
};

/* Zeroed: of no calls. */
struct span_times {
    struct span_times_row **rows; /* owned, and what they point to, which stays where it is */
    size_t count, capacity;
    struct pair_numbers numbers; /* of rows, from 1 on, by function and thread */
};

/* The row of a function in a thread that has none yet. */
struct span_times_row *span_times_add_row(struct span_times *times, uint32_t operation,
                                          uint32_t actor);

/* The row of a function in a thread, made when there is none. */
static inline struct span_times_row *span_times_row(struct span_times *times, uint32_t operation,
                                                    uint32_t actor) {
    uint32_t number = pair_numbers_find(&times->numbers, operation, actor);

    return number != 0 ? times->rows[number - 1] : span_times_add_row(times, operation, actor);
}

/* Adds a call that has a duration. */
void span_times_add(struct span_clock_times *times, int64_t duration, int64_t self, bool outermost);

/* Adds what `from` has. */
void span_times_merge(struct span_clock_times *times, const struct span_clock_times *from);

/* Forgets the rows of functions that are not open. */
void span_times_forget_closed(struct span_times *times);
void span_times_free(struct span_times *times);

#endif
