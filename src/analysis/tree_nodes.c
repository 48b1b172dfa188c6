#include "analysis/tree_nodes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"

uint32_t tree_nodes_add(struct tree_nodes *tree, uint32_t parent, uint32_t operation,
                        struct error *error) {
    if (tree->count == TREE_NODES) {
        error_set_too_many(
            error,
            "the call tree has more than %d distinct paths: select a part of it with "
            "--under, --component, --op or --from and --to",
            TREE_NODES);
        return 0;
    }
    tree->nodes = array_grow(tree->nodes, tree->count, &tree->capacity, sizeof *tree->nodes);
    pair_numbers_add(&tree->numbers, parent, operation, (uint32_t)tree->count + 1);
    tree->nodes[tree->count++] = (struct tree_node){
        .parent = parent,
        .operation = operation,
        .depth = parent == 0 ? 0 : tree_node(tree, parent)->depth + 1,
    };
    return (uint32_t)tree->count;
}

void tree_nodes_free(struct tree_nodes *tree) {
    free(tree->nodes);
    pair_numbers_free(&tree->numbers);
    *tree = (struct tree_nodes){0};
}

/* --- numbering the functions of a tree -------------------------------------------------------- */

void tree_functions_find(struct tree_functions *functions, const struct tree_nodes *tree) {
    *functions = (struct tree_functions){
        .of_node = xcalloc(tree->count + 1, sizeof *functions->of_node),
    };
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t operation = tree->nodes[i].operation;
        uint32_t number = tree_functions_number(functions, operation);

        if (number == 0) {
            number = (uint32_t)++functions->count;
            pair_numbers_add(&functions->numbers, operation, 0, number);
        }
        functions->of_node[i] = number - 1;
    }
}

void tree_functions_free(struct tree_functions *functions) {
    free(functions->of_node);
    pair_numbers_free(&functions->numbers);
    *functions = (struct tree_functions){0};
}

/* --- numbering the nodes in display order: depth first ---------------------------------------- */

/* A node with its sort key. */
struct sibling {
    uint32_t parent, number, rank;
    int64_t subtree;
};

static int compare_siblings(const void *left, const void *right) {
    const struct sibling *a = left, *b = right;

    return a->parent != b->parent     ? (a->parent < b->parent ? -1 : 1)
           : a->subtree != b->subtree ? (a->subtree > b->subtree ? -1 : 1)
           : a->rank != b->rank       ? (a->rank < b->rank ? -1 : 1)
                                      : (a->number > b->number) - (a->number < b->number);
}

/* Sets `order`: the numbers of all nodes in display order, each after its caller and its earlier
 * siblings. `siblings` is sorted, callers before callees. `places` and `sizes` include node 0. */
static void tree_nodes_place(const struct tree_nodes *tree, const struct sibling *siblings,
                             uint32_t *places, uint32_t *sizes, uint32_t *order) {
    for (uint32_t number = (uint32_t)tree->count; number > 0; number--) {
        sizes[number]++;
        sizes[tree_node(tree, number)->parent] += sizes[number];
    }
    for (size_t i = 0; i < tree->count; i++) {
        const struct sibling *node = &siblings[i];

        /* Places this subtree; its parent's next child begins after it. */
        places[node->number] = places[node->parent];
        places[node->parent] += sizes[node->number];
        order[places[node->number]++] = node->number;
    }
}

uint32_t *tree_nodes_sort(const struct tree_nodes *tree, const struct tree_functions *functions,
                          const uint32_t *ranks) {
    size_t count = tree->count + 1;
    struct sibling *siblings = xcalloc(count, sizeof *siblings);
    uint32_t *places = xcalloc(2 * count, sizeof *places), *order = xcalloc(count, sizeof *order);

    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        siblings[i] = (struct sibling){node->parent, (uint32_t)i + 1, ranks[functions->of_node[i]],
                                       node->subtree};
    }
    qsort(siblings, tree->count, sizeof *siblings, compare_siblings);
    tree_nodes_place(tree, siblings, places, places + count, order);
    free(siblings);
    free(places);
    return order;
}

/* --- inverting a tree ------------------------------------------------------------------------- */

/* Limit of steps from a node to its caller while a tree is inverted, which takes some seconds. */
#define MOST_STEPS (1 << 26)

/* A node whose callers are being added to the inverted tree: its number, its next caller, and the
 * node of the inverted tree for the path to that caller. */
struct climber {
    uint32_t from, above, inverted;
};

