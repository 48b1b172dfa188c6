#include "analysis/rows_pass.h"

#include "base/text.h"

/* Kind of the pointer that is bound to the function's first parameter. */
static const char pointer_kind[] = "tracetool rows";

struct rows_pass {
    rows_taker *take;
    void *taker;
    struct error *error;
    bool failed; /* `error` says why */
};

/* take_row(pass, part, value): the statement calls it for each row, which is several times faster
 * than to step the statement. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **values) {
    struct rows_pass *pass = sqlite3_value_pointer(values[0], pointer_kind);
    const char *part = (const char *)sqlite3_value_text(values[1]);
    size_t length = part == NULL ? 0 : (size_t)sqlite3_value_bytes(values[1]);

    (void)count;
    if (pass == NULL || pass->failed) {
        return;
    }
    if (!pass->take(pass->taker, part == NULL ? "" : part, length, sqlite3_value_int64(values[2]),
                    pass->error)) {
        pass->failed = true;
        sqlite3_result_error(context, pass->error->message, -1);
    }
}

static void no_result(sqlite3_context *context) {
    sqlite3_result_null(context);
}

bool rows_pass_register(struct database *database, struct error *error) {
    return sqlite3_create_function_v2(database->handle, "take_row", 3,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, take_row,
                                      no_result, NULL) == SQLITE_OK ||
           database_failed(database, error);
}

static sqlite3_stmt *prepare_pass(const struct analysis_context *context, struct error *error) {
    sqlite3_stmt *statement;
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT take_row(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       context->rows);
    statement = temp_schema_prepare_reading(context->selection->temp, text_string(&sql), error);
    text_free(&sql);
    return statement;
}

static bool bind_pass(const struct analysis_context *context, sqlite3_stmt *statement,
                      struct rows_pass *pass, struct error *error) {
    sqlite3_bind_pointer(statement, 1, pass, pointer_kind, NULL);
    return context->bind == NULL || context->bind(context->binding, statement, error);
}

bool rows_pass_run(const struct analysis_context *context, rows_taker *take, void *taker,
                   struct error *error) {
    struct rows_pass pass = {take, taker, error, false};
    sqlite3_stmt *statement;
    bool row = true, done;

    if (context->rows == NULL) {
        return error_set(error, "'%s' takes a statement behind a line '-- %s'",
                         context->analysis->name, context->analysis->name);
    }
    statement = prepare_pass(context, error);
    done = statement != NULL && bind_pass(context, statement, &pass, error);
    while (done && row) {
        struct error failed = {0};

        done = database_step(context->selection->temp->database, statement, &row, &failed);
        /* What the function said is more than what SQLite makes of it. */
        if (!done && !pass.failed) {
            *error = failed;
        }
    }
    sqlite3_finalize(statement);
    return done && !pass.failed;
}
