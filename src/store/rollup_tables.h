/* Rollups: tables of counts, call times and latency histograms of whole traces, filled at import,
 * so that reports need not read the events. */
#ifndef TRACETOOL_ROLLUP_TABLES_H
#define TRACETOOL_ROLLUP_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/call_rollups.h"
#include "model/latency_buckets.h"
#include "model/tally.h"
#include "store/column_table.h"
#include "store/connection.h"
#include "store/database.h"

/* --- writing and reading counts (tallies) ----------------------------------------------------- */

/* Appends the rows of a tally (counts of events by dimensions such as hour and class) to a table
 * such as main.rollup_hour. The table has the columns trace, the tally's dimensions, count and
 * bytes. `label` returns the text for a label's number. If it is NULL, SQL looks the text up by the
 * number: an object's id (file types), an actor's id (processes), or a number in the table
 * `partition`. */
bool tally_table_write(struct database *database, const char *table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error);

/* Reads a trace's counts from a rollup table into a tally (the same counts in memory). `number`
 * returns the number for a label's text, 0 on failure. Sets `*complete` to false if not all rows
 * fit into the tally. */
bool tally_table_read(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error);

/* --- rollup_span: times of calls by function and thread --------------------------------------- */

/* Appends the call times of a trace to main.rollup_span. */
bool span_table_write(struct database *database, int64_t trace, const struct span_times *times,
                      struct error *error);

/* Reads the call times of a trace from main.rollup_span into `times`. */
bool span_table_read(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error);

/* --- making the rollups of calls and latencies ------------------------------------------------ */

/* The _make functions fill rollup_latency and rollup_call from the stored events, in the caller's
 * transaction, and update trace.rollups. `counted`: counts of all events, if the importer has
 * counted them; else NULL. The _recount functions count the rows of `event` into temp.recount_NAME
 * (trace, …), for comparison. */

/* rollup_latency: histogram of durations, of a trace's I/Os by action and class, or of its calls by
 * operation. Percentiles computed from it are exact. */

#define LATENCY_ROLLUP         "latency" /* name in the column `rollups` of table `trace` */
#define LATENCY_ROLLUP_COLUMNS "action, class, least, most, count, sum"

/* Flags of an event (event.flags) that rollup_latency needs. */
#define LATENCY_ROLLUP_FLAGS IO_CLASS_MASK

bool latency_rollup_make(struct database *database, const struct column_range *range, bool calls,
                         struct latency_buckets *counted, struct error *error);
bool latency_rollup_recount(struct database *database, const struct column_range *range, bool calls,
                            struct error *error);

/* rollup_call: number and times of calls by operation, error and kind of return value. */

#define CALL_ROLLUP "call" /* name in trace.rollups */
#define CALL_ROLLUP_COLUMNS                                                                        \
    "operation, error, result, calls, bytes, timed, total, least, most, first, last"

bool call_rollup_make(struct database *database, const struct column_range *range,
                      const struct call_counts *counted, struct error *error);
bool call_rollup_recount(struct database *database, const struct column_range *range,
                         struct error *error);

/* Adds the name of a rollup to trace.rollups if the rollup is complete, else removes it. */
bool rollup_set_complete(struct database *database, int64_t trace, const char *rollup,
                         bool is_complete, struct error *error);

#endif
