/* Which action of block I/O is counted: the same I/O shows up once a stage. */
#ifndef TRACETOOL_COUNTED_ACTION_H
#define TRACETOOL_COUNTED_ACTION_H

#include "select/notes.h"
#include "store/catalog.h"

/* name.id of the action `letters`, or where that is NULL of the latest stage that the trace has.
 * EVENT_NONE: every event counts; ACTION_NOTHING: none does. Adds to `notes` what the reader must
 * know. Fails when the trace has no I/O with the action asked for. */
bool counted_action_find(struct database *database, const struct catalog_trace *trace,
                         const char *letters, int64_t *action, struct notes *notes,
                         struct error *error);

/* `*has`: whether the trace has I/O with the action `letters`. */
bool counted_action_has(struct database *database, const struct catalog_trace *trace,
                        const char *letters, bool *has, struct error *error);

/* An action that no event has. */
#define ACTION_NOTHING 0

#endif
