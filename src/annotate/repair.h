/* Repairs a trace's event columns (column_table.h) and rollups (tables of counts), which are made
 * from its events, if they do not match these. */
#ifndef TRACETOOL_REPAIR_H
#define TRACETOOL_REPAIR_H

#include <stdbool.h>

#include "config/config.h"
#include "store/catalog.h"

/* What was repaired in a trace. */
struct repair_result {
    bool columns, rollups;
};

/* Makes event columns (column_table.h) again if they are missing or differ from the rows. Counts
 * all rollups again if one is wrong. Each repair is a transaction on the current state of the
 * trace; a trace that was removed meanwhile is skipped. The connection must have been prepared by
 * recount_register(), and have no open statement or selection. */
bool repair_trace(struct database *database, const struct config *config,
                  const struct catalog_trace *trace, struct repair_result *repaired,
                  struct error *error);

/* Deletes rows that belong to no trace, in a transaction; `*count`: their number. Does not delete
 * events and rows that refer to events. */
bool repair_orphans(struct database *database, int64_t *count, struct error *error);

#endif
