/* The call tree: calls of one path of functions are one node, temp.tally_tree. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/tree_nodes.h"
#include "base/memory.h"
#include "base/saturate.h"

/* Of the analyses here. */
enum { UPRIGHT, INVERTED };

struct tree_state {
    struct selection *selection;
    struct temp_schema *temp;
    bool inverted; /* functions below what they call */
    struct tree_nodes tree;
};

/* Made when there is none; 0 with `error` set on failure. */
static uint32_t find_node(struct tree_state *state, uint32_t parent, uint32_t operation,
                          struct error *error) {
    uint32_t number = tree_nodes_find(&state->tree, parent, operation);

    return number != 0 ? number : tree_nodes_add(&state->tree, parent, operation, error);
}

/* The same of what is called: mostly that is the function that was called from there last, which
 * takes no look into the table. */
static uint32_t find_callee(struct tree_state *state, uint32_t parent, uint32_t operation,
                            struct error *error) {
    uint32_t number = parent == 0 ? 0 : tree_node(&state->tree, parent)->recent;

    if (number != 0 && tree_node(&state->tree, number)->operation == operation) {
        return number;
    }
    number = find_node(state, parent, operation, error);
    if (number != 0 && parent != 0) {
        tree_node(&state->tree, parent)->recent = number;
    }
    return number;
}

/* What is kept of a call is the number of its node. */
static bool enter_node(void *context_state, const struct span_row *row, void *call, void *caller,
                       struct error *error) {
    struct tree_state *state = context_state;
    uint32_t parent = caller == NULL ? 0 : *(const uint32_t *)caller;
    uint32_t number = find_callee(state, parent, row->merged, error);
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
    }
    *(uint32_t *)call = number;
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct tree_state *state = context_state;

    (void)error;
    state->selection = context->selection;
    state->temp = context->selection->temp;
    state->inverted = context->analysis->variant == INVERTED;
    return true;
}

/* --- order -------------------------------------------------------------------------------------
 */

/* The place of each function by name and code, equal ones having one. It is SQLite that sorts:
 * names may be long. Owned by the caller; NULL with `error` set on failure. */
static uint32_t *rank_names(const struct tree_state *state, const struct tree_functions *functions,
                            struct error *error) {
    struct database *database = state->temp->database;
    uint32_t *ranks = xcalloc(functions->count + 1, sizeof *ranks);
    sqlite3_stmt *select = temp_schema_prepare(
        state->temp,
        "SELECT n.id, dense_rank() OVER (ORDER BY n.text, n.code)"
        " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace",
        error);
    bool row = true, done = select != NULL;

    while (done && row) {
        done = database_step(database, select, &row, error);
        if (done && row) {
            uint32_t number =
                tree_functions_number(functions, (uint32_t)sqlite3_column_int64(select, 0));

            if (number != 0) {
                ranks[number - 1] = (uint32_t)sqlite3_column_int64(select, 1);
            }
        }
    }
    sqlite3_finalize(select);
    if (!done) {
        free(ranks);
        ranks = NULL;
    }
    return ranks;
}

/* The numbers of the nodes in the order in which a reader goes down the tree. Owned by the caller;
 * NULL with `error` set on failure. */
static uint32_t *order_nodes(const struct tree_state *state, struct error *error) {
    struct tree_functions functions = {0};
    uint32_t *ranks, *order = NULL;

    tree_functions_find(&functions, &state->tree);
    ranks = rank_names(state, &functions, error);
    if (ranks != NULL) {
        order = tree_nodes_order(&state->tree, &functions, ranks);
    }
    tree_functions_free(&functions);
    free(ranks);
    return order;
}

/* --- the rows ----------------------------------------------------------------------------------
 */

static bool invert(struct tree_state *state, struct error *error) {
    struct tree_nodes inverted = {0};
    bool done = tree_nodes_invert(&state->tree, &inverted, &state->selection->notes, error);

    tree_nodes_free(&state->tree);
    state->tree = inverted;
    return done;
}

static bool write_node(const struct tree_state *state, uint32_t number, sqlite3_stmt *insert,
                       struct error *error) {
    const struct tree_node *node = tree_node(&state->tree, number);
    bool any = node->timed > 0;

    sqlite3_bind_int64(insert, 1, number);
    sqlite3_bind_int64(insert, 2, node->parent);
    sqlite3_bind_int64(insert, 3, node->depth);
    sqlite3_bind_int64(insert, 4, node->operation);
    sqlite3_bind_int64(insert, 5, node->calls);
    sqlite3_bind_int64(insert, 6, node->timed);
    database_bind_optional(insert, 7, any ? node->total : EVENT_NONE);
    database_bind_optional(insert, 8, any ? node->self : EVENT_NONE);
    sqlite3_bind_int64(insert, 9, node->subtree);
    return database_execute(state->temp->database, insert, error);
}

static bool write_nodes(void *context_state, struct error *error) {
    struct tree_state *state = context_state;
    sqlite3_stmt *insert = NULL;
    uint32_t *order = NULL;
    bool done = !state->inverted || invert(state, error);

    if (!state->inverted) {
        tree_nodes_sum(&state->tree);
    }
    done =
        done && (order = order_nodes(state, error)) != NULL &&
        (insert = temp_schema_prepare(state->temp,
                                      "INSERT INTO temp.tally_tree (node, parent, depth, operation,"
                                      " calls, timed, total, self, subtree)"
                                      " VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                                      error)) != NULL;
    for (size_t i = 0; done && i < state->tree.count; i++) {
        done = write_node(state, order[i], insert, error);
    }
    sqlite3_finalize(insert);
    free(order);
    return done;
}

static void free_state(void *context_state) {
    struct tree_state *state = context_state;

    tree_nodes_free(&state->tree);
}

static const struct span_visitor visitor = {
    .call_size = sizeof(uint32_t), .paths = true, .enter = enter_node};

/* Over several traces, functions of one name are one. `total` and `self` are NULL where no call of
 * a node has a duration: also where it has no calls, but called what was chosen, or its calls began
 * before the window, which count times alone; `subtree` is `total`, or what was called where that
 * is more. Inverted, the roots are the functions, and beneath each node is who called it: `calls`
 * and times are those of the root's calls that were made so, `subtree` is `self`. `place` is the
 * order in which a reader goes down the tree: depth first, of siblings that with the largest
 * subtree first. */
#define TREE(which)                                                                                \
    {                                                                                              \
        .name = (which) == INVERTED ? "inverted" : "tree",                                         \
        .tables = {{"tally_tree",                                                                  \
                    "node INTEGER, parent INTEGER, depth INTEGER, operation INTEGER,"              \
                    " calls INTEGER, timed INTEGER, total INTEGER, self INTEGER, subtree INTEGER," \
                    " place INTEGER PRIMARY KEY",                                                  \
                    "parent"}},                                                                    \
        .pass = PASS_CALLS, .window = WINDOW_PARTS, .variant = (which),                            \
        .state_size = sizeof(struct tree_state), .begin = begin, .calls = &visitor,                \
        .write = write_nodes, .free = free_state,                                                  \
    }

const struct analysis analysis_tree = TREE(UPRIGHT);
const struct analysis analysis_inverted = TREE(INVERTED);
