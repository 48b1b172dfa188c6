/* Comparison methods for counts: by name, by size, and by hour of the day. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "compare/comparison.h"
#include "compare/blocks.h"
#include "scan/statistics.h"

/* Values of n for the comment lines "of the first n: … in both", on the n most frequent rows. */
static const size_t tops[] = {10, 20, 50};

/* Returns a side's counts of all rows, in the rows' order. The caller frees the array. */
static double *numbers_of_rows(const struct comparison *comparison, enum side side) {
    const struct compare_table *table = &comparison->table;
    double *numbers = xcalloc(table->count + 1, sizeof *numbers);

    for (size_t i = 0; i < table->count; i++) {
        numbers[i] = (double)table->rows[i]->numbers[side][NUMBER_VALUE];
    }
    return numbers;
}

static bool has_counts(const struct comparison *comparison, enum side side) {
    return comparison->sides[side].totals[NUMBER_VALUE] > 0;
}

/* Returns true if there are no distances: all counts of one side are 0, or those of both are and a
 * side has no events at all. Two logs whose events have, say, no errors are 0 apart. */
static bool lacks_a_side(const struct comparison *comparison) {
    const bool a = has_counts(comparison, SIDE_A), b = has_counts(comparison, SIDE_B);

    return a != b || (!a && (comparison->sides[SIDE_A].quality.counted <= 0 ||
                             comparison->sides[SIDE_B].quality.counted <= 0));
}

/* Stores a distance between the sides; its value becomes NAN if there is none. */
static void store_distance(struct comparison *comparison, const char *name, double value,
                           bool is_headline) {
    if (comparison->distance_count < COMPARE_DISTANCES) {
        comparison->distances[comparison->distance_count++] =
            (struct compare_distance){.name = name,
                                      .value = lacks_a_side(comparison) ? NAN : value,
                                      .is_headline = is_headline,
                                      .power = strcmp(name, "js") == 0 ? 2 : 1,
                                      .p = NAN};
    }
}

/* --- ranking rows by their counts, and comparing the ranks ------------------------------------ */

/* Context of qsort_r() for sorting rows by the counts of a side. */
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

/* Ranks the rows of each side by their counts, largest first; equal counts by key. A row that the
 * side lacks gets rank 0. `lengths`: number of ranked rows. */
