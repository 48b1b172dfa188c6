/* Functions that methods of comparing share, and the methods `rows` and `times`. */
#include <math.h>
#include <string.h>

#include "base/student.h"
#include "compare/blocks.h"
#include "compare/comparison.h"
#include "compare/metrics.h"
#include "scan/statistics.h"

/* Comparison of means by Welch's test, which allows different variances and numbers of values. The
 * interval of the ratio is Fieller's with Welch's degrees of freedom. It contains 1 exactly if the
 * test finds no significant difference. */

/* Variances and degrees of freedom of Welch's test; NAN if a side has only one value. */
struct welch {
    double variances[SIDES]; /* square of the standard error of each side's mean */
    double degrees; /* degrees of freedom; NAN also if all values of both sides are equal */
};

static struct welch welch_test_of_means(const struct compare_row *row) {
    struct welch welch;
    double sum = 0, parts = 0;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = row->count[side];
        double variance = row->deviation[side] * row->deviation[side] / count;

        welch.variances[side] = variance;
        sum += variance;
        parts += variance * variance / (count - 1);
    }
    welch.degrees = sum * sum / parts;
    return welch;
}

/* Sets the confidence bounds of the ratio b / a. No bounds if there is no ratio, or if the mean of
 * a does not differ significantly from 0. */
static void find_bounds(const struct welch *welch, double deviations, struct compare_row *row) {
    double a = row->values[SIDE_A], b = row->values[SIDE_B], square = deviations * deviations;
    double least_a = a * a - square * welch->variances[SIDE_A];
    double least_b = b * b - square * welch->variances[SIDE_B];
    double root = sqrt(fmax(0, a * b * a * b - least_a * least_b));

    if (least_a > 0 && !isnan(row->ratio)) {
        compare_set_bounds((a * b - root) / least_a, (a * b + root) / least_a, &row->low,
                           &row->high);
    }
}

/* Decides the verdict by the bounds of the ratio, or of the difference if there is no ratio. */
static enum verdict means_find_verdict(const struct comparison *comparison,
                                       const struct compare_row *row, const struct welch *welch) {
    double reach = row->delta == 0 ? 0 : INFINITY;

    if (!row->has[SIDE_A] || !row->has[SIDE_B] || !isnan(row->ratio) ||
        comparison->request->blocks == 0 || comparison->is_itself) {
        return compare_decide_verdict(comparison, row);
    }
    if (!isnan(welch->degrees)) {
        reach = student_t_critical_two_sided(comparison->request->confidence, welch->degrees) *
                sqrt(welch->variances[SIDE_A] + welch->variances[SIDE_B]);
    } else if (welch->variances[SIDE_A] + welch->variances[SIDE_B] == 0) {
        reach = 0;
    }
    return fabs(row->delta) <= reach ? row->delta == 0 ? VERDICT_SAME : VERDICT_UNCLEAR
           : row->delta > 0          ? VERDICT_MORE
                                     : VERDICT_LESS;
}

static void compare_mean(const struct comparison *comparison, struct compare_row *row) {
    struct welch welch = {{NAN, NAN}, NAN};
    double variance = NAN;

    row->ratio = row->values[SIDE_B] > 0 ? row->ratio : NAN;
    if (row->has[SIDE_A] && row->has[SIDE_B]) {
        welch = welch_test_of_means(row);
        variance = welch.variances[SIDE_A] + welch.variances[SIDE_B];
    }
    if (variance == 0) {
        row->low = row->high = row->ratio;
        row->p = row->delta == 0;
    } else if (variance > 0) {
        find_bounds(&welch,
                    student_t_critical_two_sided(comparison->request->confidence, welch.degrees),
                    row);
        row->p = student_p_of_t(row->delta / sqrt(variance), welch.degrees);
    }
    row->verdict = means_find_verdict(comparison, row, &welch);
}

/* --- deciding whether rows are same, changed or unclear --------------------------------------- */

