/* Temporary tables and views, in SQLite's schema `temp`. Views of another schema cannot read the
 * tables of traces, and an attached database cannot be detached within a transaction.
 *
 * Successive results need the same tables. Released ones therefore stay, emptied, for the next use
 * of the same definition, and statements are cached: without a schema change SQLite need not
 * recompile them.
 *
 * SQLite may abort a running statement when a temporary table is created or dropped, so no
 * statement may run then. Read one report to its end before starting the next. */
#ifndef TRACETOOL_TEMP_SCHEMA_H
#define TRACETOOL_TEMP_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "store/database.h"

/* Set `database` and zero the rest. */
struct temp_schema {
    struct database *database;    /* borrowed */
    struct temp_object *made;     /* owned; in order of creation, followed by released ones */
    size_t count, kept, capacity; /* number of objects in use; of all objects; of allocated ones */
};

/* Drops everything and frees. Zeroed is empty. */
void temp_schema_free(struct temp_schema *temp);

/* Creates temp.NAME; `definition` follows the name, such as "(trace INTEGER PRIMARY KEY, first)".
 */
bool temp_schema_table(struct temp_schema *temp, const char *name, const char *definition,
                       struct error *error);

/* Creates the view temp.NAME of a SELECT. */
bool temp_schema_view(struct temp_schema *temp, const char *name, const char *select,
                      struct error *error);

/* Creates an index on a column of a table created here, after its rows; none if it is empty.
 * Dropped with the table. */
bool temp_schema_index(struct temp_schema *temp, const char *table, const char *column,
                       struct error *error);

/* Releases the objects created since `count` was `from`. */
void temp_schema_drop_from(struct temp_schema *temp, size_t from);

/* Drops the released objects that are not in use again. */
void temp_schema_settle(struct temp_schema *temp);

/* --- rows ------------------------------------------------------------------------------------- */

/* Adds rows to temp.TABLE. After a failure, `error` has the first cause and further rows are
 * ignored. */
struct temp_rows {
    struct temp_schema *temp; /* borrowed, like the next two */
    const char *table;
    struct error *error;
    int columns;
    const char *values;   /* inserted values; NULL: ?1, ?2, … for all columns */
    const char *conflict; /* clause for a row whose key exists; NULL: none */
    sqlite3_stmt *insert; /* owned; NULL before the first row */
    uint32_t others;      /* bit set: columns, from 0, that are not numbers */
    bool failed;
};

/* Set a column, from 1, for the following rows. A text of `length` bytes (NULL: NULL) must stay
 * until the next row is added; a real number may be NaN for NULL. */
void temp_rows_text(struct temp_rows *rows, int column, const char *text, size_t length);
void temp_rows_real(struct temp_rows *rows, int column, double value);

/* Adds a row: numbers for the other columns, in order; EVENT_NONE (INT64_MIN) is NULL. */
void temp_rows_add(struct temp_rows *rows, const int64_t *numbers, size_t count);
#define TEMP_ROW(rows, ...)                                                                        \
    temp_rows_add(rows, (const int64_t[]){__VA_ARGS__},                                            \
                  sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

/* Returns false if a row failed. More rows may be added afterwards. */
bool temp_rows_end(struct temp_rows *rows);

#endif
