#include "store/number_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { AT_ONCE = 64 }; /* rows of a statement */

/* NULL, which is the smallest number here, comes first in SQLite, too. */
static int compare_rows(const void *left, const void *right, void *context) {
    const struct number_rows *rows = context;
    const int64_t *a = left, *b = right;
    size_t i = 0;

    while (i + 1 < rows->columns && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

static int64_t *row_at(const struct number_rows *rows, size_t number) {
    return rows->values + number * rows->columns;
}

void number_rows_add(struct number_rows *rows, const int64_t *values) {
    rows->values = array_grow(rows->values, rows->count, &rows->capacity,
                              rows->columns * sizeof *rows->values);
    memcpy(row_at(rows, rows->count), values, rows->columns * sizeof *values);
    rows->unsorted |=
        rows->count > 0 && compare_rows(row_at(rows, rows->count - 1), values, rows) > 0;
    rows->count++;
}

/* A statement of so many rows, which is kept: thousands of small traces have a few rows each, and
 * to compile a statement of just as many costs more than to write them one by one. */
static sqlite3_stmt *take_insert(const struct number_rows *rows, struct database *database,
                                 const char *into, size_t count, struct error *error) {
    sqlite3_stmt *insert;
    struct text sql = {0};

    text_append_format(&sql, "INSERT INTO %s VALUES", into);
    for (size_t row = 0; row < count; row++) {
        text_append_string(&sql, row == 0 ? " (?1" : ", (?1");
        for (size_t i = 0; i < rows->columns; i++) {
            text_append_string(&sql, ", ?");
        }
        text_append_char(&sql, ')');
    }
    insert = database_take(database, text_string(&sql), error);
    text_free(&sql);
    return insert;
}

/* Writes the rows from `from` on that the statement has. */
static bool insert_rows(const struct number_rows *rows, struct database *database,
                        sqlite3_stmt *insert, size_t from, size_t count, struct error *error) {
    const int64_t *values = row_at(rows, from);

    for (size_t i = 0; i < count * rows->columns; i++) {
        database_bind_optional(insert, (int)i + 2, values[i]);
    }
    return database_execute(database, insert, error);
}

bool number_rows_write(struct number_rows *rows, struct database *database, const char *into,
                       int64_t first, struct error *error) {
    sqlite3_stmt *insert = NULL;
    bool done = true;

    if (rows->unsorted) {
        qsort_r(rows->values, rows->count, rows->columns * sizeof *rows->values, compare_rows,
                rows);
        rows->unsorted = false;
    }
    for (size_t from = 0, count = 0; done && from < rows->count; from += count) {
        size_t before = count;

        count = rows->count - from < AT_ONCE ? 1 : AT_ONCE;
        if (count != before) {
            database_keep(database, insert);
            insert = take_insert(rows, database, into, count, error);
            done = insert != NULL;
            sqlite3_bind_int64(insert, 1, first);
        }
        done = done && insert_rows(rows, database, insert, from, count, error);
    }
    database_keep(database, insert);
    return done;
}

void number_rows_free(struct number_rows *rows) {
    free(rows->values);
    *rows = (struct number_rows){.columns = rows->columns};
}
