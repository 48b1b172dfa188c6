/* Lists all operations that the formats of the selected traces can log: temp.known_operation. */
#include <string.h>

#include "analysis/analysis.h"
#include "import/importer.h"

struct known_state {
    struct analysis_context *context;
    const struct importer *importer; /* importer of the trace's format */
};

static void set_text(struct temp_rows *rows, int column, const char *text) {
    temp_rows_text(rows, column, text, text == NULL ? 0 : strlen(text));
}

static bool add_operation(void *known_state, const struct known_operation *operation) {
    const struct known_state *state = known_state;
    struct temp_rows *rows = &state->context->tables[0];

    set_text(rows, 1, state->importer->name);
    set_text(rows, 3, operation->name);
    set_text(rows, 4, operation->category);
    set_text(rows, 7, operation->unlogged);
    TEMP_ROW(rows, operation->code, operation->parameters, operation->returns);
    return !analysis_failed(state->context);
}

static bool is_selected(const struct selection *selection, const struct importer *importer) {
    for (size_t i = 0; i < selection->count; i++) {
        if (strcmp(selection->traces[i].trace->format, importer->name) == 0) {
            return true;
        }
    }
    return false;
}

static void write_operations(void *known_state) {
    struct known_state *state = known_state;
    struct analysis_context *context = state->context;
    bool done = true;

    for (size_t i = 0; done && (state->importer = importer_at(context->config, i)) != NULL; i++) {
        done = state->importer->known == NULL ||
               !is_selected(context->selection, state->importer) ||
               state->importer->known(context->config, add_operation, state, &context->error);
    }
}

/* temp.known_operation: a row for each operation that a format of the selected traces can log,
 * whether it occurs or not. `unlogged` is the reason why the log could not have it, by
 * temp.loggable_operation; else NULL. */
const struct analysis analysis_known = {
    .name = "known",
    .tables = {{"known_operation", "format, code, name, category, parameters, returns, unlogged",
                "code"}},
    .pass = PASS_NONE,
    .reads = "loggable_operation",
    .state_size = sizeof(struct known_state),
    .write = write_operations,
};