const char *const compare_verdicts[] = {
    [VERDICT_SAME] = "same",
    [VERDICT_MORE] = "more",
    [VERDICT_LESS] = "less",
    [VERDICT_UNCLEAR] = "unclear",
    [VERDICT_NEW] = "new",
    [VERDICT_GONE] = "gone",
    [VERDICT_NOT_COMPARABLE] = "not comparable",
};

size_t compare_fewest_blocks(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].trace_count > 1 || comparison->sides[SIDE_B].trace_count > 1
               ? 2
               : DISTRIBUTION_FEWEST;
}

bool compare_has_several_traces(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].trace_count > 1 && comparison->sides[SIDE_B].trace_count > 1;
}

/* Returns the smallest p-value that permuting few traces can give; 0 if blocks are not traces. */
static double least_of_traces(const struct comparison *comparison) {
    return compare_has_several_traces(comparison)
               ? resampling_least_p(comparison->sides[SIDE_A].trace_count,
                                    comparison->sides[SIDE_B].trace_count)
               : 0;
}

bool compare_has_too_few_traces(const struct comparison *comparison) {
    return least_of_traces(comparison) > METRIC_CHANCE && comparison->request->blocks > 0 &&
           !comparison->is_itself && comparison->sides[SIDE_A].query->compare.deviation == NULL;
}

void compare_note_few(const struct comparison *comparison, struct notes *notes) {
    size_t enough = 2;

    while (resampling_least_p(enough, enough) > METRIC_CHANCE) {
        enough++;
    }
    if (compare_has_too_few_traces(comparison)) {
        notes_append(notes,
                     "no change can be beyond chance: with %zu and %zu traces, p is at least %.2g; "
                     "each side needs %zu traces",
                     comparison->sides[SIDE_A].trace_count, comparison->sides[SIDE_B].trace_count,
                     least_of_traces(comparison), enough);
    }
}

/* Decides the verdict by size alone: "same" if the ratio is within --noise, with a tolerance for
 * rounding. A row of only one side is "new" or "gone". */
static enum verdict compare_verdict(const struct comparison *comparison,
                                    const struct compare_row *row) {
    if (!row->has[SIDE_A] || !row->has[SIDE_B]) {
        return row->has[SIDE_A] ? VERDICT_GONE : VERDICT_NEW;
    }
    if (isnan(row->values[SIDE_A]) || isnan(row->values[SIDE_B])) {
        return comparison->is_itself ? VERDICT_SAME : VERDICT_NOT_COMPARABLE;
    }
    if (isnan(row->ratio)) {
        return row->values[SIDE_A] == row->values[SIDE_B]  ? VERDICT_SAME
               : row->values[SIDE_B] > row->values[SIDE_A] ? VERDICT_MORE
                                                           : VERDICT_LESS;
    }
    if (fabs(row->ratio - 1) <= comparison->request->noise * (1 + 1e-9)) {
        return VERDICT_SAME;
    }
    return row->ratio > 1 ? VERDICT_MORE : VERDICT_LESS;
}

bool compare_has_mispaired_ios(const struct comparison *comparison) {
    return !comparison->is_itself && (comparison->sides[SIDE_A].quality.joined >= COMPARE_JOINED ||
                                      comparison->sides[SIDE_B].quality.joined >= COMPARE_JOINED);
}

bool compare_lacks_durations(const struct comparison *comparison) {
    return !comparison->is_itself && (comparison->sides[SIDE_A].quality.timeless ||
                                      comparison->sides[SIDE_B].quality.timeless);
}

bool compare_has_sums(const struct comparison *comparison) {
    return comparison->method == &compare_rows &&
           comparison->sides[SIDE_A].query->compare.deviation == NULL;
}

