/* How often each size occurs in the one and in the other, and how far the distributions are apart,
 * also by the bytes that they carry. */
#include <math.h>
#include <stdlib.h>

#include "compare/comparison.h"
#include "compare/shuffle.h"
#include "compare/statistics.h"
#include "base/memory.h"

/* One array of everything that is looked at, in order of size. */
struct sizes {
    double *memory; /* owned */
    double *size, *doublings;
    double *counts[SIDES], *bytes[SIDES];
    size_t count;
    bool has_zero; /* then doublings are of one byte more */
};

static int compare_keys(const void *left, const void *right, void *table) {
    return compare_table_order(table, *(struct compare_row *const *)left,
                               *(struct compare_row *const *)right);
}

static double size_of(const struct compare_row *row) {
    return row->keys[0].type == VALUE_INTEGER && row->keys[0].integer > 0
               ? (double)row->keys[0].integer
               : 0;
}

static bool collect(struct comparison *comparison, struct sizes *sizes, struct error *error) {
    struct compare_table *table = &comparison->table;
    size_t count = table->count;

    compare_table_sort(table, compare_keys, table);
    *sizes = (struct sizes){.count = count, .memory = xcalloc(6 * count + 1, sizeof(double))};
    sizes->size = sizes->memory;
    sizes->doublings = sizes->size + count;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        sizes->counts[side] = sizes->memory + (2 + side) * count;
        sizes->bytes[side] = sizes->memory + (4 + side) * count;
    }
    for (size_t i = 0; i < count; i++) {
        sizes->size[i] = size_of(table->rows[i]);
        sizes->has_zero |= sizes->size[i] == 0;
        for (enum side side = SIDE_A; side < SIDES; side++) {
            sizes->counts[side][i] = (double)table->rows[i]->numbers[side][NUMBER_VALUE];
            sizes->bytes[side][i] = sizes->counts[side][i] * sizes->size[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        sizes->doublings[i] = log2(sizes->size[i] + (sizes->has_zero ? 1 : 0));
    }
    return true;
}

static double mean(const double *bytes, const double *counts, size_t n) {
    return compare_share(statistics_total(bytes, n), statistics_total(counts, n));
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

static void keep_distances(struct comparison *comparison, const struct sizes *sizes) {
    const double *a = sizes->counts[SIDE_A], *b = sizes->counts[SIDE_B];
    size_t n = sizes->count;

    compare_keep_distance(comparison, "wasserstein",
                          statistics_wasserstein(sizes->doublings, a, b, n), true);
    compare_keep_distance(comparison, "d", statistics_ks(a, b, n, NULL), false);
    compare_keep_distance(comparison, "tvd", statistics_tvd(a, b, n), true);
    compare_keep_distance(comparison, "js", statistics_jensen_shannon(a, b, n, NULL), false);
    for (enum side side = SIDE_A; side < SIDES; side++) {
        comparison->means[side] = mean(sizes->bytes[side], sizes->counts[side], n);
    }
}

static bool say_effects(struct comparison *comparison, const struct sizes *sizes,
                        struct error *error) {
    const double *a = sizes->counts[SIDE_A], *b = sizes->counts[SIDE_B];
    struct remarks *remarks = &comparison->remarks;
    size_t at, n = sizes->count;
    double d = statistics_ks(a, b, n, &at);
    double doublings = statistics_wasserstein(sizes->doublings, a, b, n);

    return remarks_add(remarks, error,
                       "Kolmogorov-Smirnov D: %.6g, the largest difference of cumulative_a and "
                       "cumulative_b, at %.0f bytes",
                       d, n > 0 ? sizes->size[at] : 0) &&
           remarks_add(remarks, error,
                       "Wasserstein distance: %.6g doublings%s (sizes differ by %.3g %% on "
                       "average), %.6g bytes",
                       doublings, sizes->has_zero ? " of size + 1" : "",
                       100 * (exp2(doublings) - 1), statistics_wasserstein(sizes->size, a, b, n)) &&
           remarks_add(remarks, error, "weighted by bytes: %.6g doublings",
                       statistics_wasserstein(sizes->doublings, sizes->bytes[SIDE_A],
                                              sizes->bytes[SIDE_B], n)) &&
           remarks_add(remarks, error, "mean size: a %.6g bytes, b %.6g bytes",
                       comparison->means[SIDE_A], comparison->means[SIDE_B]) &&
           remarks_add(remarks, error, "of 4096 bytes: a %.2f %%, b %.2f %%",
                       100 * share_of_4_kb(sizes, SIDE_A), 100 * share_of_4_kb(sizes, SIDE_B)) &&
           remarks_add(remarks, error, "Cramer's V: %.6g; part: of the Jensen-Shannon divergence",
                       statistics_contingency(a, b, n).cramers_v);
}

static bool find_rows(struct comparison *comparison, const struct sizes *sizes,
                      struct error *error) {
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
        row->part = compare_share(terms[i], divergence);
        row->delta = shares[SIDE_B] - shares[SIDE_A];
        row->ratio = compare_ratio(shares[SIDE_A], shares[SIDE_B]);
    }
    free(terms);
    return true;
}

/* Cumulated shares stand in the rows, whatever order they are printed in. */
static void cumulate(struct comparison *comparison, const struct sizes *sizes) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        double counts = 0, bytes = 0;
        double all = statistics_total(sizes->counts[side], sizes->count);
        double all_bytes = statistics_total(sizes->bytes[side], sizes->count);

        for (size_t i = 0; i < sizes->count; i++) {
            struct compare_row *row = comparison->table.rows[i];

            counts += sizes->counts[side][i];
            bytes += sizes->bytes[side][i];
            row->cumulated[side] = compare_share(counts, all);
            row->cumulated_bytes[side] = compare_share(bytes, all_bytes);
        }
    }
}

