/* The nodes of a call tree: calls of one path of functions are one.
 *
 * Nodes have numbers from 1 on, callees larger ones than their callers; 0 is nobody, above the
 * roots. Everything here may be of some hundred thousand nodes, and as deep.
 */
#ifndef TRACETOOL_TREE_NODES_H
#define TRACETOOL_TREE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pair_numbers.h"
#include "select/notes.h"

/* Different paths of functions that a tree may have. */
#define TREE_NODES (1 << 19)

/* Sums stop at the largest number. */
struct tree_node {
    uint32_t parent;    /* number of its caller's node, 0 for a root */
    uint32_t operation; /* name.id of the function */
    int32_t depth;      /* 0 for a root */
    uint32_t recent;    /* for who follows calls: number of the callee that was met last, or 0 */
    int64_t calls;
    int64_t timed;       /* of them, and of those that began before a window, have a duration */
    int64_t total, self; /* of these: durations, self times */
    int64_t subtree;     /* what the node and all beneath it take */
};

/* Zeroed: no nodes. To be freed. */
struct tree_nodes {
    struct tree_node *nodes; /* owned: number N is at N - 1 */
    size_t count, capacity;
    struct pair_numbers numbers; /* by parent and operation */
};

static inline struct tree_node *tree_node(const struct tree_nodes *tree, uint32_t number) {
    return &tree->nodes[number - 1];
}

/* The number of what a function is beneath `parent`, 0 when there is none. */
static inline uint32_t tree_nodes_find(const struct tree_nodes *tree, uint32_t parent,
                                       uint32_t operation) {
    return pair_numbers_find(&tree->numbers, parent, operation);
}

/* Makes it, and gives its number; pointers to nodes become invalid. 0 with `error` set where there
 * are TREE_NODES already. */
uint32_t tree_nodes_add(struct tree_nodes *tree, uint32_t parent, uint32_t operation,
                        struct error *error);

/* Sets `subtree` to what a node took, `total`, or to what is beneath it where that is more, for
 * calls without a duration. */
void tree_nodes_sum(struct tree_nodes *tree);

/* Numbers of functions of the tree, from 0 on in order of their first nodes. */
struct tree_functions {
    uint32_t *of_node;           /* owned; of each node */
    struct pair_numbers numbers; /* from 1 on, by operation and 0 */
    size_t count;
};

/* The number of a function and 1, 0 where it is not in the tree. */
static inline uint32_t tree_functions_number(const struct tree_functions *functions,
                                             uint32_t operation) {
    return pair_numbers_find(&functions->numbers, operation, 0);
}

/* To be freed. */
void tree_functions_find(struct tree_functions *functions, const struct tree_nodes *tree);
void tree_functions_free(struct tree_functions *functions);

/* The numbers of all nodes, depth first: siblings by `subtree`, the largest first, then by the
 * ranks of their functions, then by number. Owned by the caller. */
uint32_t *tree_nodes_order(const struct tree_nodes *tree, const struct tree_functions *functions,
                           const uint32_t *ranks);

/* Makes of a tree the one in which functions are beneath what they call: its roots are the
 * functions, and beneath each node is who called it. `calls` and times are those of the root's
 * calls that were made so, but that calls within others of their function are in the `total` of
 * these; `subtree` is `self`. Where that has too many nodes, or takes too long, upper callers are
 * left out, and a note says so. */
void tree_nodes_invert(const struct tree_nodes *tree, struct tree_nodes *inverted,
                       struct notes *notes);

void tree_nodes_free(struct tree_nodes *tree);

#endif
