/* Time intervals in which events are counted. They have the same length L, and interval k lasts
 * from k L to before (k + 1) L, in times of the trace. */
#ifndef TRACETOOL_INTERVALS_H
#define TRACETOOL_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

/* Limit of the number of intervals that --interval may give. */
#define INTERVALS_MOST 65536

struct intervals {
    uint64_t origin,
        /* Origin: begin of the first interval (a time, as unsigned); length: L, at least 1. */
        length;
    size_t count;        /* number of intervals; 0: no events */
    int64_t first, last; /* first and last time to cover */
};

/* Which times of all traces intervals cover: from the first selected event to the last; from --from
 * to the last event; or from --from to --to. Times outside the log are never covered. */
enum interval_cover { COVER_EVENTS, COVER_FROM, COVER_WINDOW };

/* Computes intervals that cover the times of `cover`. Their length is set by --interval
 * (INTERVAL_PARAMETER, which must be the analysis' first parameter); more than `most` intervals are
 * an error. Without --interval, it is the shortest round length that gives at most `wanted`
 * intervals; at least a second if all times are whole seconds. */
void intervals_find(struct intervals *intervals, struct analysis_context *context,
                    enum interval_cover cover, size_t wanted, size_t most);

/* Returns the number of the interval that contains a time; `count` or more if none does. */
static inline uint64_t interval_of(const struct intervals *intervals, int64_t time) {
    return ((uint64_t)time - intervals->origin) / intervals->length;
}

/* State of splitting a time span at the begins of intervals. */
struct interval_part {
    uint64_t begin, end; /* rest of the span, relative to intervals.origin */
    uint64_t number;     /* number of the current interval */
    int64_t length;      /* length of the span's overlap with the current interval */
};

/* Starts splitting the span `from` to `to`, cut to the covered time, for interval_next_part(). */
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

/* Advances to the next interval that the span overlaps. Returns false if there is none. */
static inline bool interval_next_part(const struct intervals *intervals,
                                      struct interval_part *part) {
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
