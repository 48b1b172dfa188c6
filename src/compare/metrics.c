#include "compare/metrics.h"

#include <math.h>
#include <string.h>

#include "base/words.h"

/* State of a visit, and the name of the current row. */
struct visiting {
    const struct comparison *comparison;
    compare_metric_visit *visit;
    void *context;
    const char *item;
};

static void metrics_give(struct visiting *visiting, struct compare_metric metric) {
    const struct column *key = &visiting->comparison->sides[SIDE_A].keys[0];

    metric.key = visiting->comparison->method->is_tree || column_kind_is_text(key->kind) ||
                         visiting->item[0] == '\0'
                     ? NULL
                     : key->name;
    metric.item = visiting->item;
    metric.joined = compare_joins(visiting->comparison);
    metric.clock_unit = visiting->comparison->sides[SIDE_A].clock_unit;
    visiting->visit(visiting->context, &metric);
}

/* Returns the size of a change in doublings; NAN from or to 0. */
static double doublings(double ratio) {
    return ratio > 0 ? fabs(log2(ratio)) : NAN;
}

/* Completes a metric of two numbers from the bounds of their ratio. NAN: unknown. */
static void give_bounded(struct visiting *visiting, struct compare_metric metric) {
    const struct compare_row row = {
        .has = {true, true},
        .values = {metric.a, metric.b},
        .ratio = compare_ratio(metric.a, metric.b),
        .low = metric.low,
        .high = metric.high,
    };

    metric.ratio = row.ratio;
    metric.effect = doublings(row.ratio);
    metric.p = compare_p_of_bounds(visiting->comparison, row.ratio, metric.low, metric.high);
    metric.verdict = compare_decide(visiting->comparison, &row);
    metrics_give(visiting, metric);
}

/* Returns the words for the divisor of scaled numbers; "" if they are not scaled. */
static const char *per_words(const struct comparison *comparison) {
    static const char *const words[COMPARE_PERS] = {[PER_SECOND] = " a second",
                                                    [PER_CALL] = " a call",
                                                    [PER_IO] = " an I/O",
                                                    [PER_RUN] = " a run"};
    const char *per = words[comparison_per(comparison)];

    return comparison->scaled && per != NULL ? per : "";
}

