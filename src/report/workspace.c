#include "report/workspace.h"

#include <string.h>

#include "analysis/recount.h"
#include "base/text.h"
#include "scan/correction.h"
#include "scan/span_walk.h"

/* people(value, kind, unit of the clock): formats a value of that kind as in tables for people;
 * NULL for NULL. */
static void people(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *kind = (const char *)sqlite3_value_text(values[1]);
    const char *clock_unit = (const char *)sqlite3_value_text(values[2]);
    struct column column = {.name = "", .unit = "", .kind = COLUMN_ANY};
    struct value value = value_integer(sqlite3_value_int64(values[0]));
    struct text out = {0};

    if (sqlite3_value_type(values[0]) == SQLITE_FLOAT) {
        value = value_real(sqlite3_value_double(values[0]));
    } else if (sqlite3_value_type(values[0]) != SQLITE_INTEGER) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    if (kind != NULL) {
        query_column_kind_find(kind, strlen(kind), &column.kind);
    }
    printer_append_human(&out, &value, &column, clock_unit == NULL ? "ns" : clock_unit);
    sqlite3_result_text(context, text_string(&out), (int)out.length, SQLITE_TRANSIENT);
    text_free(&out);
}

bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error) {
    *workspace = (struct workspace){.database = database, .config = config, .queries = queries};
    return recount_register(database, config, error) &&
           (sqlite3_create_function_v2(database->handle, "people", 3,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                       people, NULL, NULL, NULL) == SQLITE_OK ||
            database_failed(database, error));
}

void workspace_close(struct workspace *workspace) {
    catalog_free(&workspace->catalog);
    *workspace = (struct workspace){0};
}

bool workspace_begin(struct workspace *workspace, struct error *error) {
    struct error ignored;

    if (workspace->begun == 0) {
        /* Temporary rows are also cheaper in a transaction. */
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

bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error) {
    return selection_open(selection, temp, request, error) && correction_find(selection, error) &&
           span_ranges_find(selection, error);
}

void row_value(sqlite3_stmt *statement, int column, struct value *value) {
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

void row_set_kind(sqlite3_stmt *statement, int column, struct value *value) {
    const char *name = (const char *)sqlite3_column_text(statement, column);
    size_t length = name == NULL ? 0 : strcspn(name, " ");

    if (name != NULL && query_column_kind_find(name, length, &value->kind)) {
        value->unit = name[length] == '\0' ? NULL : name + length + 1;
    }
}

int row_kind_column(sqlite3_stmt *statement) {
    int last = sqlite3_column_count(statement) - 1;

    return last >= 0 && strcmp(sqlite3_column_name(statement, last), "_kind") == 0 ? last : -1;
}

int row_find_more_column(sqlite3_stmt *statement) {
    int column = sqlite3_column_count(statement) - 1;

    while (column >= 0 && strcmp(sqlite3_column_name(statement, column), "_more") != 0) {
        column--;
    }
    return column;
}
