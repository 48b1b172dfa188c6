#include "analysis/call_operations.h"

#include <stdlib.h>

#include "base/memory.h"

void call_operations_read(struct call_operations *operations, struct analysis_context *context) {
    int64_t trace = context->trace->trace->id;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT id, iif(kind = 'error', '', text) FROM main.name WHERE trace = ?1"
                       " AND id BETWEEN 1 AND 4294967295 ORDER BY id",
                       "i", trace);

    call_operations_free(operations);
    operations->by_file = filter_by_object(&context->selection->filter);
    query.failed |= operations->by_file && !id_set_read(&operations->files, context->selection,
                                                        SELECTED_OBJECTS, trace, &context->error);
    while (database_next(&query)) {
        *ARRAY_NEW(operations->all, operations->count, operations->capacity) =
            (struct call_operation){(uint32_t)sqlite3_column_int64(query.row, 0),
                                    call_does(database_column_text(query.row, 1))};
    }
    database_end(&query);
}

void call_operations_free(struct call_operations *operations) {
    free(operations->all);
    id_set_free(&operations->files);
    *operations = (struct call_operations){0};
}