/* As keep_distances() keeps them. Rows are in order of size, and of too many the last ones are one.
 */
static void find_distances(const void *context, const double *a, const double *b, size_t n,
                           double *values) {
    const struct sizes *sizes = context;

    values[0] = statistics_wasserstein(sizes->doublings, a, b, n);
    values[1] = statistics_ks(a, b, n, NULL);
    values[2] = statistics_tvd(a, b, n);
    values[3] = statistics_jensen_shannon(a, b, n, NULL);
}

static bool finish(struct comparison *comparison, struct error *error) {
    struct sizes sizes;
    bool done = collect(comparison, &sizes, error) && find_rows(comparison, &sizes, error);

    if (done) {
        cumulate(comparison, &sizes);
        keep_distances(comparison, &sizes);
        done = say_effects(comparison, &sizes, error) &&
               shuffle_say(comparison,
                           &(struct shuffle_measure){.what = "the distance in doublings",
                                                     .find = find_distances,
                                                     .context = &sizes,
                                                     .sizes = sizes.size},
                           error);
    }
    compare_decide_all(comparison);
    free(sizes.memory);
    return done;
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        if (comparison->scaled) {
            compare_put_real(&values[side], row->values[side]);
        } else {
            compare_put_integer(&values[side], row->numbers[side][NUMBER_VALUE]);
        }
        compare_put_real(&values[2 + side],
                         compare_share((double)row->numbers[side][NUMBER_VALUE],
                                       comparison->sides[side].totals[NUMBER_VALUE]));
        compare_put_real(&values[4 + side], row->cumulated[side]);
        compare_put_real(&values[6 + side], row->cumulated_bytes[side]);
    }
    compare_put_real(&values[8], row->part);
}

const struct compare_method_row compare_sizes = {
    .columns = {{"a", "", COLUMN_INTEGER},
                {"b", "", COLUMN_INTEGER},
                {"share_a", "fraction", COLUMN_SHARE},
                {"share_b", "fraction", COLUMN_SHARE},
                {"cumulative_a", "fraction", COLUMN_SHARE},
                {"cumulative_b", "fraction", COLUMN_SHARE},
                {"bytes_cumulative_a", "fraction", COLUMN_SHARE},
                {"bytes_cumulative_b", "fraction", COLUMN_SHARE},
                {"part", "fraction", COLUMN_SHARE}},
    .pers = "second call io run none",
    .usual_per = PER_NONE,
    .sorts = "part delta ratio a b",
    .usual_sort = SORT_USUAL,
    .finish = finish,
    .fill = fill,
};
