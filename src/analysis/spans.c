/* Over the calls of a trace: times by function and thread (temp.scanned_span), the call tree
 * (temp.tally_tree), and what lies beneath a function (temp.selected_range). */
#include <stdlib.h>
#include "base/hash.h"

#include "model/span_times.h"
#include "analysis/scan.h"
#include "scan/span_walk.h"
#include "store/span_table.h"

/* --- times by function ------------------------------------------------------------------------ */

/* Rows in memory beyond which those without open calls go to the table. */
#define TIMES_IN_MEMORY 65536

struct times_scan {
    struct database *database;
    int64_t trace;
    struct span_times times;
    size_t flush_at;
};

/* The table may hold several rows of one function and thread: the query adds them up. */
static bool flush_times(struct times_scan *scan, struct error *error) {
    struct span_times closed = {0};
    struct span_times_row *next;
    bool done;

    for (struct span_times_row *row = scan->times.rows; row != NULL; row = next) {
        next = row->hh.next;
        if (row->open == 0) {
            HASH_DEL(scan->times.rows, row);
            HASH_ADD(hh, closed.rows, key, sizeof row->key, row);
            if (!hash_added(row)) {
                free(row);
                span_times_free(&closed);
                return error_no_memory(error);
            }
        }
    }
    done = span_table_write(scan->database, SPAN_TABLE_SELECTION, scan->trace, &closed, error);
    span_times_free(&closed);
    scan->flush_at = 2 * span_times_count(&scan->times) + TIMES_IN_MEMORY;
    return done;
}

static void *enter_function(void *context, const struct span_row *row, void *caller,
                            struct error *error) {
    struct times_scan *scan = context;
    struct span_times_row *function;

    (void)caller;
    if (span_times_count(&scan->times) >= scan->flush_at && !flush_times(scan, error)) {
        return NULL;
    }
    function = span_times_row(&scan->times, row->operation, row->actor);
    if (function == NULL) {
        error_no_memory(error);
        return NULL;
    }
    function->calls++;
    if (row->duration != EVENT_NONE) {
        span_times_add(&function->clocks[SPAN_WALL], row->duration, row->self, function->open == 0);
    }
    function->open++;
    return function;
}

static void leave_function(void *context, void *call) {
    struct span_times_row *function = call;

    (void)context;
    function->open--;
}

bool scan_span_times(struct database *database, const struct selection_filter *filter,
                     const struct span_walk_range *range, struct error *error) {
    struct times_scan scan = {
        .database = database,
        .trace = range->trace,
        .flush_at = TIMES_IN_MEMORY,
    };
    struct span_visitor visitor = {&scan, false, NULL, enter_function, leave_function};
    bool done = span_walk(database, filter, range, false, &visitor, error) &&
                span_table_write(database, SPAN_TABLE_SELECTION, range->trace, &scan.times, error);

    span_times_free(&scan.times);
    return done;
}

/* --- the call tree ------------------------------------------------------------------------------
 */

/* Different paths of functions that a tree may have. */
#define MOST_NODES (1 << 19)

struct tree_key {
    uint32_t parent, operation; /* parent: number of the node, 0 for a root */
};

struct tree_node {
    struct tree_key key;
    uint32_t number; /* from 1 */
    int32_t depth;
    int64_t calls;
    struct span_clock_times times;
    UT_hash_handle hh;
};

struct span_tree {
    struct tree_node *nodes; /* owned hash table, in order of number */
};

static struct tree_node *add_node(struct span_tree *tree, const struct tree_key *key, int32_t depth,
                                  struct error *error) {
    struct tree_node *node;

    if (HASH_COUNT(tree->nodes) == MOST_NODES) {
        error_set(error,
                  "the call tree has more than %d different paths: choose a part of it with "
                  "--under, --component, --op or --from and --to",
                  MOST_NODES);
        return NULL;
    }
    node = calloc(1, sizeof *node);
    if (node == NULL) {
        error_no_memory(error);
        return NULL;
    }
    node->key = *key;
    node->number = HASH_COUNT(tree->nodes) + 1;
    node->depth = depth;
    HASH_ADD(hh, tree->nodes, key, sizeof node->key, node);
    if (!hash_added(node)) {
        free(node);
        error_no_memory(error);
        return NULL;
    }
    return node;
}

