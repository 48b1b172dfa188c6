#include "compare/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/statistics.h"
#include "base/memory.h"

/* Values beyond a quantile that its interval needs, of those that are effective. */
#define EFFECTIVE_BEYOND 5

/* Values of one bucket differ by no more than this factor, and a ratio of the middles of two is as
 * far off: intervals are so much wider. */
#define BUCKET 1.0054299

/* Trials by which it is found out whether a side changes within itself. */
#define DRIFT_TRIALS 199

static const int quantiles[DISTRIBUTION_QUANTILE_COUNT] = DISTRIBUTION_QUANTILES;

/* The blocks of both sides over the buckets that are not empty, each block of the same weight 1. */
struct blocks {
    size_t counts[SIDES], places;
    double *memory;       /* owned; what follows points into it */
    double *x;            /* doublings of each place */
    double *linear;       /* values of each place */
    double *mass;         /* of a's blocks, then of b's */
    double *all;          /* mass of all blocks of both */
    double *sums[SIDES];  /* room for one of each */
    double *whole[SIDES]; /* all blocks of a side */
    double *series;       /* room for a number of each block */
    bool in_time;         /* blocks of time, not traces */
};

static const double *block_of(const struct blocks *blocks, enum side side, size_t i) {
    return blocks->mass + ((side == SIDE_B ? blocks->counts[SIDE_A] : 0) + i) * blocks->places;
}

/* --- laying out ------------------------------------------------------------------------------- */

static bool has_bucket(const struct compare_cut *cut, int64_t bucket) {
    if (bucket < cut->least || bucket >= cut->least + (int64_t)cut->places) {
        return false;
    }
    for (size_t i = 0; i < cut->blocks; i++) {
        if (cut->counts[i * cut->places + (size_t)(bucket - cut->least)] > 0) {
            return true;
        }
    }
    return false;
}

/* The buckets of either side that are not empty, owned by the caller. */
static int64_t *find_buckets(const struct compare_group *group, size_t *count,
                             struct error *error) {
    const struct compare_cut *a = &group->cuts[SIDE_A], *b = &group->cuts[SIDE_B];
    int64_t least = a->least < b->least ? a->least : b->least;
    int64_t end_a = a->least + (int64_t)a->places, end_b = b->least + (int64_t)b->places;
    int64_t end = end_a > end_b ? end_a : end_b;
    int64_t *buckets = xcalloc((size_t)(end - least) + 1, sizeof *buckets);

    *count = 0;
    for (int64_t bucket = least; bucket < end; bucket++) {
        if (has_bucket(a, bucket) || has_bucket(b, bucket)) {
            buckets[(*count)++] = bucket;
        }
    }
    return buckets;
}

static void fill_block(const struct compare_cut *cut, size_t block, const int64_t *buckets,
                       size_t places, double *mass) {
    double total;

    for (size_t i = 0; i < places; i++) {
        int64_t place = buckets[i] - cut->least;

        mass[i] = place >= 0 && place < (int64_t)cut->places
                      ? cut->counts[block * cut->places + (size_t)place]
                      : 0;
    }
    total = statistics_total(mass, places);
    for (size_t i = 0; i < places && total > 0; i++) {
        mass[i] /= total;
    }
}

static void fill_blocks(const struct compare_group *group, const int64_t *buckets,
                        struct blocks *blocks) {
    size_t places = blocks->places;
    double *mass = blocks->mass;

    for (size_t i = 0; i < places; i++) {
        blocks->x[i] = distribution_bucket(buckets[i]);
        blocks->linear[i] = exp2(blocks->x[i]);
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < blocks->counts[side]; block++, mass += places) {
            fill_block(&group->cuts[side], block, buckets, places, mass);
            for (size_t i = 0; i < places; i++) {
                blocks->all[i] += mass[i];
                blocks->whole[side][i] += mass[i];
            }
        }
    }
}

static bool lay_out(const struct compare_group *group, struct blocks *blocks, struct error *error) {
    int64_t *buckets = find_buckets(group, &blocks->places, error);
    size_t places = blocks->places, rows, all;

    if (buckets == NULL) {
        return false;
    }
    blocks->counts[SIDE_A] = group->cuts[SIDE_A].blocks;
    blocks->counts[SIDE_B] = group->cuts[SIDE_B].blocks;
    all = blocks->counts[SIDE_A] + blocks->counts[SIDE_B];
    rows = all + 7;
    blocks->memory = xcalloc(rows * places + all + 1, sizeof *blocks->memory);
    if (blocks->memory == NULL) {
        free(buckets);
        return error_no_memory(error);
    }
    blocks->x = blocks->memory;
    blocks->linear = blocks->x + places;
    blocks->all = blocks->linear + places;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        blocks->sums[side] = blocks->all + (1 + side) * places;
        blocks->whole[side] = blocks->all + (3 + side) * places;
    }
    blocks->mass = blocks->all + 5 * places;
    blocks->series = blocks->memory + rows * places;
    fill_blocks(group, buckets, blocks);
    free(buckets);
    return true;
}

