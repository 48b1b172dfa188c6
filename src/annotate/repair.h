/* Makes what is derived of a trace's events anew, where it is not what they say. */
#ifndef TRACETOOL_REPAIR_H
#define TRACETOOL_REPAIR_H

#include <stdbool.h>

#include "config/config.h"
#include "store/catalog.h"

/* What was made anew. */
struct repaired {
    bool columns, rollups;
};

/* Makes the columns of a trace that has none, or other ones than its events, and counts its rollups
 * anew if one of them differs: each in a transaction. The connection has had
 * recount_register(); no statement runs on it, nor a selection. */
bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error);

#endif
