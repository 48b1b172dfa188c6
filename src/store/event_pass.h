/* One pass over all events of a trace in order of time, on this thread and connection, for those
 * who look at them before there is a selection, or without one. */
#ifndef TRACETOOL_EVENT_PASS_H
#define TRACETOOL_EVENT_PASS_H

#include "model/event_columns.h"
#include "store/column_table.h"

struct event_pass {
    struct database *database;
    struct column_range range; /* the trace and the ids of its events */
    unsigned fields;           /* that are looked at beside id and time: enum event_column, but for
                                  EVENT_CPU and EVENT_ARGUMENTS */
    bool untimed;              /* not even these two are: they are not set */
    bool of_rows;              /* out of the rows even where there are columns */
    /* Gets events, in order of id, as often as there are some: `count` of them, at least 1. False
     * with `error` set ends the pass, which fails then. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Runs it; `context` is what visit() gets. False with `error` set. */
bool event_pass_run(const struct event_pass *pass, void *context, struct error *error);

#endif
