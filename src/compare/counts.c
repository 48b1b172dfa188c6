/* How often each thing occurs in the one and in the other. */
#include <math.h>
#include <stdlib.h>

#include "compare/comparison.h"
#include "compare/shuffle.h"
#include "compare/statistics.h"
#include "base/memory.h"

/* Ranks that both sides have in common, in the # lines. */
static const size_t tops[] = {10, 20, 50};

/* --- ranks ------------------------------------------------------------------------------------ */

static int compare_sizes_of(const void *left, const void *right) {
    size_t a = *(const size_t *)left, b = *(const size_t *)right;

    return (a > b) - (a < b);
}

/* The worse rank of each thing that both have, ascending; owned by the caller. */
static size_t *find_depths(const struct comparison *comparison, size_t *common,
                           struct error *error) {
    const struct compare_table *table = &comparison->table;
    size_t *depths = xcalloc(table->count + 1, sizeof *depths);

    *common = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = table->rows[i];

        if (row->has[SIDE_A] && row->has[SIDE_B]) {
            depths[(*common)++] =
                (size_t)(row->rank[SIDE_A] > row->rank[SIDE_B] ? row->rank[SIDE_A]
                                                               : row->rank[SIDE_B]);
        }
    }
    qsort(depths, *common, sizeof *depths, compare_sizes_of);
    return depths;
}

static bool say_tops(struct comparison *comparison, const size_t *depths, size_t common,
                     struct error *error) {
    bool done = true;
    size_t within = 0;

    for (size_t i = 0; done && i < sizeof tops / sizeof tops[0]; i++) {
        /* Of fewer things than that, all would be said again. */
        if (comparison->table.count <= tops[i]) {
            break;
        }
        while (within < common && depths[within] <= tops[i]) {
            within++;
        }
        done = remarks_add(&comparison->remarks, error, "of the first %zu: %zu in both", tops[i],
                           within);
    }
    return done;
}

static bool say_ranks(struct comparison *comparison, struct error *error) {
    size_t lengths[SIDES], common;
    size_t *depths;
    bool done;

    compare_rank(comparison, lengths);
    depths = find_depths(comparison, &common, error);
    if (depths == NULL) {
        return false;
    }
    done = remarks_add(&comparison->remarks, error, "kinds: %zu in a, %zu in b, %zu in both",
                       lengths[SIDE_A], lengths[SIDE_B], common) &&
           remarks_add(
               &comparison->remarks, error,
               "rank-biased overlap: %.6g at p = 0.9 (the first ten weigh 86 %%), %.6g at "
               "p = 0.98; 1: the same order",
               statistics_rank_overlap(depths, common, lengths[SIDE_A], lengths[SIDE_B], 0.9),
               statistics_rank_overlap(depths, common, lengths[SIDE_A], lengths[SIDE_B], 0.98)) &&
           say_tops(comparison, depths, common, error);
    free(depths);
    return done;
}

/* --- effects ---------------------------------------------------------------------------------- */

/* The parts of the divergence, which are written over `a`. */
static bool say_effects(struct comparison *comparison, double *a, double *b, struct error *error) {
    struct compare_table *table = &comparison->table;
    struct contingency contingency = statistics_contingency(a, b, table->count);
    double tvd = statistics_tvd(a, b, table->count);
    double divergence = statistics_jensen_shannon(a, b, table->count, a);

    compare_keep_distance(comparison, "js", divergence, false);
    compare_keep_distance(comparison, "tvd", tvd, true);
    for (size_t i = 0; i < table->count; i++) {
        table->rows[i]->part = compare_share(a[i], divergence);
    }
    return remarks_add(&comparison->remarks, error,
                       "total variation distance: %.6g, the share that would have to be of "
                       "another kind",
                       tvd) &&
           remarks_add(&comparison->remarks, error,
                       "Jensen-Shannon divergence: %.6g bits (0: the same, 1: nothing in common), "
                       "of which part is the row's share",
                       divergence) &&
           remarks_add(&comparison->remarks, error,
                       "Cramer's V: %.6g; G: %.6g with %zu degrees of freedom, %zu of %zu cells "
                       "expect fewer than 5",
                       contingency.cramers_v, contingency.g, contingency.degrees,
                       contingency.below_five, contingency.cells);
}

static void find_ratios(struct comparison *comparison) {
    bool of_shares = comparison->request->per == PER_USUAL;

    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];
        double of[SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            double count = (double)row->numbers[side][NUMBER_VALUE];

            row->values[side] = count * comparison->scale[side];
            of[side] = of_shares
                           ? compare_share(count, comparison->sides[side].totals[NUMBER_VALUE])
                           : row->values[side];
        }
        row->delta = of[SIDE_B] - of[SIDE_A];
        row->ratio = compare_ratio(of[SIDE_A], of[SIDE_B]);
    }
}

