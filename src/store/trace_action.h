/* Actions of block I/O by their letters. */
#ifndef TRACETOOL_TRACE_ACTION_H
#define TRACETOOL_TRACE_ACTION_H

#include "store/database.h"

/* name.id of the action `letters` of a trace; EVENT_NONE: it has none. */
bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error);

#endif
