/* Walks through the rows of a trace of spans (calls) in time order, with a stack of selected calls
 * per thread. Reads all rows, even those that the filter excludes, because their depths tell when a
 * call ends. Several visitors share a walk. */
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
    /* Begin and end by the trace's first clock, cut to the window; an unknown end is INT64_MAX. */
    int64_t time, end;
    bool earlier;       /* true: began before the window and lasts into it */
    bool path;          /* true: not selected, but a caller of a selected call */
    uint32_t operation; /* name.id of the function */
    /* The operation that stands for all operations with its name in the selection. */
    uint32_t merged;
    uint32_t actor, flags;
    uint32_t object; /* 0 unless EVENT_OBJECT was requested */
    int32_t depth;
    /* Times of the part inside the window, if calls are cut; EVENT_NONE: unknown. */
    int64_t duration, self;             /* times by the selected clock */
    int64_t first_duration, first_self; /* times by the trace's first clock */
    int64_t whole;                      /* duration of the whole call, by the selected clock */
};

/* A visitor: functions that a walk calls, with its `state`. Each function may be NULL. */
struct span_visitor {
    /* Size of the visitor's data for each open selected call. enter() and leave() get the address,
     * which may change between them. */
    size_t call_size;
    /* True: enter() is also called for callers that are not selected, once they make a selected
     * call, unless whole calls were requested. */
    bool paths;
    /* Visits a selected row, which may be a call or something else. */
    bool (*row)(void *state, const struct span_row *row, struct error *error);
    /* Called when a selected call begins: initialises the data `call`. `caller` is the data of the
     * nearest selected call above it in its thread, NULL for none; with `paths`, of its direct
     * caller. Visitors that share `caller` need equal `paths`. */
    bool (*enter)(void *state, const struct span_row *row, void *call, void *caller,
                  struct error *error);
    /* Called when a call that is not selected begins in the window. `above` is the data of the
     * nearest entered call above it in its thread. With `paths`, the call may still be entered. */
    void (*exclude)(void *state, const struct span_row *row, void *above);
    /* Called when a call ends. Callees end before callers; all calls end with the walk. */
    void (*leave)(void *state, void *call, void *caller);
};

struct span_visit {
    const struct span_visitor *visitor;
    void *state;
};

/* Limit of visitors of a walk. */
#define SPAN_VISITS 8

/* Walks through a trace of the selection for `count` visitors, at least 1. The filter decides which
 * calls are selected; with `only_under`, only its --under does. `fields`: EVENT_OBJECT or 0. */
bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error);

/* With --under, fills temp.selected_range (first, last, trace) with ranges of ids: the events in
 * calls of that function and below. The view of events applies all other filters. Called once per
 * selection, before its events are read. Without --under, does nothing. */
bool span_ranges_find(struct selection *selection, struct error *error);

/* Clocks for the times of cut calls: the trace's first clock, and the selected one
 * (selection_times()), which may be the first one, too. */
enum edge_clock { EDGE_FIRST, EDGE_CHOSEN };
#define EDGE_CLOCKS 2

/* Times of a call or of a part of it, in units of the trace's clock; EVENT_NONE: unknown. */
struct edge_times {
    int64_t duration, self;
};

struct window_edge {
    /* `id` is the first member, for compare_int64(). */
    int64_t id, time, end; /* begin and end by the first clock; an unknown end is INT64_MAX */
    uint32_t operation, actor, object, flags;
    int64_t value; /* of a thread state: its processor; else EVENT_NONE */
    int32_t depth; /* spans: depth of the call in its thread */
    bool earlier;  /* true: the call began before the window */
    bool chosen;   /* true: the call passes the filter, apart from the time window */
    struct edge_times whole[EDGE_CLOCKS], inside[EDGE_CLOCKS];
};

struct window_edges {
    int64_t from, to; /* bounds of the time window; INT64_MIN and INT64_MAX: not given */
    /* Owned; first the calls that began before the window, callers before callees; then those that
     * began in it, by id. */
    struct window_edge *edges;
    size_t count, capacity;
    size_t earlier; /* number of calls that began before the window */
};

/* Finds the calls cut by the window: sets `edges` of all traces of the selection, unless set. The
 * ranges of --under must be known. selection_close() frees the edges. */
bool window_edges_find(struct selection *selection, struct error *error);

/* Reads the filter for a scan of spans and, with --under, the operations that it names.
 * `only_under`: the filter is empty but for --under. Both must be freed, even on failure. */
bool span_filter_read(const struct event_scan *scan, const struct selection *selection,
                      bool only_under, struct event_filter *filter, struct id_set *under,
                      struct error *error);

/* Frees the list of cut calls; does nothing for NULL. */
void window_edges_free(struct window_edges *edges);

#endif
