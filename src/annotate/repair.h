/* Rebuilds data derived from a trace's events if they disagree. */
#ifndef TRACETOOL_REPAIR_H
#define TRACETOOL_REPAIR_H

#include <stdbool.h>

#include "config/config.h"
#include "store/catalog.h"

/* What was rebuilt. */
struct repaired {
    bool columns, rollups;
};

/* Rebuilds columns that are missing or differ from the events, and recounts the rollups if one
 * differs. Each takes a transaction and uses the trace's current state. Skips a trace that was
 * removed meanwhile. The connection must have had recount_register(); no statement and no selection
 * may be open on it. */
bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error);

/* Deletes rows without a trace, which nothing reads, in a transaction; `*count` is their number.
 * Events and their dependent rows stay. */
bool repair_orphans(struct database *database, int64_t *count, struct error *error);

#endif
