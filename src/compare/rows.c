/* Rows that are compared each for itself: the one value beside the other. */
#include <math.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/row_intervals.h"

static bool is_number(const struct value *value) {
    return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

static double number_of(const struct value *value) {
    return value->type == VALUE_INTEGER ? (double)value->integer
           : value->type == VALUE_REAL  ? value->real
                                        : NAN;
}

static bool is_equal(const struct value *left, const struct value *right) {
    return left->type == right->type && left->length == right->length &&
           (left->length == 0 || memcmp(left->bytes, right->bytes, left->length) == 0);
}

/* What may be negative is the same within a difference that would be one of ratios of what is 1:
 * such figures lie between -1 and 1, where a ratio grows without bound near 0. */
static enum verdict verdict_by_difference(const struct comparison *comparison,
                                          const struct compare_row *row) {
    if (!row->has[SIDE_A] || !row->has[SIDE_B]) {
        return compare_verdict(comparison, row);
    }
    if (compare_joins(comparison)) {
        return VERDICT_UNCLEAR;
    }
    if (isnan(row->delta) || row->delta == 0 || comparison->request->blocks == 0 ||
        comparison->is_itself) {
        return isnan(row->delta) || fabs(row->delta) <= comparison->request->noise ? VERDICT_SAME
               : row->delta > 0                                                    ? VERDICT_MORE
                                                                                   : VERDICT_LESS;
    }
    return VERDICT_UNCLEAR;
}

/* Texts are the same or not; of a number that is missing nothing is known. */
static enum verdict find_verdict(const struct comparison *comparison,
                                 const struct compare_row *row) {
    const struct value *a = &row->given[SIDE_A], *b = &row->given[SIDE_B];

    if (row->has[SIDE_A] && row->has[SIDE_B] && (!is_number(a) || !is_number(b))) {
        return is_equal(a, b) ? VERDICT_SAME : VERDICT_NOT_COMPARABLE;
    }
    return row->has_sign ? verdict_by_difference(comparison, row) : compare_decide(comparison, row);
}

static bool finish(struct comparison *comparison, struct error *error) {
    bool some_sign = false;

    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->values[SIDE_A] = number_of(&row->given[SIDE_A]);
        row->values[SIDE_B] = number_of(&row->given[SIDE_B]);
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = row->has_sign ? NAN : compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        some_sign |= row->has_sign;
    }
    if (some_sign &&
        !remarks_add(&comparison->remarks, error,
                     "what may be negative has no ratio: a delta within %g is the same",
                     comparison->request->noise)) {
        return false;
    }
    if (!row_intervals_find(comparison, error)) {
        return false;
    }
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->verdict = find_verdict(comparison, row);
    }
    return true;
}

/* A difference is of the kind of what differs; hours and other numbers that name something have
 * none. */
static void put_delta(struct value *value, const struct compare_row *row) {
    const struct value *a = &row->given[SIDE_A], *b = &row->given[SIDE_B];

    if (!is_number(a) || !is_number(b) || a->kind == COLUMN_NUMBER) {
        return;
    }
    if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) {
        compare_put_integer(value, compare_delta(a->integer, b->integer));
    } else {
        compare_put_real(value, row->delta);
    }
    value->kind = a->kind;
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    (void)comparison;
    values[0] = row->given[SIDE_A];
    values[1] = row->given[SIDE_B];
    put_delta(&values[2], row);
    compare_put_real(&values[3], row->ratio);
    compare_put_real(&values[4], row->low);
    compare_put_real(&values[5], row->high);
    compare_put_text(&values[6], compare_verdicts[row->verdict]);
}

const struct compare_method_row compare_rows = {
    .keys = {{"attribute", "", COLUMN_TEXT}},
    .columns = {{"a", "", COLUMN_ANY},
                {"b", "", COLUMN_ANY},
                {"delta", "", COLUMN_ANY},
                {"ratio", "", COLUMN_REAL},
                {"low", "", COLUMN_REAL},
                {"high", "", COLUMN_REAL},
                {"verdict", "", COLUMN_TEXT}},
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .keeps_given = true,
    .keeps_order = true,
    .finish = finish,
    .fill = fill,
};
