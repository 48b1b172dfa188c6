/* Selects the action to count for block I/O, since one I/O has an event per stage. */
#ifndef TRACETOOL_COUNTED_ACTION_H
#define TRACETOOL_COUNTED_ACTION_H

#include "select/notes.h"
#include "store/catalog.h"

/* Returns the name.id of the action `letters`; if NULL, of the trace's latest stage. EVENT_NONE:
 * all events count; ACTION_NOTHING: none. Adds `notes` for the reader. Fails if the trace has no
 * I/O with the given action. */
bool counted_action_find(struct database *database, const struct catalog_trace *trace,
                         const char *letters, int64_t *action, struct notes *notes,
                         struct error *error);

/* `*has`: whether the trace has I/O with the action `letters`. */
bool counted_action_has(struct database *database, const struct catalog_trace *trace,
                        const char *letters, bool *has, struct error *error);

/* Action of no event. */
#define ACTION_NOTHING 0

#endif
