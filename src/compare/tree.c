/* Merges call trees of both sides, and compares paths by their totals. */
#include "compare/table.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "compare/comparison.h"

/* Initialises a new node. The first column of its row's key was the caller's row number, so that
 * paths differ; now it becomes the depth, for printing. */
static void place_node(struct compare_tree *tree, struct compare_row *row, size_t above,
                       size_t depth) {
    tree->nodes[row->number] = (struct compare_node){
        .row = row,
        .above = above,
        .depth = depth,
        .first = COMPARE_NO_NODE,
        .next = COMPARE_NO_NODE,
    };
    tree->count = row->number + 1;
    row->keys[0].integer = (int64_t)depth;
}

bool compare_tree_add(struct compare_tree *tree, struct compare_table *table, enum side side,
                      int64_t depth, const struct value *name, struct compare_row **row,
                      struct error *error) {
    size_t at = (size_t)depth, above;
    struct value keys[2] = {value_integer(-1), *name};

    if (depth < 0 || at > tree->path_length) {
        return error_set(
            error,
            "a depth must be at most one more than in the row before, and 0 in the first row");
    }
    above = at == 0 ? COMPARE_NO_NODE : tree->path[at - 1];
    if (at > 0) {
        keys[0].integer = (int64_t)above;
    }
    tree->path = array_grow(tree->path, at, &tree->path_capacity, sizeof *tree->path);
    tree->nodes = array_grow(tree->nodes, table->count, &tree->capacity, sizeof *tree->nodes);
    if (!compare_table_row(table, side, keys, row, error)) {
        return false;
    }
    if ((*row)->number == tree->count) {
        place_node(tree, *row, above, at);
    }
    tree->path[at] = (*row)->number;
    tree->path_length = at + 1;
    return true;
}

/* Adds up times from callees to callers: backwards, since callees have larger indices. */
static void compare_tree_sum(struct compare_tree *tree) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t i = 0; i < tree->count; i++) {
            tree->nodes[i].own[side] = tree->nodes[i].row->numbers[side][NUMBER_VALUE];
            tree->nodes[i].inclusive[side] = 0;
        }
        for (size_t i = 0; tree->inverted && i < tree->count; i++) {
            const struct compare_node *node = &tree->nodes[i];

            if (node->above != COMPARE_NO_NODE) {
                int64_t *own = &tree->nodes[node->above].own[side];
                int64_t self = node->row->numbers[side][NUMBER_VALUE];

                *own = *own > self ? *own - self : 0;
            }
        }
        for (size_t i = tree->count; i-- > 0;) {
            struct compare_node *node = &tree->nodes[i];

            add_saturated(&node->inclusive[side], node->own[side]);
            if (node->above != COMPARE_NO_NODE) {
                add_saturated(&tree->nodes[node->above].inclusive[side], node->inclusive[side]);
            }
        }
    }
}

/* Returns the index of the first node after the subtree of `node`, in depth-first order. */
static size_t node_after_subtree(const struct compare_tree *tree, size_t node) {
    while (node != COMPARE_NO_NODE && tree->nodes[node].next == COMPARE_NO_NODE) {
        node = tree->nodes[node].above;
    }
    return node == COMPARE_NO_NODE ? node : tree->nodes[node].next;
}

void compare_tree_sort(struct compare_tree *tree, struct compare_table *table,
                       int (*compare)(const void *left, const void *right, void *context),
                       void *context) {
    size_t root = COMPARE_NO_NODE, at = 0;

    compare_table_sort(table, compare, context);
    for (size_t i = 0; i < table->count; i++) {
        tree->nodes[i].first = COMPARE_NO_NODE;
    }
    /* Goes backwards, since each node is put at the front of its caller's list of callees. */
    for (size_t i = table->count; i-- > 0;) {
        size_t number = table->rows[i]->number;
        struct compare_node *node = &tree->nodes[number];
        size_t *first = node->above == COMPARE_NO_NODE ? &root : &tree->nodes[node->above].first;

        node->next = *first;
        *first = number;
    }
    for (size_t node = root; node != COMPARE_NO_NODE;) {
        const struct compare_node *now = &tree->nodes[node];

        table->rows[at++] = now->row;
        node = now->first != COMPARE_NO_NODE ? now->first : node_after_subtree(tree, node);
    }
}

void compare_tree_write_path(const struct compare_tree *tree, size_t node, struct text *path) {
    size_t depth = tree->nodes[node].depth;
    const struct value *name = &tree->nodes[node].row->keys[1];

    path->length = depth == 0 ? 0 : tree->path[depth - 1];
    if (depth > 0) {
        text_append_char(path, ';');
    }
    if (name->type == VALUE_TEXT) {
        text_append(path, name->bytes, name->length);
    }
    tree->path[depth] = path->length;
}

void compare_tree_free(struct compare_tree *tree) {
    free(tree->nodes);
    free(tree->path);
    *tree = (struct compare_tree){.nodes = NULL};
}

static void note_paths(struct comparison *comparison) {
    const struct compare_table *table = &comparison->table;
    size_t counts[SIDES] = {0}, both = 0;

    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = table->rows[i];

        counts[SIDE_A] += row->has[SIDE_A];
        counts[SIDE_B] += row->has[SIDE_B];
        both += row->has[SIDE_A] && row->has[SIDE_B];
    }
    notes_append(&comparison->notes,
                 "paths: %zu in a, %zu in b, %zu in both; delta_total and ratio are of totals, "
                 "callees included",
                 counts[SIDE_A], counts[SIDE_B], both);
}

static bool finish_paths(struct comparison *comparison, struct error *error) {
    compare_tree_sum(&comparison->tree);
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];
        const struct compare_node *node = &comparison->tree.nodes[row->number];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = (double)node->totals[side] * comparison->scale[side];
        }
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        row->verdict = compare_decide_verdict(comparison, row);
    }
    note_paths(comparison);
    return true;
}

const struct compare_method_row compare_paths = {
    .keys = {{"depth", "", COLUMN_INTEGER}, {"name", "", COLUMN_TEXT}},
    .cells = {CELL_CALLS_A, CELL_CALLS_B, CELL_TOTAL_A, CELL_TOTAL_B, CELL_SELF_A, CELL_SELF_B,
              CELL_DELTA_TOTAL, CELL_RATIO, CELL_STATUS, CELL_VERDICT},
    .pers = "second call run none",
    .usual_per = PER_RUN,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_DELTA,
    .is_tree = true,
    .finish = finish_paths,
};
