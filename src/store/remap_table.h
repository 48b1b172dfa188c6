/* The remaps of a trace. */
#ifndef TRACETOOL_REMAP_TABLE_H
#define TRACETOOL_REMAP_TABLE_H

#include "model/remap.h"
#include "store/database.h"

/* Adds to those that the table has for the trace. */
bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error);

/* Reads those onto a device, by the device above and by the first sector: at most `most`, `*count`
 * of them; a trace that went on may have several of one shift. `*whole`: there are no others, nor
 * any of the trace that the table had no room for (REMAPS_REST). */
bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t most, size_t *count, bool *whole,
                      struct error *error);

#endif
