/* The calls, or states of threads, that run across the begin or the end of the time window, and the
 * part of each that lies inside.
 *
 * A window chooses the calls that begin in it. Their times are counted inside the window, and so
 * are those of calls that began before it: these are found by a pass over the events before the
 * window.
 */
#ifndef TRACETOOL_WINDOW_EDGES_H
#define TRACETOOL_WINDOW_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"

/* The trace's first clock, and the times that selection_times() names: where it names none, those
 * of the first clock again. */
enum edge_clock { EDGE_FIRST, EDGE_CHOSEN };
#define EDGE_CLOCKS 2

/* Of a call or a part of it, in units of the trace's clock; EVENT_NONE: not known. */
struct edge_times {
    int64_t duration, self;
};

struct window_edge {
    /* The id is first, for compare_int64(). */
    int64_t id, time, end; /* of the first clock; end is INT64_MAX where it is not known */
    uint32_t operation, actor, object, flags;
    int64_t value; /* states: the processor; of others EVENT_NONE */
    int32_t depth; /* spans: of the call in its thread */
    bool earlier;  /* it began before the window */
    bool chosen;   /* by all of the filter but the window */
    struct edge_times whole[EDGE_CLOCKS], inside[EDGE_CLOCKS];
};

struct window_edges {
    int64_t from, to;          /* INT64_MIN, INT64_MAX: not given */
    struct window_edge *edges; /* owned: those that began earlier, callers before what they call;
                                  then those that began in the window, in order of id */
    size_t count, capacity;
    size_t earlier; /* how many began before the window */
};

/* Whether times of the selection are parts of calls: it has a window, its calls may have durations,
 * and whole calls were not asked for. */
bool window_edges_wanted(const struct selection *selection);

/* Sets `edges` of all traces of the selection, unless they are there; what lies under --under must
 * be known. selection_close() frees them. */
bool window_edges_find(struct selection *selection, struct error *error);

/* The call of that id that began in the window and ends behind it; NULL: it is none of these. */
const struct window_edge *window_edges_behind(const struct window_edges *edges, int64_t id);

/* NULL: there are none. */
void window_edges_free(struct window_edges *edges);

#endif
