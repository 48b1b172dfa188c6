/* Calls or thread states that cross the beginning or end of the time window, and the part of each
 * inside it.
 *
 * A window selects the calls that begin in it, but times count inside the window only, including
 * those of earlier calls. A pass over the events before the window finds these.
 */
#ifndef TRACETOOL_WINDOW_EDGES_H
#define TRACETOOL_WINDOW_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "scan/event_filter.h"
#include "scan/event_scan.h"
#include "select/selection.h"

/* The trace's first clock, and that of selection_times(), which may be the first one too. */
enum edge_clock { EDGE_FIRST, EDGE_CHOSEN };
#define EDGE_CLOCKS 2

/* Times of a call or a part of it, in units of the trace's clock; EVENT_NONE: unknown. */
struct edge_times {
    int64_t duration, self;
};

struct window_edge {
    /* `id` is first, for compare_int64(). */
    int64_t id, time, end; /* times on the first clock; end is INT64_MAX if unknown */
    uint32_t operation, actor, object, flags;
    int64_t value; /* states: the processor; otherwise EVENT_NONE */
    int32_t depth; /* spans: depth of the call in its thread */
    bool earlier;  /* began before the window */
    bool chosen;   /* selected by all of the filter except the window */
    struct edge_times whole[EDGE_CLOCKS], inside[EDGE_CLOCKS];
};

struct window_edges {
    int64_t from, to;          /* INT64_MIN, INT64_MAX: not given */
    struct window_edge *edges; /* owned: first the earlier ones, callers before callees; then those
                                  that began in the window, by id */
    size_t count, capacity;
    size_t earlier; /* number of calls that began before the window */
};

/* Whether the selection's times are cut: it has a window, its calls may have durations, and whole
 * calls were not requested. */
bool window_edges_wanted(const struct selection *selection);

/* Sets `edges` of all traces of the selection, unless set; the ranges of --under must be known.
 * selection_close() frees them. */
bool window_edges_find(struct selection *selection, struct error *error);

/* Finds a call that began in the window and ends after it; NULL if `id` is not one. */
const struct window_edge *window_edges_behind(const struct window_edges *edges, int64_t id);

/* Reads the filter of a scan of spans and, with --under, its operations. `only_under`: no other
 * part of the filter. Both must be freed, even on failure. */
bool span_filter_read(const struct event_scan *scan, const struct selection *selection,
                      bool only_under, struct event_filter *filter, struct id_set *under,
                      struct error *error);

/* NULL is allowed. */
void window_edges_free(struct window_edges *edges);

#endif
