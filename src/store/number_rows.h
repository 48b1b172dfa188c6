/* Rows of numbers on their way into a table.
 *
 * They are gathered and enter many to a statement, in order of their values. Where a table begins
 * with its key, SQLite so finds the place of a row beside that of the one before, and a row of a
 * rollup costs a fraction of what a statement of its own takes.
 */
#ifndef TRACETOOL_NUMBER_ROWS_H
#define TRACETOOL_NUMBER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

/* Begins with `columns`, at least 1, and all else zeroed; to be freed. */
struct number_rows {
    size_t columns;
    int64_t *values; /* owned; of all rows */
    size_t count, capacity;
    bool unsorted; /* a row is to come before one that was added earlier */
};

/* Adds a row; a value for each column, EVENT_NONE for NULL. */
void number_rows_add(struct number_rows *rows, const int64_t *values);

/* Writes the rows, each behind `first`, `into` a table and columns as INSERT has them:
 * "main.t (a, b, c)", which are not from outside. */
bool number_rows_write(struct number_rows *rows, struct database *database, const char *into,
                       int64_t first, struct error *error);

void number_rows_free(struct number_rows *rows);

#endif
