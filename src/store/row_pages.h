/* Inserts events fast, as complete rows.
 *
 * The events of a batch are written as pages of a small in-memory database (model/batch.h). `INSERT
 * INTO … SELECT *` copies rows between tables with equal columns without decoding them, at a third
 * of the cost of making each row in SQL. Only SQLite itself writes to the user's database, so it
 * also updates indexes and columns that somebody added to `event`. */
#ifndef TRACETOOL_ROW_PAGES_H
#define TRACETOOL_ROW_PAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/batch.h"
#include "store/connection.h"

struct row_pages;

/* Prepares inserting into main.event. The caller owns `*pages`, also after a failure. `*pages` is
 * NULL if the columns of main.event differ from schema.sql, or text is not UTF-8: then rows must be
 * inserted by SQL. */
bool row_pages_new(struct database *database, struct row_pages **pages, struct error *error);

/* Leaves the pages in the connection for the next row_pages_new(). For thousands of small traces,
 * attaching and detaching a database costs more than inserting the rows, also because SQLite then
 * compiles all statements again. Must not be called in a transaction. NULL is allowed. */
void row_pages_keep(struct row_pages *pages);

/* Frees the pages. Must not be called in a transaction. NULL is allowed. */
void row_pages_free(struct row_pages *pages);

/* Inserts the rows of a batch into main.event. They must all fit into its pages (`rows->fit`). */
bool row_pages_write(struct row_pages *pages, const struct batch_pages *rows, struct error *error);

#endif
