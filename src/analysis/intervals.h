/* Intervals of time that events are counted by: all of one length, half open, counted from the
 * start of each trace: [k L, (k + 1) L). */
#ifndef TRACETOOL_INTERVALS_H
#define TRACETOOL_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

/* The most that --interval may make of a report. */
#define INTERVALS_MOST 65536

struct intervals {
    uint64_t origin, length; /* where the first begins (a time, as unsigned); at least 1 */
    size_t count;            /* 0: there are no events */
};

/* The intervals from the first selected event, or from `from` where that is before, to the last, of
 * all traces in their window: as long as the analysis' first parameter, INTERVAL_PARAMETER, says,
 * which fails where that makes more than `most`; without it as short as at most `wanted` allow, of
 * the lengths that people count time in, and no shorter than a second where all times are whole
 * seconds. */
void intervals_find(struct intervals *intervals, struct analysis_context *context, int64_t from,
                    size_t wanted, size_t most);

/* The number of the interval of a time; `count` or more: it is in none. */
static inline uint64_t interval_of(const struct intervals *intervals, int64_t time) {
    return ((uint64_t)time - intervals->origin) / intervals->length;
}

/* A stretch of time in parts, each within one interval. */
struct interval_part {
    uint64_t begin, end; /* of what is still to come, from the origin on */
    uint64_t number;     /* of the interval of this part */
    int64_t length;      /* of this part */
};

/* The stretch from `from` to `to`, as far as intervals hold it; interval_next() gives its parts. */
static inline struct interval_part interval_parts(const struct intervals *intervals, int64_t from,
                                                  int64_t to) {
    uint64_t all = intervals->length * intervals->count;
    struct interval_part part = {0};

    if (to > (int64_t)intervals->origin) {
        part.begin = from <= (int64_t)intervals->origin ? 0 : (uint64_t)from - intervals->origin;
        part.end = (uint64_t)to - intervals->origin;
        part.end = part.end < all ? part.end : all;
    }
    return part;
}

/* Whether there is another part. */
static inline bool interval_next(const struct intervals *intervals, struct interval_part *part) {
    uint64_t next;

    if (part->begin >= part->end) {
        return false;
    }
    part->number = part->begin / intervals->length;
    next = (part->number + 1) * intervals->length;
    next = next < part->end ? next : part->end;
    part->length = (int64_t)(next - part->begin);
    part->begin = next;
    return true;
}

#endif
