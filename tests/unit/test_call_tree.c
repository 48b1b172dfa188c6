/* analysis/tree_nodes and base/pair_numbers: call trees, their order, and their inversion. */
#include "analysis/tree_nodes.h"
#include "unit.h"

UNIT_TEST(pairs_keep_their_numbers) {
    struct pair_numbers numbers = {0};

    ck_assert_uint_eq(pair_numbers_find(&numbers, 0, 0), 0);
    for (uint32_t i = 0; i < 3000; i++) {
        ck_assert_uint_eq(pair_numbers_find(&numbers, i % 7, i), 0);
        pair_numbers_add(&numbers, i % 7, i, i + 1);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        ck_assert_uint_eq(pair_numbers_find(&numbers, i % 7, i), i + 1);
    }
    ck_assert_uint_eq(numbers.count, 3000);
    ck_assert_uint_eq(pair_numbers_find(&numbers, 1, 0), 0);
    ck_assert_uint_eq(pair_numbers_find(&numbers, UINT32_MAX, UINT32_MAX), 0);
    pair_numbers_free(&numbers);
    ck_assert_uint_eq(pair_numbers_find(&numbers, 0, 0), 0);
}

/* Pairs that cluster in a quarter of the slots under multiplication by a known number, whose upper
 * half selects the slot. */
UNIT_TEST(no_log_fills_neighbouring_slots) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    struct pair_numbers numbers = {0};
    uint64_t inverse = factor;
    size_t run = 0, longest = 0;

    for (int i = 0; i < 5; i++) {
        inverse *= 2 - factor * inverse;
    }
    ck_assert_uint_eq(factor * inverse, 1);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t pair = (i / 4 << 32 | i) * inverse;

        pair_numbers_add(&numbers, (uint32_t)(pair >> 32), (uint32_t)pair, 1);
    }
    for (size_t i = 0; i < numbers.capacity; i++) {
        run = numbers.slots[i].number == 0 ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    ck_assert_uint_lt(longest, 500);
    pair_numbers_free(&numbers);
}

/* Adds a function, a letter, under a node. */
static uint32_t add(struct tree_nodes *tree, uint32_t parent, char function, int64_t calls,
                    int64_t total, int64_t self) {
    uint32_t number = tree_nodes_add(tree, parent, (uint32_t)function, &error);

    ck_assert_uint_ne(number, 0);
    ck_assert_uint_eq(tree_nodes_find(tree, parent, (uint32_t)function), number);
    *tree_node(tree, number) = (struct tree_node){
        .parent = parent,
        .operation = (uint32_t)function,
        .depth = tree_node(tree, number)->depth,
        .calls = calls,
        .timed = calls,
        .total = total,
        .self = self,
    };
    return number;
}

/* Checks the tree in display order, with functions sorted by letter: depth, function, calls, total,
 * self, subtree of each node. */
static void expect_tree(const struct tree_nodes *tree, const char *expected) {
    struct tree_functions functions = {0};
    struct text text = {0};
    uint32_t *order, ranks[26] = {0};

    tree_functions_find(&functions, tree);
    /* Operations serve as ranks. */
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t operation = tree->nodes[i].operation;

        ck_assert_uint_le(tree_functions_number(&functions, operation), 26);
        ck_assert_uint_eq(tree_functions_number(&functions, operation), functions.of_node[i] + 1);
        ranks[functions.of_node[i]] = operation;
    }
    ck_assert_uint_eq(tree_functions_number(&functions, 'A'), 0);
    order = tree_nodes_order(tree, &functions, ranks);
    ck_assert_ptr_nonnull(order);
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = tree_node(tree, order[i]);

        text_append_format(&text, "%d%c %lld %lld %lld %lld\n", node->depth, (char)node->operation,
                           (long long)node->calls, (long long)node->total, (long long)node->self,
                           (long long)node->subtree);
    }
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
    free(order);
    tree_functions_free(&functions);
}

