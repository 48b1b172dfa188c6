/* Nodes of a call tree: calls with the same chain of callers share a node.
 *
 * Nodes are numbered from 1; a callee has a larger number than its caller. 0 is the parent of the
 * roots. A tree may have some hundred thousand nodes, and the same depth. */
#ifndef TRACETOOL_TREE_NODES_H
#define TRACETOOL_TREE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pair_numbers.h"
#include "select/notes.h"

/* Limit of nodes, which are different chains of callers. */
#define TREE_NODES (1 << 19)

/* A node of the tree. Sums saturate. */
struct tree_node {
    uint32_t parent;    /* number of the caller's node; 0: a root */
    uint32_t operation; /* name.id of the function */
    int32_t depth;      /* number of callers above; 0: a root */
    uint32_t recent;    /* number of the callee that was looked up last; 0: none */
    int64_t calls;
    /* Number of calls with a duration, including calls that began before the window. */
    int64_t timed;
    /* Over calls with a duration. total: sum of the durations; self: sum of the self times. */
    int64_t total, self;
    int64_t outer;   /* the part of `total` in calls without a selected caller */
    int64_t subtree; /* `total` or, if larger, the sum of the callees' `subtree` */
};

/* A call tree. Zeroed: no nodes. Must be freed. */
struct tree_nodes {
    struct tree_node *nodes; /* owned; node N is at index N - 1 */
    size_t count, capacity;
    struct pair_numbers numbers; /* number of a node, by parent and operation */
};

static inline struct tree_node *tree_node(const struct tree_nodes *tree, uint32_t number) {
    return &tree->nodes[number - 1];
}

/* Returns the number of a function's node under `parent`; 0 if there is none. */
static inline uint32_t tree_nodes_find(const struct tree_nodes *tree, uint32_t parent,
                                       uint32_t operation) {
    return pair_numbers_find(&tree->numbers, parent, operation);
}

/* Adds a node. Returns its number; 0, with the error set, if there are TREE_NODES already. Pointers
 * to nodes become invalid. */
uint32_t tree_nodes_add(struct tree_nodes *tree, uint32_t parent, uint32_t operation,
                        struct error *error);

/* Numbers of the functions in a tree, from 0, in the order of their first nodes. */
struct tree_functions {
    uint32_t *of_node;           /* owned; by node: number of its function */
    struct pair_numbers numbers; /* number of a function + 1, by the pair (operation, 0) */
    size_t count;
};

/* Returns the number + 1 of a function; 0 if it is not in the tree. */
static inline uint32_t tree_functions_number(const struct tree_functions *functions,
                                             uint32_t operation) {
    return pair_numbers_find(&functions->numbers, operation, 0);
}

/* Numbers the functions of a tree. `functions` must be freed. */
void tree_functions_find(struct tree_functions *functions, const struct tree_nodes *tree);
void tree_functions_free(struct tree_functions *functions);

/* Returns the numbers of all nodes, depth first, in an array owned by the caller. Siblings are
 * sorted by `subtree` (largest first), then by `ranks` of their functions, then by number. */
uint32_t *tree_nodes_sort(const struct tree_nodes *tree, const struct tree_functions *functions,
                          const uint32_t *ranks);

/* Inverts a tree: its roots are then the functions, and the children of a node are its callers.
 * `calls` and times of a node are those of the root's function when called through this path;
 * `subtree` is `self`. Recursive calls count in the `total` of the outermost call only. If there
 * are too many nodes or steps, leaves out the callers farthest up, and adds a note. */
void tree_nodes_invert(const struct tree_nodes *tree, struct tree_nodes *inverted,
                       struct notes *notes);

void tree_nodes_free(struct tree_nodes *tree);

#endif
