/* Tables of rollups: counts, call times, calls and latencies of whole traces. */
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

/* --- counts --------------------------------------------------------------------------------------
 */

/* Appends the rows of a tally for a trace to `table`, such as main.rollup_hour. Its columns are
 * trace, those of the tally's definition, count and bytes. `label` returns the text of a label
 * number. If it is NULL, the text is looked up: the number is then an object id (file types), an
 * actor id (processes) or a number in the table `partition`. */
bool tally_table_write(struct database *database, const char *table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error);

/* Moves the rows of a trace's rollup from the table to a tally. `number` returns the label number
 * of a text, 0 on failure. `*complete` is false if not all rows fit. */
bool tally_table_read(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error);

/* --- call times ------------------------------------------------------------------------------- */

/* Appends the rows of a trace to main.rollup_span. */
bool span_table_write(struct database *database, int64_t trace, const struct span_times *times,
                      struct error *error);

/* Moves the rows of a trace's rollup from the table to `times`. */
bool span_table_read(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error);

/* --- calls and latencies -------------------------------------------------------------------------
 */

/* Both are built from stored events, within the caller's transaction. `counted` has counted all of
 * them once (NULL: none). trace.rollups then says whether they are complete. `recount` builds the
 * same from the rows of events, in temp.recount_NAME (trace, …). */

/* rollup_latency: durations of a trace's I/Os by action and class, or of its calls by operation.
 * Gives exact percentiles. */

#define LATENCY_ROLLUP         "latency" /* in trace.rollups */
#define LATENCY_ROLLUP_COLUMNS "action, class, least, most, count, sum"

/* Bits of event.flags that it uses. */
#define LATENCY_ROLLUP_FLAGS IO_CLASS_MASK

bool latency_rollup_make(struct database *database, const struct column_range *range, bool calls,
                         struct latency_buckets *counted, struct error *error);
bool latency_rollup_recount(struct database *database, const struct column_range *range, bool calls,
                            struct error *error);

/* rollup_call: calls by operation, error and kind of return value. */

#define CALL_ROLLUP "call" /* in trace.rollups */
#define CALL_ROLLUP_COLUMNS                                                                        \
    "operation, error, result, calls, bytes, timed, total, least, most, first, last"

bool call_rollup_make(struct database *database, const struct column_range *range,
                      const struct call_counts *counted, struct error *error);
bool call_rollup_recount(struct database *database, const struct column_range *range,
                         struct error *error);

/* Adds a rollup's name to trace.rollups, or removes it. */
bool rollup_note(struct database *database, int64_t trace, const char *rollup, bool has,
                 struct error *error);

#endif
