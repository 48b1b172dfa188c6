/* Walks the rows of a trace of spans in order of time and keeps the stack of chosen calls of every
 * thread.
 *
 * All rows have to pass, also those that no filter chose: only their depths tell when a call ends.
 * Several visitors share a walk.
 */
#ifndef TRACETOOL_SPAN_WALK_H
#define TRACETOOL_SPAN_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"

struct span_row {
    int64_t id;
    /* Of the trace's first clock, not before the window and not behind it; end is INT64_MAX where
     * it is not known. */
    int64_t time, end;
    bool earlier;       /* it began before the window, and runs in it */
    bool path;          /* it was not chosen, but called what is */
    uint32_t operation; /* name.id */
    uint32_t merged;    /* the one that stands for all operations of its name in the selection */
    uint32_t actor, flags;
    uint32_t object; /* 0 unless EVENT_OBJECT was asked for */
    int32_t depth;
    /* Inside the window, where calls are cut there (window_edges.h); EVENT_NONE: not known. */
    int64_t duration, self;             /* of the chosen clock */
    int64_t first_duration, first_self; /* the same of the trace's first clock */
    int64_t whole;                      /* the duration of the whole call, of the chosen clock */
};

/* What is done on the walk; `state` is the visitor's own. Each function may be NULL. */
struct span_visitor {
    /* Bytes that it keeps of each chosen call that is open. They are where enter() and leave() are
     * told, and may have moved when either is called again. */
    size_t call_size;
    /* It enters calls that were not chosen, too, as soon as one that they made is, unless whole
     * calls are asked for. */
    bool paths;
    /* A chosen row of any kind. */
    bool (*row)(void *state, const struct span_row *row, struct error *error);
    /* A chosen call begins: fills in `call`, which holds anything. `caller` is what is kept of the
     * nearest chosen call above it in its thread, NULL for none; with `paths`, of its caller. Who
     * looks at it walks with visitors of the same `paths`. */
    bool (*enter)(void *state, const struct span_row *row, void *call, void *caller,
                  struct error *error);
    /* It has ended: callees before their callers, and all that were entered by the end of the
     * walk. */
    void (*leave)(void *state, void *call, void *caller);
};

struct span_visit {
    const struct span_visitor *visitor;
    void *state;
};

/* Most visitors of a walk. */
#define SPAN_VISITS 8

/* Walks over a trace of the selection for `count` visitors, at least 1. The filter chooses calls;
 * with `only_under`, only what it says with --under. `fields`: EVENT_OBJECT or 0. */
bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error);

/* With --under, fills temp.selected_range (first, last, trace) with the ids of events of calls of
 * that function and of all that is called beneath; the other filters are those of the view. Once a
 * selection, before anything reads its events. Without --under nothing is done. */
bool span_ranges_find(struct selection *selection, struct error *error);

#endif
