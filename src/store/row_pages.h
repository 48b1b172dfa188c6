/* The fast way of events into the database: as rows that SQLite need not make.
 *
 * The events of a batch are made pages of a small database in memory (model/batch_pages.h). Between
 * two tables of equal columns `INSERT INTO … SELECT *` copies rows as they are, without taking them
 * apart, so that a row costs SQLite a third of what it takes to make one. Nothing but SQLite itself
 * writes to the user's database: whatever somebody did to the table `event` there (columns,
 * indexes), SQLite sees to it.
 */
#ifndef TRACETOOL_ROW_PAGES_H
#define TRACETOOL_ROW_PAGES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/batch_pages.h"
#include "store/connection.h"

struct row_pages;

/* For the table main.event. `*pages`: owned by the caller, after a failure, too; NULL where the
 * columns of that table are not those of schema.sql, or text is not UTF-8, so that SQLite must make
 * the rows. */
bool row_pages_new(struct database *database, struct row_pages **pages, struct error *error);

/* Gives them back: their connection keeps them for the next row_pages_new(), for to attach and
 * detach a database for each of thousands of small traces costs more than their rows, the more
 * since SQLite compiles all statements anew after that. Not within a transaction. NULL is allowed.
 */
void row_pages_keep(struct row_pages *pages);

/* Not within a transaction. NULL is allowed. */
void row_pages_free(struct row_pages *pages);

/* Adds rows, which fit, to `event`. */
bool row_pages_write(struct row_pages *pages, const struct batch_pages *rows, struct error *error);

#endif
