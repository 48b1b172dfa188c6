/* Call times by function and thread: rollup_span, and the same over a selection.
 *
 * An import adds each call as it ends; a filtered report fills the times by scanning events.
 */
#ifndef TRACETOOL_SPAN_TIMES_H
#define TRACETOOL_SPAN_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pair_numbers.h"

/* Times on one clock, of the calls that have them. */
struct span_clock_times {
    int64_t timed;       /* calls with a duration */
    int64_t total;       /* duration of outermost calls */
    int64_t sum;         /* duration of all calls */
    int64_t self;        /* self time of all calls */
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
    /* Without stacks, calls in any order: ids; 0: none. The first call that is not recursive, and
     * the first and last recursive call before it. */
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
