/* Scans the events of a trace in C, several times as fast as SQL. Reads columns (column_reader.h)
 * on all cores, or the rows of SQLite if the trace has no columns. */
#ifndef TRACETOOL_EVENT_SCAN_H
#define TRACETOOL_EVENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "select/selection.h"
#include "store/database.h"

/* What a scan visits, and the function that it calls. */
struct event_scan {
    struct database *database;
    /* Only events that pass its filter are visited; NULL: all in the range. */
    const struct selection *selection;
    /* If `fields` has EVENT_CPU: reads selection_times(); NULL: main.cpu_time. */
    const struct selection *times;
    int64_t trace;
    int64_t first, last; /* range of event ids to visit */
    /* Only ids in these ranges are visited; borrowed; NULL: all from `first` to `last`. */
    const struct id_range *ranges;
    size_t range_count;
    int64_t action;  /* name.id of the only operation to visit; EVENT_NONE: all */
    unsigned fields; /* bits of enum event_column: what `visit` reads, besides id and time */
    /* Called with successive events in order of id: `count` of them, at least 1. The columns and
     * what they point to are valid during the call. False, with `error` set, stops the scan. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Limit of threads of a scan. */
#define EVENT_SCAN_THREADS 16

/* Returns the number of threads that can run at once, at most EVENT_SCAN_THREADS. */
size_t event_scan_threads(void);

/* Visits the events in order of id, which is time order. visit() is called from several threads,
 * but not at the same time. */
bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error);

/* Visits the events in order with each of the `count` contexts. Calls with different contexts may
 * run at the same time. Each event is also visited with one of the `part_count` contexts `parts`,
 * one per thread and at most EVENT_SCAN_THREADS, in any order. */
bool event_scan_in_turns(const struct event_scan *scan, void *const *contexts, size_t count,
                         void *const *parts, size_t part_count, struct error *error);

/* Initialises a scan of a trace of the selection. The caller then sets `fields` and `visit`. */
void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace);

#endif
