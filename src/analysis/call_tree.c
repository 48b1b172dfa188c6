/* The call tree: calls of one path of functions are one node, temp.tally_tree. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/hash.h"
#include "model/span_times.h"

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

struct tree_state {
    struct scratch *scratch;
    struct tree_node *nodes; /* owned hash table, in order of number */
};

static struct tree_node *add_node(struct tree_state *tree, const struct tree_key *key,
                                  int32_t depth, struct error *error) {
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

static void *enter_node(void *context_state, const struct span_row *row, void *caller,
                        struct error *error) {
    struct tree_state *tree = context_state;
    const struct tree_node *parent = caller;
    struct tree_key key = {parent == NULL ? 0 : parent->number, row->merged};
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

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct tree_state *tree = context_state;

    (void)error;
    tree->scratch = context->selection->scratch;
    return true;
}

static bool write_nodes(void *context_state, struct error *error) {
    const struct tree_state *tree = context_state;
    struct database *database = tree->scratch->database;
    sqlite3_stmt *insert = scratch_prepare(
        tree->scratch,
        "INSERT INTO temp.tally_tree VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8)", error);
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
    return done;
}

static void free_nodes(void *context_state) {
    struct tree_state *tree = context_state;

    while (tree->nodes != NULL) {
        struct tree_node *node = tree->nodes;

        HASH_DEL(tree->nodes, node);
        free(node);
    }
}

static const struct span_visitor visitor = {.enter = enter_node};

/* Over several traces, functions of one name are one. `total` and `self` are NULL where no call of
 * a node has a duration. */
const struct analysis analysis_tree = {
    .name = "tree",
    .tables = {{"tally_tree",
                "node INTEGER PRIMARY KEY, parent INTEGER, depth INTEGER, operation INTEGER,"
                " calls INTEGER, timed INTEGER, total INTEGER, self INTEGER",
                "parent"}},
    .pass = PASS_CALLS,
    .state_size = sizeof(struct tree_state),
    .begin = begin,
    .calls = &visitor,
    .write = write_nodes,
    .free = free_nodes,
};