/* m 100 { f 50 { g 20, f 10 }, b 30, a 30 }; m has a self time of 10. n calls a function that takes
 * longer than n's known time. */
static struct tree_nodes make_tree(void) {
    struct tree_nodes tree = {0};
    uint32_t n = add(&tree, 0, 'n', 1, 0, 0), m = add(&tree, 0, 'm', 1, 120, 10);
    uint32_t b = add(&tree, m, 'b', 2, 30, 30), f = add(&tree, m, 'f', 1, 50, 20);

    add(&tree, m, 'a', 3, 30, 30);
    add(&tree, f, 'f', 1, 10, 10);
    add(&tree, f, 'g', 4, 20, 20);
    add(&tree, n, 'x', 1, 7, 7);
    ck_assert_uint_eq(b, 3);
    return tree;
}

UNIT_TEST(a_tree_is_read_depth_first) {
    struct tree_nodes tree = make_tree();

    tree_nodes_sum(&tree);
    expect_tree(&tree, "0m 1 120 10 120\n"
                       "1f 1 50 20 50\n"
                       "2g 4 20 20 20\n"
                       "2f 1 10 10 10\n"
                       "1a 3 30 30 30\n"
                       "1b 2 30 30 30\n"
                       "0n 1 0 0 7\n"
                       "1x 1 7 7 7\n");
    tree_nodes_free(&tree);
    expect_tree(&tree, "");
}

UNIT_TEST(functions_stand_above_their_callers) {
    struct tree_nodes tree = make_tree(), inverted = {0};
    struct notes notes = {0};

    tree_nodes_invert(&tree, &inverted, &notes);
    ck_assert_uint_eq(notes.count, 0);
    /* The inner f is in the total of the outer one, and has its own self time. */
    expect_tree(&inverted, "0a 3 30 30 30\n"
                           "1m 3 30 30 30\n"
                           "0b 2 30 30 30\n"
                           "1m 2 30 30 30\n"
                           "0f 2 50 30 30\n"
                           "1m 1 50 20 20\n"
                           "1f 1 0 10 10\n"
                           "2m 1 0 10 10\n"
                           "0g 4 20 20 20\n"
                           "1f 4 20 20 20\n"
                           "2m 4 20 20 20\n"
                           "0m 1 120 10 10\n"
                           "0x 1 7 7 7\n"
                           "1n 1 7 7 7\n"
                           "0n 1 0 0 0\n");
    tree_nodes_free(&inverted);
    tree_nodes_free(&tree);
}

/* A deep tree takes as many steps as all its paths have calls, and is cut. */
UNIT_TEST(what_is_too_much_is_left_out) {
    struct tree_nodes tree = {0}, inverted = {0};
    struct notes notes = {0};
    uint32_t parent = 0;

    while (tree.count < 2000) {
        parent = tree_nodes_add(&tree, parent, (uint32_t)tree.count, &error);
        ck_assert_uint_ne(parent, 0);
        tree_node(&tree, parent)->calls = 1;
    }
    tree_nodes_invert(&tree, &inverted, &notes);
    ck_assert_uint_eq(notes.count, 1);
    ck_assert_str_eq(notes.lines[0], "callers more than 280 calls up were left out: with them "
                                     "there would be more than 524288 distinct paths");
    /* 281 complete levels: 2000 functions, 1999 callers of these, and so on. */
    ck_assert_uint_eq(inverted.count, 281 * 2000 - 280 * 281 / 2);
    notes_free(&notes);
    tree_nodes_free(&inverted);
    while (tree.count < TREE_NODES) {
        ck_assert_uint_ne(tree_nodes_add(&tree, 0, (uint32_t)tree.count, &error), 0);
    }
    ck_assert_uint_eq(tree_nodes_add(&tree, 0, UINT32_MAX, &error), 0);
    assert_message(&error, "the call tree has more than 524288 distinct paths: select a part of "
                           "it with --under, --component, --op or --from and --to");
    tree_nodes_free(&tree);
}
