/* Walks over the events of a trace of spans (calls) in time order, with a stack of selected open
 * calls per thread. Reads all events, even those that the filter excludes, since their depths tell
 * when calls end. Several visitors share a walk. */
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
    /* Begin and end by the trace's first clock, cut to the window; INT64_MAX: unknown end. */
    int64_t time, end;
    bool earlier;       /* true: began before the window and ends after its begin */
    bool path;          /* true: not selected itself, but a caller of a selected call */
    uint32_t operation; /* name.id of the function */
    /* Id that all operations with this name in the selection share. */
    uint32_t merged;
    uint32_t actor, flags;
    uint32_t object; /* 0 unless EVENT_OBJECT was requested */
    int32_t depth;
    /* If the window cuts calls, only the call's times inside the window; EVENT_NONE: unknown. */
    int64_t duration, self;             /* times by the selected clock */
    int64_t first_duration, first_self; /* times by the trace's first clock */
    int64_t whole; /* the whole call, even outside the window, by the selected clock */
};

/* A visitor: callbacks of a walk, each called with `state`; NULL: not called. */
struct span_visitor {
    /* Size of the visitor's data for each open call for which enter() was called. enter() and
     * leave() get the data's address, which may change in between. */
    size_t call_size;
    /* True: enter() is also called for callers that are not selected, when they make a selected
     * call. Ignored if the filter has whole_calls. */
    bool paths;
    /* Called for each selected event: a call or an event that is no call. */
    bool (*row)(void *state, const struct span_row *row, struct error *error);
    /* Called when a selected call begins; must initialise `call`, the visitor's data for it.
     * `caller` is the data of the nearest selected call around it in its thread (with `paths`: of
     * its direct caller); NULL: none. Visitors that read each other's data need equal `paths`. */
    bool (*enter)(void *state, const struct span_row *row, void *call, void *caller,
                  struct error *error);
    /* Called when an unselected call begins in the window. `above`: data of the nearest caller for
     * which enter() was called. With `paths`, the call itself may get enter() later. */
    void (*exclude)(void *state, const struct span_row *row, void *above);
    /* Called when a call ends for which enter() was called: for callees before callers, and at the
     * end of the walk for all calls still open. */
    void (*leave)(void *state, void *call, void *caller);
};

struct span_visit {
    const struct span_visitor *visitor;
    void *state;
};

/* Limit of visitors (sets of callbacks) of a walk. */
#define SPAN_VISITS 8

/* Walks over a trace of the selection for `count` visitors (sets of callbacks), at least 1. Selects
 * calls by the filter or, with `only_under`, by --under alone. `fields`: EVENT_OBJECT or 0. */
bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error);

/* With --under, fills temp.selected_range (first, last, trace) with ranges of event ids: calls of
 * that function and everything inside them. temp.selected_event applies the other filters. Called
 * once per selection, before its events are read. Does nothing without --under. */
bool span_ranges_find(struct selection *selection, struct error *error);

/* Clocks for times of calls that the window cuts: the trace's first clock, and the selected one
 * (selection_times()), which may be the same. */
enum edge_clock { EDGE_FIRST, EDGE_CHOSEN };
#define EDGE_CLOCKS 2

/* Times of a whole call, or of the part inside the window, in clock units; EVENT_NONE: unknown. */
struct edge_times {
    int64_t duration, self;
};

struct window_edge {
    /* `id` is the first member, for compare_int64(). */
    int64_t id, time, end; /* begin and end by the first clock; INT64_MAX: unknown end */
    uint32_t operation, actor, object, flags;
    int64_t value; /* thread states: the processor; else EVENT_NONE */
    int32_t depth; /* spans: depth of the call in its thread */
    bool earlier;  /* true: the call began before the window */
    bool chosen;   /* true: the call passes the filter, regardless of the window */
    struct edge_times whole[EDGE_CLOCKS], inside[EDGE_CLOCKS];
};

struct window_edges {
    int64_t from, to; /* bounds of the time window; INT64_MIN and INT64_MAX: no bound */
    /* Owned; first the calls that began before the window, callers before callees; then, by id,
     * those that began in it and end after it. */
    struct window_edge *edges;
    size_t count, capacity;
    size_t earlier; /* number of calls that began before the window */
};

/* Finds the calls that the window cuts: sets `edges` of all traces of the selection, unless set.
 * The ranges of --under must be known. passes_run() frees them. */
bool window_edges_find(struct selection *selection, struct error *error);

/* Prepares `filter` for a scan of spans, and reads the operations of --under to `under`. With
 * `only_under`, the filter stays empty. Both must be freed even on failure. */
bool span_filter_read(const struct event_scan *scan, const struct selection *selection,
                      bool only_under, struct event_filter *filter, struct id_set *under,
                      struct error *error);

/* Frees the calls cut by a window; does nothing for NULL. */
void window_edges_free(struct window_edges *edges);

#endif
