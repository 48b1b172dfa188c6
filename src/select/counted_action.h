/* Chooses which action of block I/O counts, since one I/O has an event for each stage. */
#ifndef TRACETOOL_COUNTED_ACTION_H
#define TRACETOOL_COUNTED_ACTION_H

#include "select/notes.h"
#include "store/catalog.h"

/* Returns the name.id of the action `letters` or, if NULL, of the last stage that the trace has.
 * EVENT_NONE: all events count; ACTION_NOTHING: none. Adds `notes` for the reader. Fails if the
 * trace has no I/O with the given action. */
bool counted_action_find(struct database *database, const struct catalog_trace *trace,
                         const char *letters, int64_t *action, struct notes *notes,
                         struct error *error);

/* Sets `*has` to whether the trace has I/O with the action `letters`. */
bool counted_action_has(struct database *database, const struct catalog_trace *trace,
                        const char *letters, bool *has, struct error *error);

/* An action that no event has, so that nothing counts. */
#define ACTION_NOTHING 0

#endif
