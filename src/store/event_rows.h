/* Rows of the table `event`, asked of SQLite, as columns. */
#ifndef TRACETOOL_EVENT_ROWS_H
#define TRACETOOL_EVENT_ROWS_H

#include <stddef.h>

#include "base/text.h"
#include "model/event_columns.h"
#include "store/connection.h"

/* Appends what a SELECT begins with that gives event_rows_take() its rows: the columns of event `e`
 * with `fields` (enum event_column; without EVENT_ARGUMENTS argument bytes are not fetched), and
 * with EVENT_CPU the times of table row `c`. What it selects from is the caller's to append. */
void event_rows_select(struct text *sql, unsigned fields);

/* Puts the current row to place `at` of those columns that there are. Argument bytes stay until the
 * next step. */
void event_rows_take(sqlite3_stmt *select, struct event_columns *columns, size_t at);

#endif
