/* What the formats of the selected traces know of operations: temp.known_operation. */
#include <string.h>

#include "analysis/analysis.h"
#include "import/importer.h"

struct known_state {
    const struct analysis_context *context;
    const struct importer *importer; /* whose operations are written */
    sqlite3_stmt *insert;
    struct error *error;
};

static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static void bind_known(sqlite3_stmt *statement, int index, int64_t number) {
    if (number == EVENT_NONE) {
        sqlite3_bind_null(statement, index);
    } else {
        sqlite3_bind_int64(statement, index, number);
    }
}

static bool add_operation(void *context_state, const struct known_operation *operation) {
    const struct known_state *state = context_state;

    bind_text(state->insert, 1, state->importer->name);
    sqlite3_bind_int64(state->insert, 2, operation->code);
    bind_text(state->insert, 3, operation->name);
    bind_text(state->insert, 4, operation->category);
    bind_known(state->insert, 5, operation->parameters);
    bind_known(state->insert, 6, operation->returns);
    bind_text(state->insert, 7, operation->unlogged);
    return database_execute(state->context->selection->database, state->insert, state->error);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct known_state *state = context_state;

    state->context = context;
    state->insert = temp_schema_prepare(
        context->selection->temp,
        "INSERT INTO temp.known_operation VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    return state->insert != NULL;
}

static bool is_selected(const struct selection *selection, const struct importer *importer) {
    for (size_t i = 0; i < selection->count; i++) {
        if (strcmp(selection->traces[i].trace->format, importer->name) == 0) {
            return true;
        }
    }
    return false;
}

static bool write_operations(void *context_state, struct error *error) {
    struct known_state *state = context_state;

    const struct config *config = state->context->config;

    state->error = error;
    for (size_t i = 0; (state->importer = importer_at(config, i)) != NULL; i++) {
        if (state->importer->known != NULL &&
            is_selected(state->context->selection, state->importer) &&
            !state->importer->known(config, add_operation, state, error)) {
            return false;
        }
    }
    return true;
}

static void free_state(void *context_state) {
    const struct known_state *state = context_state;

    sqlite3_finalize(state->insert);
}

/* A row for each operation that a format of the selected traces knows, whether it was called or
 * not. `unlogged` says why it could not be logged, where that is so: temp.loggable_operation tells.
 */
const struct analysis analysis_known = {
    .name = "known",
    .tables = {{"known_operation", "format, code, name, category, parameters, returns, unlogged",
                "code"}},
    .pass = PASS_NONE,
    .reads = "loggable_operation",
    .state_size = sizeof(struct known_state),
    .begin = begin,
    .write = write_operations,
    .free = free_state,
};
