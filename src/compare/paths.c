/* Call trees: paths that both have are one row. Their totals are compared, with all that was called
 * on the way: a caller stands out by what its callees changed, not only by its own time. */
#include "compare/comparison.h"

static bool say_paths(struct comparison *comparison, struct error *error) {
    const struct compare_table *table = &comparison->table;
    size_t counts[SIDES] = {0}, both = 0;

    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = table->rows[i];

        counts[SIDE_A] += row->has[SIDE_A];
        counts[SIDE_B] += row->has[SIDE_B];
        both += row->has[SIDE_A] && row->has[SIDE_B];
    }
    return remarks_add(&comparison->remarks, error,
                       "paths: %zu in a, %zu in b, %zu in both; delta_total and ratio are of "
                       "totals, with all that is called on the way",
                       counts[SIDE_A], counts[SIDE_B], both);
}

static bool finish(struct comparison *comparison, struct error *error) {
    compare_tree_sum(&comparison->tree);
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];
        const struct compare_node *node = &comparison->tree.nodes[row->number];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = (double)node->totals[side] * comparison->scale[side];
        }
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        row->verdict = compare_decide(comparison, row);
    }
    return say_paths(comparison, error);
}

static void put_scaled(const struct comparison *comparison, enum side side, int64_t number,
                       struct value *value) {
    if (comparison->scaled) {
        compare_put_real(value, (double)number * comparison->scale[side]);
    } else {
        compare_put_integer(value, number);
    }
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    const struct compare_node *node = &comparison->tree.nodes[row->number];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        put_scaled(comparison, side, row->numbers[side][NUMBER_CALLS], &values[side]);
        put_scaled(comparison, side, node->totals[side], &values[2 + side]);
        put_scaled(comparison, side, row->numbers[side][NUMBER_VALUE], &values[4 + side]);
    }
    if (comparison->scaled) {
        compare_put_real(&values[6], row->delta);
    } else {
        compare_put_integer(&values[6], compare_delta(node->totals[SIDE_A], node->totals[SIDE_B]));
    }
    compare_put_real(&values[7], row->ratio);
    compare_put_status(&values[8], row);
    compare_put_text(&values[9], compare_verdicts[row->verdict]);
}

void compare_paths_fill_own(const struct comparison *comparison, const struct compare_row *row,
                            struct value *values) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        put_scaled(comparison, side, comparison->tree.nodes[row->number].own[side], &values[side]);
    }
}

const struct compare_method_row compare_paths = {
    .keys = {{"depth", "", COLUMN_INTEGER}, {"name", "", COLUMN_TEXT}},
    .columns = {{"calls_a", "", COLUMN_INTEGER},
                {"calls_b", "", COLUMN_INTEGER},
                {"total_a", "ns", COLUMN_DURATION},
                {"total_b", "ns", COLUMN_DURATION},
                {"self_a", "ns", COLUMN_DURATION},
                {"self_b", "ns", COLUMN_DURATION},
                {"delta_total", "ns", COLUMN_DURATION},
                {"ratio", "", COLUMN_REAL},
                {"status", "", COLUMN_TEXT},
                {"verdict", "", COLUMN_TEXT}},
    .pers = "second call run none",
    .usual_per = PER_RUN,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_DELTA,
    .is_tree = true,
    .finish = finish,
    .fill = fill,
};
