/* Walks the rows of a trace of spans in order of time and keeps the stack of chosen calls of every
 * thread.
 *
 * All rows have to pass, also those that no filter chose: only their depths tell when a call ends.
 */
#ifndef TRACETOOL_SPAN_WALK_H
#define TRACETOOL_SPAN_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"
#include "store/database.h"

struct span_row {
    int64_t id;
    int64_t time, end; /* of the trace's clock; end is INT64_MAX where it is not known */
    uint32_t operation, actor, object, flags;
    int32_t depth;
    int64_t duration, self; /* of the chosen clock; EVENT_NONE: not known */
};

struct span_visitor {
    void *context;
    bool wants_object; /* else row->object is 0, which costs less */
    /* A chosen row of any kind; may be NULL. */
    bool (*row)(void *context, const struct span_row *row, struct error *error);
    /* A chosen call begins. `caller` is what the nearest chosen call above it returned, NULL for
     * none. Returns what stands for this call, NULL with `error` set on failure. May be NULL. */
    void *(*enter)(void *context, const struct span_row *row, void *caller, struct error *error);
    /* It has ended: callees before their callers, and all of them by the end of the walk. May be
     * NULL. */
    void (*leave)(void *context, void *call);
};

/* What the walk is to see of a trace. */
struct span_walk_range {
    int64_t trace;
    int64_t first, last; /* events; before `chosen_from` they only lead there */
    int64_t chosen_from;
};

/* Walks over a trace. The filter chooses; with `merge`, operations of the same name are one, as
 * temp.merged_operation (id, merged) says. */
bool span_walk(struct database *database, const struct selection_filter *filter,
               const struct span_walk_range *range, bool merge, const struct span_visitor *visitor,
               struct error *error);

#endif
