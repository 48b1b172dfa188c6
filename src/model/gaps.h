/* Times between events, and times in which no I/O was in flight. */
#ifndef TRACETOOL_GAPS_H
#define TRACETOOL_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"

/* From `start` to `end`, in the trace's unit of time; end > start. */
struct gap {
    int64_t trace, start, end;
    bool unanswered; /* an I/O ended it whose completion is not known */
};

/* How long it lasts; at most INT64_MAX, whatever the times of a damaged database are. */
static inline int64_t gap_length(const struct gap *gap) {
    int64_t length;

    return __builtin_sub_overflow(gap->end, gap->start, &length) ? INT64_MAX : length;
}

/* Of each kind of gap a trace keeps so many of the longest (rollup_gap). */
#define GAP_ROLLUP_KEPT 1000

/* The longest gaps, and of equal ones the earliest. Zeroed: empty, without room. */
struct gap_heap {
    struct gap *gaps; /* owned; in no order that is told */
    size_t count, capacity;
};

/* Makes room for `capacity` gaps, at least 1; false when out of memory. */
bool gap_heap_init(struct gap_heap *heap, size_t capacity);
void gap_heap_free(struct gap_heap *heap);

/* Keeps a gap, where there is no room in place of the shortest. */
void gap_heap_add(struct gap_heap *heap, const struct gap *gap);

/* --- idle times ------------------------------------------------------------------------------- */

/* When an I/O is known to have been in flight from: where it was asked for, its issue, or, where
 * neither is known, its completion. */
enum gap_since { GAP_SINCE_ASKED, GAP_SINCE_ISSUED, GAP_SINCE_COMPLETED };
#define GAP_SINCE_KINDS 3

/* What is counted beside the idle times. */
struct in_flight {
    int64_t since[GAP_SINCE_KINDS]; /* I/Os */
    int64_t overlooked;             /* I/Os that began before an idle time that stood already */
    int64_t unanswered;             /* idle times that an I/O ended whose completion is not known */
};

/* What the I/Os have to have. */
#define IDLE_FIELDS (EVENT_OPERATION | EVENT_DURATION | EVENT_RESPONSE)

struct idle_times;

/* `keep` gets each idle time, in order; false with `error` set ends the pass. NULL when out of
 * memory; owned by the caller. */
struct idle_times *idle_times_new(bool (*keep)(void *context, const struct gap *gap,
                                               struct error *error),
                                  void *context);
void idle_times_free(struct idle_times *times);

/* Begins a trace. `completes`: name.id of the action that completes, EVENT_NONE: any does; `asks`:
 * of the two that end an idle time even if their I/O never completes, EVENT_NONE: the trace has
 * none. */
void idle_times_begin(struct idle_times *times, int64_t trace, int64_t completes,
                      const int64_t asks[2]);

/* Changes `asks`, of which no event was added yet. */
void idle_times_asks(struct idle_times *times, const int64_t asks[2]);

/* Adds `count` events, in order of time. */
bool idle_times_add(struct idle_times *times, const struct event_columns *columns, size_t count,
                    struct error *error);

/* Ends the trace. */
bool idle_times_end(struct idle_times *times, struct error *error);

/* Of all traces up to now; to be set to 0 where all is counted once more. */
struct in_flight *idle_times_in_flight(struct idle_times *times);

#endif
