#include "report/workspace.h"

#include <string.h>

#include "analysis/recount.h"
#include "base/text.h"
#include "scan/correction.h"
#include "scan/span_walk.h"

bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error) {
    *workspace = (struct workspace){.database = database, .config = config, .queries = queries};
    return recount_register(database, config, error);
}

void workspace_close(struct workspace *workspace) {
    catalog_free(&workspace->catalog);
    *workspace = (struct workspace){0};
}

bool workspace_begin(struct workspace *workspace, struct error *error) {
    struct error ignored;

    if (workspace->begun == 0) {
        /* In a transaction temporary rows cost less, too. */
        workspace->own_transaction = sqlite3_get_autocommit(workspace->database->handle) != 0;
        catalog_free(&workspace->catalog);
        if (workspace->own_transaction && !database_run(workspace->database, "BEGIN", error)) {
            return false;
        }
        if (!catalog_load(&workspace->catalog, workspace->database, error)) {
            if (workspace->own_transaction) {
                database_run(workspace->database, "COMMIT", &ignored);
            }
            return false;
        }
    }
    workspace->begun++;
    return true;
}

void workspace_end(struct workspace *workspace) {
    struct error ignored;

    if (--workspace->begun == 0 && workspace->own_transaction) {
        database_run(workspace->database, "COMMIT", &ignored);
    }
}

bool workspace_temp(struct workspace *workspace, struct temp_schema *temp, struct error *error) {
    unsigned number = 0;

    while (number < WORKSPACE_TEMPS && (workspace->temps >> number & 1) != 0) {
        number++;
    }
    *temp = (struct temp_schema){0};
    if (number == WORKSPACE_TEMPS) {
        return error_set(error, "more than %d reports at once", WORKSPACE_TEMPS);
    }
    workspace->temps |= 1u << number;
    temp_schema_init(temp, workspace->database, number);
    return true;
}

void workspace_end_temp(struct workspace *workspace, struct temp_schema *temp) {
    if (temp->database != NULL) {
        rows_put_aside(&workspace->rows);
        workspace->temps &= ~(1u << temp->number);
        temp_schema_free(temp);
    }
}

bool workspace_select(struct workspace *workspace, struct temp_schema *temp,
                      const struct selection_request *request, struct selection *selection,
                      struct error *error) {
    rows_put_aside(&workspace->rows);
    return selection_open(selection, temp, request, error) && correction_find(selection, error) &&
           span_ranges_find(selection, error);
}

void workspace_deselect(struct workspace *workspace, struct selection *selection) {
    rows_put_aside(&workspace->rows);
    selection_close(selection);
}

void rows_open(struct rows *rows, struct rows_list *list, struct database *database,
               sqlite3_stmt *statement) {
    *rows = (struct rows){.list = list, .database = database, .statement = statement};
    if (list != NULL) {
        rows->next = list->first;
        list->first = rows;
    }
}

void rows_close(struct rows *rows) {
    struct rows **link = rows->list == NULL ? NULL : &rows->list->first;

    while (link != NULL && *link != rows) {
        link = &(*link)->next;
    }
    if (link != NULL) {
        *link = rows->next;
    }
    if (rows->database == &rows->aside) {
        sqlite3_finalize(rows->statement);
    } else if (rows->database != NULL) {
        database_keep_reading(rows->database, rows->statement);
    }
    sqlite3_close(rows->aside.handle);
    *rows = (struct rows){0};
}

bool rows_next(struct rows *rows, bool *row, struct error *error) {
    bool readable = rows->failed.status == EXIT_DONE || rows->database == &rows->aside;

    *row = false;
    if (readable && !database_step(rows->database, rows->statement, row, error)) {
        return false;
    }
    if (!*row && rows->failed.status != EXIT_DONE) {
        *error = rows->failed;
        return false;
    }
    return true;
}

bool rows_again(struct rows *rows, struct error *error) {
    return sqlite3_reset(rows->statement) == SQLITE_OK || database_failed(rows->database, error);
}

void rows_value(const struct rows *rows, int column, struct value *value) {
    sqlite3_stmt *statement = rows->statement;

    *value = (struct value){.type = VALUE_NULL};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value->type = VALUE_INTEGER;
        value->integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value->type = VALUE_REAL;
        value->real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        value->type = VALUE_TEXT;
        value->bytes = (const char *)sqlite3_column_text(statement, column);
        value->length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    case SQLITE_BLOB:
        value->type = VALUE_BLOB;
        value->bytes = sqlite3_column_blob(statement, column);
        value->length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    default:
        break;
    }
}