enum verdict compare_decide_verdict(const struct comparison *comparison,
                                    const struct compare_row *row) {
    enum verdict verdict = compare_verdict(comparison, row);
    double noise = comparison->request->noise;

    if (compare_has_mispaired_ios(comparison) && row->has[SIDE_A] && row->has[SIDE_B]) {
        return VERDICT_UNCLEAR;
    }
    if (comparison->request->blocks == 0 || comparison->is_itself || verdict == VERDICT_NEW ||
        verdict == VERDICT_GONE || isnan(row->ratio) || row->ratio == 0) {
        return verdict;
    }
    if ((row->low >= 1 - noise && row->high <= 1 + noise) ||
        (isnan(row->low) && row->ratio == 1 && compare_has_sums(comparison))) {
        return VERDICT_SAME;
    }
    return !compare_has_too_few_traces(comparison) && ((verdict == VERDICT_MORE && row->low > 1) ||
                                                       (verdict == VERDICT_LESS && row->high < 1))
               ? verdict
               : VERDICT_UNCLEAR;
}

void compare_decide_all(struct comparison *comparison) {
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->verdict = compare_decide_verdict(comparison, row);
    }
}

void compare_set_bounds(double low, double high, double *row_low, double *row_high) {
    bool says = high / low <= 1e6;

    *row_low = says ? low : NAN;
    *row_high = says ? high : NAN;
}

double compare_min_p_value(const struct comparison *comparison) {
    return fmax(least_of_traces(comparison), 1 / (1 + (double)comparison->request->resamples));
}

double compare_p_value_from_bounds(const struct comparison *comparison, double ratio, double low,
                                   double high) {
    double room = ratio > 1 ? log(ratio / low) : log(high / ratio);
    double least, deviations;

    if (isnan(room)) {
        return NAN;
    }
    if (ratio == 1) {
        return 1;
    }
    least = compare_min_p_value(comparison);
    deviations = statistics_student_t(comparison->request->confidence, INFINITY);
    return room > 0 ? fmax(erfc(deviations * fabs(log(ratio)) / room / sqrt(2)), least) : least;
}

double compare_ratio(double a, double b) {
    return a > 0 ? b / a : NAN;
}

double compare_share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Returns b - a, limited to the range of int64_t. */
static int64_t saturated_delta(int64_t a, int64_t b) {
    int64_t delta;

    if (__builtin_sub_overflow(b, a, &delta)) {
        return b > a ? INT64_MAX : INT64_MIN;
    }
    return delta;
}

/* --- splitting a change into calls and mean time ---------------------------------------------- */

static bool method_is_number(const struct value *value) {
    return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

/* Returns the component of b - a that is due to the number of calls: (calls_b - calls_a) * mean_a.
 * If a side has no calls, there is no mean: returns b - a. */
static double delta_by_calls(const struct compare_row *row, const double scale[SIDES]) {
    double calls[SIDES], self[SIDES];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        calls[side] = (double)row->numbers[side][NUMBER_CALLS] * scale[side];
        self[side] = (double)row->numbers[side][NUMBER_VALUE] * scale[side];
    }
    return calls[SIDE_A] <= 0 || calls[SIDE_B] <= 0
               ? self[SIDE_B] - self[SIDE_A]
               : (calls[SIDE_B] - calls[SIDE_A]) * (self[SIDE_A] / calls[SIDE_A]);
}

static bool knows_calls(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].query->compare.calls != NULL;
}

/* --- the columns of a comparison, and their values -------------------------------------------- */

double compare_rate(const struct compare_row *row, enum side side) {
    return row->seconds[side] > 0 ? (double)row->numbers[side][NUMBER_VALUE] / row->seconds[side]
                                  : NAN;
}