/* --- whether it is chance --------------------------------------------------------------------- */

enum { STATISTIC_D, STATISTIC_W, STATISTICS };

static void find_distances(void *context, const bool *is_b, double *values) {
    const struct blocks *blocks = context;
    size_t n = blocks->counts[SIDE_A] + blocks->counts[SIDE_B];
    double *a = blocks->sums[SIDE_A], *b = blocks->sums[SIDE_B];

    for (size_t i = 0; i < blocks->places; i++) {
        a[i] = 0;
    }
    for (size_t block = 0; block < n; block++) {
        const double *mass = blocks->mass + block * blocks->places;

        for (size_t i = 0; !is_b[block] && i < blocks->places; i++) {
            a[i] += mass[i];
        }
    }
    for (size_t i = 0; i < blocks->places; i++) {
        b[i] = fmax(blocks->all[i] - a[i], 0);
    }
    values[STATISTIC_D] = statistics_ks(a, b, blocks->places, NULL);
    values[STATISTIC_W] = statistics_wasserstein(blocks->x, a, b, blocks->places);
}

/* The first and the last third of a side's blocks as two sides, `third` blocks each; owned memory.
 */
static bool lay_out_ends(const struct blocks *blocks, enum side side, size_t third,
                         struct blocks *ends, struct error *error) {
    size_t places = blocks->places, size = third * places;

    *ends = (struct blocks){.counts = {third, third}, .places = places, .x = blocks->x};
    ends->memory = xcalloc(2 * size + 3 * places + 1, sizeof *ends->memory);
    ends->mass = ends->memory;
    ends->all = ends->mass + 2 * size;
    ends->sums[SIDE_A] = ends->all + places;
    ends->sums[SIDE_B] = ends->sums[SIDE_A] + places;
    memcpy(ends->mass, block_of(blocks, side, 0), size * sizeof *ends->mass);
    memcpy(ends->mass + size, block_of(blocks, side, blocks->counts[side] - third),
           size * sizeof *ends->mass);
    for (size_t i = 0; i < 2 * size; i++) {
        ends->all[i % places] += ends->mass[i];
    }
    return true;
}

/* Whether a side changes within itself. The random numbers of others stay as they are. */
static bool find_drift(const struct blocks *blocks, enum side side, struct resampling_random random,
                       int resamples, struct inference_side *known, struct error *error) {
    size_t third = blocks->counts[side] / 3;
    bool is_b[RESAMPLING_BLOCKS] = {false};
    double values[STATISTICS], p[STATISTICS];
    struct blocks ends;

    known->drift_p = 1;
    if (third < DISTRIBUTION_FEWEST) {
        return true;
    }
    if (!lay_out_ends(blocks, side, third, &ends, error)) {
        return false;
    }
    for (size_t i = third; i < 2 * third; i++) {
        is_b[i] = true;
    }
    find_distances(&ends, is_b, values);
    resampling_permute(&random, third, third, resamples < DRIFT_TRIALS ? resamples : DRIFT_TRIALS,
                       STATISTICS, NULL, find_distances, &ends, p);
    known->drift = values[STATISTIC_W];
    known->drift_p = p[STATISTIC_W];
    free(ends.memory);
    return true;
}

/* --- whether blocks depend on one another ----------------------------------------------------- */

/* Of values of the places: their mean in each block. Traces do not depend on one another. */
static struct dependence find_dependence(const struct blocks *blocks, const double *of_a,
                                         const double *of_b) {
    size_t n_a = blocks->counts[SIDE_A], all = n_a + blocks->counts[SIDE_B];
    const struct dependence_series series[] = {
        {blocks->series, n_a},
        {blocks->series + n_a, all - n_a},
    };
    struct dependence found;

    for (size_t i = 0; i < all; i++) {
        const double *mass = blocks->mass + i * blocks->places, *values = i < n_a ? of_a : of_b;

        blocks->series[i] = 0;
        for (size_t j = 0; j < blocks->places; j++) {
            blocks->series[i] += mass[j] * values[j];
        }
    }
    dependence_find(series, SIDES, &found);
    if (!blocks->in_time) {
        memcpy(found.variances, found.independent, sizeof found.variances);
        found.is_certain = false;
    }
    return found;
}