static const struct {
    const char *name;
    enum column_kind kind;
} row_kinds[] = {
    {"integer", COLUMN_INTEGER}, {"number", COLUMN_NUMBER}, {"real", COLUMN_REAL},
    {"share", COLUMN_SHARE},     {"bytes", COLUMN_BYTES},   {"duration", COLUMN_DURATION},
    {"time", COLUMN_TIME},       {"text", COLUMN_TEXT},
};

void rows_set_kind(const struct rows *rows, int column, struct value *value) {
    const char *name = (const char *)sqlite3_column_text(rows->statement, column);
    size_t length = name == NULL ? 0 : strcspn(name, " ");

    for (size_t i = 0; i < sizeof row_kinds / sizeof row_kinds[0]; i++) {
        if (length > 0 && strncmp(row_kinds[i].name, name, length) == 0 &&
            row_kinds[i].name[length] == '\0') {
            value->kind = row_kinds[i].kind;
            value->unit = name[length] == '\0' ? NULL : name + length + 1;
            return;
        }
    }
}

int rows_kind_column(sqlite3_stmt *statement) {
    int last = sqlite3_column_count(statement) - 1;

    return last >= 0 && strcmp(sqlite3_column_name(statement, last), "_kind") == 0 ? last : -1;
}

/* A table of so many columns without types, which keep values as they are; and how to fill it. */
static sqlite3_stmt *make_table(struct database *aside, int columns, struct error *error) {
    struct text create = {0}, insert = {0};
    sqlite3_stmt *statement = NULL;

    text_append_string(&create, "BEGIN; CREATE TABLE aside (");
    text_append_string(&insert, "INSERT INTO aside VALUES (");
    for (int i = 0; i < columns; i++) {
        text_append_format(&create, "%sc%d", i == 0 ? "" : ", ", i);
        text_append_string(&insert, i == 0 ? "?" : ", ?");
    }
    text_append_string(&create, ")");
    text_append_string(&insert, ")");
    if (database_run(aside, text_string(&create), error)) {
        statement = database_prepare(aside, text_string(&insert), error);
    }
    text_free(&create);
    text_free(&insert);
    return statement;
}

static bool copy_rows(struct rows *rows, sqlite3_stmt *insert, struct error *error) {
    int columns = sqlite3_column_count(rows->statement);
    bool row = true, done = true;

    while (done && row) {
        done = database_step(rows->database, rows->statement, &row, error);
        for (int i = 0; done && row && i < columns; i++) {
            sqlite3_bind_value(insert, i + 1, sqlite3_column_value(rows->statement, i));
        }
        done = done && (!row || database_execute(&rows->aside, insert, error));
    }
    return done;
}

/* A database without a name is a temporary file that SQLite removes. */
static bool put_aside(struct rows *rows, struct error *error) {
    sqlite3_stmt *insert = NULL, *select;
    bool done;

    rows->aside.path = rows->database->path;
    if (sqlite3_open("", &rows->aside.handle) != SQLITE_OK) {
        return database_failed(&rows->aside, error);
    }
    insert = make_table(&rows->aside, sqlite3_column_count(rows->statement), error);
    done = insert != NULL && copy_rows(rows, insert, error);
    sqlite3_finalize(insert);
    select = insert == NULL ? NULL
                            : database_prepare(&rows->aside, "SELECT * FROM aside ORDER BY rowid",
                                               done ? error : &(struct error){0});
    if (select != NULL) {
        database_keep_reading(rows->database, rows->statement);
        rows->statement = select;
        rows->database = &rows->aside;
    } else {
        /* What has been begun may be aborted, and must not be taken for the whole. */
        sqlite3_reset(rows->statement);
    }
    return done && select != NULL;
}

void rows_put_aside(struct rows_list *list) {
    for (struct rows *rows = list->first; rows != NULL; rows = rows->next) {
        /* A statement that was not stepped yet, or was stepped to its end, is prepared anew by
         * SQLite when it is stepped. */
        if (rows->aside.handle == NULL && sqlite3_stmt_busy(rows->statement)) {
            put_aside(rows, &rows->failed);
        }
    }
}
