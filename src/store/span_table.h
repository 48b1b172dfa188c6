/* Times of calls as a table: the rollup of a trace. */
#ifndef TRACETOOL_SPAN_TABLE_H
#define TRACETOOL_SPAN_TABLE_H

#include "model/span_times.h"
#include "store/database.h"

/* Appends the rows for a trace to main.rollup_span. */
bool span_table_write(struct database *database, int64_t trace, const struct span_times *times,
                      struct error *error);

/* Binds six parameters from `first` on: the times of a clock in the order of the rollup's columns.
 */
void span_table_bind(sqlite3_stmt *insert, int first, const struct span_clock_times *times);

/* Fills `times` with the rows of a trace's rollup, which are then removed from the table. */
bool span_table_take(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error);

#endif
