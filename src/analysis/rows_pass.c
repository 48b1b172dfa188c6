/* Runs the SQL statement after a line `-- NAME` in a query file, and passes its rows on. */

#include "analysis/analysis.h"
#include "base/text.h"
#include "scan/distribution.h"

/* Analysis `distribution`: percentiles of a statement's values (temp.distribution). */

struct rows_state {
    struct analysis_context *context;
    struct distribution *distribution; /* owned */
};

static void distribution_of_rows_add(void *rows_state, const char *part, size_t length,
                                     int64_t value) {
    struct rows_state *state = rows_state;

    distribution_count(
        state->distribution,
        distribution_group(state->distribution, part, length, &state->context->error), value);
}

static void distribution_of_rows_write_rows(void *rows_state) {
    struct rows_state *state = rows_state;

    state->distribution = distribution_new(state->context->shape);
    do {
        rows_pass_run(state->context, distribution_of_rows_add, state);
    } while (!analysis_failed(state->context) && distribution_end_pass(state->distribution));
    distribution_write(state->distribution, state->context->temp, &state->context->error);
}

static void distribution_of_rows_free_state(void *rows_state) {
    const struct rows_state *state = rows_state;

    distribution_free(state->distribution);
}

/* Percentiles of the rows of a statement: each row is a group's name and a value. The statement may
 * run several times. temp.distribution_curve is filled as by analysis_latency. */
const struct analysis analysis_distribution = {
    .name = "distribution",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},
               {"distribution_curve", DISTRIBUTION_CURVE, "name"}},
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct rows_state),
    .functions = rows_pass_register,
    .write = distribution_of_rows_write_rows,
    .free = distribution_of_rows_free_state,
};

/* --- passing the statement's rows to C -------------------------------------------------------- */

/* Type name of the pointer bound to the first argument of take_row(), which SQLite compares. */
static const char pointer_kind[] = "tracetool rows";

struct rows_pass {
    struct analysis_context *context;
    rows_taker *take;
    void *state;
};

/* SQL function take_row(pass, part, value), which the statement calls for each row. This is several
 * times faster than sqlite3_step() for each row. */
static void sql_take_row(sqlite3_context *context, int count, sqlite3_value **values) {
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

static void return_sql_null(sqlite3_context *context) {
    sqlite3_result_null(context);
}

bool rows_pass_register(struct database *database, struct error *error) {
    return sqlite3_create_function_v2(database->handle, "take_row", 3,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, sql_take_row,
                                      return_sql_null, NULL) == SQLITE_OK ||
           database_set_error(database, error);
}

static sqlite3_stmt *prepare_pass(struct analysis_context *context) {
    sqlite3_stmt *statement;
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT take_row(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       context->rows);
    statement = database_prepare_read_only(context->database, text_string(&sql), &context->error);
    text_free(&sql);
    return statement;
}

void rows_pass_run(struct analysis_context *context, rows_taker *take, void *state) {
    struct rows_pass pass = {context, take, state};
    struct error failed = {0};
    sqlite3_stmt *statement;
    bool row = true;

    if (context->rows == NULL) {
        error_set(&context->error, "'%s' needs an SQL statement after a line '-- %s'",
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
    /* uses SQLite's error only if the SQL function has set none, which would be more specific */
    if (failed.status != EXIT_DONE && !analysis_failed(context)) {
        context->error = failed;
    }
    sqlite3_finalize(statement);
}
