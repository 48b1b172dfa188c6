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
 * next step. False with `error` set when another program has put something into the row that is no
 * whole number. */
bool event_rows_take(struct database *database, sqlite3_stmt *select, struct event_columns *columns,
                     size_t at, struct error *error);

/* The same of these fields alone, none of them EVENT_CPU or EVENT_ARGUMENTS: a fraction of the
 * time.
 */
void event_rows_select_only(struct text *sql, unsigned fields);
bool event_rows_take_only(struct database *database, sqlite3_stmt *select, unsigned fields,
                          struct event_columns *columns, size_t at, struct error *error);

/* Appends a condition on table row `e` that holds of every event, and fails of one with something
 * that is no whole number, in the words of event_rows_take(): SQL would take it for 0. */
void event_rows_append_condition(struct text *sql);

/* The function that the condition calls. */
bool event_rows_register(sqlite3 *handle);

#endif