struct column compare_cell_column(const struct comparison *comparison, enum compare_cell cell) {
    static const struct column columns[] = {
        [CELL_A] = {"a", "", COLUMN_ANY},
        [CELL_B] = {"b", "", COLUMN_ANY},
        [CELL_SHARE_A] = {"share_a", "fraction", COLUMN_SHARE},
        [CELL_SHARE_B] = {"share_b", "fraction", COLUMN_SHARE},
        [CELL_RANK_A] = {"rank_a", "", COLUMN_NUMBER},
        [CELL_RANK_B] = {"rank_b", "", COLUMN_NUMBER},
        [CELL_CUMULATIVE_A] = {"cumulative_a", "fraction", COLUMN_SHARE},
        [CELL_CUMULATIVE_B] = {"cumulative_b", "fraction", COLUMN_SHARE},
        [CELL_BYTES_A] = {"bytes_cumulative_a", "fraction", COLUMN_SHARE},
        [CELL_BYTES_B] = {"bytes_cumulative_b", "fraction", COLUMN_SHARE},
        [CELL_RATE_A] = {"rate_a", "", COLUMN_REAL},
        [CELL_RATE_B] = {"rate_b", "", COLUMN_REAL},
        [CELL_SECONDS_A] = {"seconds_a", "s", COLUMN_REAL},
        [CELL_SECONDS_B] = {"seconds_b", "s", COLUMN_REAL},
        [CELL_CALLS_A] = {"calls_a", "", COLUMN_INTEGER},
        [CELL_CALLS_B] = {"calls_b", "", COLUMN_INTEGER},
        [CELL_SELF_A] = {"self_a", "ns", COLUMN_DURATION},
        [CELL_SELF_B] = {"self_b", "ns", COLUMN_DURATION},
        [CELL_TOTAL_A] = {"total_a", "ns", COLUMN_DURATION},
        [CELL_TOTAL_B] = {"total_b", "ns", COLUMN_DURATION},
        [CELL_OWN_A] = {"self_a", "ns", COLUMN_DURATION},
        [CELL_OWN_B] = {"self_b", "ns", COLUMN_DURATION},
        [CELL_DELTA] = {"delta", "", COLUMN_ANY},
        [CELL_DELTA_SHARE] = {"delta_share", "fraction", COLUMN_SHARE},
        [CELL_DELTA_TOTAL] = {"delta_total", "ns", COLUMN_DURATION},
        [CELL_BY_CALLS] = {"by_calls", "ns", COLUMN_DURATION},
        [CELL_BY_MEAN] = {"by_mean", "ns", COLUMN_DURATION},
        [CELL_RANK_CHANGE] = {"rank_change", "", COLUMN_NUMBER},
        [CELL_PART] = {"part", "fraction", COLUMN_SHARE},
        [CELL_STATUS] = {"status", "", COLUMN_TEXT},
        [CELL_RATIO] = {"ratio", "", COLUMN_REAL},
        [CELL_LOW] = {"low", "", COLUMN_REAL},
        [CELL_HIGH] = {"high", "", COLUMN_REAL},
        [CELL_VERDICT] = {"verdict", "", COLUMN_TEXT},
        [CELL_UNIT] = {"unit", "", COLUMN_TEXT},
    };
    struct column column = columns[cell];

    if (cell == CELL_A || cell == CELL_B || cell == CELL_DELTA) {
        column.kind = comparison->method->kind;
        column.unit = column.kind == COLUMN_DURATION ? "ns" : "";
    }
    /* Counts and times are not integers after division by --per. */
    if (comparison->scaled && (column.kind == COLUMN_INTEGER || column.kind == COLUMN_DURATION)) {
        column.kind = COLUMN_REAL;
    }
    return column;
}

static double share_of_side_total(const struct comparison *comparison,
                                  const struct compare_row *row, enum side side) {
    return compare_share((double)row->numbers[side][NUMBER_VALUE],
                         comparison->sides[side].totals[NUMBER_VALUE]);
}

/* Returns whether the side has calls of this name, but no durations of them in its log. */
static bool is_untimed(const struct comparison *comparison, const struct compare_row *row,
                       enum side side) {
    return comparison->method == &compare_times && row->has[side] && !row->timed[side];
}

/* Returns whether the row may be missing on the side only because its report leaves out calls
 * without a duration. */
static bool leaves_out_untimed(const struct comparison *comparison, const struct compare_row *row,
                               enum side side) {
    return comparison->method == &compare_times && !row->has[side] &&
           comparison->sides[side].quality.timeless && !comparison->lists_untimed;
}

static void set_scaled(const struct comparison *comparison, enum side side, int64_t number,
                       struct value *value) {
    if (comparison->scaled) {
        *value = value_real((double)number * comparison->scale[side]);
    } else {
        *value = value_integer(number);
    }
}