static void rank_rows(struct comparison *comparison, size_t lengths[SIDES]) {
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

static int compare_sizes_of(const void *left, const void *right) {
    size_t a = *(const size_t *)left, b = *(const size_t *)right;

    return ORDER(a, b);
}

/* Returns, for each row that both sides have, the larger of its two ranks, in ascending order.
 * `common`: number of these rows. The caller frees the array. */
static size_t *find_depths(const struct comparison *comparison, size_t *common) {
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

static void note_ranks(struct comparison *comparison) {
    struct notes *notes = &comparison->notes;
    size_t lengths[SIDES], common, within = 0;
    size_t *depths;

    rank_rows(comparison, lengths);
    depths = find_depths(comparison, &common);
    notes_append(notes, "different names: %zu in a, %zu in b, %zu in both", lengths[SIDE_A],
                 lengths[SIDE_B], common);
    notes_append(
        notes,
        "rank-biased overlap: %.6g at p = 0.9 (the first ten weigh 86 %%), %.6g at p = 0.98; 1 "
        "means the same order",
        statistics_rank_overlap(depths, common, lengths[SIDE_A], lengths[SIDE_B], 0.9),
        statistics_rank_overlap(depths, common, lengths[SIDE_A], lengths[SIDE_B], 0.98));
    /* For an n above the number of rows, the line would be the same as for all rows. */
    for (size_t i = 0; i < sizeof tops / sizeof tops[0] && comparison->table.count > tops[i]; i++) {
        while (within < common && depths[within] <= tops[i]) {
            within++;
        }
        notes_append(notes, "of the first %zu: %zu in both", tops[i], within);
    }
    free(depths);
}

/* --- distances between the counts of two sides ------------------------------------------------ */

/* Adds a comment line if there are no distances; returns whether it did. */
static bool note_lack(struct comparison *comparison) {
    const bool lacks = lacks_a_side(comparison);

    if (lacks) {
        notes_append(&comparison->notes, "no distances: nothing is counted in %s",
                     has_counts(comparison, SIDE_A)   ? "b"
                     : has_counts(comparison, SIDE_B) ? "a"
                                                      : "a and b");
    }
    return lacks;
}

/* Computes and stores the distances between the counts of both sides. Overwrites `a` with each
 * row's term of the Jensen-Shannon divergence. */
static void note_effects(struct comparison *comparison, double *a, double *b) {
    struct compare_table *table = &comparison->table;
    struct contingency contingency = statistics_contingency(a, b, table->count);
    double tvd = statistics_tvd(a, b, table->count);
    double divergence = statistics_jensen_shannon(a, b, table->count, a);

    store_distance(comparison, "js", divergence, false);
    store_distance(comparison, "tvd", tvd, true);
    for (size_t i = 0; i < table->count; i++) {
        table->rows[i]->part = lacks_a_side(comparison) ? NAN : compare_share(a[i], divergence);
    }
    if (note_lack(comparison)) {
        return;
    }
    notes_append(
        &comparison->notes,
        "total variation distance: %.6g, the share of events that would have to change their kind",
        tvd);
    notes_append(&comparison->notes,
                 "Jensen-Shannon divergence: %.6g bits (0: the same, 1: nothing in common); part: "
                 "the row's share of it",
                 divergence);
    notes_append(&comparison->notes,
                 "Cramer's V: %.6g; G: %.6g with %zu degrees of freedom, %zu of %zu cells expect "
                 "fewer than 5",
                 contingency.cramers_v, contingency.g, contingency.degrees, contingency.below_five,
                 contingency.cells);
}

/* Returns the half width of a rate's confidence interval in standard deviations (Student's t). */
static double deviations_of_rates(const struct comparison *comparison) {
    size_t traces = comparison->sides[SIDE_A].trace_count + comparison->sides[SIDE_B].trace_count;

    return statistics_student_t(comparison->request->confidence,
                                compare_has_several_traces(comparison) ? (double)traces - 2
                                                                       : INFINITY);
}

/* Adds a comment line on event rates with confidence bounds. Events come in bursts, so a higher
 * rate may be chance even with many events. */
static void note_rates(struct comparison *comparison) {
    const struct compare_quality *a = &comparison->sides[SIDE_A].quality;
    const struct compare_quality *b = &comparison->sides[SIDE_B].quality;
    double rates[SIDES], ratio, factor;

    if (comparison_per(comparison) != PER_SECOND || a->counted <= 0 || b->counted <= 0) {
        return;
    }
    rates[SIDE_A] = a->counted * comparison->scale[SIDE_A];
    rates[SIDE_B] = b->counted * comparison->scale[SIDE_B];
    ratio = compare_ratio(rates[SIDE_A], rates[SIDE_B]);
    factor = statistics_rate_factor(a->counted, b->counted, a->dispersion, b->dispersion,
                                    deviations_of_rates(comparison));
    notes_append(&comparison->notes,
                 "events a second: %.6g in a, %.6g in b; ratio %.6g, %g %% confidence interval "
                 "%.6g to %.6g (counts in %d intervals of time%s vary %.4g and %.4g times as much "
                 "as counts of independent events)",
                 rates[SIDE_A], rates[SIDE_B], ratio, 100 * comparison->request->confidence,
                 ratio / factor, ratio * factor, QUALITY_STRETCHES,
                 compare_has_several_traces(comparison) ? ", or of traces," : "", a->dispersion,
                 b->dispersion);
}

/* Computes the distances between counts, in the order in which note_effects() stores them. */
static void count_distances(const void *context, const double *a, const double *b, size_t n,
                            double *values) {
    values[0] = statistics_jensen_shannon(a, b, n, NULL);
    values[1] = statistics_tvd(a, b, n);
}

static bool finish_counts(struct comparison *comparison, struct error *error) {
    double *a = numbers_of_rows(comparison, SIDE_A);
    double *b = numbers_of_rows(comparison, SIDE_B);
    const struct shuffle_measure measure = {.what = "the divergence", .find = count_distances};
    bool done;
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
    note_rates(comparison);
    note_effects(comparison, a, b);
    free(a);
    free(b);
    done = shuffle_find_p_values(comparison, &measure, error);
    note_ranks(comparison);
    compare_decide_all(comparison);
    return done;
}

const struct compare_method_row compare_counts = {
    .cells = {CELL_A, CELL_B, CELL_SHARE_A, CELL_SHARE_B, CELL_DELTA_SHARE, CELL_RATIO, CELL_RANK_A,
              CELL_RANK_B, CELL_RANK_CHANGE, CELL_PART, CELL_STATUS, CELL_VERDICT, CELL_LOW,
              CELL_HIGH},
    .kind = COLUMN_INTEGER,
    .pers = "second call io run none",
    .usual_per = PER_NONE,
    .sorts = "part delta ratio rank a b",
    .usual_sort = SORT_PART,
    .finish = finish_counts,
};

/* Arrays for distances between size distributions, in ascending order of size; one allocation. */
struct sizes {
    double *memory; /* owned; all arrays point into it */
    double *size, *doublings;
    double *counts[SIDES], *bytes[SIDES];
    size_t count;
    bool has_zero; /* true: a size is 0, so `doublings` are log2(size + 1), not log2(size) */
};

static int counts_compare_keys(const void *left, const void *right, void *table) {
    return compare_table_order(table, *(struct compare_row *const *)left,
                               *(struct compare_row *const *)right);
}

static void collect_size_counts(struct comparison *comparison, struct sizes *sizes) {
    struct compare_table *table = &comparison->table;
    size_t count = table->count;

    compare_table_sort(table, counts_compare_keys, table);
    *sizes = (struct sizes){.count = count, .memory = xcalloc(6 * count + 1, sizeof(double))};
    sizes->size = sizes->memory;
    sizes->doublings = sizes->size + count;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        sizes->counts[side] = sizes->memory + (2 + side) * count;
        sizes->bytes[side] = sizes->memory + (4 + side) * count;
    }
    for (size_t i = 0; i < count; i++) {
        sizes->size[i] =
            table->rows[i]->keys[0].type == VALUE_INTEGER && table->rows[i]->keys[0].integer > 0
                ? (double)table->rows[i]->keys[0].integer
                : 0;
        sizes->has_zero |= sizes->size[i] == 0;
        for (enum side side = SIDE_A; side < SIDES; side++) {
            sizes->counts[side][i] = (double)table->rows[i]->numbers[side][NUMBER_VALUE];
            sizes->bytes[side][i] = sizes->counts[side][i] * sizes->size[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        sizes->doublings[i] = log2(sizes->size[i] + (sizes->has_zero ? 1 : 0));
    }
}

static double share_of_4_kb(const struct sizes *sizes, enum side side) {
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->size[i] == 4096) {
            return compare_share(sizes->counts[side][i],
                                 statistics_total(sizes->counts[side], sizes->count));
        }
    }
    return 0;
}

static void store_distances(struct comparison *comparison, const struct sizes *sizes) {
    const double *a = sizes->counts[SIDE_A], *b = sizes->counts[SIDE_B];
    size_t n = sizes->count;

    store_distance(comparison, "wasserstein", statistics_wasserstein(sizes->doublings, a, b, n),
                   true);
    store_distance(comparison, "d", statistics_ks(a, b, n, NULL), false);
    store_distance(comparison, "tvd", statistics_tvd(a, b, n), true);
    store_distance(comparison, "js", statistics_jensen_shannon(a, b, n, NULL), false);
    for (enum side side = SIDE_A; side < SIDES; side++) {
        comparison->means[side] =
            comparison->sides[side].totals[NUMBER_VALUE] > 0
                ? statistics_total(sizes->bytes[side], n) / statistics_total(sizes->counts[side], n)
                : NAN;
    }
}

static void note_size_effects(struct comparison *comparison, const struct sizes *sizes) {
    const double *a = sizes->counts[SIDE_A], *b = sizes->counts[SIDE_B];
    struct notes *notes = &comparison->notes;
    size_t at, n = sizes->count;
    double d = statistics_ks(a, b, n, &at);
    double doublings = statistics_wasserstein(sizes->doublings, a, b, n);

    if (note_lack(comparison)) {
        return;
    }
    notes_append(notes,
                 "Kolmogorov-Smirnov D: %.6g, the largest difference of cumulative_a and "
                 "cumulative_b, at %.0f bytes",
                 d, n > 0 ? sizes->size[at] : 0);
    notes_append(notes,
                 "Wasserstein distance: %.6g doublings (log2)%s: sizes differ by %.3g %% on "
                 "average, or by %.6g bytes",
                 doublings, sizes->has_zero ? " of size + 1" : "", 100 * (exp2(doublings) - 1),
                 statistics_wasserstein(sizes->size, a, b, n));
    if (comparison->means[SIDE_A] > 0 && comparison->means[SIDE_B] > 0) {
        notes_append(notes, "Wasserstein distance weighted by bytes: %.6g doublings",
                     statistics_wasserstein(sizes->doublings, sizes->bytes[SIDE_A],
                                            sizes->bytes[SIDE_B], n));
    }
    if (!isnan(comparison->means[SIDE_A])) { /* sizes on both sides: on one alone, note_lack() */
        notes_append(notes, "mean size: a %.6g bytes, b %.6g bytes", comparison->means[SIDE_A],
                     comparison->means[SIDE_B]);
    }
    notes_append(notes, "sizes of 4096 bytes: a %.2f %%, b %.2f %%",
                 100 * share_of_4_kb(sizes, SIDE_A), 100 * share_of_4_kb(sizes, SIDE_B));
    notes_append(notes, "Cramer's V: %.6g; part: the row's share of the Jensen-Shannon divergence",
                 statistics_contingency(a, b, n).cramers_v);
}

static void find_size_rows(struct comparison *comparison, const struct sizes *sizes) {
    struct compare_table *table = &comparison->table;
    double *terms = xcalloc(sizes->count + 1, sizeof *terms), divergence;

    divergence = statistics_jensen_shannon(sizes->counts[SIDE_A], sizes->counts[SIDE_B],
                                           sizes->count, terms);
    for (size_t i = 0; i < sizes->count; i++) {
        struct compare_row *row = table->rows[i];
        double shares[SIDES];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = sizes->counts[side][i] * comparison->scale[side];
            shares[side] =
                compare_share(sizes->counts[side][i], comparison->sides[side].totals[NUMBER_VALUE]);
        }
        row->part = lacks_a_side(comparison) ? NAN : compare_share(terms[i], divergence);
        row->delta = shares[SIDE_B] - shares[SIDE_A];
        row->ratio = compare_ratio(shares[SIDE_A], shares[SIDE_B]);
    }
    free(terms);
}

