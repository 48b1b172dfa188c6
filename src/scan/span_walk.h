/* Walks the rows of a trace of spans in time order, with a stack of selected calls per thread.
 *
 * Visits all rows, even those that the filter excludes, because their depths tell when a call ends.
 * Several visitors share a walk. */
#ifndef TRACETOOL_SPAN_WALK_H
#define TRACETOOL_SPAN_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"
#include "scan/event_filter.h"
#include "scan/event_scan.h"

struct span_row {
    int64_t id;
    /* On the trace's first clock, cut to the window; end is INT64_MAX if unknown. */
    int64_t time, end;
    bool earlier;       /* began before the window and continues into it */
    bool path;          /* true: not selected, but a caller of a selected call */
    uint32_t operation; /* name.id of the function */
    uint32_t merged;    /* the operation that stands for all of its name in the selection */
    uint32_t actor, flags;
    uint32_t object; /* 0 unless EVENT_OBJECT was requested */
    int32_t depth;
    /* Inside the window, if calls are cut; EVENT_NONE: unknown. */
    int64_t duration, self;             /* times on the selected clock */
    int64_t first_duration, first_self; /* times on the trace's first clock */
    int64_t whole;                      /* duration of the whole call, on the selected clock */
};

/* Callbacks of a walk; `state` belongs to the visitor. Each function may be NULL. */
struct span_visitor {
    /* Bytes of the visitor's data for each open selected call. enter() and leave() get its address,
     * which may change between their calls. */
    size_t call_size;
    /* Also enters callers that are not selected, as soon as they make a selected call, unless whole
     * calls were requested. */
    bool paths;
    /* A selected row of any kind. */
    bool (*row)(void *state, const struct span_row *row, struct error *error);
    /* A selected call begins: initialises `call`. `caller` is the data of the nearest selected call
     * above it in its thread, NULL for none; with `paths`, of its caller. To share `caller`,
     * visitors need equal `paths`. */
    bool (*enter)(void *state, const struct span_row *row, void *call, void *caller,
                  struct error *error);
    /* The call has ended. Callees come before callers; at the end of the walk, all entered calls
     * end. */
    void (*leave)(void *state, void *call, void *caller);
};

struct span_visit {
    const struct span_visitor *visitor;
    void *state;
};

/* Maximum visitors of a walk. */
#define SPAN_VISITS 8

/* Walks a trace of the selection for `count` visitors, at least 1. The filter selects calls; with
 * `only_under`, only its --under does. `fields`: EVENT_OBJECT or 0. */
bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error);

/* With --under, fills temp.selected_range (first, last, trace) with the ids of events in calls of
 * that function and below. The view applies the other filters. Call once per selection, before
 * reading its events. Does nothing without --under. */
bool span_ranges_find(struct selection *selection, struct error *error);

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
    bool earlier;  /* true: the call began before the window */
    bool chosen;   /* true: the call passes all of the filter except the window */
    struct edge_times whole[EDGE_CLOCKS], inside[EDGE_CLOCKS];
};

struct window_edges {
    int64_t from, to;          /* INT64_MIN, INT64_MAX: not given */
    struct window_edge *edges; /* owned: first the earlier ones, callers before callees; then those
                                  that began in the window, by id */
    size_t count, capacity;
    size_t earlier; /* number of calls that began before the window */
};

/* Sets `edges` of all traces of the selection, unless set; the ranges of --under must be known.
 * selection_close() frees them. */
bool window_edges_find(struct selection *selection, struct error *error);

/* Reads the filter of a scan of spans and, with --under, its operations. `only_under`: no other
 * part of the filter. Both must be freed, even on failure. */
bool span_filter_read(const struct event_scan *scan, const struct selection *selection,
                      bool only_under, struct event_filter *filter, struct id_set *under,
                      struct error *error);

/* NULL is allowed. */
void window_edges_free(struct window_edges *edges);

#endif
