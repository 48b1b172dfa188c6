/* Scans the events of a trace in C, several times as fast as SQL. Reads table event_column
 * (column_reader.h) on all cores, or rows of table event if the trace has no columns. */
#ifndef TRACETOOL_EVENT_SCAN_H
#define TRACETOOL_EVENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "select/selection.h"
#include "store/database.h"

/* Parameters of a scan: which events it visits, and the function it calls for them. */
struct event_scan {
    struct database *database;
    /* The selection whose filter decides which events are visited; NULL: all in the range. */
    const struct selection *selection;
    /* For EVENT_CPU, reads the times in selection_times() of this selection; NULL: cpu_time. */
    const struct selection *times;
    int64_t trace;
    int64_t first, last; /* range of event ids to visit */
    /* Borrowed; only ids in these ranges are visited; NULL: all from `first` to `last`. */
    const struct id_range *ranges;
    size_t range_count;
    int64_t action;  /* name.id of the only operation to visit; EVENT_NONE: any */
    unsigned fields; /* bits of enum event_column that `visit` reads, besides id and time */
    /* Called with `count` events, at least 1, in order of id. The columns and the arrays in them
     * are valid during the call. Returns false to stop the scan, with `error` set. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Limit of threads of a scan. */
#define EVENT_SCAN_THREADS 16

/* Returns the number of threads for a scan: one per processor, at most EVENT_SCAN_THREADS. */
size_t event_scan_threads(void);

/* Visits the events in order of id, which is time order. visit() is called from several threads,
 * but only one at a time. */
bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error);

/* Visits all events in order with each of the `count` contexts. Calls with different contexts may
 * run at the same time. Each event is also visited with one of the `part_count` contexts in
 * `parts`, one per thread (at most EVENT_SCAN_THREADS), in any order. */
bool event_scan_in_parallel(const struct event_scan *scan, void *const *contexts, size_t count,
                            void *const *parts, size_t part_count, struct error *error);

/* Prepares a scan of a selection's trace. The caller then sets `fields` and `visit`. */
void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace);

#endif
