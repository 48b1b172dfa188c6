/* Builds the call tree, temp.tally_tree: calls with the same chain of callers share a node. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/tree_nodes.h"
#include "base/memory.h"
#include "base/saturate.h"

/* Values of analysis.variant. Roots of an UPRIGHT tree are the outermost callers; in an INVERTED
 * tree each function is a root, with its callers below. */
enum { UPRIGHT, INVERTED };

struct tree_state {
    struct analysis_context *context;
    struct tree_nodes tree;
};

/* Returns the number of the node of the callee `operation` under `parent`, and adds it if missing;
 * 0: too many nodes, with the error set. Tries the callee found last under this parent first. */
static uint32_t find_callee(struct tree_state *state, uint32_t parent, uint32_t operation) {
    uint32_t number = parent == 0 ? 0 : tree_node(&state->tree, parent)->recent;

    if (number != 0 && tree_node(&state->tree, number)->operation == operation) {
        return number;
    }
    number = tree_nodes_find(&state->tree, parent, operation);
    if (number == 0) {
        number = tree_nodes_add(&state->tree, parent, operation, &state->context->error);
    }
    if (number != 0 && parent != 0) {
        tree_node(&state->tree, parent)->recent = number;
    }
    return number;
}

/* An open call on a thread's stack. */
struct tree_frame {
    uint32_t node; /* number of the call's node */
    bool counted;  /* true: this call, or a caller, is selected and has a duration */
};

/* Adds a call to its node, and stores the node in its stack frame. */
static bool store_node_in_frame(void *tree_state, const struct span_row *row, void *call,
                                void *caller, struct error *error) {
    struct tree_state *state = tree_state;
    const struct tree_frame *above = caller;
    bool counted = above != NULL && above->counted;
    uint32_t number = find_callee(state, above == NULL ? 0 : above->node, row->merged);
    struct tree_node *node;

    if (number == 0) {
        return false;
    }
    node = tree_node(&state->tree, number);
    node->calls += !row->earlier && !row->path;
    if (!row->path && row->duration != EVENT_NONE) {
        node->timed++;
        add_saturated(&node->total, row->duration);
        add_saturated(&node->self, row->self);
        add_saturated(&node->outer, counted ? 0 : row->duration);
        counted = true;
    }
    *(struct tree_frame *)call = (struct tree_frame){number, counted};
    return true;
}

/* Returns an array with each function's rank by name (name.text) and number (name.code); functions
 * with equal names and numbers share a rank. SQLite sorts, since the names may not fit into memory.
 * The array is owned by the caller. */
static uint32_t *rank_names(struct analysis_context *context,
                            const struct tree_functions *functions) {
    uint32_t *ranks = xcalloc(functions->count + 1, sizeof *ranks);
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT n.id, dense_rank() OVER (ORDER BY n.text, n.code)"
                       " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace",
                       "");

    while (database_next(&query)) {
        uint32_t number =
            tree_functions_number(functions, (uint32_t)sqlite3_column_int64(query.row, 0));

        if (number != 0) {
            ranks[number - 1] = (uint32_t)sqlite3_column_int64(query.row, 1);
        }
    }
    database_end(&query);
    return ranks;
}

/* Returns the numbers of all nodes in display order. The array is owned by the caller. */
static uint32_t *order_nodes(const struct tree_state *state) {
    struct tree_functions functions = {0};
    uint32_t *ranks, *order;

    tree_functions_find(&functions, &state->tree);
    ranks = rank_names(state->context, &functions);
    order = tree_nodes_sort(&state->tree, &functions, ranks);
    tree_functions_free(&functions);
    free(ranks);
    return order;
}

/* Sets `subtree` of each node to its `total`, or to the sum of its callees' `subtree` if that is
 * larger, which happens if calls of the node have no duration. */
static void tree_nodes_sum(struct tree_nodes *tree) {
    for (uint32_t number = (uint32_t)tree->count; number > 0; number--) {
        struct tree_node *node = tree_node(tree, number);

        if (node->total > node->subtree) {
            node->subtree = node->total;
        }
        if (node->parent != 0) {
            add_saturated(&tree_node(tree, node->parent)->subtree, node->subtree);
        }
    }
}

static void write_nodes(void *tree_state) {
    struct tree_state *state = tree_state;
    uint32_t *order;

    if (state->context->analysis->variant == INVERTED) {
        struct tree_nodes inverted = {0};

        tree_nodes_invert(&state->tree, &inverted, &state->context->selection->notes);
        tree_nodes_free(&state->tree);
        state->tree = inverted;
    } else {
        tree_nodes_sum(&state->tree);
    }
    order = order_nodes(state);
    for (size_t i = 0; i < state->tree.count; i++) {
        const struct tree_node *node = tree_node(&state->tree, order[i]);
        bool any = node->timed > 0;

        TEMP_ROW(&state->context->tables[0], order[i],
                 node->parent == 0 ? EVENT_NONE : node->parent, node->depth, node->operation,
                 node->calls, node->timed, any ? node->total : EVENT_NONE,
                 any ? node->self : EVENT_NONE, node->outer, node->subtree, EVENT_NONE);
    }
    free(order);
}

static void call_tree_free_state(void *tree_state) {
    struct tree_state *state = tree_state;

    tree_nodes_free(&state->tree);
}

static const struct span_visitor visitor = {
    .call_size = sizeof(struct tree_frame), .paths = true, .enter = store_node_in_frame};

/* Columns of temp.tally_tree. Functions with equal names share nodes across traces. `total` and
 * `self` are NULL if no call of the node has a duration; a node whose calls all began before the
 * window has times, but no calls. `outer`: the part of `total` in calls without a selected caller.
 * `subtree`: `total`, or the sum of the callees if larger. In the inverted tree, a node's children
 * are its callers, and `calls` and times are those of the root's function when called through this
 * path; `outer` is 0, `subtree` is `self`. `place`: display order. */
#define TREE(which)                                                                                \
    {                                                                                              \
        .name = (which) == INVERTED ? "inverted" : "tree",                                         \
        .tables = {{"tally_tree",                                                                  \
                    "node INTEGER, parent INTEGER, depth INTEGER, operation INTEGER,"              \
                    " calls INTEGER, timed INTEGER, total INTEGER, self INTEGER, outer INTEGER,"   \
                    " subtree INTEGER, place INTEGER PRIMARY KEY",                                 \
                    "parent"}},                                                                    \
        .pass = PASS_CALLS, .window = WINDOW_PARTS, .variant = (which),                            \
        .state_size = sizeof(struct tree_state), .calls = &visitor, .write = write_nodes,          \
        .free = call_tree_free_state,                                                              \
    }

const struct analysis analysis_tree = TREE(UPRIGHT);
const struct analysis analysis_inverted = TREE(INVERTED);
