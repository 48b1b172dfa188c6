/* Rollups that are made of the events of a trace in order: what they count depends on the order, or
 * on what completes events later.
 *
 * Each is a row in a list and fills main.rollup_NAME. All of a trace share a pass over its events,
 * when these are all there. An import whose events come in order, and stay as they come, lets them
 * see the events on the way, and spares that pass.
 */
#ifndef TRACETOOL_EVENT_ROLLUPS_H
#define TRACETOOL_EVENT_ROLLUPS_H

#include "model/batch.h"
#include "model/event_columns.h"
#include "store/column_table.h"
#include "store/number_rows.h"

/* What is counted, in a pass or two. Rollups that name the same one share its state. */
struct event_counter {
    unsigned fields;   /* enum event_column: what it is made of */
    uint32_t flags;    /* of EVENT_FLAGS among these, the bits */
    bool untimed;      /* id and time of the events are not looked at */
    size_t state_size; /* bytes; a state begins zeroed */

    /* Before the first event. NULL: nothing is to be done. All return false with `error` set on
     * failure. */
    bool (*begin)(void *state, struct database *database, int64_t trace, struct error *error);

    /* A name or object that an import is told, before the first event that speaks of it. NULL:
     * nothing is to be done. */
    bool (*entry)(void *state, const struct entry *entry, struct error *error);

    /* The next events, at least 1, in order of time. */
    bool (*visit)(void *state, const struct event_columns *columns, size_t count,
                  struct error *error);

    /* Behind the last event: sets `*more`, which is false, if the events have to be seen once more.
     * NULL: nothing is to be done. */
    bool (*again)(void *state, bool *more, struct error *error);

    /* In any case, also when begin() failed. NULL: nothing is to be done. */
    void (*free)(void *state);
};

struct event_rollup {
    const char *name;
    unsigned kinds;      /* bit set of enum trace_kind: traces that have it */
    const char *columns; /* of the table, behind `trace`: comma-separated */
    const struct event_counter *counter;

    /* When the last pass is over: adds the rows, in any order. `*whole`, which is true, is set to
     * false when there are more than the rollup may have: the trace then is without it. */
    bool (*write)(const void *state, struct number_rows *rows, bool *whole, struct error *error);
};

/* NULL-terminated list of all. */
extern const struct event_rollup *const event_rollups[];

/* Adds the name of a rollup to trace.rollups, or removes it. */
bool event_rollups_note(struct database *database, int64_t trace, const char *rollup, bool has,
                        struct error *error);

/* Makes the rollups anew that `names` (blank-separated; NULL: all) says of those that traces of
 * `kind` (bit of enum trace_kind) have, and sets trace.rollups by which of them are whole. Within
 * the caller's transaction. */
bool event_rollups_make(struct database *database, const struct column_range *range, unsigned kind,
                        const char *names, struct error *error);

/* Those of a trace that is being imported. */
struct event_rollups;

/* Begins with all that traces of `kind` have, before the first event of the trace. NULL on failure.
 * Owned by the caller. */
struct event_rollups *event_rollups_begin(struct database *database, int64_t trace, unsigned kind,
                                          struct error *error);
void event_rollups_free(struct event_rollups *rollups);

/* What the columns that are added have to have: enum event_column. */
unsigned event_rollups_fields(const struct event_rollups *rollups);

/* Adds a batch, whose events are these columns, by any thread, while others use the connection. */
bool event_rollups_add(struct event_rollups *rollups, const struct batch *batch,
                       const struct event_columns *columns, struct error *error);

/* Does with them what event_rollups_make() does, when the events have been added, and are in the
 * database: all of the trace. */
bool event_rollups_end(struct event_rollups *rollups, const struct column_range *range,
                       struct error *error);

/* Makes the same of the rows of events, into tables temp.recount_NAME, which have their columns
 * behind `trace`. */
bool event_rollups_recount(struct database *database, const struct column_range *range,
                           unsigned kind, const char *names, struct error *error);

#endif
