/* Sets `duration` of events that are stored already, in rows and columns: what an import finds out
 * at its end. Rollups that depend on durations are made after that. */
#ifndef TRACETOOL_SET_DURATIONS_H
#define TRACETOOL_SET_DURATIONS_H

#include "store/column_table.h"

#define SET_DURATIONS_BATCH 16384 /* changes that wait, at most */

/* A zeroed one is ready for set_durations_begin(). */
struct set_durations {
    struct database *database; /* borrowed */
    struct column_range range;
    struct column_changer *changer; /* owned */
    sqlite3_stmt *update;           /* owned */
    struct event_change *changes;   /* owned; that wait */
    size_t count;
};

/* Begins to change the trace of `range`, of which all events are stored, within the caller's
 * transaction. False with `error` set; set_durations_free() in any case. */
bool set_durations_begin(struct set_durations *set, struct database *database,
                         const struct column_range *range, struct error *error);

/* Sets the duration (EVENT_NONE: none) of event.id; ids ascend from call to call. */
bool set_durations_set(struct set_durations *set, int64_t id, int64_t duration,
                       struct error *error);

/* Writes what still waits. */
bool set_durations_end(struct set_durations *set, struct error *error);

void set_durations_free(struct set_durations *set);

#endif