/* Sets the kind of a group's figure "n" (number of values) to a count; the other figures are
 * durations. */
static void set_kind(const struct comparison *comparison, const struct compare_row *row,
                     struct value *value) {
    if (comparison_counts_values(comparison, row)) {
        value->kind = COLUMN_INTEGER;
    }
}

/* Sets `value` to a side's value of a column that both sides have. `cell`: the column of a. */
static void fill_pair(const struct comparison *comparison, const struct compare_row *row,
                      enum compare_cell cell, enum side side, struct value *value) {
    if (((cell == CELL_SELF_A || cell == CELL_SHARE_A) && is_untimed(comparison, row, side)) ||
        leaves_out_untimed(comparison, row, side)) {
        return;
    }
    switch (cell) {
    case CELL_A:
        if (comparison->method == &compare_rows) {
            *value = row->given[side];
        } else if (comparison->method != &compare_values || row->has[side]) {
            set_scaled(comparison, side, row->numbers[side][NUMBER_VALUE], value);
            set_kind(comparison, row, value);
        }
        break;
    case CELL_SHARE_A:
        *value = value_real(share_of_side_total(comparison, row, side));
        break;
    case CELL_RANK_A:
        if (row->rank[side] > 0) {
            *value = value_integer(row->rank[side]);
        }
        break;
    case CELL_CUMULATIVE_A:
        *value = value_real(row->cumulated[side]);
        break;
    case CELL_BYTES_A:
        *value = value_real(row->cumulated_bytes[side]);
        break;
    case CELL_RATE_A:
        *value = value_real(compare_rate(row, side));
        break;
    case CELL_SECONDS_A:
        *value = value_real(row->seconds[side]);
        break;
    case CELL_CALLS_A:
        if (knows_calls(comparison)) {
            set_scaled(comparison, side, row->numbers[side][NUMBER_CALLS], value);
        }
        break;
    case CELL_SELF_A:
        set_scaled(comparison, side, row->numbers[side][NUMBER_VALUE], value);
        break;
    case CELL_TOTAL_A:
        set_scaled(comparison, side, comparison->tree.nodes[row->number].totals[side], value);
        break;
    default:
        set_scaled(comparison, side, comparison->tree.nodes[row->number].own[side], value);
    }
}

/* Sets the difference of two values, with the kind and unit of a. Numbers that are names, such as
 * hours, have no difference. */
static void set_given_delta(const struct compare_row *row, struct value *value) {
    const struct value *a = &row->given[SIDE_A], *b = &row->given[SIDE_B];

    if (!method_is_number(a) || !method_is_number(b) || a->kind == COLUMN_NUMBER) {
        return;
    }
    if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) {
        *value = value_integer(saturated_delta(a->integer, b->integer));
    } else {
        *value = value_real(row->delta);
    }
    value->kind = a->kind;
    value->unit = a->unit;
}

static void set_delta(const struct comparison *comparison, const struct compare_row *row,
                      struct value *value) {
    if (comparison->method == &compare_rows) {
        set_given_delta(row, value);
    } else if (comparison->scaled) {
        *value = value_real(row->delta);
    } else if (comparison->method == &compare_paths) {
        const struct compare_node *node = &comparison->tree.nodes[row->number];

        *value = value_integer(saturated_delta(node->totals[SIDE_A], node->totals[SIDE_B]));
    } else if (!isnan(row->delta)) {
        *value = value_integer(saturated_delta(row->numbers[SIDE_A][NUMBER_VALUE],
                                               row->numbers[SIDE_B][NUMBER_VALUE]));
        set_kind(comparison, row, value);
    }
}

/* Sets by_calls or by_mean, the two components of a change of time. Without --per they are integers
 * that add up to the change. */