/* Returns by node: true if no node above it has the same function. The caller frees it. */
static bool *find_outermost(const struct tree_nodes *tree) {
    struct tree_functions functions = {0};
    bool *outermost = xcalloc(tree->count + 1, sizeof *outermost);
    uint32_t *order, *all = xcalloc(3 * (tree->count + 1), sizeof *all);
    uint32_t *ranks = all, *open = all + tree->count + 1, *path = open + tree->count + 1;
    size_t depth = 0;

    tree_functions_find(&functions, tree);
    order = tree_nodes_sort(tree, &functions, ranks);
    /* `open` has the number of nodes of a function on the current path, `path` the functions of the
     * path. Both must begin zeroed. */
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t node = order[i] - 1, function = functions.of_node[node];

        while (depth > (size_t)tree->nodes[node].depth) {
            open[path[--depth]]--;
        }
        path[depth++] = function;
        outermost[node] = open[function]++ == 0;
    }
    tree_functions_free(&functions);
    free(order);
    free(all);
    return outermost;
}

/* Adds the calls of a node to a node of the inverted tree. `total` counts only outermost calls,
 * which contain the time of recursive ones. */
static void tree_nodes_add_part(struct tree_node *node, const struct tree_node *from,
                                bool outermost) {
    add_saturated(&node->calls, from->calls);
    add_saturated(&node->timed, from->timed);
    add_saturated(&node->self, from->self);
    add_saturated(&node->subtree, from->self);
    if (outermost) {
        add_saturated(&node->total, from->total);
    }
}

/* Removes the deepest level, which is incomplete because the whole level would exceed a limit. Adds
 * a note; `most`, `what`: the limit and what it counts. */
static void cut_level(struct tree_nodes *inverted, int32_t depth, int most, const char *what,
                      struct notes *notes) {
    /* the deepest nodes were added last, and have no callees */
    while (inverted->count > 0 && inverted->nodes[inverted->count - 1].depth >= depth) {
        inverted->count--;
    }
    notes_append(notes,
                 "only %d levels of callers are shown: more levels would give more than %d %s",
                 depth - 1, most, what);
}

/* State of converting a tree of callees to a tree of callers. */
struct inversion {
    const struct tree_nodes *tree;
    struct tree_nodes *inverted;
    const bool *outermost;    /* by node: result of find_outermost() */
    struct climber *climbers; /* nodes that still have callers to add */
    size_t count;
};

/* Adds the next caller of each climber to the inverted tree. False: too many nodes. */
static bool climb_one_level(struct inversion *inversion) {
    size_t kept = 0;

    for (size_t i = 0; i < inversion->count; i++) {
        struct climber climber = inversion->climbers[i];
        const struct tree_node *above = tree_node(inversion->tree, climber.above);
        uint32_t number = tree_nodes_find(inversion->inverted, climber.inverted, above->operation);

        if (number == 0) {
            struct error crowded;

            number =
                tree_nodes_add(inversion->inverted, climber.inverted, above->operation, &crowded);
        }
        if (number == 0) {
            return false;
        }
        tree_nodes_add_part(tree_node(inversion->inverted, number),
                            tree_node(inversion->tree, climber.from),
                            inversion->outermost[climber.from - 1]);
        if (above->parent != 0) {
            inversion->climbers[kept++] = (struct climber){climber.from, above->parent, number};
        }
    }
    inversion->count = kept;
    return true;
}

/* Adds callers level by level, so that functions and their direct callers are complete even if
 * there are too many paths. */
static void climb_tree_levels(struct inversion *inversion, struct notes *notes) {
    size_t steps = 0;

    for (int32_t depth = 0; inversion->count > 0; depth++) {
        steps += inversion->count;
        if (steps > MOST_STEPS) {
            cut_level(inversion->inverted, depth, MOST_STEPS, "steps from calls to their callers",
                      notes);
            return;
        }
        if (!climb_one_level(inversion)) {
            cut_level(inversion->inverted, depth, TREE_NODES, "distinct paths", notes);
            return;
        }
    }
}

void tree_nodes_invert(const struct tree_nodes *tree, struct tree_nodes *inverted,
                       struct notes *notes) {
    bool *outermost = find_outermost(tree);
    struct inversion inversion = {
        .tree = tree,
        .inverted = inverted,
        .outermost = outermost,
        .climbers = xcalloc(tree->count + 1, sizeof(struct climber)),
    };

    for (uint32_t number = 1; number <= tree->count; number++) {
        /* a node without selected calls only connects its callees to its caller */
        if (tree_node(tree, number)->calls > 0 || tree_node(tree, number)->timed > 0) {
            inversion.climbers[inversion.count++] =
                (struct climber){.from = number, .above = number};
        }
    }
    climb_tree_levels(&inversion, notes);
    free(inversion.climbers);
    free(outermost);
}