static void *enter_node(void *context, const struct span_row *row, void *caller,
                        struct error *error) {
    struct span_tree *tree = context;
    const struct tree_node *parent = caller;
    struct tree_key key = {parent == NULL ? 0 : parent->number, row->operation};
    struct tree_node *node;

    HASH_FIND(hh, tree->nodes, &key, sizeof key, node);
    if (node == NULL) {
        node = add_node(tree, &key, parent == NULL ? 0 : parent->depth + 1, error);
    }
    if (node != NULL) {
        node->calls++;
        if (row->duration != EVENT_NONE) {
            span_times_add(&node->times, row->duration, row->self, true);
        }
    }
    return node;
}

struct span_tree *span_tree_new(void) {
    return calloc(1, sizeof(struct span_tree));
}

bool span_tree_scan(struct span_tree *tree, struct database *database,
                    const struct selection_filter *filter, const struct span_walk_range *range,
                    bool merge, struct error *error) {
    struct span_visitor visitor = {tree, false, NULL, enter_node, NULL};

    return span_walk(database, filter, range, merge, &visitor, error);
}

bool span_tree_write(const struct span_tree *tree, struct database *database, struct error *error) {
    sqlite3_stmt *insert =
        database_run(database,
                     "CREATE TEMP TABLE tally_tree (node INTEGER PRIMARY KEY, parent INTEGER,"
                     " depth INTEGER, operation INTEGER, calls INTEGER, timed INTEGER,"
                     " total INTEGER, self INTEGER)",
                     error)
            ? database_prepare(database,
                               "INSERT INTO temp.tally_tree VALUES (?1, nullif(?2, 0), ?3, ?4, ?5,"
                               " ?6, ?7, ?8)",
                               error)
            : NULL;
    bool done = insert != NULL;

    for (const struct tree_node *node = tree->nodes; done && node != NULL; node = node->hh.next) {
        bool any = node->times.timed > 0;

        sqlite3_bind_int64(insert, 1, node->number);
        sqlite3_bind_int64(insert, 2, node->key.parent);
        sqlite3_bind_int64(insert, 3, node->depth);
        sqlite3_bind_int64(insert, 4, node->key.operation);
        sqlite3_bind_int64(insert, 5, node->calls);
        sqlite3_bind_int64(insert, 6, node->times.timed);
        database_bind_optional(insert, 7, any ? node->times.total : EVENT_NONE);
        database_bind_optional(insert, 8, any ? node->times.self : EVENT_NONE);
        done = database_execute(database, insert, error);
    }
    sqlite3_finalize(insert);
    return done &&
           database_run(database, "CREATE INDEX temp.tally_tree_by_parent ON tally_tree (parent)",
                        error);
}

void span_tree_free(struct span_tree *tree) {
    while (tree != NULL && tree->nodes != NULL) {
        struct tree_node *node = tree->nodes;

        HASH_DEL(tree->nodes, node);
        free(node);
    }
    free(tree);
}

/* --- what lies beneath a function ----------------------------------------------------------------
 */

struct range_scan {
    struct database *database;
    sqlite3_stmt *insert;
    int64_t first, last; /* of the range that grows; 0: none yet */
    int64_t trace;
};

static bool write_range(struct range_scan *scan, struct error *error) {
    if (scan->first == 0) {
        return true;
    }
    sqlite3_bind_int64(scan->insert, 1, scan->first);
    sqlite3_bind_int64(scan->insert, 2, scan->last);
    sqlite3_bind_int64(scan->insert, 3, scan->trace);
    return database_execute(scan->database, scan->insert, error);
}

static bool extend_range(void *context, const struct span_row *row, struct error *error) {
    struct range_scan *scan = context;

    if (scan->first != 0 && row->id == scan->last + 1) {
        scan->last = row->id;
        return true;
    }
    if (!write_range(scan, error)) {
        return false;
    }
    scan->first = scan->last = row->id;
    return true;
}

bool scan_span_ranges(struct database *database, const struct selection_filter *filter,
                      const struct span_walk_range *range, struct error *error) {
    /* The other filters are those of the view. */
    struct selection_filter only_under = {.under = filter->under};
    struct range_scan scan = {
        .database = database,
        .insert = database_prepare(database, "INSERT INTO temp.selected_range VALUES (?1, ?2, ?3)",
                                   error),
        .trace = range->trace,
    };
    struct span_visitor visitor = {&scan, false, extend_range, NULL, NULL};
    bool done = scan.insert != NULL &&
                span_walk(database, &only_under, range, false, &visitor, error) &&
                write_range(&scan, error);

    sqlite3_finalize(scan.insert);
    return done;
}
