#include "compare/metrics.h"

#include <math.h>
#include <string.h>

#include "base/words.h"

const char *compare_metric_names(enum compare_method method) {
    static const char *const names[] = {
        [COMPARE_NOT] = "",
        [COMPARE_COUNTS] = "tvd js count share",
        [COMPARE_SIZES] = "tvd js d wasserstein mean count share",
        [COMPARE_TIMES] = "self calls mean",
        [COMPARE_CLOCK] = "tvd js count share rate",
        [COMPARE_VALUES] = "p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max mean",
        [COMPARE_ROWS] = "value",
        [COMPARE_TREE] = "total self calls",
    };

    return names[method];
}

/* What visits, and the name of the row in hand. */
struct visiting {
    const struct comparison *comparison;
    compare_metric_visit *visit;
    void *context;
    const char *item;
};

static void give(struct visiting *visiting, struct compare_metric metric) {
    metric.item = visiting->item;
    metric.joined = compare_joins(visiting->comparison);
    visiting->visit(visiting->context, &metric);
}

/* Doublings, up or down; from nothing or to nothing there is no number of them. */
static double doublings(double ratio) {
    return ratio > 0 ? fabs(log2(ratio)) : NAN;
}

/* A pair of numbers, and the bounds of their ratio: NAN, not known. */
static void give_bounded(struct visiting *visiting, const char *name, const double values[SIDES],
                         double low, double high, bool is_headline) {
    const struct compare_row row = {
        .has = {true, true},
        .values = {values[SIDE_A], values[SIDE_B]},
        .ratio = compare_ratio(values[SIDE_A], values[SIDE_B]),
        .low = low,
        .high = high,
    };

    give(visiting, (struct compare_metric){
                       .name = name,
                       .is_headline = is_headline,
                       .a = values[SIDE_A],
                       .b = values[SIDE_B],
                       .ratio = row.ratio,
                       .low = low,
                       .high = high,
                       .effect = doublings(row.ratio),
                       .p = compare_p_of_bounds(visiting->comparison, row.ratio, low, high),
                       .verdict = compare_decide(visiting->comparison, &row),
                   });
}

static void give_pair(struct visiting *visiting, const char *name, double a, double b,
                      bool is_headline) {
    const double values[SIDES] = {a, b};

    give_bounded(visiting, name, values, NAN, NAN, is_headline);
}

/* A distance is above 0 of any two: it is one where chance makes it seldom. */
static enum verdict decide_distance(const struct comparison *comparison,
                                    const struct compare_distance *distance) {
    double noise = comparison->request->noise;

    if (compare_joins(comparison)) {
        return VERDICT_UNCLEAR;
    }
    if (distance->value == 0 || (comparison->request->blocks == 0 && distance->value <= noise)) {
        return VERDICT_SAME;
    }
    return comparison->request->blocks == 0 ||
                   (distance->p <= METRIC_CHANCE && distance->value > noise)
               ? VERDICT_MORE
               : VERDICT_UNCLEAR;
}

static void give_distance(struct visiting *visiting, const struct compare_distance *distance) {
    give(visiting, (struct compare_metric){
                       .name = distance->name,
                       .is_distance = true,
                       .is_headline = distance->is_headline,
                       .a = 0,
                       .b = distance->value,
                       .ratio = NAN,
                       .low = NAN,
                       .high = NAN,
                       .effect = distance->value,
                       .p = distance->p,
                       .verdict = decide_distance(visiting->comparison, distance),
                   });
}

static void append_key(struct text *text, const struct value *key) {
    if (key->type == VALUE_TEXT || key->type == VALUE_BLOB) {
        text_append(text, key->bytes, key->length);
    } else if (key->type == VALUE_INTEGER) {
        text_append_integer(text, key->integer);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* What may be off by so much, as a natural logarithm. */
static void give_number(struct visiting *visiting, const char *name, const double values[SIDES],
                        double off) {
    double ratio = compare_ratio(values[SIDE_A], values[SIDE_B]);

    give_bounded(visiting, name, values, ratio / exp(off), ratio * exp(off), false);
}

static void give_counts(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    enum compare_per per = comparison_per(comparison);
    double counts[SIDES], shares[SIDES], rates[SIDES];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = (double)row->numbers[side][NUMBER_VALUE];

        counts[side] = count * comparison->scale[side];
        shares[side] = compare_share(count, comparison->sides[side].totals[NUMBER_VALUE]);
        rates[side] = count / row->seconds[side];
    }
    give_number(visiting, "count", counts,
                per == PER_CALL || per == PER_IO ? row->share_error : row->count_error);
    give_number(visiting, "share", shares, row->share_error);
    if (comparison->method == &compare_clock && !isnan(row->ratio)) {
        give_bounded(visiting, "rate", rates, row->low, row->high, false);
    }
}

static void give_times(struct visiting *visiting, const double self[SIDES], double low, double high,
                       const double calls[SIDES], bool is_headline) {
    give_bounded(visiting, "self", self, low, high, is_headline);
    if (visiting->comparison->sides[SIDE_A].query->compare.calls != NULL) {
        give_pair(visiting, "calls", calls[SIDE_A], calls[SIDE_B], is_headline);
        give_pair(visiting, "mean", compare_share(self[SIDE_A], calls[SIDE_A]),
                  compare_share(self[SIDE_B], calls[SIDE_B]), false);
    }
}

static void give_row_times(struct visiting *visiting, const struct compare_row *row) {
    double calls[SIDES];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        calls[side] = (double)row->numbers[side][NUMBER_CALLS] * visiting->comparison->scale[side];
    }
    give_times(visiting, row->values, row->low, row->high, calls, false);
}

