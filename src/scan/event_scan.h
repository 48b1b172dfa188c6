/* Passes over the events of a trace in C, where SQL would take several times as long.
 *
 * Their columns are read (column_reader.h), on all cores; of a trace that has none SQLite is asked
 * for the rows.
 */
#ifndef TRACETOOL_EVENT_SCAN_H
#define TRACETOOL_EVENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "select/selection.h"
#include "store/database.h"

/* Which events of a trace are visited. */
struct event_scan {
    struct database *database;
    const struct selection *selection; /* whose filter chooses; NULL: all in the range */
    const struct selection *times;     /* EVENT_CPU: what selection_times() names;
                                      NULL: main.cpu_time */
    int64_t trace;
    int64_t first, last; /* ids */
    /* Only those of these ranges, which lie between; borrowed; NULL: all between. */
    const struct id_range *ranges;
    size_t range_count;
    int64_t action;  /* only events of this operation; EVENT_NONE: all */
    unsigned fields; /* enum event_column: those that `visit` looks at, beside id and time */
    /* Gets events, in order of id, as often as there are some: `count` of them, at least 1. The
     * columns, and what they point to, stay as long as the call takes. False ends the scan; it
     * fails then, with what was put into `error`. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Most threads that a scan takes. */
#define EVENT_SCAN_THREADS 16

/* So many threads can run at once here, at most EVENT_SCAN_THREADS. */
size_t event_scan_threads(void);

/* Visits the events in order of id, which is that of time; calls come from several threads, but
 * never at once. */
bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error);

/* Visits the events in any order, at once with each of the `count` contexts. */
bool event_scan_in_parts(const struct event_scan *scan, void *const *contexts, size_t count,
                         struct error *error);

/* Sets the scan up for the events of a trace of the selection; `fields` and `visit` are left to the
 * caller. */
void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace);

#endif
