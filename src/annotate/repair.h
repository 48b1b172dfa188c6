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
 * anew if one of them differs: each in a transaction, of the trace as it is by then. One that was
 * removed meanwhile is passed over. The connection has had recount_register(); no statement runs on
 * it, nor a selection. */
bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error);

/* Deletes rows of no trace, which nothing reads, in a transaction; `*count` is how many. Events,
 * and what belongs to some, stay. */
bool repair_strangers(struct database *database, int64_t *count, struct error *error);

#endif