/* --- how large it is -------------------------------------------------------------------------- */

/* The quantiles and the mean of what stands in `mass`. */
static void find_levels(const struct blocks *blocks, const double *mass, double *levels) {
    double total = statistics_total(mass, blocks->places), sum = 0, mean = 0;
    size_t place = 0;

    for (int i = 0; i < DISTRIBUTION_QUANTILE_COUNT; i++) {
        double wanted = total * quantiles[i] / 1000 * (1 - 1e-12);

        while (place < blocks->places - 1 && sum + mass[place] < wanted) {
            sum += mass[place++];
        }
        levels[i] = blocks->linear[place];
    }
    for (size_t i = 0; i < blocks->places; i++) {
        mean += mass[i] * blocks->linear[i];
    }
    levels[INFERENCE_RATIOS - 1] = mean / total;
}

static void draw(const struct blocks *blocks, enum side side, struct resampling_random *random,
                 double *levels) {
    double *sum = blocks->sums[side];

    for (size_t i = 0; i < blocks->places; i++) {
        sum[i] = 0;
    }
    for (size_t drawn = 0; drawn < blocks->counts[side]; drawn++) {
        const double *mass = block_of(blocks, side, resampling_below(random, blocks->counts[side]));

        for (size_t i = 0; i < blocks->places; i++) {
            sum[i] += mass[i];
        }
    }
    find_levels(blocks, sum, levels);
}

/* Puts 1 into a side's sums where values are no larger than the quantile, else 0. */
static void mark_up_to(const struct blocks *blocks, enum side side, double share) {
    const double *whole = blocks->whole[side];
    double wanted = statistics_total(whole, blocks->places) * share * (1 - 1e-12), sum = 0;

    for (size_t i = 0; i < blocks->places; i++) {
        blocks->sums[side][i] = sum < wanted ? 1 : 0;
        sum += whole[i];
    }
}

/* Whether there are enough on both sides of the quantile. */
static bool is_known(const struct inference *inference, int ratio) {
    double share = ratio < DISTRIBUTION_QUANTILE_COUNT ? quantiles[ratio] / 1000.0 : 0.5;
    double rarer = share < 0.5 ? share : 1 - share;

    return inference->sides[SIDE_A].effective * rarer >= EFFECTIVE_BEYOND &&
           inference->sides[SIDE_B].effective * rarer >= EFFECTIVE_BEYOND;
}

/* How much wider the interval of a ratio is than drawing blocks says: a quantile varies as the
 * share of values up to it does. */
static double find_widening(const struct blocks *blocks, int ratio, double confidence) {
    struct dependence found;

    if (!blocks->in_time) {
        return 1;
    }
    if (ratio == INFERENCE_RATIOS - 1) {
        found = find_dependence(blocks, blocks->linear, blocks->linear);
    } else {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            mark_up_to(blocks, side, quantiles[ratio] / 1000.0);
        }
        found = find_dependence(blocks, blocks->sums[SIDE_A], blocks->sums[SIDE_B]);
        /* Shares up to and beyond it vary alike, and what matters is how much, not in proportion.
         */
        found.means[SIDE_A] = found.means[SIDE_B] = 1;
    }
    return resampling_widening(&found, blocks->counts, confidence);
}

static bool find_intervals(const struct blocks *blocks, struct resampling_random *random,
                           int resamples, double confidence, struct inference *inference,
                           struct error *error) {
    size_t count = (size_t)resamples;
    double *ratios = xcalloc(INFERENCE_RATIOS * count + 1, sizeof *ratios);
    double a[INFERENCE_RATIOS], b[INFERENCE_RATIOS], middle[INFERENCE_RATIOS];

    find_levels(blocks, blocks->whole[SIDE_A], a);
    find_levels(blocks, blocks->whole[SIDE_B], b);
    for (int j = 0; j < INFERENCE_RATIOS; j++) {
        middle[j] = b[j] / a[j];
    }
    for (size_t i = 0; i < count; i++) {
        draw(blocks, SIDE_A, random, a);
        draw(blocks, SIDE_B, random, b);
        for (int j = 0; j < INFERENCE_RATIOS; j++) {
            ratios[(size_t)j * count + i] = b[j] / a[j];
        }
    }
    for (int j = 0; j < INFERENCE_RATIOS; j++) {
        double *own = ratios + (size_t)j * count;

        if (is_known(inference, j)) {
            double widening = find_widening(blocks, j, confidence);
            double low = resampling_quantile(own, count, (1 - confidence) / 2);
            double high = resampling_quantile(own, count, (1 + confidence) / 2);

            inference->low[j] = resampling_widen(low, middle[j], widening, true) / BUCKET;
            inference->high[j] = resampling_widen(high, middle[j], widening, false) * BUCKET;
        }
    }
    free(ratios);
    return true;
}

