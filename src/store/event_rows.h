/* Reads rows of the table `event` as columns. */
#ifndef TRACETOOL_EVENT_ROWS_H
#define TRACETOOL_EVENT_ROWS_H

#include <stddef.h>

#include "base/text.h"
#include "model/batch.h"
#include "model/event_columns.h"
#include "store/connection.h"
#include "store/row_pages.h"

/* All fields except argument bytes: those that have a number or NULL. */
#define EVENT_ROWS_ALL                                                                             \
    ((((1u << EVENT_PLACES) - 1) & ~(unsigned)EVENT_ARGUMENTS) | (unsigned)EVENT_CPU)

/* Appends the beginning of a SELECT for event_rows_read(): id, time and these fields (enum
 * event_column) of the event `e`. EVENT_ARGUMENTS is for event_rows_read_event() only; EVENT_CPU
 * reads the row `c` of cpu_time. The caller appends FROM. */
void event_rows_select(struct text *sql, unsigned fields);

/* Stores the current row's fields at index `at` of the existing columns; those of EVENT_CPU must
 * exist. False with `error` set if a value is not an integer, which another program may have
 * stored. */
bool event_rows_read(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error);

/* Appends the current row to the batch as an event with its argument bytes. `fields` may include
 * EVENT_ARGUMENTS, but not EVENT_PARENT or EVENT_CPU. Fails like event_rows_read(). */
bool event_rows_read_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error);

/* Appends a condition on the row `e` that is always true, but fails like event_rows_read() if a
 * value is not an integer: SQL would treat it as 0. */
void event_rows_append_condition(struct text *sql);

/* Registers the function used in that condition. */
bool event_rows_register(sqlite3 *handle);

/* Staging of event rows in a temporary file until their ids are known.
 *
 * They are stored as records (model/batch.h) and become pages again when placed: SQL would decode
 * each row twice.
 */

struct staged_rows;

/* Returns room for rows that `pages`, borrowed, will write; NULL if that is NULL. Owned by the
 * caller. Creates no file before the first row. */
struct staged_rows *staged_rows_new(struct row_pages *pages);
void staged_rows_free(struct staged_rows *staged); /* NULL is allowed */

/* Adds the rows of a batch, which must fit. False with `error` set if the disk is full. */
bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error);

/* Writes all rows to main.event, with `after` added to their ids. Nothing can be added afterwards.
 * NULL is allowed: no rows. */
bool staged_rows_place(struct staged_rows *staged, int64_t after, struct error *error);

#endif
