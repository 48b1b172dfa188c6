#include "analysis/call_operations.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

struct call_operation {
    uint32_t id;
    enum call_does does;
    UT_hash_handle hh;
};

static void add(struct call_operations *operations, uint32_t id, enum call_does does) {
    struct call_operation *operation = xcalloc(1, sizeof *operation);

    operation->id = id;
    operation->does = does;
    HASH_ADD(hh, operations->known, id, sizeof operation->id, operation);
}

void call_operations_read(struct call_operations *operations, struct analysis_context *context) {
    int64_t trace = context->trace->trace->id;
    struct database_query query = database_query(
        context->database, &context->error,
        "SELECT id, text FROM main.name WHERE trace = ?1 AND kind <> 'error'", "i", trace);

    call_operations_free(operations);
    operations->by_file = filter_by_object(&context->selection->filter);
    query.failed |= operations->by_file && !id_set_read(&operations->files, context->selection,
                                                        SELECTED_OBJECTS, trace, &context->error);
    while (database_next(&query)) {
        enum call_does does = call_does(database_column_text(query.row, 1));

        if (does != CALL_OTHER) {
            add(operations, (uint32_t)sqlite3_column_int64(query.row, 0), does);
        }
    }
    database_end(&query);
}

void call_operations_free(struct call_operations *operations) {
    HASH_FREE(operations->known);
    operations->last = NULL;
    id_set_free(&operations->files);
    operations->files = (struct id_set){0};
}

enum call_does call_operations_find(struct call_operations *operations, uint32_t id) {
    const struct call_operation *found = operations->last;

    if (found == NULL || found->id != id) {
        HASH_FIND(hh, operations->known, &id, sizeof id, found);
        if (found == NULL) {
            return CALL_OTHER;
        }
        operations->last = found;
    }
    return found->does;
}
