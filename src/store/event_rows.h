/* Reads rows of the table `event` as columns. */
#ifndef TRACETOOL_EVENT_ROWS_H
#define TRACETOOL_EVENT_ROWS_H

#include <stddef.h>

#include "base/text.h"
#include "model/batch.h"
#include "model/event_columns.h"
#include "store/connection.h"
#include "store/row_pages.h"

/* All columns of events except the bytes of arguments. Each holds a number or NULL. */
#define EVENT_ROWS_ALL                                                                             \
    ((((1u << EVENT_PLACES) - 1) & ~(unsigned)EVENT_ARGUMENTS) | (unsigned)EVENT_CPU)

/* Appends the beginning of a SELECT for event_rows_read(): id, time and `fields` (enum
 * event_column) of table alias e (`event`). EVENT_CPU needs table alias c (`cpu_time`). Only
 * event_rows_read_event() allows EVENT_ARGUMENTS. The caller appends FROM. */
void event_rows_select(struct text *sql, unsigned fields);

/* Reads the current row of `select` to index `at` of `columns`, which needs room for EVENT_CPU if
 * requested. Returns false and sets `error` if a value is not an integer, which only other programs
 * store. */
bool event_rows_read(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error);

/* Appends the current row to the batch as an event, with the bytes of its arguments. `fields` may
 * have EVENT_ARGUMENTS, but not EVENT_PARENT or EVENT_CPU. Fails as event_rows_read() does. */
bool event_rows_read_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error);

/* Appends an SQL condition on table alias e (`event`) that is always true, but fails if a column
 * has a value other than an integer or NULL. SQL itself would treat such a value as 0. */
void event_rows_append_condition(struct text *sql);

/* Registers the SQL function that event_rows_append_condition() uses. */
bool event_rows_register(sqlite3 *handle);

/* Stages rows of `event` in a temporary file until their ids are known. The file holds the rows in
 * SQLite's record format (model/batch.h). To insert them, they are packed into database pages
 * again, since inserting them by SQL would decode each row twice. */

struct staged_rows;

/* Returns an empty stage for rows that `pages` (borrowed) will insert; NULL if `pages` is NULL. The
 * caller owns it. The temporary file is created with the first row. */
struct staged_rows *staged_rows_new(struct row_pages *pages);
void staged_rows_free(struct staged_rows *staged); /* Frees the rows; NULL is allowed. */

/* Adds the rows of a batch, which must all fit into its pages (`rows->fit`). Returns false and sets
 * `error` if the disk is full. */
bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error);

/* Inserts all staged rows into main.event, with `after` added to their ids. No rows can be added
 * afterwards. Does nothing if `staged` is NULL. */
bool staged_rows_write(struct staged_rows *staged, int64_t after, struct error *error);

#endif
