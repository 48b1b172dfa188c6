#include "analysis/counted_state.h"

int64_t state_operation(struct analysis_context *context, enum thread_state state) {
    struct database_query query = database_query(
        context->database, &context->error,
        "SELECT id FROM main.name WHERE trace = ?1 AND kind = '" STATE_NAME_KIND "' AND text = ?2",
        "is", context->trace->trace->id, thread_state_words[state]);
    int64_t id = database_next(&query) ? sqlite3_column_int64(query.row, 0) : 0;

    database_end(&query);
    return id;
}

int64_t counted_operation(struct analysis_context *context) {
    return context->trace->trace->kind != TRACE_STATES ||
                   filter_has(&context->selection->filter, FILTER_OPERATION)
               ? EVENT_NONE
               : state_operation(context, STATE_RUNNING);
}
