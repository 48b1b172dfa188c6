/* The call tree: calls of one path of functions are one node, temp.tally_tree. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/hash.h"
#include "base/saturate.h"
#include "model/span_times.h"

/* Of the analyses here. */
enum { UPRIGHT, INVERTED };

/* Different paths of functions that a tree may have. */
#define MOST_NODES (1 << 19)

/* Steps from functions to their callers that turning a tree over may take: some seconds. */
#define MOST_STEPS (1 << 26)

struct tree_key {
    uint32_t parent, operation; /* parent: number of the node, 0 for a root */
};

struct tree_node {
    struct tree_key key;
    struct tree_node *parent; /* NULL: of a root */
    uint32_t number;          /* from 1; callees have larger ones */
    int32_t depth;
    int64_t calls;
    int64_t subtree; /* of its callees, and then its own: what it takes, all calls with a time */
    struct span_clock_times times;
    /* While the tree is turned over: what is next, and what stands for the path from the node to
     * below that; its first callee, and the next one of its caller's. */
    struct tree_node *above, *inverted, *callee, *next;
    bool outermost; /* then, too: its function is not among its callers */
    UT_hash_handle hh;
};

struct tree_state {
    struct selection *selection;
    struct scratch *scratch;
    bool inverted;           /* functions below what they call */
    struct tree_node *nodes; /* owned hash table, in order of number */
};

static struct tree_node *add_node(struct tree_state *tree, const struct tree_key *key,
                                  struct tree_node *parent, struct error *error) {
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
    node->parent = parent;
    node->depth = parent == NULL ? 0 : parent->depth + 1;
    HASH_ADD(hh, tree->nodes, key, sizeof node->key, node);
    if (!hash_added(node)) {
        free(node);
        error_no_memory(error);
        return NULL;
    }
    return node;
}

/* NULL: there is none. */
static struct tree_node *seek_node(const struct tree_state *tree, const struct tree_node *parent,
                                   uint32_t operation) {
    struct tree_key key = {parent == NULL ? 0 : parent->number, operation};
    struct tree_node *node;

    HASH_FIND(hh, tree->nodes, &key, sizeof key, node);
    return node;
}

static struct tree_node *find_node(struct tree_state *tree, struct tree_node *parent,
                                   uint32_t operation, struct error *error) {
    struct tree_key key = {parent == NULL ? 0 : parent->number, operation};
    struct tree_node *node = seek_node(tree, parent, operation);

    return node != NULL ? node : add_node(tree, &key, parent, error);
}

/* What is kept of a call is its node. */
static bool enter_node(void *context_state, const struct span_row *row, void *call, void *caller,
                       struct error *error) {
    struct tree_state *tree = context_state;
    struct tree_node *parent = caller == NULL ? NULL : *(struct tree_node **)caller;
    struct tree_node *node = find_node(tree, parent, row->merged, error);

    if (node == NULL) {
        return false;
    }
    node->calls++;
    if (row->duration != EVENT_NONE) {
        span_times_add(&node->times, row->duration, row->self, true);
    }
    *(struct tree_node **)call = node;
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct tree_state *tree = context_state;

    (void)error;
    tree->selection = context->selection;
    tree->scratch = context->selection->scratch;
    tree->inverted = context->analysis->variant == INVERTED;
    return true;
}

/* --- out of the rollups ------------------------------------------------------------------------
 */

/* The nodes of a trace's rollup, by number, as nodes of the tree. */
struct taken_nodes {
    int64_t trace;
    struct tree_node **nodes; /* owned */
    int64_t count, capacity;
};

static bool note_taken(struct taken_nodes *taken, struct tree_node *node, struct error *error) {
    if (taken->count == taken->capacity) {
        int64_t capacity = taken->capacity == 0 ? 1024 : 2 * taken->capacity;
        struct tree_node **nodes =
            realloc(taken->nodes, (size_t)capacity * sizeof(struct tree_node *));

        if (nodes == NULL) {
            return error_no_memory(error);
        }
        taken->nodes = nodes;
        taken->capacity = capacity;
    }
    taken->nodes[taken->count++] = node;
    return true;
}

static void add_taken_times(struct span_clock_times *times, sqlite3_stmt *row, int first) {
    add_saturated(&times->timed, sqlite3_column_int64(row, first));
    add_saturated(&times->total, sqlite3_column_int64(row, first + 1));
    add_saturated(&times->self, sqlite3_column_int64(row, first + 2));
}

/* Callers come before callees. */
static bool take_row(struct tree_state *tree, struct taken_nodes *taken, sqlite3_stmt *row,
                     struct error *error) {
    int64_t trace = sqlite3_column_int64(row, 0), parent = sqlite3_column_int64(row, 2);
    struct tree_node *node;

    if (trace != taken->trace) {
        taken->trace = trace;
        taken->count = 0;
    }
    if (sqlite3_column_int64(row, 1) != taken->count + 1 || parent < 0 || parent > taken->count) {
        return error_set(error,
                         "%s: a rollup by path is damaged; `tracetool check --repair` makes it "
                         "anew",
                         tree->scratch->database->path);
    }
    node = find_node(tree, parent == 0 ? NULL : taken->nodes[parent - 1],
                     (uint32_t)sqlite3_column_int64(row, 3), error);
    if (node == NULL) {
        return false;
    }
    add_saturated(&node->calls, sqlite3_column_int64(row, 4));
    add_taken_times(&node->times, row, 5);
    if (!tree->selection->leave_open) {
        add_taken_times(&node->times, row, 8);
    }
    return note_taken(taken, node, error);
}

