/* Repairs columns and rollups of a trace, which are made from its events, if they do not fit
 * these. */
#ifndef TRACETOOL_REPAIR_H
#define TRACETOOL_REPAIR_H

#include <stdbool.h>

#include "config/config.h"
#include "store/catalog.h"

/* What a repair made again in a trace. */
struct repaired {
    bool columns, rollups;
};

/* Makes columns again that are missing, or differ from the rows; recounts all rollups if one of
 * them is wrong. Each in a transaction, with the trace as it is then. Skips a trace that was
 * removed meanwhile. recount_register() must have been called for the connection; no statement and
 * no selection may be open on it. */
bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repaired *repaired,
                  struct error *error);

/* Deletes rows that belong to no trace, which nothing reads, in a transaction; sets `*count` to
 * their number. Does not delete events and rows about events. */
bool repair_orphans(struct database *database, int64_t *count, struct error *error);

#endif