/* Computes the distances between sizes, in the order of store_distances(). Rows are in ascending
 * order of size; the last count may be a sum (SHUFFLE_MOST). */
static void size_distances(const void *context, const double *a, const double *b, size_t n,
                           double *values) {
    const struct sizes *sizes = context;

    values[0] = statistics_wasserstein(sizes->doublings, a, b, n);
    values[1] = statistics_ks(a, b, n, NULL);
    values[2] = statistics_tvd(a, b, n);
    values[3] = statistics_jensen_shannon(a, b, n, NULL);
}

static bool finish_sizes(struct comparison *comparison, struct error *error) {
    struct shuffle_measure measure = {.what = "the distance in doublings", .find = size_distances};
    struct sizes sizes;
    bool done;

    collect_size_counts(comparison, &sizes);
    find_size_rows(comparison, &sizes);
    /* Stores cumulative shares in the rows now, while they are in order of size. */
    for (enum side side = SIDE_A; side < SIDES; side++) {
        double counts = 0, bytes = 0;
        double all = statistics_total(sizes.counts[side], sizes.count);
        double all_bytes = statistics_total(sizes.bytes[side], sizes.count);

        for (size_t i = 0; i < sizes.count; i++) {
            struct compare_row *row = comparison->table.rows[i];

            counts += sizes.counts[side][i];
            bytes += sizes.bytes[side][i];
            row->cumulated[side] = compare_share(counts, all);
            row->cumulated_bytes[side] = compare_share(bytes, all_bytes);
        }
    }
    store_distances(comparison, &sizes);
    note_size_effects(comparison, &sizes);
    measure.context = &sizes;
    measure.sizes = sizes.size;
    done = shuffle_find_p_values(comparison, &measure, error);
    compare_decide_all(comparison);
    free(sizes.memory);
    return done;
}

