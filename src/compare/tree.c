#include "compare/tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"

/* For one more node, and one more place of the path. */
static bool make_room(struct compare_tree *tree, size_t places, size_t nodes, struct error *error) {
    void *path = array_grow(tree->path, places, &tree->path_capacity, sizeof *tree->path);
    void *grown = array_grow(tree->nodes, nodes, &tree->capacity, sizeof *tree->nodes);

    tree->path = path != NULL ? path : tree->path;
    tree->nodes = grown != NULL ? grown : tree->nodes;
    return (path != NULL && grown != NULL) || error_no_memory(error);
}

/* What a path is found by is its caller's and its last function; what is printed is the depth. */
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
    struct value keys[2] = {{.type = VALUE_INTEGER, .integer = -1}, *name};

    if (depth < 0 || at > tree->path_length) {
        return error_set(error, "a depth must be at most one more than that of the row before, and "
                                "the first one 0");
    }
    above = at == 0 ? COMPARE_NO_NODE : tree->path[at - 1];
    if (at > 0) {
        keys[0].integer = (int64_t)above;
    }
    if (!make_room(tree, at, table->count, error) ||
        !compare_table_row(table, side, keys, row, error)) {
        return false;
    }
    if ((*row)->number == tree->count) {
        place_node(tree, *row, above, at);
    }
    tree->path[at] = (*row)->number;
    tree->path_length = at + 1;
    return true;
}

void compare_tree_end_side(struct compare_tree *tree) {
    tree->path_length = 0;
}

/* Callees have larger numbers than their callers: they are whole when their caller's turn comes. */
void compare_tree_sum(struct compare_tree *tree) {
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

/* The node behind a node and all that is beneath that. */
static size_t behind(const struct compare_tree *tree, size_t node) {
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
    /* The last ones first, so that siblings are linked in order. */
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
        node = now->first != COMPARE_NO_NODE ? now->first : behind(tree, node);
    }
}

void compare_tree_name(const struct compare_tree *tree, size_t node, struct text *path) {
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
