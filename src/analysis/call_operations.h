/* What the operations of a trace do to files, by their ids. */
#ifndef TRACETOOL_CALL_OPERATIONS_H
#define TRACETOOL_CALL_OPERATIONS_H

#include "analysis/analysis.h"
#include "base/search.h"
#include "model/linux.h"
#include "scan/id_set.h"

/* Begins with its id: search_id(). */
struct call_operation {
    uint32_t id;
    enum call_does does;
};

/* Zeroed is empty. */
struct call_operations {
    struct call_operation *all; /* owned; in order of id */
    size_t count, capacity;
    bool by_file;        /* only calls on some files are counted: */
    struct id_set files; /* owned */
};

/* Forgets what it has and reads the names of the trace that is passed over, and which files are
 * chosen in it. To be freed in any case. */
void call_operations_read(struct call_operations *operations, struct analysis_context *context);
void call_operations_free(struct call_operations *operations);

/* What the operation with that id (name.id) does. */
static inline enum call_does call_operations_find(const struct call_operations *operations,
                                                  uint32_t id) {
    const struct call_operation *found =
        search_id(operations->all, operations->count, sizeof *found, id);

    return found == NULL ? CALL_OTHER : found->does;
}

/* Whether what is done to a file (object.id) is counted. A copy passes by either of its files; the
 * other is not chosen with it. */
static inline bool call_operations_count(const struct call_operations *operations, uint32_t file) {
    return !operations->by_file || id_set_has(&operations->files, file);
}

#endif
