/* The rows of a trace's events written anew out of its columns, as an import writes them
 * (row_pages.h): sooner than an UPDATE that sets a column in most of them.
 *
 * Columns have all that the rows have, but for argument bytes; and whoever else changes a row takes
 * the columns of its trace away (schema.sql). So it is only for traces of I/O that are alone in the
 * table, without argument bytes.
 */
#ifndef TRACETOOL_ROW_RENEWAL_H
#define TRACETOOL_ROW_RENEWAL_H

#include "model/event_columns.h"
#include "store/column_table.h"
#include "store/row_pages.h"

struct row_renewal;

/* For the events of `range`, within a transaction. `arguments`: its importer may have given it
 * argument bytes, so the rows are asked (column_table_make() sees to others). `*renewal`: owned by
 * the caller; NULL where rows are not to be made of the columns, or SQLite has to make them.
 * `pages`, which are NULL, are made when they are needed; to be freed by the caller, in any case
 * behind the renewal and not within the transaction. */
#define RENEWAL_PAGES 2
bool row_renewal_new(struct row_renewal **renewal, struct row_pages *pages[RENEWAL_PAGES],
                     struct database *database, const struct column_range *range, bool arguments,
                     struct error *error);
void row_renewal_free(struct row_renewal *renewal);

/* Removes the rows that there are; `*removed` is how many. */
bool row_renewal_begin(struct row_renewal *renewal, int64_t *removed, struct error *error);

/* Takes the next events, at most EVENT_CHUNK, of which there are all columns but EVENT_CPU, and
 * writes the rows of those before: `context` is the renewal, this a column_taker. Rows are laid out
 * by a thread of its own meanwhile. */
bool row_renewal_take(void *context, const struct event_columns *columns, size_t count,
                      struct error *error);

/* Writes the rows of the last events. */
bool row_renewal_finish(struct row_renewal *renewal, struct error *error);

#endif