/* --- how much the values depend on one another -------------------------------------------------
 */

static double mean_of(const struct blocks *blocks, const double *mass, double power,
                      double around) {
    double sum = 0, total = 0;

    for (size_t i = 0; i < blocks->places; i++) {
        sum += mass[i] * pow(blocks->x[i] - around, power);
        total += mass[i];
    }
    return total > 0 ? sum / total : 0;
}

/* By batch means: of independent values, means of blocks of m of them vary by 1 / m of what the
 * values do; by how much more they do is how many values tell what one independent would. Of the
 * logarithms, for which a few long ones do not count for all. */
static void find_correlation(const struct blocks *blocks, enum side side, int64_t values,
                             struct inference_side *known) {
    size_t count = blocks->counts[side];
    double mean = mean_of(blocks, blocks->whole[side], 1, 0);
    double variance = mean_of(blocks, blocks->whole[side], 2, mean);
    double between = 0;

    for (size_t i = 0; i < count; i++) {
        double distance = mean_of(blocks, block_of(blocks, side, i), 1, mean);

        between += distance * distance;
    }
    known->correlation_time = 1;
    if (variance > 0 && count > 1) {
        known->correlation_time =
            fmax(1, between / (double)(count - 1) / variance * ((double)values / (double)count));
    }
    known->correlation_time = fmin(known->correlation_time, (double)values);
    known->effective = (double)values / known->correlation_time;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool find_chance(struct blocks *blocks, struct resampling_random *random, int resamples,
                        double confidence, struct inference *inference, struct error *error) {
    struct dependence found = find_dependence(blocks, blocks->x, blocks->x);
    struct resampling_reach reach = {.factor = dependence_of_difference(&found)};
    double p[STATISTICS];

    inference->is_dependent = found.is_certain;
    inference->hurst = found.hurst;
    reach.powers[STATISTIC_D] = reach.powers[STATISTIC_W] = 1;
    resampling_permute(random, blocks->counts[SIDE_A], blocks->counts[SIDE_B], resamples,
                       STATISTICS, &reach, find_distances, blocks, p);
    inference->d_p = p[STATISTIC_D];
    inference->wasserstein_p = p[STATISTIC_W];
    inference->done = true;
    return find_intervals(blocks, random, resamples, confidence, inference, error);
}

bool inference_make(const struct compare_group *group, struct resampling_random *random,
                    size_t fewest, int resamples, double confidence, struct inference *inference,
                    struct error *error) {
    struct blocks blocks = {.in_time = fewest == DISTRIBUTION_FEWEST};
    size_t n_a = group->cuts[SIDE_A].blocks, n_b = group->cuts[SIDE_B].blocks;
    bool done = true;

    *inference = (struct inference){.d_p = 1, .wasserstein_p = 1};
    for (int i = 0; i < INFERENCE_RATIOS; i++) {
        inference->low[i] = inference->high[i] = NAN;
    }
    if (n_a == 0 || n_b == 0) {
        return true;
    }
    if (!lay_out(group, &blocks, error)) {
        return false;
    }
    inference->d = statistics_ks(blocks.whole[SIDE_A], blocks.whole[SIDE_B], blocks.places, NULL);
    inference->wasserstein =
        statistics_wasserstein(blocks.x, blocks.whole[SIDE_A], blocks.whole[SIDE_B], blocks.places);
    inference->cliff = statistics_cliff(blocks.whole[SIDE_A], blocks.whole[SIDE_B], blocks.places);
    /* What rounding leaves of nothing is nothing. */
    inference->cliff = fabs(inference->cliff) < 1e-12 ? 0 : inference->cliff;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        find_correlation(&blocks, side, group->counts[side], &inference->sides[side]);
    }
    /* Traces of a group, of which two are enough, have no order. */
    for (enum side side = SIDE_A; done && fewest == DISTRIBUTION_FEWEST && side < SIDES; side++) {
        done = find_drift(&blocks, side, *random, resamples, &inference->sides[side], error);
    }
    if (done && n_a >= fewest && n_b >= fewest) {
        done = find_chance(&blocks, random, resamples, confidence, inference, error);
    }
    free(blocks.memory);
    return done;
}