static void give_path(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    double numbers[NUMBERS][SIDES];

    for (int i = 0; i < NUMBERS; i++) {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            numbers[i][side] = (double)row->numbers[side][i] * comparison->scale[side];
        }
    }
    give_pair(visiting, "total", row->values[SIDE_A], row->values[SIDE_B], false);
    give_pair(visiting, "self", numbers[NUMBER_VALUE][SIDE_A], numbers[NUMBER_VALUE][SIDE_B],
              false);
    give_pair(visiting, "calls", numbers[NUMBER_CALLS][SIDE_A], numbers[NUMBER_CALLS][SIDE_B],
              false);
}

/* What a group of values and a report's own rows say is known of the row. */
static void give_row(struct visiting *visiting, const struct compare_row *row, const char *name,
                     bool is_headline) {
    give(visiting, (struct compare_metric){
                       .name = name,
                       .is_headline = is_headline,
                       .a = row->values[SIDE_A],
                       .b = row->values[SIDE_B],
                       .ratio = row->ratio,
                       .low = row->low,
                       .high = row->high,
                       .effect = doublings(row->ratio),
                       .p = row->p,
                       .verdict = row->verdict,
                   });
}

static void give_one(struct visiting *visiting, const struct compare_row *row) {
    const struct compare_method_row *method = visiting->comparison->method;

    if (method == &compare_times) {
        give_row_times(visiting, row);
    } else if (method == &compare_values) {
        const char *name = compare_levels[row->level];

        give_row(visiting, row, name, word_in("p50 p99 mean", name));
    } else if (method == &compare_rows) {
        give_row(visiting, row, "value", true);
    } else if (method == &compare_paths) {
        give_path(visiting, row);
    } else {
        give_counts(visiting, row);
    }
}

/* What the row is called: of a call tree, by all functions on the way. */
static void make_item(const struct comparison *comparison, const struct compare_row *row,
                      struct text *item) {
    /* The second column of values is what of the group is compared. */
    size_t keys = comparison->method == &compare_values ? 1 : comparison->table.key_count;

    if (comparison->method == &compare_paths) {
        compare_tree_name(&comparison->tree, row->number, item);
        return;
    }
    text_clear(item);
    for (size_t i = 0; i < keys; i++) {
        text_append_string(item, i == 0 ? "" : " ");
        append_key(item, &row->keys[i]);
    }
}

static void give_rows(struct visiting *visiting) {
    const struct compare_table *table = &visiting->comparison->table;
    struct text item = {0};

    for (size_t i = 0; i < table->count; i++) {
        make_item(visiting->comparison, table->rows[i], &item);
        visiting->item = text_string(&item);
        give_one(visiting, table->rows[i]);
    }
    text_free(&item);
}

/* --- all rows --------------------------------------------------------------------------------- */

static void give_whole(struct visiting *visiting) {
    const struct comparison *comparison = visiting->comparison;

    for (size_t i = 0; i < comparison->distance_count; i++) {
        give_distance(visiting, &comparison->distances[i]);
    }
    if (comparison->method == &compare_times) {
        double numbers[NUMBERS][SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            for (int i = 0; i < NUMBERS; i++) {
                numbers[i][side] = comparison->sides[side].totals[i] * comparison->scale[side];
            }
        }
        give_times(visiting, numbers[NUMBER_VALUE], NAN, NAN, numbers[NUMBER_CALLS], true);
    }
    if (comparison->method == &compare_sizes) {
        give_bounded(visiting, "mean", comparison->means, comparison->mean_low,
                     comparison->mean_high, true);
    }
}

void compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context) {
    struct visiting visiting = {comparison, visit, context, ""};

    give_whole(&visiting);
    give_rows(&visiting);
}
