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

/* The objects in the schema `temp` of a connection. Set `database` and zero the rest. */
struct temp_schema {
    struct database *database; /* borrowed */
    struct temp_object *made;  /* owned; objects in order of creation, followed by released ones */
    /* Number of objects in use; number of all objects; room in `made`. */
    size_t count, kept, capacity;
};

/* Drops all objects and frees memory. A zeroed schema is empty. */
void temp_schema_free(struct temp_schema *temp);

/* Creates the table temp.NAME. `definition` follows it: "(trace INTEGER PRIMARY KEY, first)". */
bool temp_schema_table(struct temp_schema *temp, const char *name, const char *definition,
                       struct error *error);

/* Creates the view temp.NAME of a SELECT statement. */
bool temp_schema_view(struct temp_schema *temp, const char *name, const char *select,
                      struct error *error);

/* Creates an index on a column of a table that was created here, after its rows were added; does
 * nothing if the table is empty. It is dropped with the table. */
bool temp_schema_index(struct temp_schema *temp, const char *table, const char *column,
                       struct error *error);

/* Releases the objects created since `count` was `from`: empties them for reuse. */
void temp_schema_drop_from(struct temp_schema *temp, size_t from);

/* Drops the released objects that were not reused. */
void temp_schema_drop_unused(struct temp_schema *temp);

/* --- adding rows to a table ------------------------------------------------------------------- */

/* Adds rows to temp.TABLE. After a failure, `error` has the first cause; more rows are ignored. */
struct temp_rows {
    struct temp_schema *temp; /* borrowed, like `table` and `error` */
    const char *table;
    struct error *error;
    int columns;
    const char *values;   /* SQL of the values to insert; NULL: ?1, ?2, … for all columns */
    const char *conflict; /* SQL clause for a row whose key exists already; NULL: none */
    sqlite3_stmt *insert; /* owned; NULL until a row is added */
    uint32_t others; /* bit set: columns (from 0) whose values are not numbers of temp_rows_add() */
    bool failed;
};

/* Set the value of a column (from 1) for the following rows. A text of `length` bytes (NULL for
 * NULL) must stay until the next row is added; the real number NaN means NULL. */
void temp_rows_text(struct temp_rows *rows, int column, const char *text, size_t length);
void temp_rows_real(struct temp_rows *rows, int column, double value);

/* Adds a row: `numbers` are the values of the other columns; EVENT_NONE (INT64_MIN) is NULL. */
void temp_rows_add(struct temp_rows *rows, const int64_t *numbers, size_t count);
#define TEMP_ROW(rows, ...)                                                                        \
    temp_rows_add(rows, (const int64_t[]){__VA_ARGS__},                                            \
                  sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

/* Returns false if a row could not be added. More rows may be added afterwards. */
bool temp_rows_end(struct temp_rows *rows);

#endif