/* They have the times of the first clock alone. Of several traces their nodes come in the order in
 * which a walk would meet them. */
static bool take_rollups(void *context_state, bool *done_with, struct error *error) {
    struct tree_state *tree = context_state;
    struct taken_nodes taken = {0};
    sqlite3_stmt *select;
    bool row = true, done;

    if (tree->selection->times != CALL_TIMES_FIRST) {
        return true;
    }
    select = scratch_prepare(tree->scratch,
                             "SELECT r.trace, r.node, r.parent, ifnull(m.merged, r.operation),"
                             " r.calls, r.timed, r.total, r.self, r.open_timed, r.open_total,"
                             " r.open_self FROM temp.selection AS s"
                             " CROSS JOIN main.rollup_tree AS r"
                             " LEFT JOIN temp.merged_operation AS m ON m.id = r.operation"
                             " WHERE r.trace = s.trace ORDER BY r.trace, r.node",
                             error);
    done = select != NULL;
    while (done && row) {
        done = database_step(tree->scratch->database, select, &row, error) &&
               (!row || take_row(tree, &taken, select, error));
    }
    sqlite3_finalize(select);
    free(taken.nodes);
    *done_with = done;
    return done;
}

/* --- the rows ----------------------------------------------------------------------------------
 */

/* A subtree takes what its root took. Where calls of that have no duration, it may be less than
 * what they called. */
static void add_subtrees(const struct tree_state *tree) {
    struct tree_node *node =
        tree->nodes == NULL ? NULL : ELMT_FROM_HH(tree->nodes->hh.tbl, tree->nodes->hh.tbl->tail);

    for (; node != NULL; node = node->hh.prev) {
        if (node->times.total > node->subtree) {
            node->subtree = node->times.total;
        }
        if (node->parent != NULL) {
            add_saturated(&node->parent->subtree, node->subtree);
        }
    }
}

static void free_nodes(void *context_state) {
    struct tree_state *tree = context_state;

    while (tree->nodes != NULL) {
        struct tree_node *node = tree->nodes;

        HASH_DEL(tree->nodes, node);
        free(node);
    }
}

/* A function of the path that a walk over a tree is at. */
struct on_path {
    uint32_t operation;
    UT_hash_handle hh;
};

/* Puts the function of a node on the path, and says whether it is there for the first time. */
static bool enter_path(struct on_path **path, struct tree_node *node, struct error *error) {
    struct on_path *function;

    HASH_FIND(hh, *path, &node->key.operation, sizeof node->key.operation, function);
    node->outermost = function == NULL;
    if (!node->outermost) {
        return true;
    }
    function = malloc(sizeof *function);
    if (function == NULL) {
        return error_no_memory(error);
    }
    function->operation = node->key.operation;
    HASH_ADD(hh, *path, operation, sizeof function->operation, function);
    if (!hash_added(function)) {
        free(function);
        return error_no_memory(error);
    }
    return true;
}

static void leave_path(struct on_path **path, const struct tree_node *node) {
    struct on_path *function;

    HASH_FIND(hh, *path, &node->key.operation, sizeof node->key.operation, function);
    if (node->outermost && function != NULL) {
        HASH_DEL(*path, function);
        free(function);
    }
}

/* Gives each node its callees; the first root is returned, NULL: there is none. */
static struct tree_node *link_callees(struct tree_node *nodes) {
    struct tree_node *roots = NULL;

    for (struct tree_node *node = nodes; node != NULL; node = node->hh.next) {
        struct tree_node **place = node->parent == NULL ? &roots : &node->parent->callee;

        node->next = *place;
        *place = node;
    }
    return roots;
}

/* Finds out which paths have their function only at their end: callees before what is beside, so
 * that each node is met once, however deep the tree is. */
static bool mark_outermost(struct tree_node *nodes, struct error *error) {
    struct on_path *path = NULL, *function, *next;
    struct tree_node *node = link_callees(nodes);
    bool done = true;

    while (node != NULL && (done = enter_path(&path, node, error))) {
        if (node->callee != NULL) {
            node = node->callee;
            continue;
        }
        while (node != NULL && node->next == NULL) {
            leave_path(&path, node);
            node = node->parent;
        }
        if (node != NULL) {
            leave_path(&path, node);
            node = node->next;
        }
    }
    HASH_ITER(hh, path, function, next) {
        HASH_DEL(path, function);
        free(function);
    }
    return done;
}

/* Adds the calls of a node to what is next on the path from it up to its root, in which they are a
 * part of what their function took. Calls within others of their function are in the total of
 * those. */