const struct compare_method_row compare_sizes = {
    .cells = {CELL_A, CELL_B, CELL_SHARE_A, CELL_SHARE_B, CELL_CUMULATIVE_A, CELL_CUMULATIVE_B,
              CELL_BYTES_A, CELL_BYTES_B, CELL_PART},
    .kind = COLUMN_INTEGER,
    .pers = "second call io run none",
    .usual_per = PER_NONE,
    .sorts = "part delta ratio a b",
    .usual_sort = SORT_USUAL,
    .finish = finish_sizes,
};

/* An hour of the day is compared if both sides observed at least this many seconds of it. */
#define LEAST_SECONDS 60

/* Returns whether rows are hours of the day (a circle), not hours since the trace's start. */
static bool is_day(const struct comparison *comparison) {
    return comparison->table.count == 24 &&
           request_option(&comparison->request->sides[SIDE_A], "timeline") == NULL &&
           comparison->sides[SIDE_A].traces[0]->start != EVENT_NONE &&
           comparison->sides[SIDE_B].traces[0]->start != EVENT_NONE;
}

static void note_hour_distances(struct comparison *comparison) {
    size_t n = comparison->table.count;
    double *a = numbers_of_rows(comparison, SIDE_A);
    double *b = numbers_of_rows(comparison, SIDE_B);
    double tvd = statistics_tvd(a, b, n), divergence = statistics_jensen_shannon(a, b, n, NULL);

    store_distance(comparison, "tvd", tvd, true);
    store_distance(comparison, "js", divergence, false);
    if (!note_lack(comparison)) {
        notes_append(&comparison->notes,
                     "total variation distance: %.6g; Jensen-Shannon divergence: %.6g bits; "
                     "Cramer's V: %.6g",
                     tvd, divergence, statistics_contingency(a, b, n).cramers_v);
        if (is_day(comparison)) {
            notes_append(&comparison->notes,
                         "distance around the clock (24 hours as a circle): an event moves by %.6g "
                         "hours on average",
                         statistics_distance_on_circle(a, b, n));
        }
    }
    free(a);
    free(b);
}