/* Decides the verdict of a distance. Any two sides have a distance above 0; it is a change only if
 * it is significant. */
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
    metrics_give(visiting, (struct compare_metric){
                               .name = distance->name,
                               .is_distance = true,
                               .is_headline = distance->is_headline,
                               .preference = distance->is_headline ? 1 : 0,
                               .weight = INFINITY,
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

void compare_append_keys(struct text *text, const struct value *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text_append_string(text, i == 0 ? "" : " ");
        if (keys[i].type == VALUE_TEXT || keys[i].type == VALUE_BLOB) {
            text_append(text, keys[i].bytes, keys[i].length);
        } else if (keys[i].type == VALUE_INTEGER) {
            text_append_integer(text, keys[i].integer);
        }
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Visits a number whose ratio may be off by a factor of exp(off). */
static void give_number(struct visiting *visiting, struct compare_metric metric, double off) {
    double ratio = compare_ratio(metric.a, metric.b);

    metric.low = ratio / exp(off);
    metric.high = ratio * exp(off);
    give_bounded(visiting, metric);
}

/* Visits count, share and rate of a row. The row's verdict is of shares unless --per requests
 * numbers. */
static void give_counts(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    enum compare_per per = comparison_per(comparison);
    bool of_shares = comparison->request->per == PER_USUAL;
    double counts[SIDES], shares[SIDES], rates[SIDES];
    struct compare_metric metric = {.kind = COLUMN_INTEGER,
                                    .words = WORDS_FREQUENCY,
                                    .per = per_words(comparison),
                                    .weight = row->part};

    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = (double)row->numbers[side][NUMBER_VALUE];

        counts[side] = count * comparison->scale[side];
        shares[side] = compare_share(count, comparison->sides[side].totals[NUMBER_VALUE]);
        rates[side] = count / row->seconds[side];
    }
    metric.name = "count";
    metric.preference = of_shares ? 0 : 1;
    metric.a = counts[SIDE_A];
    metric.b = counts[SIDE_B];
    give_number(visiting, metric,
                per == PER_CALL || per == PER_IO ? row->share_error : row->count_error);
    metric.name = "share";
    metric.kind = COLUMN_SHARE;
    metric.per = " of all";
    metric.preference = of_shares && comparison->method != &compare_clock ? 1 : 0;
    metric.a = shares[SIDE_A];
    metric.b = shares[SIDE_B];
    give_number(visiting, metric, row->share_error);
    if (comparison->method == &compare_clock && !isnan(row->ratio)) {
        give_bounded(visiting, (struct compare_metric){.name = "rate",
                                                       .kind = COLUMN_REAL,
                                                       .words = WORDS_FREQUENCY,
                                                       .per = " a second",
                                                       .preference = 1,
                                                       .weight = doublings(row->ratio),
                                                       .a = rates[SIDE_A],
                                                       .b = rates[SIDE_B],
                                                       .low = row->low,
                                                       .high = row->high});
    }
}

/* Visits self time, calls and mean. `metric`: their common members. */
static void give_times(struct visiting *visiting, struct compare_metric metric,
                       const double self[SIDES], double low, double high,
                       const double calls[SIDES]) {
    bool is_headline = metric.is_headline;

    metric.name = "self";
    metric.kind = COLUMN_DURATION;
    metric.words = WORDS_TIME;
    metric.per = per_words(visiting->comparison);
    metric.preference = 1;
    metric.a = self[SIDE_A];
    metric.b = self[SIDE_B];
    metric.low = low;
    metric.high = high;
    give_bounded(visiting, metric);
    if (visiting->comparison->sides[SIDE_A].query->compare.calls == NULL) {
        return;
    }
    metric = (struct compare_metric){.name = "calls",
                                     .kind = COLUMN_INTEGER,
                                     .is_headline = is_headline,
                                     .a = calls[SIDE_A],
                                     .b = calls[SIDE_B],
                                     .low = NAN,
                                     .high = NAN};
    give_bounded(visiting, metric);
    metric.name = "mean";
    metric.kind = COLUMN_DURATION;
    metric.is_headline = false;
    metric.a = compare_share(self[SIDE_A], calls[SIDE_A]);
    metric.b = compare_share(self[SIDE_B], calls[SIDE_B]);
    give_bounded(visiting, metric);
}

/* Visits a time or number of calls of a path; these have no bounds. */
static void give_pair(struct visiting *visiting, const char *name, const double values[SIDES],
                      int preference) {
    give_bounded(visiting, (struct compare_metric){.name = name,
                                                   .kind = COLUMN_DURATION,
                                                   .words = WORDS_TIME,
                                                   .per = per_words(visiting->comparison),
                                                   .preference = preference,
                                                   .weight = fmax(values[SIDE_A], values[SIDE_B]),
                                                   .a = values[SIDE_A],
                                                   .b = values[SIDE_B],
                                                   .low = NAN,
                                                   .high = NAN});
}

static void metrics_give_path(struct visiting *visiting, const struct compare_row *row) {
    const struct comparison *comparison = visiting->comparison;
    double numbers[NUMBERS][SIDES];

    for (int i = 0; i < NUMBERS; i++) {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            numbers[i][side] = (double)row->numbers[side][i] * comparison->scale[side];
        }
    }
    give_pair(visiting, "total", row->values, 1);
    give_pair(visiting, "self", numbers[NUMBER_VALUE], 0);
    give_pair(visiting, "calls", numbers[NUMBER_CALLS], 0);
}

/* Returns the preference of a figure: a sentence uses the one with the largest of an item's changed
 * figures. */
static int preference_of(const char *figure) {
    static const char *const figures[] = {"p99", "p90", "mean", "p50"};

    for (int i = 0; i < 4; i++) {
        if (strcmp(figure, figures[i]) == 0) {
            return 2 + i;
        }
    }
    return 1;
}

/* Visits a row whose verdict, ratio and bounds are already known. */
static void metrics_give_row(struct visiting *visiting, const struct compare_row *row,
                             struct compare_metric metric) {
    metric.a = row->values[SIDE_A];
    metric.b = row->values[SIDE_B];
    metric.ratio = row->ratio;
    metric.low = row->low;
    metric.high = row->high;
    metric.effect = metric.weight = doublings(row->ratio);
    metric.p = row->p;
    metric.verdict = row->verdict;
    metrics_give(visiting, metric);
}

static void give_one(struct visiting *visiting, const struct compare_row *row) {
    const struct compare_method_row *method = visiting->comparison->method;

    if (method == &compare_times) {
        double calls[SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            calls[side] =
                (double)row->numbers[side][NUMBER_CALLS] * visiting->comparison->scale[side];
        }
        give_times(visiting, (struct compare_metric){.weight = row->part}, row->values, row->low,
                   row->high, calls);
    } else if (method == &compare_values) {
        const char *name = compare_levels[row->level];
        bool is_lengths = visiting->comparison->sides[SIDE_A].query->compare.is_lengths;
        bool is_count = comparison_counts_values(visiting->comparison, row);

        metrics_give_row(
            visiting, row,
            (struct compare_metric){.name = name,
                                    .is_headline = word_in("p50 p99 mean", name),
                                    .kind = is_count ? COLUMN_INTEGER : COLUMN_DURATION,
                                    .words = is_lengths ? WORDS_LENGTH : WORDS_SPEED,
                                    .per = "",
                                    .preference = is_count ? 0 : preference_of(name)});
    } else if (method == &compare_rows) {
        const struct value *given = &row->given[row->has[SIDE_A] ? SIDE_A : SIDE_B];
        /* A name may contain a NUL, where the item ends. */
        const size_t subject = row->subject < strlen(visiting->item) ? row->subject : 0;
        const char *figure = subject > 0 ? visiting->item + subject + 1 : "";

        /* Visits a value that is compared independently. If the row has several values, the
         * column's name follows the subject. */
        metrics_give_row(
            visiting, row,
            (struct compare_metric){.name = "value",
                                    .is_headline = true,
                                    .kind = given->kind,
                                    .unit = given->unit,
                                    .words = given->kind == COLUMN_DURATION ? WORDS_LENGTH
                                             : given->kind == COLUMN_INTEGER && *figure == '\0'
                                                 ? WORDS_NUMBER
                                                 : WORDS_SIZE,
                                    .per = "",
                                    .subject = subject,
                                    .preference = preference_of(figure)});
    } else if (method == &compare_paths) {
        metrics_give_path(visiting, row);
    } else {
        give_counts(visiting, row);
    }
}

/* Writes the name of a row; in a call tree, the path of functions. */
static void make_item(const struct comparison *comparison, const struct compare_row *row,
                      struct text *item) {
    /* The second key column of values is the compared level. */
    size_t keys = comparison->method == &compare_values ? 1 : comparison->table.key_count;

    if (comparison->method == &compare_paths) {
        compare_tree_name(&comparison->tree, row->number, item);
        return;
    }
    text_clear(item);
    compare_append_keys(item, row->keys, keys);
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
        give_times(visiting, (struct compare_metric){.is_headline = true, .weight = INFINITY},
                   numbers[NUMBER_VALUE], NAN, NAN, numbers[NUMBER_CALLS]);
    }
    if (comparison->method == &compare_sizes) {
        give_bounded(visiting, (struct compare_metric){.name = "mean",
                                                       .is_headline = true,
                                                       .kind = COLUMN_REAL,
                                                       .unit = "bytes",
                                                       .words = WORDS_SIZE,
                                                       .per = "",
                                                       .preference = preference_of("mean"),
                                                       .weight = INFINITY,
                                                       .a = comparison->means[SIDE_A],
                                                       .b = comparison->means[SIDE_B],
                                                       .low = comparison->mean_low,
                                                       .high = comparison->mean_high});
    }
}

void compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context) {
    struct visiting visiting = {comparison, visit, context, ""};

    give_whole(&visiting);
    give_rows(&visiting);
}
