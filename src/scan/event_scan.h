/* Passes over the events of a trace in C, where SQL would take several times as long.
 *
 * The rows are read from the pages of the database, on all cores; where that cannot be done, SQLite
 * is asked for them.
 */
#ifndef TRACETOOL_EVENT_SCAN_H
#define TRACETOOL_EVENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"
#include "store/database.h"
#include "model/event_columns.h"

/* A set of row ids of the tables name, actor or object; zeroed: empty. */
struct id_set {
    uint64_t *bits; /* owned */
    uint32_t least;
    size_t words;
};

/* Reads the ids in temp.`table`, which has one column `id`, that belong to a trace as the table
 * `owner` (name, actor, object) says. */
bool id_set_read(struct id_set *set, struct database *database, const char *table,
                 const char *owner, int64_t trace, struct error *error);
void id_set_free(struct id_set *set);

static inline bool id_set_has(const struct id_set *set, uint32_t id) {
    uint32_t place = id - set->least;

    return place / 64 < set->words && (set->bits[place / 64] >> place % 64 & 1) != 0;
}

/* Which events of a trace are visited. */
struct event_scan {
    struct database *database;
    const struct selection_filter *filter; /* NULL: all in the range */
    int64_t trace;
    int64_t first, last; /* ids */
    int64_t action;      /* only events of this operation; EVENT_NONE: all */
    bool second_clock;   /* cpu_duration and cpu_self are wanted, too */
    unsigned fields;     /* enum event_column: those that `visit` looks at, beside id and time */
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

/* Visits the events in order of id; calls come from several threads, but never at once. */
bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error);

/* Visits the events in any order, at once with each of the `count` contexts. */
bool event_scan_in_parts(const struct event_scan *scan, void *const *contexts, size_t count,
                         struct error *error);

/* Sets up the scan of each trace of the current selection by the filter, in order of trace, and
 * calls `scan_trace` for it. */
bool event_scan_selection(struct database *database, const struct selection_filter *filter,
                          bool (*scan_trace)(void *context, struct event_scan *scan,
                                             struct error *error),
                          void *context, struct error *error);

#endif
