/* A sum over rows of a table that the server and this program work out alike: what was lost, came
 * twice or was exchanged on the way makes it another one. It is (number + 1) × Σ weight × value
 * over the rows, in whole numbers modulo 2^64, where a text counts as the first 8 bytes of its MD5
 * (halfMD5(), which all servers have), NULL as 0, and what may be NULL as 1 more than it is.
 */
#ifndef TRACETOOL_REMOTE_CHECKSUM_H
#define TRACETOOL_REMOTE_CHECKSUM_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/text.h"
#include "remote/schema.h"

/* Appends what a row of the table adds, as SQL of the store. */
void checksum_append_sql(struct text *sql, const struct remote_table *table);

/* The same of a row whose values are the columns of a statement of SQLite's, in the same order and
 * of the types that the table says. */
uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table);

#endif
