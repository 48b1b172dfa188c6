/* Two call trees as one: paths of functions from a root on, with what both sides say of each.
 *
 * In a comparison by the method `tree`, comparison_make() leaves the rows of the table in the order
 * of the tree: each path is followed by those that it calls, siblings as --sort says, by default
 * the one first whose total changed most. The node of a row is
 * &comparison->tree.nodes[row->number], and
 *
 *     row->keys[1]                       the function at the end of the path: text, any bytes
 *     row->has[side]                     whether the side has the path
 *     row->numbers[side][NUMBER_CALLS]   its calls
 *     row->numbers[side][NUMBER_VALUE]   its self time as the report says it
 *     row->values[side]                  its total, by --per
 *     row->delta, ratio, verdict         of these
 *
 * Numbers are as they are in the traces; comparison->scale[side] makes them those of --per. Times
 * are in units of the clock.
 */
#ifndef TRACETOOL_COMPARE_TREE_H
#define TRACETOOL_COMPARE_TREE_H

#include "compare/table.h"

/* Instead of the number of a node: there is none. */
#define COMPARE_NO_NODE SIZE_MAX

/* A path. Nodes are called by their rows' numbers; a caller has a smaller one than what it calls.
 */
struct compare_node {
    struct compare_row *row; /* borrowed */
    size_t above;            /* the caller; COMPARE_NO_NODE: a root */
    size_t depth;            /* of a root 0 */
    size_t first, next;      /* what it calls, and the next that its caller calls */
    int64_t totals[SIDES];   /* with what it called, as the report says it */
    /* Self time of this path alone: that of the row, but upside down, where a row's is also that of
     * the rows beneath it, without theirs. */
    int64_t own[SIDES];
    int64_t inclusive[SIDES]; /* that, with all that is beneath */
};

/* Zeroed: empty. */
struct compare_tree {
    struct compare_node *nodes; /* owned; by number of their rows */
    size_t count, capacity;
    /* Owned; by depth, the last row of a side that is read and those above it; later, how long
     * their names are (compare_tree_name()). */
    size_t *path;
    size_t path_length, path_capacity;
    bool inverted; /* functions stand below what they call */
};

/* Adds a row of a side's report, which come depth first. Rows of one path are one. */
bool compare_tree_add(struct compare_tree *tree, struct compare_table *table, enum side side,
                      int64_t depth, const struct value *name, struct compare_row **row,
                      struct error *error);

/* The next rows begin at a root again. */
void compare_tree_end_side(struct compare_tree *tree);

/* The times of nodes that depend on others. */
void compare_tree_sum(struct compare_tree *tree);

/* Puts the rows of the table in the order of the tree, siblings by qsort_r()'s function. */
void compare_tree_sort(struct compare_tree *tree, struct compare_table *table,
                       int (*compare)(const void *left, const void *right, void *context),
                       void *context);

/* Makes `path`, which has that of the row before in the order of the tree (at the first one: that
 * is empty), the functions of the node's from its root on, parted by ;. When all sides are read. */
void compare_tree_name(const struct compare_tree *tree, size_t node, struct text *path);

void compare_tree_free(struct compare_tree *tree);

#endif