/* Events come in bursts: that there are more of them in a second may be chance, though there are
 * many. */
static bool say_rates(struct comparison *comparison, struct error *error) {
    const struct compare_quality *a = &comparison->sides[SIDE_A].quality;
    const struct compare_quality *b = &comparison->sides[SIDE_B].quality;
    double confidence = comparison->request->confidence, rates[SIDES], ratio, factor;

    if (comparison_per(comparison) != PER_SECOND || a->counted <= 0 || b->counted <= 0) {
        return true;
    }
    rates[SIDE_A] = a->counted * comparison->scale[SIDE_A];
    rates[SIDE_B] = b->counted * comparison->scale[SIDE_B];
    ratio = compare_ratio(rates[SIDE_A], rates[SIDE_B]);
    factor =
        statistics_rate_factor(a->counted, b->counted, a->dispersion, b->dispersion, confidence);
    return remarks_add(
        &comparison->remarks, error,
        "events a second: %.6g in a, %.6g in b: ratio %.6g, with a confidence of "
        "%g %% from %.6g to %.6g (numbers in %d stretches of time vary %.4g and %.4g "
        "times as much as of independent events)",
        rates[SIDE_A], rates[SIDE_B], ratio, 100 * confidence, ratio / factor, ratio * factor,
        QUALITY_STRETCHES, a->dispersion, b->dispersion);
}

/* As say_effects() keeps them. */
static void find_distances(const void *context, const double *a, const double *b, size_t n,
                           double *values) {
    (void)context;
    values[0] = statistics_jensen_shannon(a, b, n, NULL);
    values[1] = statistics_tvd(a, b, n);
}

static bool finish(struct comparison *comparison, struct error *error) {
    double *a = compare_numbers(comparison, SIDE_A, NUMBER_VALUE, error);
    double *b = compare_numbers(comparison, SIDE_B, NUMBER_VALUE, error);
    bool done = a != NULL && b != NULL;

    if (done) {
        find_ratios(comparison);
        done =
            say_rates(comparison, error) && say_effects(comparison, a, b, error) &&
            shuffle_say(comparison,
                        &(struct shuffle_measure){.what = "the divergence", .find = find_distances},
                        error) &&
            say_ranks(comparison, error);
    }
    compare_decide_all(comparison);
    free(a);
    free(b);
    return done;
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    double shares[SIDES];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        shares[side] = compare_share((double)row->numbers[side][NUMBER_VALUE],
                                     comparison->sides[side].totals[NUMBER_VALUE]);
        if (comparison->scaled) {
            compare_put_real(&values[side], row->values[side]);
        } else {
            compare_put_integer(&values[side], row->numbers[side][NUMBER_VALUE]);
        }
        compare_put_real(&values[2 + side], shares[side]);
        if (row->rank[side] > 0) {
            compare_put_integer(&values[6 + side], row->rank[side]);
        }
    }
    compare_put_real(&values[4], shares[SIDE_B] - shares[SIDE_A]);
    compare_put_real(&values[5], row->ratio);
    if (row->rank[SIDE_A] > 0 && row->rank[SIDE_B] > 0) {
        compare_put_integer(&values[8], row->rank[SIDE_B] - row->rank[SIDE_A]);
    }
    compare_put_real(&values[9], row->part);
    compare_put_status(&values[10], row);
    compare_put_text(&values[11], compare_verdicts[row->verdict]);
    compare_put_real(&values[12], row->low);
    compare_put_real(&values[13], row->high);
}

const struct compare_method_row compare_counts = {
    .columns = {{"a", "", COLUMN_INTEGER},
                {"b", "", COLUMN_INTEGER},
                {"share_a", "fraction", COLUMN_SHARE},
                {"share_b", "fraction", COLUMN_SHARE},
                {"delta_share", "fraction", COLUMN_SHARE},
                {"ratio", "", COLUMN_REAL},
                {"rank_a", "", COLUMN_NUMBER},
                {"rank_b", "", COLUMN_NUMBER},
                {"rank_change", "", COLUMN_NUMBER},
                {"part", "fraction", COLUMN_SHARE},
                {"status", "", COLUMN_TEXT},
                {"verdict", "", COLUMN_TEXT},
                {"low", "", COLUMN_REAL},
                {"high", "", COLUMN_REAL}},
    .pers = "second call io run none",
    .usual_per = PER_NONE,
    .sorts = "part delta ratio rank a b",
    .usual_sort = SORT_PART,
    .finish = finish,
    .fill = fill,
};
