#include "select/temp_schema.h"
#include "base/memory.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

struct temp_object {
    char *name; /* owned, like `sql`; name of a table or view */
    char *sql;
    bool is_view;
    bool once; /* true: drop the table instead of reusing it, since building its index anew is
                  cheaper */
};

void temp_schema_free(struct temp_schema *temp) {
    temp_schema_drop_from(temp, 0);
    temp_schema_drop_unused(temp);
    free(temp->made);
    *temp = (struct temp_schema){0};
}

static bool drop_named(struct temp_schema *temp, const struct temp_object *object,
                       struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "DROP %s temp.%s", object->is_view ? "VIEW" : "TABLE", object->name);
    done = database_run(temp->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* Drops an object and moves the last object in `made` to its place. If dropping fails, for example
 * because the disk is full, run_making() tries again when the name is needed. */
static void drop_object(struct temp_schema *temp, size_t place) {
    struct temp_object *object = &temp->made[place];
    struct error ignored;

    drop_named(temp, object, &ignored);
    free(object->name);
    free(object->sql);
    *object = temp->made[--temp->kept];
}

/* Moves the object at this index from the released ones to those in use. */
static void mark_object_in_use(struct temp_schema *temp, size_t place) {
    struct temp_object object = temp->made[place];

    temp->made[place] = temp->made[temp->count];
    temp->made[temp->count++] = object;
}

/* Returns whether a released object had the same definition, and reuses it. A released object with
 * the same name but another definition is dropped. */
static bool make_again(struct temp_schema *temp, const struct temp_object *wanted) {
    for (size_t i = temp->count; i < temp->kept; i++) {
        const struct temp_object *object = &temp->made[i];

        if (strcmp(object->name, wanted->name) == 0) {
            bool same = strcmp(object->sql, wanted->sql) == 0;

            if (same) {
                mark_object_in_use(temp, i);
            } else {
                drop_object(temp, i);
            }
            return same;
        }
    }
    return false;
}

static bool temp_schema_is_known(const struct temp_schema *temp, const struct temp_object *object) {
    return find_named(temp->made, temp->kept, sizeof *temp->made, object->name) != NULL;
}

/* Creates an object. If one with this name exists because dropping it failed, drops it first. */
static bool run_making(struct temp_schema *temp, const struct temp_object *object,
                       struct error *error) {
    return database_run(temp->database, object->sql, error) ||
           (!temp_schema_is_known(temp, object) &&
            strstr(error->message, "already exists") != NULL && drop_named(temp, object, error) &&
            database_run(temp->database, object->sql, error));
}

static bool temp_schema_make(struct temp_schema *temp, const char *name, bool is_view,
                             const char *definition, struct error *error) {
    struct text sql = {0};
    struct temp_object object = {.name = xstrdup(name), .is_view = is_view};
    bool again, done;

    text_append_format(&sql, "CREATE %s temp.%s%s%s", is_view ? "VIEW" : "TABLE", name,
                       is_view ? " AS " : " ", definition);
    object.sql = sql.bytes;
    again = make_again(temp, &object);
    done = again || run_making(temp, &object, error);
    if (again || !done) {
        free(object.name);
        free(object.sql);
        return done;
    }
    *ARRAY_NEW(temp->made, temp->kept, temp->capacity) = object;
    mark_object_in_use(temp, temp->kept - 1);
    return true;
}

bool temp_schema_table(struct temp_schema *temp, const char *name, const char *definition,
                       struct error *error) {
    return temp_schema_make(temp, name, false, definition, error);
}

bool temp_schema_view(struct temp_schema *temp, const char *name, const char *select,
                      struct error *error) {
    return temp_schema_make(temp, name, true, select, error);
}

static bool has_rows(struct temp_schema *temp, const char *table, bool *some, struct error *error) {
    struct text sql = {0};
    struct database_query query;

    text_append_format(&sql, "SELECT 1 FROM temp.%s LIMIT 1", table);
    query = database_query_text(temp->database, error, &sql, "");
    *some = database_next(&query);
    return database_end(&query);
}

static bool temp_schema_make_index(struct temp_schema *temp, const char *table, const char *column,
                                   struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "CREATE INDEX temp.%s_by_%s ON %s (%s)", table, column, table, column);
    done = database_run(temp->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

bool temp_schema_index(struct temp_schema *temp, const char *table, const char *column,
                       struct error *error) {
    bool some;

    if (!has_rows(temp, table, &some, error)) {
        return false;
    }
    for (size_t i = 0; i < temp->count; i++) {
        struct temp_object *object = &temp->made[i];

        object->once |= some && strcmp(object->name, table) == 0;
    }
    return !some || temp_schema_make_index(temp, table, column, error);
}

/* Deletes all rows of a table. */
static bool delete_all_rows(struct temp_schema *temp, const struct temp_object *object) {
    struct text sql = {0};
    struct error ignored;
    sqlite3_stmt *statement;
    bool done;

    text_append_format(&sql, "DELETE FROM temp.%s", object->name);
    statement = database_acquire_statement(temp->database, text_string(&sql), &ignored);
    done = statement != NULL && database_execute(temp->database, statement, &ignored);
    database_release_statement(temp->database, statement);
    text_free(&sql);
    return done;
}

void temp_schema_drop_from(struct temp_schema *temp, size_t from) {
    /* Released objects stay in their order, since the next result needs them in the same order. */
    for (size_t i = from; i < temp->count; i++) {
        struct temp_object *object = &temp->made[i];

        object->once |= !object->is_view && !object->once && !delete_all_rows(temp, object);
    }
    temp->count = from < temp->count ? from : temp->count;
    for (size_t i = temp->kept; i > temp->count; i--) {
        if (temp->made[i - 1].once) {
            drop_object(temp, i - 1);
        }
    }
}

void temp_schema_drop_unused(struct temp_schema *temp) {
    while (temp->kept > temp->count) {
        drop_object(temp, temp->kept - 1);
    }
}

static bool is_prepared(struct temp_rows *rows) {
    struct text sql = {0};

    if (rows->insert != NULL || rows->failed) {
        return !rows->failed;
    }
    text_append_format(&sql, "INSERT INTO temp.%s VALUES (", rows->table);
    for (int i = 1; i <= rows->columns && rows->values == NULL; i++) {
        text_append_format(&sql, i == 1 ? "?%d" : ", ?%d", i);
    }
    text_append_format(&sql, "%s)%s", rows->values == NULL ? "" : rows->values,
                       rows->conflict == NULL ? "" : rows->conflict);
    rows->insert = database_acquire_statement(rows->temp->database, text_string(&sql), rows->error);
    rows->failed = rows->insert == NULL;
    text_free(&sql);
    return !rows->failed;
}

void temp_rows_text(struct temp_rows *rows, int column, const char *text, size_t length) {
    if (is_prepared(rows)) {
        sqlite3_bind_text64(rows->insert, column, text, length, SQLITE_STATIC, SQLITE_UTF8);
        rows->others |= 1u << (column - 1);
    }
}

void temp_rows_real(struct temp_rows *rows, int column, double value) {
    if (is_prepared(rows)) {
        sqlite3_bind_double(rows->insert, column, value);
        rows->others |= 1u << (column - 1);
    }
}

void temp_rows_add(struct temp_rows *rows, const int64_t *numbers, size_t count) {
    int column = 0;

    if (!is_prepared(rows)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        while (rows->others >> column & 1) {
            column++;
        }
        database_bind_optional(rows->insert, ++column, numbers[i]);
    }
    rows->failed = !database_execute(rows->temp->database, rows->insert, rows->error);
}

bool temp_rows_end(struct temp_rows *rows) {
    if (rows->insert != NULL) {
        database_release_statement(rows->temp->database, rows->insert);
    }
    rows->insert = NULL;
    rows->others = 0;
    return !rows->failed;
}