static void set_part_of_delta(const struct comparison *comparison, const struct compare_row *row,
                              bool is_by_calls, struct value *value) {
    int64_t delta =
        saturated_delta(row->numbers[SIDE_A][NUMBER_VALUE], row->numbers[SIDE_B][NUMBER_VALUE]);
    double calls = delta_by_calls(row, comparison->scale), rounded = nearbyint(calls);
    int64_t whole = fabs(rounded) < 9e18 ? (int64_t)rounded : delta;

    if (!knows_calls(comparison) || isnan(row->delta)) {
        return;
    }
    if (comparison->scaled) {
        *value = value_real(is_by_calls ? calls : row->delta - calls);
        return;
    }
    /* If a side has no calls, by_calls is the whole change: `delta`, an exact integer. */
    if (row->numbers[SIDE_A][NUMBER_CALLS] == 0 || row->numbers[SIDE_B][NUMBER_CALLS] == 0) {
        whole = delta;
    }
    *value = value_integer(is_by_calls ? whole : saturated_delta(whole, delta));
}

/* Sets the unit of a value for the tsv column "unit"; NULL for counts. */
static void set_unit(const struct comparison *comparison, const struct value *given,
                     struct value *value) {
    const struct column column = {.kind = given->kind, .unit = ""};
    const char *unit = given->unit != NULL
                           ? given->unit
                           : printer_column_unit(&column, comparison->sides[SIDE_A].clock_unit);

    if (unit[0] != '\0') {
        *value = value_text(unit);
    }
}

static void fill_cell(const struct comparison *comparison, const struct compare_row *row,
                      enum compare_cell cell, struct value *value) {
    switch (cell) {
    case CELL_DELTA:
    case CELL_DELTA_TOTAL:
        set_delta(comparison, row, value);
        break;
    case CELL_DELTA_SHARE:
        *value = value_real(share_of_side_total(comparison, row, SIDE_B) -
                            share_of_side_total(comparison, row, SIDE_A));
        break;
    case CELL_BY_CALLS:
    case CELL_BY_MEAN:
        set_part_of_delta(comparison, row, cell == CELL_BY_CALLS, value);
        break;
    case CELL_RANK_CHANGE:
        if (row->rank[SIDE_A] > 0 && row->rank[SIDE_B] > 0) {
            *value = value_integer(row->rank[SIDE_B] - row->rank[SIDE_A]);
        }
        break;
    case CELL_PART:
        *value = value_real(row->part);
        break;
    case CELL_STATUS:
        *value = value_text(row->has[SIDE_A] && row->has[SIDE_B] ? "both"
                            : row->has[SIDE_A]                   ? "a"
                                                                 : "b");
        break;
    case CELL_RATIO:
        *value = value_real(row->ratio);
        break;
    case CELL_LOW:
        *value = value_real(row->low);
        break;
    case CELL_HIGH:
        *value = value_real(row->high);
        break;
    case CELL_UNIT:
        set_unit(comparison, &row->given[row->has[SIDE_A] ? SIDE_A : SIDE_B], value);
        break;
    default:
        *value = value_text(compare_verdicts[row->verdict]);
    }
}

void compare_fill_cells(const struct comparison *comparison, const struct compare_row *row,
                        const enum compare_cell *cells, struct value *values) {
    for (size_t i = 0; cells[i] != CELL_END; i++) {
        enum side side = (cells[i] - CELL_A) % SIDES == 0 ? SIDE_A : SIDE_B;

        if (cells[i] < CELL_DELTA) {
            fill_pair(comparison, row, (enum compare_cell)(cells[i] - side), side, &values[i]);
        } else {
            fill_cell(comparison, row, cells[i], &values[i]);
        }
    }
}

/* --- comparing rows whose values are not counts ----------------------------------------------- */

static bool is_equal(const struct value *left, const struct value *right) {
    return left->type == right->type && left->length == right->length &&
           (left->length == 0 || memcmp(left->bytes, right->bytes, left->length) == 0);
}

/* Decides the verdict of a value that may be negative, such as a correlation from -1 to 1: "same"
 * if the difference is within --noise. Ratios are meaningless for such values. */
