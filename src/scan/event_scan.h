/* Scans the events of a trace in C, several times as fast as SQL.
 *
 * Reads columns (column_reader.h), on all cores, or SQLite's rows if the trace has no columns. */
#ifndef TRACETOOL_EVENT_SCAN_H
#define TRACETOOL_EVENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "select/selection.h"
#include "store/database.h"

/* Events to visit. */
struct event_scan {
    struct database *database;
    const struct selection *selection; /* applies its filter; NULL: all in the range */
    const struct selection *times;     /* EVENT_CPU: reads selection_times(); NULL: main.cpu_time */
    int64_t trace;
    int64_t first, last; /* range of event ids to visit */
    /* Restricts the ids to these ranges within; borrowed; NULL: all. */
    const struct id_range *ranges;
    size_t range_count;
    int64_t action;  /* operation to visit; EVENT_NONE: all */
    unsigned fields; /* enum event_column: those that `visit` reads, besides id and time */
    /* Called with successive events in order of id, `count` at a time, at least 1. The columns and
     * what they point to are valid during the call. False with `error` set aborts the scan. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Maximum threads of a scan. */
#define EVENT_SCAN_THREADS 16

/* Number of threads that can run at once, at most EVENT_SCAN_THREADS. */
size_t event_scan_threads(void);

/* Visits the events in order of id, which is time order. Calls come from several threads, but one
 * at a time. */
bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error);

/* Runs the scan with each of the `count` contexts. Calls with different contexts may run
 * concurrently. Each event also goes to one of the `part_count` contexts `parts`, one per thread
 * and at most EVENT_SCAN_THREADS, in any order. */
bool event_scan_in_turns(const struct event_scan *scan, void *const *contexts, size_t count,
                         void *const *parts, size_t part_count, struct error *error);

/* Initialises the scan for a trace of the selection; the caller sets `fields` and `visit`. */
void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace);

#endif
