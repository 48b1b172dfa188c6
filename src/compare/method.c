/* What the methods share, and the method that compares rows one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/comparison.h"
#include "compare/blocks.h"
#include "compare/statistics.h"

const char *const compare_verdicts[] = {
    [VERDICT_SAME] = "same",
    [VERDICT_MORE] = "more",
    [VERDICT_LESS] = "less",
    [VERDICT_UNCLEAR] = "unclear",
    [VERDICT_NEW] = "new",
    [VERDICT_GONE] = "gone",
    [VERDICT_NOT_COMPARABLE] = "not comparable",
};

double *compare_numbers(const struct comparison *comparison, enum side side, int number) {
    const struct compare_table *table = &comparison->table;
    double *numbers = xcalloc(table->count + 1, sizeof *numbers);

    for (size_t i = 0; i < table->count; i++) {
        numbers[i] = (double)table->rows[i]->numbers[side][number];
    }
    return numbers;
}

size_t compare_fewest_blocks(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].trace_count > 1 || comparison->sides[SIDE_B].trace_count > 1
               ? 2
               : DISTRIBUTION_FEWEST;
}

bool compare_traces_tell(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].trace_count > 1 && comparison->sides[SIDE_B].trace_count > 1;
}

/* Verdict by effect alone: a ratio within the noise is the same; what only one side has is new or
 * gone. */
static enum verdict compare_verdict(const struct comparison *comparison,
                                    const struct compare_row *row) {
    if (!row->has[SIDE_A] || !row->has[SIDE_B]) {
        return row->has[SIDE_A] ? VERDICT_GONE : VERDICT_NEW;
    }
    if (isnan(row->ratio)) {
        return row->values[SIDE_A] == row->values[SIDE_B]  ? VERDICT_SAME
               : row->values[SIDE_B] > row->values[SIDE_A] ? VERDICT_MORE
                                                           : VERDICT_LESS;
    }
    if (fabs(row->ratio - 1) <= comparison->request->noise) {
        return VERDICT_SAME;
    }
    return row->ratio > 1 ? VERDICT_MORE : VERDICT_LESS;
}

bool compare_joins(const struct comparison *comparison) {
    return !comparison->is_itself && (comparison->sides[SIDE_A].quality.joined >= COMPARE_JOINED ||
                                      comparison->sides[SIDE_B].quality.joined >= COMPARE_JOINED);
}

enum verdict compare_decide(const struct comparison *comparison, const struct compare_row *row) {
    enum verdict verdict = compare_verdict(comparison, row);
    double noise = comparison->request->noise;

    if (compare_joins(comparison) && row->has[SIDE_A] && row->has[SIDE_B]) {
        return VERDICT_UNCLEAR;
    }
    if (comparison->request->blocks == 0 || comparison->is_itself || verdict == VERDICT_NEW ||
        verdict == VERDICT_GONE || isnan(row->ratio) || row->ratio == 0) {
        return verdict;
    }
    if (row->low >= 1 - noise && row->high <= 1 + noise) {
        return VERDICT_SAME;
    }
    return (verdict == VERDICT_MORE && row->low > 1) || (verdict == VERDICT_LESS && row->high < 1)
               ? verdict
               : VERDICT_UNCLEAR;
}

void compare_decide_all(struct comparison *comparison) {
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->verdict = compare_decide(comparison, row);
    }
}

void compare_bound(double low, double high, double *row_low, double *row_high) {
    bool says = high / low <= 1e6;

    *row_low = says ? low : NAN;
    *row_high = says ? high : NAN;
}

double compare_p_of_bounds(const struct comparison *comparison, double ratio, double low,
                           double high) {
    const struct compare_request *request = comparison->request;
    double least = 1 / (1 + (double)request->resamples);
    double room = ratio > 1 ? log(ratio / low) : log(high / ratio);
    double deviations = statistics_deviations(request->confidence, INFINITY);

    if (isnan(room)) {
        return NAN;
    }
    if (ratio == 1) {
        return 1;
    }
    return room > 0 ? fmax(erfc(deviations * fabs(log(ratio)) / room / sqrt(2)), least) : least;
}

void compare_keep_distance(struct comparison *comparison, const char *name, double value,
                           bool is_headline) {
    if (comparison->distance_count < COMPARE_DISTANCES) {
        comparison->distances[comparison->distance_count++] =
            (struct compare_distance){.name = name,
                                      .value = value,
                                      .is_headline = is_headline,
                                      .power = strcmp(name, "js") == 0 ? 2 : 1,
                                      .p = NAN};
    }
}

double compare_ratio(double a, double b) {
    return a > 0 ? b / a : NAN;
}

double compare_share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

int64_t compare_delta(int64_t a, int64_t b) {
    int64_t delta;

    if (__builtin_sub_overflow(b, a, &delta)) {
        return b > a ? INT64_MAX : INT64_MIN;
    }
    return delta;
}

/* --- ranks ------------------------------------------------------------------------------------ */

/* What qsort_r() compares by. */
struct ranking {
    const struct compare_table *table;
    enum side side;
};

static int compare_ranked(const void *left, const void *right, void *context) {
    const struct compare_row *a = *(struct compare_row *const *)left;
    const struct compare_row *b = *(struct compare_row *const *)right;
    const struct ranking *ranking = context;
    int64_t count_a = a->numbers[ranking->side][NUMBER_VALUE];
    int64_t count_b = b->numbers[ranking->side][NUMBER_VALUE];

    return count_a != count_b ? (count_a < count_b) - (count_a > count_b)
                              : compare_table_order(ranking->table, a, b);
}

void compare_rank(struct comparison *comparison, size_t lengths[SIDES]) {
    struct compare_table *table = &comparison->table;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        struct ranking ranking = {table, side};

        lengths[side] = 0;
        compare_table_sort(table, compare_ranked, &ranking);
        for (size_t i = 0; i < table->count; i++) {
            struct compare_row *row = table->rows[i];

            row->rank[side] = row->has[side] ? (int64_t)++lengths[side] : 0;
        }
    }
}

/* --- values ----------------------------------------------------------------------------------- */

void compare_put_integer(struct value *value, int64_t integer) {
    *value = (struct value){.type = VALUE_INTEGER, .integer = integer};
}

void compare_put_real(struct value *value, double real) {
    *value = (struct value){.type = isnan(real) ? VALUE_NULL : VALUE_REAL, .real = real};
}

void compare_put_text(struct value *value, const char *text) {
    *value = (struct value){.type = VALUE_TEXT, .bytes = text, .length = strlen(text)};
}

void compare_put_status(struct value *value, const struct compare_row *row) {
    compare_put_text(value, row->has[SIDE_A] && row->has[SIDE_B] ? "both"
                            : row->has[SIDE_A]                   ? "a"
                                                                 : "b");
}

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

static bool finish_rows(struct comparison *comparison, struct error *error) {
    bool some_sign = false;

    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->values[SIDE_A] = number_of(&row->given[SIDE_A]);
        row->values[SIDE_B] = number_of(&row->given[SIDE_B]);
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = row->has_sign ? NAN : compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        some_sign |= row->has_sign;
    }
    if (some_sign) {
        notes_append(&comparison->notes,
                     "values that may be negative have no ratio: a delta within %g is the same",
                     comparison->request->noise);
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

static void fill_row(const struct comparison *comparison, const struct compare_row *row,
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
    .finish = finish_rows,
    .fill = fill_row,
};
