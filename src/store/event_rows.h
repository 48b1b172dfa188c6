/* Rows of the table `event`, asked of SQLite, as columns. */
#ifndef TRACETOOL_EVENT_ROWS_H
#define TRACETOOL_EVENT_ROWS_H

#include <stddef.h>

#include "base/text.h"
#include "model/batch.h"
#include "model/event_columns.h"
#include "store/connection.h"

/* All that events have but argument bytes, which have a number or nothing. */
#define EVENT_ROWS_ALL                                                                             \
    ((((1u << EVENT_PLACES) - 1) & ~(unsigned)EVENT_ARGUMENTS) | (unsigned)EVENT_CPU)

/* Appends what a SELECT begins with that gives event_rows_take() its rows: of event `e` these
 * fields (enum event_column; EVENT_ARGUMENTS for event_rows_take_event() alone), and with EVENT_CPU
 * the times of table row `c`. What it selects from is the caller's to append. */
void event_rows_select(struct text *sql, unsigned fields);

/* Puts the fields of the current row to place `at` of those columns that there are; with EVENT_CPU
 * its columns are. False with `error` set when another program has put something into one that is
 * no whole number. */
bool event_rows_take(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error);

/* Appends the current row to the batch, as an event with its argument bytes. `fields` may have
 * EVENT_ARGUMENTS, and not EVENT_PARENT or EVENT_CPU. Fails as event_rows_take() does. */
bool event_rows_take_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error);

/* Appends a condition on table row `e` that holds of every event, and fails of one with something
 * that is no whole number, in the words of event_rows_take(): SQL would take it for 0. */
void event_rows_append_condition(struct text *sql);

/* The function that the condition calls. */
bool event_rows_register(sqlite3 *handle);

#endif
