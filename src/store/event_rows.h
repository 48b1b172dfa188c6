/* Reads rows of the table `event` as columns. */
#ifndef TRACETOOL_EVENT_ROWS_H
#define TRACETOOL_EVENT_ROWS_H

#include <stddef.h>

#include "base/text.h"
#include "model/batch.h"
#include "model/event_columns.h"
#include "store/connection.h"
#include "store/row_pages.h"

/* All columns of events but the bytes of arguments: numbers or NULL. */
#define EVENT_ROWS_ALL                                                                             \
    ((((1u << EVENT_PLACES) - 1) & ~(unsigned)EVENT_ARGUMENTS) | (unsigned)EVENT_CPU)

/* Appends the beginning of a SELECT for event_rows_read(): id, time and `fields` (enum
 * event_column) of the event `e`. EVENT_ARGUMENTS is only for event_rows_read_event(). EVENT_CPU
 * needs the row `c` of cpu_time. The caller appends FROM. */
void event_rows_select(struct text *sql, unsigned fields);

/* Stores the columns of the current row at index `at` of `columns`, which need room for EVENT_CPU
 * if requested. Returns false and sets `error` if a value is not an integer: another program may
 * have stored it. */
bool event_rows_read(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error);

/* Appends the current row to the batch, as an event with the bytes of its arguments. `fields` may
 * have EVENT_ARGUMENTS, but not EVENT_PARENT or EVENT_CPU. Fails like event_rows_read(). */
bool event_rows_read_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error);

/* Appends a condition on the row `e` that is always true, but fails if a value is not an integer,
 * which SQL would treat as 0. */
void event_rows_append_condition(struct text *sql);

/* Registers the SQL function that event_rows_append_condition() uses. */
bool event_rows_register(sqlite3 *handle);

/* Keeps rows of `event` in a temporary file until their ids are known. They are stored as SQLite's
 * records (model/batch.h), and become pages again when they are placed: with SQL, each row would be
 * decoded twice. */

struct staged_rows;

/* Returns a place for rows that `pages` (borrowed) will write; NULL if `pages` is NULL. Owned by
 * the caller. The temporary file is created with the first row. */
struct staged_rows *staged_rows_new(struct row_pages *pages);
void staged_rows_free(struct staged_rows *staged); /* Frees the rows; NULL is allowed. */

/* Adds the rows of a batch, for which `rows->fit` is true. Returns false and sets `error` if the
 * disk is full. */
bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error);

/* Writes all rows to main.event, with `after` added to their ids. Nothing can be added afterwards.
 * `staged` NULL: does nothing. */
bool staged_rows_write(struct staged_rows *staged, int64_t after, struct error *error);

#endif
