/* Temporary tables and views, in SQLite's schema `temp`. Only views in `temp` can read tables of
 * another schema, and an attached database cannot be detached within a transaction.
 *
 * Successive results need the same tables. So a released table is emptied and reused if the same
 * definition is needed next. Cached statements then stay valid: without a schema change SQLite need
 * not recompile them.
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

/* The temporary tables and views (objects) of a connection. Set `database` and zero the rest. */
struct temp_schema {
    struct database *database; /* borrowed */
    struct temp_object *made;  /* owned; objects in use, in order of creation, then released ones */
    /* Number of objects in use (count), and in use or released (kept); capacity of `made`. */
    size_t count, kept, capacity;
};

/* Drops all objects and frees memory. A zeroed schema has none. */
void temp_schema_free(struct temp_schema *temp);

/* Creates temp.NAME. `definition`: SQL after the name, such as "(trace INTEGER PRIMARY KEY)". */
bool temp_schema_table(struct temp_schema *temp, const char *name, const char *definition,
                       struct error *error);

/* Creates the view temp.NAME of a SELECT statement. */
bool temp_schema_view(struct temp_schema *temp, const char *name, const char *select,
                      struct error *error);

/* Creates an index on a column of a table made by temp_schema_table(), after its rows were added.
 * Does nothing if the table is empty. The index is dropped with the table. */
bool temp_schema_index(struct temp_schema *temp, const char *table, const char *column,
                       struct error *error);

/* Releases the objects with indices from `from` on: empties them, so that they can be reused.
 * `from` is an earlier value of `count`. */
void temp_schema_drop_from(struct temp_schema *temp, size_t from);

/* Drops the released objects. */
void temp_schema_drop_unused(struct temp_schema *temp);

/* --- adding rows to a table ------------------------------------------------------------------- */

/* Adds rows to temp.TABLE. After a failure, `error` has its cause, and further rows are ignored. */
struct temp_rows {
    struct temp_schema *temp; /* borrowed, like `table` and `error` */
    const char *table;
    struct error *error;
    int columns;
    const char *values;   /* SQL list of the values to insert; NULL: ?1, ?2, … for all columns */
    const char *conflict; /* SQL clause for a row whose key exists already; NULL: none */
    sqlite3_stmt *insert; /* owned; prepared when the first row is added */
    uint32_t others; /* bit set of columns (from 0) set by temp_rows_text() or temp_rows_real() */
    bool failed;
};

/* Set the value of a column (from 1) for the following rows. `text` of `length` bytes (NULL: SQL
 * NULL) must stay valid until the row is added. A real number NaN means NULL. */
void temp_rows_text(struct temp_rows *rows, int column, const char *text, size_t length);
void temp_rows_real(struct temp_rows *rows, int column, double value);

/* Adds a row. `numbers` are the values of the columns not set otherwise; EVENT_NONE is NULL. */
void temp_rows_add(struct temp_rows *rows, const int64_t *numbers, size_t count);
#define TEMP_ROW(rows, ...)                                                                        \
    temp_rows_add(rows, (const int64_t[]){__VA_ARGS__},                                            \
                  sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

/* Returns false if any row could not be added. Rows may be added again afterwards. */
bool temp_rows_end(struct temp_rows *rows);

#endif