static enum verdict verdict_by_difference(const struct comparison *comparison,
                                          const struct compare_row *row) {
    if (!row->has[SIDE_A] || !row->has[SIDE_B]) {
        return compare_verdict(comparison, row);
    }
    if (compare_has_mispaired_ios(comparison)) {
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

static bool is_row_of(const struct compare_row *row, const char *name) {
    return row->keys[0].length == strlen(name) &&
           memcmp(row->keys[0].bytes, name, row->keys[0].length) == 0;
}

/* Returns whether the value depends on durations, which a side's log lacks. "run time" does not: it
 * is taken from timestamps. */
static bool is_untimed_value(const struct comparison *comparison, const struct compare_row *row) {
    return compare_lacks_durations(comparison) &&
           (is_row_of(row, "share of thread time") ||
            (row->given[row->has[SIDE_A] ? SIDE_A : SIDE_B].kind == COLUMN_DURATION &&
             !is_row_of(row, "run time")));
}

/* Decides the verdict of a row. Equal texts are "same"; other texts, and numbers that a side lacks,
 * are "not comparable". */
static enum verdict method_find_verdict(const struct comparison *comparison,
                                        const struct compare_row *row) {
    const struct value *a = &row->given[SIDE_A], *b = &row->given[SIDE_B];

    if (is_untimed_value(comparison, row)) {
        return VERDICT_NOT_COMPARABLE;
    }
    if (row->has[SIDE_A] && row->has[SIDE_B] && (!method_is_number(a) || !method_is_number(b))) {
        const bool is_known = a->type != VALUE_NULL || comparison->is_itself;

        return is_known && is_equal(a, b) ? VERDICT_SAME : VERDICT_NOT_COMPARABLE;
    }
    return row->has_sign ? verdict_by_difference(comparison, row)
                         : compare_decide_verdict(comparison, row);
}

static bool method_finish_rows(struct comparison *comparison, struct error *error) {
    bool some_sign = false;

    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->values[SIDE_A] = value_number(&row->given[SIDE_A]);
        row->values[SIDE_B] = value_number(&row->given[SIDE_B]);
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = row->has_sign || is_untimed_value(comparison, row)
                         ? NAN
                         : compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        some_sign |= row->has_sign;
    }
    if (some_sign) {
        notes_append(&comparison->notes,
                     "values that may be negative have no ratio: they count as the same if delta "
                     "is within %g",
                     comparison->request->noise);
    }
    if (comparison->sides[SIDE_A].query->compare.deviation != NULL) {
        /* Means with standard deviation and count get bounds, p and verdict by Welch's test. */
        for (size_t i = 0; i < comparison->table.count; i++) {
            compare_mean(comparison, comparison->table.rows[i]);
        }
        notes_append(&comparison->notes,
                     "low and high: %g %% confidence interval of the ratio of means, if values are "
                     "independent (Welch's t, Fieller)",
                     100 * comparison->request->confidence);
        return true;
    }
    if (!row_intervals_find(comparison, error)) {
        return false;
    }
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        row->verdict = method_find_verdict(comparison, row);
    }
    return true;
}

const struct compare_method_row compare_rows = {
    .keys = {{"attribute", "", COLUMN_TEXT}},
    .cells = {CELL_A, CELL_B, CELL_DELTA, CELL_RATIO, CELL_LOW, CELL_HIGH, CELL_VERDICT, CELL_UNIT},
    .kind = COLUMN_ANY,
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .keeps_given = true,
    .keeps_order = true,
    .finish = method_finish_rows,
};

/* Sets the verdict of a row of calls whose times are not comparable. Calls that only one side has
 * stay "new" or "gone" if reports list calls without a duration. */
static void decide_untimed(const struct comparison *comparison, struct compare_row *row) {
    const bool is_of_one = !row->has[SIDE_A] || !row->has[SIDE_B];

    row->low = row->high = NAN;
    if (!comparison->is_itself && !(is_of_one && comparison->lists_untimed)) {
        row->verdict = VERDICT_NOT_COMPARABLE;
    }
}

/* Sets a row's times, difference and ratio; NAN: unknown, or not comparable. Returns whether a side
 * has calls without a duration. */
