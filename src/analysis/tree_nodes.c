#include "analysis/tree_nodes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"

uint32_t tree_nodes_add(struct tree_nodes *tree, uint32_t parent, uint32_t operation,
                        struct error *error) {
    struct tree_node *nodes;

    if (tree->count == TREE_NODES) {
        error_set(error,
                  "the call tree has more than %d different paths: choose a part of it with "
                  "--under, --component, --op or --from and --to",
                  TREE_NODES);
        return 0;
    }
    nodes = array_grow(tree->nodes, tree->count, &tree->capacity, sizeof *nodes);
    if (nodes != NULL) {
        tree->nodes = nodes;
    }
    if (nodes == NULL ||
        !pair_numbers_add(&tree->numbers, parent, operation, (uint32_t)tree->count + 1)) {
        error_no_memory(error);
        return 0;
    }
    nodes[tree->count++] = (struct tree_node){
        .parent = parent,
        .operation = operation,
        .depth = parent == 0 ? 0 : nodes[parent - 1].depth + 1,
    };
    return (uint32_t)tree->count;
}

void tree_nodes_sum(struct tree_nodes *tree) {
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

void tree_nodes_free(struct tree_nodes *tree) {
    free(tree->nodes);
    pair_numbers_free(&tree->numbers);
    *tree = (struct tree_nodes){0};
}

/* --- functions ---------------------------------------------------------------------------------
 */

bool tree_functions_find(struct tree_functions *functions, const struct tree_nodes *tree,
                         struct error *error) {
    bool done;

    *functions = (struct tree_functions){
        .of_node = xcalloc(tree->count + 1, sizeof *functions->of_node),
    };
    done = functions->of_node != NULL;
    for (size_t i = 0; done && i < tree->count; i++) {
        uint32_t operation = tree->nodes[i].operation;
        uint32_t number = tree_functions_number(functions, operation);

        if (number == 0) {
            number = (uint32_t)++functions->count;
            done = pair_numbers_add(&functions->numbers, operation, 0, number);
        }
        functions->of_node[i] = number - 1;
    }
    return done || error_no_memory(error);
}

void tree_functions_free(struct tree_functions *functions) {
    free(functions->of_node);
    pair_numbers_free(&functions->numbers);
    *functions = (struct tree_functions){0};
}

/* --- depth first -------------------------------------------------------------------------------
 */

/* A node among its siblings. */
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

/* Each node behind its caller and what is before it there: callers come before callees, so where
 * these begin is known. `places` and `sizes` have room for all nodes and nobody. */
static void place(const struct tree_nodes *tree, const struct sibling *siblings, uint32_t *places,
                  uint32_t *sizes, uint32_t *order) {
    for (uint32_t number = (uint32_t)tree->count; number > 0; number--) {
        sizes[number]++;
        sizes[tree_node(tree, number)->parent] += sizes[number];
    }
    for (size_t i = 0; i < tree->count; i++) {
        const struct sibling *node = &siblings[i];

        /* From now on, what is placed beneath the caller begins behind this. */
        places[node->number] = places[node->parent];
        places[node->parent] += sizes[node->number];
        order[places[node->number]++] = node->number;
    }
}

uint32_t *tree_nodes_order(const struct tree_nodes *tree, const struct tree_functions *functions,
                           const uint32_t *ranks, struct error *error) {
    size_t count = tree->count + 1;
    struct sibling *siblings = xcalloc(count, sizeof *siblings);
    uint32_t *places = xcalloc(2 * count, sizeof *places), *order = xcalloc(count, sizeof *order);

    if (siblings == NULL || places == NULL || order == NULL) {
        error_no_memory(error);
        free(order);
        order = NULL;
    } else {
        for (size_t i = 0; i < tree->count; i++) {
            const struct tree_node *node = &tree->nodes[i];

            siblings[i] = (struct sibling){node->parent, (uint32_t)i + 1,
                                           ranks[functions->of_node[i]], node->subtree};
        }
        qsort(siblings, tree->count, sizeof *siblings, compare_siblings);
        place(tree, siblings, places, places + count, order);
    }
    free(siblings);
    free(places);
    return order;
}
