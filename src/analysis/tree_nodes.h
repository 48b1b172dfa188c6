/* Nodes of a call tree: calls with the same path of functions share a node.
 *
 * Nodes are numbered from 1; callees have larger numbers than their callers. 0 is the parent of the
 * roots. A tree may have some hundred thousand nodes, and be as deep. */
#ifndef TRACETOOL_TREE_NODES_H
#define TRACETOOL_TREE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pair_numbers.h"
#include "select/notes.h"

/* Limit of nodes, which are different paths of functions. */
#define TREE_NODES (1 << 19)

/* A node of the tree. Sums saturate. */
struct tree_node {
    uint32_t parent;    /* number of the caller's node, 0 for a root */
    uint32_t operation; /* name.id of the function */
    int32_t depth;      /* depth in the tree, 0 for a root */
    uint32_t recent;    /* for walks over calls: number of the callee that was used last, or 0 */
    int64_t calls;
    int64_t timed;       /* calls with a duration, including those that began before a window */
    int64_t total, self; /* sums over calls with a duration: durations, self times */
    int64_t outer;       /* the part of `total` in calls that are in no other selected call */
    int64_t subtree;     /* total of the node or, if larger, the sum of its callees */
};

/* A call tree. Zeroed: no nodes. Must be freed. */
struct tree_nodes {
    struct tree_node *nodes; /* owned; the node with number N is at N - 1 */
    size_t count, capacity;
    struct pair_numbers numbers; /* numbers of nodes by parent and operation */
};

static inline struct tree_node *tree_node(const struct tree_nodes *tree, uint32_t number) {
    return &tree->nodes[number - 1];
}

/* Returns the number of a function's node under `parent`; 0 if there is none. */
static inline uint32_t tree_nodes_find(const struct tree_nodes *tree, uint32_t parent,
                                       uint32_t operation) {
    return pair_numbers_find(&tree->numbers, parent, operation);
}

/* Adds a node and returns its number; pointers to nodes become invalid. Returns 0 with `error` set
 * if there are TREE_NODES already. */
uint32_t tree_nodes_add(struct tree_nodes *tree, uint32_t parent, uint32_t operation,
                        struct error *error);

/* Numbers for the functions in a tree, from 0 in order of their first nodes. */
struct tree_functions {
    uint32_t *of_node;           /* owned; number of the function of each node */
    struct pair_numbers numbers; /* numbers plus 1, by operation and 0 */
    size_t count;
};

/* Returns the number of a function plus 1; 0 if it is not in the tree. */
static inline uint32_t tree_functions_number(const struct tree_functions *functions,
                                             uint32_t operation) {
    return pair_numbers_find(&functions->numbers, operation, 0);
}

/* Numbers the functions of a tree. `functions` must be freed. */
void tree_functions_find(struct tree_functions *functions, const struct tree_nodes *tree);
void tree_functions_free(struct tree_functions *functions);

/* Returns the numbers of all nodes, depth first, in an array owned by the caller. Siblings are
 * sorted by `subtree` (largest first), then by the ranks of their functions, then by number. */
uint32_t *tree_nodes_sort(const struct tree_nodes *tree, const struct tree_functions *functions,
                          const uint32_t *ranks);

/* Inverts a tree, so that functions are above their callers: the roots are the functions, and the
 * children of a node are its callers. `calls` and times are those of the root's calls that were
 * made through this path; `subtree` is `self`. Recursive calls count in the `total` of the
 * outermost call. If there are too many nodes, or it would take too long, the callers farthest away
 * are left out, with a note. */
void tree_nodes_invert(const struct tree_nodes *tree, struct tree_nodes *inverted,
                       struct notes *notes);

void tree_nodes_free(struct tree_nodes *tree);

#endif