static bool find_times(const struct comparison *comparison, struct compare_row *row) {
    bool untimed = false;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        row->values[side] =
            is_untimed(comparison, row, side)
                ? NAN
                : (double)row->numbers[side][NUMBER_VALUE] * comparison->scale[side];
        untimed |= isnan(row->values[side]);
    }
    row->delta = row->ratio = NAN;
    if (!untimed && !compare_lacks_durations(comparison)) {
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
    }
    return untimed;
}

/* Appends a sum of durations: with its unit for people, else as a number in the unit of the rows.
 * `plus`: a positive sum gets its sign. */
static void append_sum(const struct comparison *comparison, double sum, bool plus,
                       struct text *line) {
    static const struct column column = {"", "", COLUMN_DURATION};
    const struct value value = value_real(sum);

    text_append_string(line, plus && !signbit(sum) ? "+" : "");
    if (comparison->request->people) {
        printer_append_human(line, &value, &column, comparison->sides[SIDE_A].clock_unit);
    } else {
        text_append_format(line, "%.6g", sum);
    }
}

/* Adds the # lines on the sums of all rows: changes of time, and how much is due to the number of
 * calls. */
static void note_sums(struct comparison *comparison, double delta, double change,
                      double more_calls) {
    struct text line = {0};

    text_append_string(&line, "all rows: delta ");
    append_sum(comparison, delta, true, &line);
    text_append_string(&line, ", sum of absolute changes ");
    append_sum(comparison, change, false, &line);
    notes_append(&comparison->notes, "%s; part: the row's share of that sum", text_string(&line));
    text_clear(&line);
    if (knows_calls(comparison)) {
        append_sum(comparison, more_calls, true, &line);
        text_append_string(&line, " from more or fewer calls (at a's mean time), ");
        append_sum(comparison, delta - more_calls, true, &line);
        notes_append(&comparison->notes,
                     "delta = by_calls + by_mean: %s from calls that take longer or shorter",
                     text_string(&line));
    }
    text_free(&line);
}

/* Finishes the method `times`: splits each change of time into by_calls (more or fewer calls) and
 * by_mean (a longer or shorter mean time). */
static bool finish_times(struct comparison *comparison, struct error *error) {
    struct compare_table *table = &comparison->table;
    double change = 0, more_calls = 0, delta = 0;

    for (size_t i = 0; i < table->count; i++) {
        struct compare_row *row = table->rows[i];

        comparison->lists_untimed |= find_times(comparison, row);
        if (!isnan(row->delta)) {
            change += fabs(row->delta);
            delta += row->delta;
            more_calls += delta_by_calls(row, comparison->scale);
        }
    }
    for (size_t i = 0; i < table->count; i++) {
        double part = fabs(table->rows[i]->delta);

        table->rows[i]->part = isnan(part) ? NAN : compare_share(part, change);
    }
    if (compare_has_several_traces(comparison) && !compare_lacks_durations(comparison) &&
        !row_intervals_find(comparison, error)) {
        return false;
    }
    compare_decide_all(comparison);
    for (size_t i = 0; i < table->count; i++) {
        if (isnan(table->rows[i]->delta)) {
            decide_untimed(comparison, table->rows[i]);
        }
    }
    if (compare_lacks_durations(comparison)) {
        return true;
    }
    note_sums(comparison, delta, change, more_calls);
    return true;
}

const struct compare_method_row compare_times = {
    .cells = {CELL_CALLS_A, CELL_CALLS_B, CELL_SELF_A, CELL_SELF_B, CELL_DELTA, CELL_BY_CALLS,
              CELL_BY_MEAN, CELL_RATIO, CELL_SHARE_A, CELL_SHARE_B, CELL_PART, CELL_STATUS,
              CELL_VERDICT, CELL_LOW, CELL_HIGH},
    .kind = COLUMN_DURATION,
    .pers = "second call run none",
    .usual_per = PER_RUN,
    .sorts = "part delta ratio a b",
    .usual_sort = SORT_PART,
    .finish = finish_times,
};
