/* Chooses which action of block I/O is counted, as an I/O has an event for each stage (Q, D, C). */
#ifndef TRACETOOL_COUNTED_ACTION_H
#define TRACETOOL_COUNTED_ACTION_H

#include "select/notes.h"
#include "store/catalog.h"

/* Sets `*action` to the name.id of the action to count: `letters` or, if NULL, the first of C, D,
 * I, G and Q that the trace has. EVENT_NONE: all events count; ACTION_NOTHING: none. Adds notes on
 * the choice. Fails if the trace has no I/O with the action `letters`. */
bool counted_action_find(struct database *database, const struct catalog_trace *trace,
                         const char *letters, int64_t *action, struct notes *notes,
                         struct error *error);

/* Sets `*has` to whether the trace has block I/O with the action `letters`, such as D. */
bool counted_action_has(struct database *database, const struct catalog_trace *trace,
                        const char *letters, bool *has, struct error *error);

/* An action id that no event has: no event is counted. */
#define ACTION_NOTHING 0

#endif