static bool add_upwards(struct tree_state *inverted, struct tree_node *from, struct error *error) {
    struct tree_node *node = find_node(inverted, from->inverted, from->above->key.operation, error);

    if (node == NULL) {
        return false;
    }
    add_saturated(&node->calls, from->calls);
    add_saturated(&node->times.timed, from->times.timed);
    add_saturated(&node->times.self, from->times.self);
    add_saturated(&node->subtree, from->times.self);
    if (from->outermost) {
        add_saturated(&node->times.total, from->times.total);
    }
    from->inverted = node;
    from->above = from->above->parent;
    return true;
}

/* Removes the nodes of a level that is not whole, which are the last ones, and says why: there are
 * too many paths, or else steps. */
static bool cut_level(struct tree_state *inverted, int32_t depth, bool crowded,
                      struct error *error) {
    while (inverted->nodes != NULL) {
        struct tree_node *last =
            ELMT_FROM_HH(inverted->nodes->hh.tbl, inverted->nodes->hh.tbl->tail);

        if (last->depth < depth) {
            break;
        }
        HASH_DEL(inverted->nodes, last);
        free(last);
    }
    return crowded ? remarks_add(&inverted->selection->remarks, error,
                                 "callers more than %d calls up are left out: with them there are "
                                 "more than %d different paths",
                                 depth - 1, MOST_NODES)
                   : remarks_add(&inverted->selection->remarks, error,
                                 "callers more than %d calls up are left out: with them there are "
                                 "more than %d steps from calls to their callers",
                                 depth - 1, MOST_STEPS);
}

static bool has_room(const struct tree_state *inverted, const struct tree_node *node) {
    return HASH_COUNT(inverted->nodes) < MOST_NODES ||
           seek_node(inverted, node->inverted, node->above->key.operation) != NULL;
}

/* Level by level, so that where there are too many paths the functions and their next callers are
 * whole. `climbing` are the nodes that have callers left. */
static bool add_levels(struct tree_state *inverted, struct tree_node **climbing, size_t count,
                       struct error *error) {
    size_t steps = 0;

    for (int32_t depth = 0; count > 0; depth++) {
        size_t kept = 0;

        steps += count;
        if (steps > MOST_STEPS) {
            return cut_level(inverted, depth, false, error);
        }
        for (size_t i = 0; i < count; i++) {
            struct tree_node *node = climbing[i];

            if (!has_room(inverted, node)) {
                return cut_level(inverted, depth, true, error);
            }
            if (!add_upwards(inverted, node, error)) {
                return false;
            }
            if (node->above != NULL) {
                climbing[kept++] = node;
            }
        }
        count = kept;
    }
    return true;
}

static bool invert(struct tree_state *tree, struct error *error) {
    struct tree_state inverted = {.selection = tree->selection, .scratch = tree->scratch};
    struct tree_node **climbing = calloc(HASH_COUNT(tree->nodes) + 1, sizeof(struct tree_node *));
    size_t count = 0;
    bool done;

    if (climbing == NULL) {
        return error_no_memory(error);
    }
    for (struct tree_node *node = tree->nodes; node != NULL; node = node->hh.next) {
        node->above = node;
        climbing[count++] = node;
    }
    done = mark_outermost(tree->nodes, error) && add_levels(&inverted, climbing, count, error);
    free(climbing);
    free_nodes(tree);
    tree->nodes = inverted.nodes;
    return done;
}

static bool write_nodes(void *context_state, struct error *error) {
    struct tree_state *tree = context_state;
    struct database *database = tree->scratch->database;
    sqlite3_stmt *insert = scratch_prepare(
        tree->scratch,
        "INSERT INTO temp.tally_tree VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        error);
    bool done = insert != NULL;

    if (!done || (tree->inverted && !invert(tree, error))) {
        sqlite3_finalize(insert);
        return false;
    }
    if (!tree->inverted) {
        add_subtrees(tree);
    }
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
        sqlite3_bind_int64(insert, 9, node->subtree);
        done = database_execute(database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static const struct span_visitor visitor = {.call_size = sizeof(struct tree_node *),
                                            .enter = enter_node};

/* Over several traces, functions of one name are one. `total` and `self` are NULL where no call of
 * a node has a duration; `subtree` is `total`, or what was called where that is more. Inverted, the
 * roots are the functions, and beneath each node is who called it: `calls` and times are those of
 * the root's calls that were made so, `subtree` is `self`. */
#define TREE(which)                                                                                \
    {                                                                                              \
        .name = (which) == INVERTED ? "inverted" : "tree",                                         \
        .tables = {{"tally_tree",                                                                  \
                    "node INTEGER PRIMARY KEY, parent INTEGER, depth INTEGER, operation INTEGER,"  \
                    " calls INTEGER, timed INTEGER, total INTEGER, self INTEGER, subtree INTEGER", \
                    "parent"}},                                                                    \
        .rollup = "tree", .take = take_rollups, .pass = PASS_CALLS, .variant = (which),            \
        .state_size = sizeof(struct tree_state), .begin = begin, .calls = &visitor,                \
        .write = write_nodes, .free = free_nodes,                                                  \
    }

const struct analysis analysis_tree = TREE(UPRIGHT);
const struct analysis analysis_inverted = TREE(INVERTED);
