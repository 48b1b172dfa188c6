/* Fast insertion of events, as ready-made rows.
 *
 * The events of a batch become pages of a small in-memory database (model/batch.h). Between
 * tables with equal columns, `INSERT INTO … SELECT *` copies records without decoding them, at a
 * third of the cost of building each row. Only SQLite itself writes to the user's database, so
 * changes to its table `event` (columns, indexes) are handled correctly.
 */
#ifndef TRACETOOL_ROW_PAGES_H
#define TRACETOOL_ROW_PAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/batch.h"
#include "store/connection.h"

struct row_pages;

/* For the table main.event. The caller owns `*pages`, also after a failure. NULL if that table's
 * columns differ from schema.sql or text is not UTF-8: SQLite must then build the rows. */
bool row_pages_new(struct database *database, struct row_pages **pages, struct error *error);

/* Returns the pages to the connection for the next row_pages_new(). Attaching and detaching a
 * database for each of thousands of small traces costs more than inserting their rows, also because
 * SQLite then recompiles all statements. Not within a transaction. NULL is allowed.
 */
void row_pages_keep(struct row_pages *pages);

/* Frees the pages; not within a transaction. NULL is allowed. */
void row_pages_free(struct row_pages *pages);

/* Adds rows, which must fit, to `event`. */
bool row_pages_write(struct row_pages *pages, const struct batch_pages *rows, struct error *error);

#endif
