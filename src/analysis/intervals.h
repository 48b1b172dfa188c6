/* Intervals of time that events are counted by: all of one length, half open, counted from the
 * start of each trace: [k L, (k + 1) L). */
#ifndef TRACETOOL_INTERVALS_H
#define TRACETOOL_INTERVALS_H

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

#endif
