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
    sqlite3_stmt *select = database_prepare(
        context->database, "SELECT id, text FROM main.name WHERE trace = ?1 AND kind <> 'error'",
        &context->error);
    bool row = true;

    call_operations_free(operations);
    operations->by_file = filter_by_object(&context->selection->filter);
    if (select == NULL ||
        (operations->by_file && !id_set_read(&operations->files, context->selection,
                                             SELECTED_OBJECTS, trace, &context->error))) {
        row = false;
    }
    sqlite3_bind_int64(select, 1, trace);
    while (row && database_step(context->database, select, &row, &context->error) && row) {
        const char *name = (const char *)sqlite3_column_text(select, 1);
        enum call_does does = name == NULL ? CALL_OTHER : call_does(name);

        if (does != CALL_OTHER) {
            add(operations, (uint32_t)sqlite3_column_int64(select, 0), does);
        }
    }
    sqlite3_finalize(select);
}

void call_operations_free(struct call_operations *operations) {
    struct call_operation *operation, *next;

    HASH_ITER(hh, operations->known, operation, next) {
        HASH_DEL(operations->known, operation);
        free(operation);
    }
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
