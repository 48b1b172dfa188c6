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
    struct error *error;
    const char *item;
    bool done;
};

static void give(struct visiting *visiting, struct compare_metric metric) {
    metric.item = visiting->item;
    visiting->done = visiting->done && visiting->visit(visiting->context, &metric, visiting->error);
}

/* Doublings, up or down; from nothing or to nothing there is no number of them. */
static double doublings(double ratio) {
    return ratio > 0 ? fabs(log2(ratio)) : NAN;
}

static void give_pair(struct visiting *visiting, const char *name, double a, double b,
                      bool is_headline) {
    struct compare_metric metric = {
        .name = name,
        .is_headline = is_headline,
        .a = a,
        .b = b,
        .ratio = compare_ratio(a, b),
        .low = NAN,
        .high = NAN,
        .p = NAN,
    };
    const struct compare_row row = {.has = {true, true}, .values = {a, b}, .ratio = metric.ratio};

    metric.effect = doublings(metric.ratio);
    metric.verdict = compare_verdict(visiting->comparison, &row);
    give(visiting, metric);
}

/* A distance within the noise is none. */
static void give_distance(struct visiting *visiting, const struct compare_distance *distance) {
    give(visiting,
         (struct compare_metric){
             .name = distance->name,
             .is_distance = true,
             .is_headline = distance->is_headline,
             .a = 0,
             .b = distance->value,
             .ratio = NAN,
             .low = NAN,
             .high = NAN,
             .effect = distance->value,
             .p = NAN,
             .verdict = distance->value <= visiting->comparison->request->noise ? VERDICT_SAME
                                                                                : VERDICT_MORE,
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

static void give_counts(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    double a = (double)row->numbers[SIDE_A][NUMBER_VALUE];
    double b = (double)row->numbers[SIDE_B][NUMBER_VALUE];

    give_pair(visiting, "count", a * comparison->scale[SIDE_A], b * comparison->scale[SIDE_B],
              false);
    give_pair(visiting, "share", compare_share(a, comparison->sides[SIDE_A].totals[NUMBER_VALUE]),
              compare_share(b, comparison->sides[SIDE_B].totals[NUMBER_VALUE]), false);
    if (comparison->method == &compare_clock && !isnan(row->ratio)) {
        give_pair(visiting, "rate", a / row->seconds[SIDE_A], b / row->seconds[SIDE_B], false);
    }
}

static void give_times(struct visiting *visiting, double self_a, double self_b, double calls_a,
                       double calls_b, bool is_headline) {
    give_pair(visiting, "self", self_a, self_b, is_headline);
    if (visiting->comparison->sides[SIDE_A].query->compare.calls != NULL) {
        give_pair(visiting, "calls", calls_a, calls_b, is_headline);
        give_pair(visiting, "mean", compare_share(self_a, calls_a), compare_share(self_b, calls_b),
                  false);
    }
}

static void give_row_times(struct visiting *visiting, const struct compare_row *row) {
    const double *scale = visiting->comparison->scale;

    give_times(visiting, row->values[SIDE_A], row->values[SIDE_B],
               (double)row->numbers[SIDE_A][NUMBER_CALLS] * scale[SIDE_A],
               (double)row->numbers[SIDE_B][NUMBER_CALLS] * scale[SIDE_B], false);
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

    for (size_t i = 0; visiting->done && i < table->count; i++) {
        make_item(visiting->comparison, table->rows[i], &item);
        visiting->item = text_string(&item);
        visiting->done = !item.failed || error_no_memory(visiting->error);
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
        give_times(visiting, numbers[NUMBER_VALUE][SIDE_A], numbers[NUMBER_VALUE][SIDE_B],
                   numbers[NUMBER_CALLS][SIDE_A], numbers[NUMBER_CALLS][SIDE_B], true);
    }
    if (comparison->method == &compare_sizes) {
        give_pair(visiting, "mean", comparison->means[SIDE_A], comparison->means[SIDE_B], true);
    }
}

bool compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context, struct error *error) {
    struct visiting visiting = {comparison, visit, context, error, "", true};

    give_whole(&visiting);
    give_rows(&visiting);
    return visiting.done;
}
