/* Percentiles of what a statement gives: temp.distribution. */
#include "analysis/analysis.h"
#include "base/text.h"
#include "scan/distribution.h"

/* Kind of the pointer that is bound to the function's first parameter. */
static const char pointer_kind[] = "tracetool distribution";

struct rows_pass {
    struct distribution *distribution;
    struct error *error;
    bool failed; /* `error` says why */
};

struct rows_state {
    const struct analysis_context *context;
    struct distribution *distribution; /* owned */
};

/* distribution_rows(pass, group, value): the statement calls it for each row, which is several
 * times faster than to step the statement. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **values) {
    struct rows_pass *pass = sqlite3_value_pointer(values[0], pointer_kind);
    const char *name = (const char *)sqlite3_value_text(values[1]);
    size_t length = name == NULL ? 0 : (size_t)sqlite3_value_bytes(values[1]), group;

    (void)count;
    if (pass == NULL || pass->failed) {
        return;
    }
    if (distribution_group(pass->distribution, name == NULL ? "" : name, length, &group,
                           pass->error)) {
        distribution_count(pass->distribution, group, sqlite3_value_int64(values[2]));
    } else {
        pass->failed = true;
        sqlite3_result_error(context, pass->error->message, -1);
    }
}

static void no_result(sqlite3_context *context) {
    sqlite3_result_null(context);
}

static bool register_function(struct database *database, struct error *error) {
    return sqlite3_create_function_v2(database->handle, "distribution_rows", 3,
                                      SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, take_row,
                                      no_result, NULL) == SQLITE_OK ||
           database_failed(database, error);
}

static sqlite3_stmt *prepare_pass(struct scratch *scratch, const char *rows, struct error *error) {
    sqlite3_stmt *statement = NULL;
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT distribution_rows(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       rows);
    if (sql.failed) {
        error_no_memory(error);
    } else {
        statement = scratch_prepare_reading(scratch, text_string(&sql), error);
    }
    text_free(&sql);
    return statement;
}

static bool bind_pass(const struct analysis_context *context, sqlite3_stmt *statement,
                      struct rows_pass *pass, struct error *error) {
    sqlite3_bind_pointer(statement, 1, pass, pointer_kind, NULL);
    return context->bind == NULL || context->bind(context->binding, statement, error);
}

static bool run_pass(const struct rows_state *state, struct error *error) {
    struct scratch *scratch = state->context->selection->scratch;
    struct rows_pass pass = {state->distribution, error, false};
    sqlite3_stmt *statement = prepare_pass(scratch, state->context->rows, error);
    bool row = true;
    bool done = statement != NULL && bind_pass(state->context, statement, &pass, error);

    while (done && row) {
        struct error failed = {0};

        done = database_step(scratch->database, statement, &row, &failed);
        /* What the function said is more than what SQLite makes of it. */
        if (!done && !pass.failed) {
            *error = failed;
        }
    }
    sqlite3_finalize(statement);
    return done && !pass.failed;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct rows_state *state = context_state;

    state->context = context;
    state->distribution = distribution_new();
    if (state->distribution == NULL) {
        return error_no_memory(error);
    }
    distribution_name(state->distribution, context->naming);
    if (context->blocks > 0) {
        distribution_cut(state->distribution, context->blocks);
    }
    return (context->rows != NULL ||
            error_set(error, "'distribution' takes a statement behind a line '-- distribution'"));
}

static bool write_rows(void *context_state, struct error *error) {
    const struct rows_state *state = context_state;
    bool more = true, done = true;

    while (done && more) {
        done = run_pass(state, error) && distribution_end_pass(state->distribution, &more, error);
    }
    return done &&
           distribution_write(state->distribution, state->context->selection->scratch, error);
}

static void free_state(void *context_state) {
    const struct rows_state *state = context_state;

    distribution_free(state->distribution);
}

/* The statement gives rows of a group and a value; it is run several times. */
const struct analysis analysis_distribution = {
    .name = "distribution",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, NULL}},
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct rows_state),
    .functions = register_function,
    .begin = begin,
    .write = write_rows,
    .free = free_state,
};