/* Sets the bounds of the ratio of event rates in an hour. Uses the variation in the whole trace. */
static void bound_rate(const struct comparison *comparison, struct compare_row *row) {
    double factor = statistics_rate_factor(
        (double)row->numbers[SIDE_A][NUMBER_VALUE], (double)row->numbers[SIDE_B][NUMBER_VALUE],
        comparison->sides[SIDE_A].quality.dispersion, comparison->sides[SIDE_B].quality.dispersion,
        deviations_of_rates(comparison));

    if (comparison->request->blocks > 0 && isfinite(factor)) {
        compare_set_bounds(row->ratio / factor, row->ratio * factor, &row->low, &row->high);
    }
}

static bool finish_clock(struct comparison *comparison, struct error *error) {
    struct compare_table *table = &comparison->table;
    size_t unobserved = 0;

    compare_table_sort(table, counts_compare_keys, table);
    for (size_t i = 0; i < table->count; i++) {
        struct compare_row *row = table->rows[i];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = (double)row->numbers[side][NUMBER_VALUE];
        }
        row->delta = compare_rate(row, SIDE_B) - compare_rate(row, SIDE_A);
        if (row->seconds[SIDE_A] >= LEAST_SECONDS && row->seconds[SIDE_B] >= LEAST_SECONDS) {
            row->ratio = compare_ratio(compare_rate(row, SIDE_A), compare_rate(row, SIDE_B));
            bound_rate(comparison, row);
            row->verdict = compare_decide_verdict(comparison, row);
        } else {
            row->verdict = VERDICT_NOT_COMPARABLE;
            unobserved++;
        }
    }
    notes_append(&comparison->notes,
                 "rates: events per second of the observed part of the hour; ratio: rate_b / "
                 "rate_a");
    if (unobserved > 0) {
        notes_append(
            &comparison->notes,
            "%zu of %zu hours were observed for less than %d seconds on a side and are not "
            "comparable",
            unobserved, table->count, LEAST_SECONDS);
    }
    note_hour_distances(comparison);
    return true;
}

const struct compare_method_row compare_clock = {
    .cells = {CELL_A, CELL_B, CELL_SHARE_A, CELL_SHARE_B, CELL_RATE_A, CELL_RATE_B, CELL_RATIO,
              CELL_SECONDS_A, CELL_SECONDS_B, CELL_VERDICT, CELL_LOW, CELL_HIGH},
    .kind = COLUMN_INTEGER,
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .finish = finish_clock,
};
