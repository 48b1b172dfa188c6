/* Rollups that are made of the events when all of a trace are there: what they count depends on the
 * order of the events, or on what completes them later.
 *
 * Each is a row in a list, in a file of its own, and fills main.rollup_NAME. All of a trace share a
 * pass over its events. That an import makes them so, at its end, holds of logs in any order and of
 * those that go on.
 */
#ifndef TRACETOOL_EVENT_ROLLUPS_H
#define TRACETOOL_EVENT_ROLLUPS_H

#include "model/event_columns.h"
#include "store/column_table.h"

/* Where rows go. */
struct event_rollup_rows;

struct event_rollup {
    const char *name;
    unsigned kinds;      /* bit set of enum trace_kind: traces that have it */
    unsigned fields;     /* enum event_column: what it is made of, beside time */
    uint32_t flags;      /* of EVENT_FLAGS among these, the bits */
    const char *columns; /* of the table, behind `trace`: comma-separated */
    size_t state_size;   /* bytes; a state begins zeroed */

    /* Before the first event. NULL: nothing is to be done. All return false with `error` set on
     * failure. */
    bool (*begin)(void *state, struct database *database, int64_t trace, struct error *error);

    /* The next events, at least 1, in order of time. */
    bool (*visit)(void *state, const struct event_columns *columns, size_t count,
                  struct error *error);

    /* Behind the last event: sets `*more` if the events have to be seen once more. NULL: never. */
    bool (*again)(void *state, bool *more, struct error *error);

    /* When the last pass is over: gives the rows, in any order. `*whole`, which is true, is set to
     * false when there are more than the rollup may have: the trace then is without it. */
    bool (*write)(void *state, struct event_rollup_rows *rows, bool *whole, struct error *error);

    /* In any case, also when begin() failed. NULL: nothing is to be done. */
    void (*free)(void *state);
};

/* NULL-terminated list of all. */
extern const struct event_rollup *const event_rollups[];

/* Writes a row; a value for each column, EVENT_NONE for NULL. */
bool event_rollup_write_row(struct event_rollup_rows *rows, const int64_t *values,
                            struct error *error);

/* Makes the rollups anew that `names` (blank-separated; NULL: all) says of those that traces of
 * `kind` (bit of enum trace_kind) have, and sets trace.rollups by which of them are whole. Within
 * the caller's transaction. */
bool event_rollups_make(struct database *database, const struct column_range *range, unsigned kind,
                        const char *names, struct error *error);

/* Makes the same of the rows of events, into tables temp.recount_NAME, which have their columns
 * behind `trace`. */
bool event_rollups_recount(struct database *database, const struct column_range *range,
                           unsigned kind, const char *names, struct error *error);

#endif
