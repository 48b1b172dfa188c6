#include "store/tally_table.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/partition.h"
#include "store/number_rows.h"

/* What stands for a dimension among the values; `by_id`: of labels the number is an id. The trace
 * is the first parameter. */
static const char *placeholder(enum tally_dimension dimension, bool by_id) {
    switch (by_id ? dimension : DIMENSION_NONE) {
    case DIMENSION_PROCESS:
        return ", ifnull((SELECT name FROM actor WHERE id = ?), '')";
    case DIMENSION_PARTITION:
        return ", ifnull((SELECT name FROM main.partition WHERE trace = ?1 AND number = ?),"
               " '" PARTITION_UNMAPPED "')";
    case DIMENSION_FILE_TYPE:
        return ", ifnull((SELECT type FROM object WHERE id = ?), '')";
    default:
        return ", ?";
    }
}

static sqlite3_stmt *prepare_insert(struct database *database, const char *table,
                                    const struct tally *tally, bool by_id, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    sqlite3_stmt *insert = NULL;
    struct text sql = {0};

    text_append_format(&sql, "INSERT INTO %s (trace, %s, count, bytes) VALUES (?", table,
                       definition->columns);
    for (unsigned key = 0; key < tally_keys(definition); key++) {
        text_append_string(&sql, placeholder(definition->dimensions[key], by_id));
    }
    text_append_string(&sql, ", ?, ?)");
    if (sql.failed) {
        error_no_memory(error);
    } else {
        insert = database_take(database, text_string(&sql), error);
    }
    text_free(&sql);
    return insert;
}

/* Binds the dimensions of a row from the second parameter on; false when a label has no text. */
static bool bind_keys(sqlite3_stmt *insert, const struct tally *tally, const struct tally_row *row,
                      const char *(*label)(void *context, uint32_t number, size_t *length),
                      void *context) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];

    for (unsigned key = 0; key < tally_keys(definition); key++) {
        size_t length = 0;
        const char *text;

        if (!(definition->labels >> key & 1) || label == NULL) {
            sqlite3_bind_int64(insert, (int)key + 2, row->key[key]);
            continue;
        }
        text = label(context, (uint32_t)row->key[key], &length);
        if (text == NULL) {
            return false;
        }
        sqlite3_bind_text64(insert, (int)key + 2, text, length, SQLITE_STATIC, SQLITE_UTF8);
    }
    return true;
}

/* Of a tally without labels. */
static bool write_numbers(struct database *database, const char *table, int64_t trace,
                          const struct tally *tally, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    unsigned keys = tally_keys(definition);
    struct number_rows rows = {.columns = keys + 2};
    struct text into = {0};
    bool done;

    text_append_format(&into, "%s (trace, %s, count, bytes)", table, definition->columns);
    for (size_t i = 0; i < tally->capacity; i++) {
        const struct tally_row *row = &tally->rows[i];
        int64_t values[TALLY_KEYS + 2];

        if (row->used) {
            memcpy(values, row->key, keys * sizeof *values);
            values[keys] = row->count;
            values[keys + 1] = row->bytes;
            number_rows_add(&rows, values);
        }
    }
    done = number_rows_write(&rows, database, text_string(&into), trace, error);
    number_rows_free(&rows);
    text_free(&into);
    return done;
}

static bool write_labelled(struct database *database, const char *table, int64_t trace,
                           const struct tally *tally,
                           const char *(*label)(void *context, uint32_t number, size_t *length),
                           void *context, struct error *error) {
    int keys = (int)tally_keys(&tally_definitions[tally->kind]);
    sqlite3_stmt *insert = prepare_insert(database, table, tally, label == NULL, error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < tally->capacity; i++) {
        const struct tally_row *row = &tally->rows[i];

        if (!row->used) {
            continue;
        }
        sqlite3_bind_int64(insert, 1, trace);
        sqlite3_bind_int64(insert, keys + 2, row->count);
        sqlite3_bind_int64(insert, keys + 3, row->bytes);
        done = bind_keys(insert, tally, row, label, context)
                   ? database_execute(database, insert, error)
                   : error_set(error, "a name was lost on its way to the rollup by %s",
                               tally_definitions[tally->kind].name);
    }
    database_keep(database, insert);
    return done;
}

bool tally_table_write(struct database *database, const char *table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error) {
    /* A rollup keeps its rows in order; what else is filled has them in the tally's. */
    return label != NULL && tally_definitions[tally->kind].labels == 0
               ? write_numbers(database, table, trace, tally, error)
               : write_labelled(database, table, trace, tally, label, context, error);
}

/* Reads a row of a rollup; false when a label has no number. */
static bool read_row(sqlite3_stmt *select, const struct tally_definition *definition,
                     struct tally_row *row,
                     uint32_t (*number)(void *context, const char *text, size_t length),
                     void *context) {
    int column = 0;

    *row = (struct tally_row){0};
    for (unsigned key = 0; key < tally_keys(definition); key++, column++) {
        if (definition->labels >> key & 1) {
            const char *text = (const char *)sqlite3_column_text(select, column);

            row->key[key] = number(context, text == NULL ? "" : text,
                                   (size_t)sqlite3_column_bytes(select, column));
            if (row->key[key] == 0) {
                return false;
            }
        } else {
            row->key[key] = sqlite3_column_int64(select, column);
        }
    }
    row->count = sqlite3_column_int64(select, column++);
    row->bytes = sqlite3_column_int64(select, column);
    return true;
}

bool tally_table_take(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    sqlite3_stmt *select;
    struct tally_row tally_row;
    char sql[256];
    bool row = true, done;

    snprintf(sql, sizeof sql, "SELECT %s, count, bytes FROM main.rollup_%s WHERE trace = ?1",
             definition->columns, definition->name);
    select = database_prepare(database, sql, error);
    if (select == NULL) {
        return false;
    }
    sqlite3_bind_int64(select, 1, trace);
    *complete = true;
    for (done = true; done && row;) {
        done = database_step(database, select, &row, error);
        if (done && row && *complete) {
            done =
                read_row(select, definition, &tally_row, number, context) || error_no_memory(error);
            *complete = done && tally_put(tally, &tally_row);
        }
    }
    sqlite3_finalize(select);
    snprintf(sql, sizeof sql, "DELETE FROM main.rollup_%s WHERE trace = ?1", definition->name);
    return done && database_change(database, error, sql, "i", trace);
}
