/* Sets `duration`, and `response`, of events that are stored already, in rows and columns: what an
 * import finds out at its end. Rollups that depend on them are made after that. */
#ifndef TRACETOOL_SET_DURATIONS_H
#define TRACETOOL_SET_DURATIONS_H

#include "store/column_table.h"

#define SET_DURATIONS_BATCH 16384 /* changes that wait, at most */

/* A zeroed one is ready for set_durations_begin(). */
struct set_durations {
    struct database *database; /* borrowed */
    struct column_range range;
    unsigned columns;               /* that are set */
    struct column_changer *changer; /* owned */
    sqlite3_stmt *update;           /* owned */
    struct event_change *changes;   /* owned; that wait */
    size_t count;
};

/* Begins to change the trace of `range`, of which all events are stored, within the caller's
 * transaction. `columns`: EVENT_DURATION, with or without EVENT_RESPONSE. False with `error` set;
 * set_durations_free() in any case. */
bool set_durations_begin(struct set_durations *set, struct database *database,
                         const struct column_range *range, unsigned columns, struct error *error);

/* Sets these columns of an event; ids ascend from call to call. */
bool set_durations_set(struct set_durations *set, const struct event_change *change,
                       struct error *error);

/* Writes what still waits. */
bool set_durations_end(struct set_durations *set, struct error *error);

void set_durations_free(struct set_durations *set);

#endif
