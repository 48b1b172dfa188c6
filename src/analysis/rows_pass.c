#include "analysis/rows_pass.h"

#include "base/text.h"

/* Type of the pointer bound to the function's first parameter. */
static const char pointer_kind[] = "tracetool rows";

struct rows_pass {
    struct analysis_context *context;
    rows_taker *take;
    void *state;
};

/* take_row(pass, part, value): the statement calls it for each row, which is several times faster
 * than stepping the statement. */
static void rows_pass_take_row(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct rows_pass *pass = sqlite3_value_pointer(values[0], pointer_kind);
    const char *part = (const char *)sqlite3_value_text(values[1]);
    size_t length = part == NULL ? 0 : (size_t)sqlite3_value_bytes(values[1]);

    if (pass == NULL || analysis_failed(pass->context)) {
        return;
    }
    pass->take(pass->state, part == NULL ? "" : part, length, sqlite3_value_int64(values[2]));
    if (analysis_failed(pass->context)) {
        sqlite3_result_error(context, pass->context->error.message, -1);
    }
}

static void no_result(sqlite3_context *context) {
    sqlite3_result_null(context);
}

bool rows_pass_register(struct database *database, struct error *error) {
    return sqlite3_create_function_v2(database->handle, "take_row", 3,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL,
                                      rows_pass_take_row, no_result, NULL) == SQLITE_OK ||
           database_failed(database, error);
}

static sqlite3_stmt *prepare_pass(struct analysis_context *context) {
    sqlite3_stmt *statement;
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT take_row(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       context->rows);
    statement = database_prepare_reading(context->database, text_string(&sql), &context->error);
    text_free(&sql);
    return statement;
}

void rows_pass_run(struct analysis_context *context, rows_taker *take, void *state) {
    struct rows_pass pass = {context, take, state};
    struct error failed = {0};
    sqlite3_stmt *statement;
    bool row = true;

    if (context->rows == NULL) {
        error_set(&context->error, "'%s' takes a statement behind a line '-- %s'",
                  context->analysis->name, context->analysis->name);
        return;
    }
    statement = prepare_pass(context);
    sqlite3_bind_pointer(statement, 1, &pass, pointer_kind, NULL);
    if (context->bind != NULL && statement != NULL) {
        context->bind(context->binding, statement, &context->error);
    }
    while (row && !analysis_failed(context) &&
           database_step(context->database, statement, &row, &failed)) {
    }
    /* The error of the function is more specific than that of SQLite. */
    if (failed.status != EXIT_DONE && !analysis_failed(context)) {
        context->error = failed;
    }
    sqlite3_finalize(statement);
}
