/* Temporary tables and views, in SQLite's schema `temp`: views of another schema could not read the
 * tables of traces, and an attached database cannot be detached within a transaction.
 *
 * Whoever makes one result after another makes the same tables again and again. So what is given
 * back stays, emptied, for who makes the same under its name next, and statements are kept: without
 * a change of the schema SQLite need not compile them anew.
 *
 * SQLite may abort a statement that runs while a temporary table is made or dropped: whoever makes
 * or drops them sees to it that none does. So one report is read to its end before the next begins.
 */
#ifndef TRACETOOL_TEMP_SCHEMA_H
#define TRACETOOL_TEMP_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "store/database.h"

/* Begun with its database alone. */
struct temp_schema {
    struct database *database;    /* borrowed */
    struct temp_object *made;     /* owned; in order of making, behind them those given back */
    size_t count, kept, capacity; /* those in use, all, and for how many there is room */
};

/* Drops what is left and frees. Zeroed is empty. */
void temp_schema_free(struct temp_schema *temp);

/* Makes temp.NAME: `definition` is what follows the name, as "(trace INTEGER PRIMARY KEY, first)".
 */
bool temp_schema_table(struct temp_schema *temp, const char *name, const char *definition,
                       struct error *error);

/* Makes the view temp.NAME of a SELECT. */
bool temp_schema_view(struct temp_schema *temp, const char *name, const char *select,
                      struct error *error);

/* Makes an index on a column of a table made here, behind its rows: without any it needs none. It
 * goes with the table. */
bool temp_schema_index(struct temp_schema *temp, const char *table, const char *column,
                       struct error *error);

/* Gives back what was made since `count` was `from`. */
void temp_schema_give_back(struct temp_schema *temp, size_t from);

/* Drops what was given back and not made again, so that nothing is there that nobody made. */
void temp_schema_settle(struct temp_schema *temp);

/* --- rows ---------------------------------------------------------------------------------------
 */

/* Rows that are added to temp.TABLE one after another, behind the first of which nothing fails
 * unnoticed: `error` has what went wrong first, and nothing more is added. */
struct temp_rows {
    struct temp_schema *temp; /* borrowed, as are the next two */
    const char *table;
    struct error *error;
    int columns;
    const char *values;   /* what is inserted; NULL: ?1, ?2, … of all columns */
    sqlite3_stmt *insert; /* owned; NULL: no row yet */
    uint32_t others;      /* bit set: columns, from 0, that are no numbers */
    bool failed;
};

/* Says what is in a column, from 1 on, of the rows that follow: a text of `length` bytes (NULL:
 * NULL) that stays until the next row was added, or a real number (NaN: NULL). */
void temp_rows_text(struct temp_rows *rows, int column, const char *text, size_t length);
void temp_rows_real(struct temp_rows *rows, int column, double value);

/* Adds a row: numbers for the other columns, in their order; EVENT_NONE (INT64_MIN) is NULL. */
void temp_rows_add(struct temp_rows *rows, const int64_t *numbers, size_t count);
#define TEMP_ROW(rows, ...)                                                                        \
    temp_rows_add(rows, (const int64_t[]){__VA_ARGS__},                                            \
                  sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

/* False: one of the rows failed. May be added to again. */
bool temp_rows_end(struct temp_rows *rows);

#endif
