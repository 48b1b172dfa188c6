/* rollup_latency: how long the I/Os of a trace took, by action and class. Reports take exact
 * percentiles of it. */
#ifndef TRACETOOL_LATENCY_ROLLUP_H
#define TRACETOOL_LATENCY_ROLLUP_H

#include "model/latency_buckets.h"
#include "store/column_table.h"

#define LATENCY_ROLLUP         "latency" /* in trace.rollups */
#define LATENCY_ROLLUP_COLUMNS "action, class, least, most, count, sum"

/* Bits of event.flags that it depends on. */
#define LATENCY_ROLLUP_FLAGS IO_CLASS_MASK

/* Makes the rollup anew, within the caller's transaction, and notes in trace.rollups whether it is
 * whole. `counted` has seen all events once; NULL: none of them. */
bool latency_rollup_make(struct database *database, const struct column_range *range,
                         struct latency_buckets *counted, struct error *error);

/* Makes the same of the rows of events, into temp.recount_latency (trace, …). */
bool latency_rollup_recount(struct database *database, const struct column_range *range,
                            struct error *error);

/* Adds the name of a rollup to trace.rollups, or removes it. */
bool rollup_note(struct database *database, int64_t trace, const char *rollup, bool has,
                 struct error *error);

#endif
