/* Effects of a trace's operations on files, by operation id. */
#ifndef TRACETOOL_CALL_OPERATIONS_H
#define TRACETOOL_CALL_OPERATIONS_H

#include "analysis/analysis.h"
#include "base/search.h"
#include "model/linux.h"
#include "scan/id_set.h"

/* Starts with its id: search_id(). */
struct call_operation {
    uint32_t id;
    enum call_does does;
};

/* Zeroed: empty. */
struct call_operations {
    struct call_operation *all; /* owned; sorted by id */
    size_t count, capacity;
    bool by_file;        /* count only calls on the files below */
    struct id_set files; /* owned; selected files */
};

/* Reads the names of the current trace, and which of its files are selected, in place of earlier
 * contents. Must be freed even on failure. */
void call_operations_read(struct call_operations *operations, struct analysis_context *context);
void call_operations_free(struct call_operations *operations);

/* Returns the effect of the operation with that id (name.id). */
static inline enum call_does call_operations_find(const struct call_operations *operations,
                                                  uint32_t id) {
    const struct call_operation *found =
        search_id(operations->all, operations->count, sizeof *found, id);

    return found == NULL ? CALL_OTHER : found->does;
}

/* Returns whether calls on a file (object.id) count. A copy passes the filter by either of its
 * files; this does not select the other one. */
static inline bool call_operations_count(const struct call_operations *operations, uint32_t file) {
    return !operations->by_file || id_set_has(&operations->files, file);
}

#endif
