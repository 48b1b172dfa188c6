/* Hours of the day, or since the beginning: how much happened in each, a second of those in which
 * the trace saw it. */
#include <math.h>
#include <stdlib.h>

#include "compare/comparison.h"
#include "compare/statistics.h"
#include "base/memory.h"

/* Seconds of an hour that must have been observed. */
#define LEAST_SECONDS 60

static int compare_keys(const void *left, const void *right, void *table) {
    return compare_table_order(table, *(struct compare_row *const *)left,
                               *(struct compare_row *const *)right);
}

static double rate(const struct compare_row *row, enum side side) {
    return row->seconds[side] > 0 ? (double)row->numbers[side][NUMBER_VALUE] / row->seconds[side]
                                  : NAN;
}

static bool is_observed(const struct compare_row *row) {
    return row->seconds[SIDE_A] >= LEAST_SECONDS && row->seconds[SIDE_B] >= LEAST_SECONDS;
}

/* The day is a circle; hours since the beginning are none. */
static bool is_day(const struct comparison *comparison) {
    return comparison->table.count == 24 &&
           request_option(&comparison->request->sides[SIDE_A], "timeline") == NULL &&
           comparison->sides[SIDE_A].traces[0]->start != EVENT_NONE &&
           comparison->sides[SIDE_B].traces[0]->start != EVENT_NONE;
}

static bool say_distance(struct comparison *comparison, struct error *error) {
    struct compare_table *table = &comparison->table;
    double *a = compare_numbers(comparison, SIDE_A, NUMBER_VALUE, error);
    double *b = compare_numbers(comparison, SIDE_B, NUMBER_VALUE, error);
    double *scratch = xcalloc(table->count + 1, sizeof *scratch);
    bool done = a != NULL && b != NULL && (scratch != NULL || error_no_memory(error));

    if (done) {
        compare_keep_distance(comparison, "tvd", statistics_tvd(a, b, table->count), true);
        compare_keep_distance(comparison, "js", statistics_jensen_shannon(a, b, table->count, NULL),
                              false);
    }
    done = done &&
           remarks_add(&comparison->remarks, error,
                       "total variation distance: %.6g; Jensen-Shannon divergence: %.6g bits; "
                       "Cramer's V: %.6g",
                       statistics_tvd(a, b, table->count),
                       statistics_jensen_shannon(a, b, table->count, NULL),
                       statistics_contingency(a, b, table->count).cramers_v) &&
           (!is_day(comparison) ||
            remarks_add(&comparison->remarks, error,
                        "distance around the clock: %.6g hours that an event would have to move "
                        "on average",
                        statistics_circular(a, b, table->count, scratch)));
    free(a);
    free(b);
    free(scratch);
    return done;
}

/* Bounds of the ratio of rates: as much as the trace as a whole varies in time. */
static void bound_rate(const struct comparison *comparison, struct compare_row *row) {
    double factor = statistics_rate_factor(
        (double)row->numbers[SIDE_A][NUMBER_VALUE], (double)row->numbers[SIDE_B][NUMBER_VALUE],
        comparison->sides[SIDE_A].quality.dispersion, comparison->sides[SIDE_B].quality.dispersion,
        comparison->request->confidence);

    if (comparison->request->blocks > 0 && isfinite(factor)) {
        compare_bound(row->ratio / factor, row->ratio * factor, &row->low, &row->high);
    }
}

static bool finish(struct comparison *comparison, struct error *error) {
    struct compare_table *table = &comparison->table;
    size_t unobserved = 0;

    compare_table_sort(table, compare_keys, table);
    for (size_t i = 0; i < table->count; i++) {
        struct compare_row *row = table->rows[i];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = (double)row->numbers[side][NUMBER_VALUE];
        }
        row->delta = rate(row, SIDE_B) - rate(row, SIDE_A);
        if (is_observed(row)) {
            row->ratio = compare_ratio(rate(row, SIDE_A), rate(row, SIDE_B));
            bound_rate(comparison, row);
            row->verdict = compare_decide(comparison, row);
        } else {
            row->verdict = VERDICT_NOT_COMPARABLE;
            unobserved++;
        }
    }
    return remarks_add(&comparison->remarks, error,
                       "rates are events a second of the time in which a trace saw the hour; "
                       "ratio is rate_b / rate_a") &&
           (unobserved == 0 ||
            remarks_add(&comparison->remarks, error,
                        "%zu of %zu hours were seen for less than %d seconds on a side and are not "
                        "comparable",
                        unobserved, table->count, LEAST_SECONDS)) &&
           say_distance(comparison, error);
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        compare_put_integer(&values[side], row->numbers[side][NUMBER_VALUE]);
        compare_put_real(&values[2 + side],
                         compare_share((double)row->numbers[side][NUMBER_VALUE],
                                       comparison->sides[side].totals[NUMBER_VALUE]));
        compare_put_real(&values[4 + side], rate(row, side));
        compare_put_real(&values[7 + side], row->seconds[side]);
    }
    compare_put_real(&values[6], row->ratio);
    compare_put_text(&values[9], compare_verdicts[row->verdict]);
    compare_put_real(&values[10], row->low);
    compare_put_real(&values[11], row->high);
}

const struct compare_method_row compare_clock = {
    .columns = {{"a", "", COLUMN_INTEGER},
                {"b", "", COLUMN_INTEGER},
                {"share_a", "fraction", COLUMN_SHARE},
                {"share_b", "fraction", COLUMN_SHARE},
                {"rate_a", "", COLUMN_REAL},
                {"rate_b", "", COLUMN_REAL},
                {"ratio", "", COLUMN_REAL},
                {"seconds_a", "s", COLUMN_REAL},
                {"seconds_b", "s", COLUMN_REAL},
                {"verdict", "", COLUMN_TEXT},
                {"low", "", COLUMN_REAL},
                {"high", "", COLUMN_REAL}},
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .finish = finish,
    .fill = fill,
};
