/* Compares groups of values, such as latencies: which quantiles changed (a shift function), and
 * whether the variation between blocks shows that a change is significant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/comparison.h"
#include "scan/statistics.h"

/* Number of ratios b / a: one for each of DISTRIBUTION_QUANTILES, then the mean. */
#define INFERENCE_RATIOS (DISTRIBUTION_QUANTILE_COUNT + 1)

/* Dependence of a side's successive values on one another, and their drift over time. */
struct inference_side {
    double correlation_time; /* number of successive values that are correlated; at least 1 */
    double effective; /* effective sample size: number of equally informative independent values */
    /* drift: Wasserstein distance from the first to the last third of the blocks, as a binary
     * logarithm; drift_p: its p-value. 0 and 1 if there are too few blocks. */
    double drift, drift_p;
};

struct inference {
    bool done; /* true: there were enough blocks; false: p-values and bounds are unknown */
    double d, wasserstein; /* d: Kolmogorov-Smirnov distance; wasserstein: of binary logarithms */
    double cliff;
    double d_p, wasserstein_p;
    struct inference_side sides[SIDES];
    bool is_dependent; /* true: successive blocks of time are significantly correlated */
    double hurst;      /* Hurst parameter of the correlation, if `is_dependent` */
    /* Confidence bounds of the ratios b / a; NAN: too few values. */
    double low[INFERENCE_RATIOS], high[INFERENCE_RATIOS];
};

/* A quantile gets an interval if at least this many independent values lie on each side of it. */
#define EFFECTIVE_BEYOND 5

/* Largest ratio of two values in one histogram bucket. Values are known only up to this factor, so
 * intervals are widened by it. */
#define BUCKET 1.0054299

/* Number of permutations for the p-value of a drift over time. */
#define DRIFT_TRIALS 199

static const int quantiles[DISTRIBUTION_QUANTILE_COUNT] = DISTRIBUTION_QUANTILES;

/* Histograms of all blocks of both sides, without buckets that are empty everywhere. */
struct blocks {
    size_t counts[SIDES], places;
    double *memory;      /* owned; the arrays below point into it */
    double *x;           /* binary logarithm of each bucket's value */
    double *linear;      /* value of each bucket */
    double *mass;        /* histogram of each block, scaled to a sum of 1: blocks of a, then of b */
    double *all;         /* sum of `mass` over all blocks of both sides */
    double *sums[SIDES]; /* scratch space: a histogram for each side */
    double *whole[SIDES]; /* sum of `mass` over the blocks of a side */
    double *given[SIDES]; /* `whole`, but blocks of time count by their number of values */
    double *series;       /* scratch space: one number for each block */
    bool in_time;         /* true: a block is an interval of time; false: a whole trace */
};

static const double *bucket_values_of_block(const struct blocks *blocks, enum side side, size_t i) {
    return blocks->mass + ((side == SIDE_B ? blocks->counts[SIDE_A] : 0) + i) * blocks->places;
}

/* --- preparing histograms of the values in each block ----------------------------------------- */

static bool bucket_is_used(const struct compare_block_histograms *cut, int64_t bucket) {
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

/* Returns the histogram buckets in which either side has values; the caller frees them. */
static int64_t *find_buckets(const struct compare_group *group, size_t *count) {
    const struct compare_block_histograms *a = &group->cuts[SIDE_A], *b = &group->cuts[SIDE_B];
    int64_t least = a->least < b->least ? a->least : b->least;
    int64_t end_a = a->least + (int64_t)a->places, end_b = b->least + (int64_t)b->places;
    int64_t end = end_a > end_b ? end_a : end_b;
    int64_t *buckets = xcalloc((size_t)(end - least) + 1, sizeof *buckets);

    *count = 0;
    for (int64_t bucket = least; bucket < end; bucket++) {
        if (bucket_is_used(a, bucket) || bucket_is_used(b, bucket)) {
            buckets[(*count)++] = bucket;
        }
    }
    return buckets;
}

/* Fills in the histogram of a block, scaled to a sum of 1. Returns the number of its values. */
static double fill_block(const struct compare_block_histograms *cut, size_t block,
                         const int64_t *buckets, size_t places, double *mass) {
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
    return total;
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
            double total = fill_block(&group->cuts[side], block, buckets, places, mass);

            for (size_t i = 0; i < places; i++) {
                blocks->all[i] += mass[i];
                blocks->whole[side][i] += mass[i];
                blocks->given[side][i] += mass[i] * (blocks->in_time ? total : 1);
            }
        }
    }
}

static void values_lay_out(const struct compare_group *group, struct blocks *blocks) {
    int64_t *buckets = find_buckets(group, &blocks->places);
    size_t places = blocks->places, rows, all;

    blocks->counts[SIDE_A] = group->cuts[SIDE_A].blocks;
    blocks->counts[SIDE_B] = group->cuts[SIDE_B].blocks;
    all = blocks->counts[SIDE_A] + blocks->counts[SIDE_B];
    rows = all + 9;
    blocks->memory = xcalloc(rows * places + all + 1, sizeof *blocks->memory);
    blocks->x = blocks->memory;
    blocks->linear = blocks->x + places;
    blocks->all = blocks->linear + places;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        blocks->sums[side] = blocks->all + (1 + side) * places;
        blocks->whole[side] = blocks->all + (3 + side) * places;
        blocks->given[side] = blocks->all + (5 + side) * places;
    }
    blocks->mass = blocks->all + 7 * places;
    blocks->series = blocks->memory + rows * places;
    fill_blocks(group, buckets, blocks);
    free(buckets);
}

enum { STATISTIC_D, STATISTIC_W, STATISTICS };

static void values_find_distances(void *context, const bool *is_b, double *values) {
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

/* Sets `ends` to a comparison within a side: the first `third` blocks are a, the last `third` are
 * b. The caller frees ends->memory. */
static void lay_out_ends(const struct blocks *blocks, enum side side, size_t third,
                         struct blocks *ends) {
    size_t places = blocks->places, size = third * places;

    *ends = (struct blocks){.counts = {third, third}, .places = places, .x = blocks->x};
    ends->memory = xcalloc(2 * size + 3 * places + 1, sizeof *ends->memory);
    ends->mass = ends->memory;
    ends->all = ends->mass + 2 * size;
    ends->sums[SIDE_A] = ends->all + places;
    ends->sums[SIDE_B] = ends->sums[SIDE_A] + places;
    memcpy(ends->mass, bucket_values_of_block(blocks, side, 0), size * sizeof *ends->mass);
    memcpy(ends->mass + size, bucket_values_of_block(blocks, side, blocks->counts[side] - third),
           size * sizeof *ends->mass);
    for (size_t i = 0; i < 2 * size; i++) {
        ends->all[i % places] += ends->mass[i];
    }
}

/* Tests whether a side's values rise or fall over time. `random` is a copy, so that this test does
 * not change other results. */
static void find_drift(const struct blocks *blocks, enum side side, struct resampling_random random,
                       int resamples, struct inference_side *known) {
    size_t third = blocks->counts[side] / 3;
    bool is_b[RESAMPLING_BLOCKS] = {false};
    double values[STATISTICS], p[STATISTICS];
    struct blocks ends;

    known->drift_p = 1;
    if (third < DISTRIBUTION_FEWEST) {
        return;
    }
    lay_out_ends(blocks, side, third, &ends);
    for (size_t i = third; i < 2 * third; i++) {
        is_b[i] = true;
    }
    values_find_distances(&ends, is_b, values);
    resampling_permute(&random, third, third, resamples < DRIFT_TRIALS ? resamples : DRIFT_TRIALS,
                       STATISTICS, NULL, values_find_distances, &ends, p);
    known->drift = values[STATISTIC_W];
    known->drift_p = p[STATISTIC_W];
    free(ends.memory);
}

/* Measures the correlation of the means of successive blocks. `of_a`, `of_b`: value of each bucket
 * on side a and b. Blocks that are whole traces are taken as independent. */
static struct dependence values_find_dependence(const struct blocks *blocks, const double *of_a,
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
    dependence_estimate(series, SIDES, &found);
    if (!blocks->in_time) {
        dependence_set_independent(&found);
    }
    return found;
}

/* --- distances and confidence intervals ------------------------------------------------------- */

/* Computes the quantiles and the mean of a histogram. */
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

static void values_draw(const struct blocks *blocks, enum side side,
                        struct resampling_random *random, double *levels) {
    double *sum = blocks->sums[side];

    for (size_t i = 0; i < blocks->places; i++) {
        sum[i] = 0;
    }
    for (size_t drawn = 0; drawn < blocks->counts[side]; drawn++) {
        const double *mass =
            bucket_values_of_block(blocks, side, resampling_draw(random, blocks->counts[side]));

        for (size_t i = 0; i < blocks->places; i++) {
            sum[i] += mass[i];
        }
    }
    find_levels(blocks, sum, levels);
}

/* Returns whether enough independent values are above and below the quantile for an interval. */
static bool values_is_known(const struct inference *inference, int ratio) {
    double share = ratio < DISTRIBUTION_QUANTILE_COUNT ? quantiles[ratio] / 1000.0 : 0.5;
    double rarer = share < 0.5 ? share : 1 - share;

    return inference->sides[SIDE_A].effective * rarer >= EFFECTIVE_BEYOND &&
           inference->sides[SIDE_B].effective * rarer >= EFFECTIVE_BEYOND;
}

/* Returns the factor that widens a confidence interval because there are few blocks, which may be
 * correlated. A quantile's error is computed as the error of the share of values below it. */
static double find_widening(const struct blocks *blocks, int ratio, double confidence) {
    struct dependence found;

    if (ratio == INFERENCE_RATIOS - 1) {
        found = values_find_dependence(blocks, blocks->linear, blocks->linear);
    } else {
        for (enum side side = SIDE_A; side < SIDES; side++) {
            /* Buckets up to the quantile have the value 1, all others 0. */
            double share = quantiles[ratio] / 1000.0;
            const double *whole = blocks->whole[side];
            double wanted = statistics_total(whole, blocks->places) * share * (1 - 1e-12), sum = 0;

            for (size_t i = 0; i < blocks->places; i++) {
                blocks->sums[side][i] = sum < wanted ? 1 : 0;
                sum += whole[i];
            }
        }
        found = values_find_dependence(blocks, blocks->sums[SIDE_A], blocks->sums[SIDE_B]);
        /* The variation is computed relative to the means. It must be equal for the shares below
         * and above the quantile, as their absolute variation is, so the means are set to 1. */
        found.means[SIDE_A] = found.means[SIDE_B] = 1;
    }
    return resampling_widening_factor(&found, blocks->counts, confidence);
}

static void values_find_intervals(const struct blocks *blocks, struct resampling_random *random,
                                  int resamples, double confidence, struct inference *inference) {
    size_t count = (size_t)resamples;
    double *ratios = xcalloc(INFERENCE_RATIOS * count + 1, sizeof *ratios);
    double a[INFERENCE_RATIOS], b[INFERENCE_RATIOS], middle[INFERENCE_RATIOS];

    find_levels(blocks, blocks->whole[SIDE_A], a);
    find_levels(blocks, blocks->whole[SIDE_B], b);
    for (int j = 0; j < INFERENCE_RATIOS; j++) {
        middle[j] = b[j] / a[j];
    }
    for (size_t i = 0; i < count; i++) {
        values_draw(blocks, SIDE_A, random, a);
        values_draw(blocks, SIDE_B, random, b);
        for (int j = 0; j < INFERENCE_RATIOS; j++) {
            ratios[(size_t)j * count + i] = b[j] / a[j];
        }
    }
    for (int j = 0; j < INFERENCE_RATIOS; j++) {
        double *own = ratios + (size_t)j * count;

        if (values_is_known(inference, j)) {
            double widening = find_widening(blocks, j, confidence);
            double low = resampling_quantile(own, count, (1 - confidence) / 2);
            double high = resampling_quantile(own, count, (1 + confidence) / 2);

            inference->low[j] = resampling_widen(low, middle[j], widening, true) / BUCKET;
            inference->high[j] = resampling_widen(high, middle[j], widening, false) * BUCKET;
        }
    }
    free(ratios);
}

static double values_mean_of(const struct blocks *blocks, const double *mass, double power,
                             double around) {
    double sum = 0, total = 0;

    for (size_t i = 0; i < blocks->places; i++) {
        sum += mass[i] * pow(blocks->x[i] - around, power);
        total += mass[i];
    }
    return total > 0 ? sum / total : 0;
}

/* Estimates the correlation time by batch means. The mean of m independent values has 1 / m of the
 * variance of the values; the actual ratio times m is the correlation time. Uses logarithms, so
 * that a few long values do not dominate. */
static void find_correlation(const struct blocks *blocks, enum side side, int64_t values,
                             struct inference_side *known) {
    size_t count = blocks->counts[side];
    double mean = values_mean_of(blocks, blocks->whole[side], 1, 0);
    double variance = values_mean_of(blocks, blocks->whole[side], 2, mean);
    double between = 0;

    for (size_t i = 0; i < count; i++) {
        double distance = values_mean_of(blocks, bucket_values_of_block(blocks, side, i), 1, mean);

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

static void find_chance(struct blocks *blocks, struct resampling_random *random, int resamples,
                        double confidence, struct inference *inference) {
    struct dependence found = values_find_dependence(blocks, blocks->x, blocks->x);
    struct resampling_reach reach = {.factor = dependence_of_difference(&found)};
    double p[STATISTICS];

    inference->is_dependent = found.is_certain;
    inference->hurst = found.hurst;
    reach.powers[STATISTIC_D] = reach.powers[STATISTIC_W] = 1;
    resampling_permute(random, blocks->counts[SIDE_A], blocks->counts[SIDE_B], resamples,
                       STATISTICS, &reach, values_find_distances, blocks, p);
    inference->d_p = p[STATISTIC_D];
    inference->wasserstein_p = p[STATISTIC_W];
    inference->done = true;
    values_find_intervals(blocks, random, resamples, confidence, inference);
}

/* Computes distances, p-values and intervals of a group of values. `fewest`: number of blocks that
 * each side needs; if below DISTRIBUTION_FEWEST, blocks are whole traces, which are independent.
 * `confidence` is between 0 and 1. */
static void infer_group(const struct compare_group *group, struct resampling_random *random,
                        size_t fewest, int resamples, double confidence,
                        struct inference *inference) {
    struct blocks blocks = {.in_time = fewest == DISTRIBUTION_FEWEST};
    size_t n_a = group->cuts[SIDE_A].blocks, n_b = group->cuts[SIDE_B].blocks;

    *inference = (struct inference){.d_p = 1, .wasserstein_p = 1};
    for (int i = 0; i < INFERENCE_RATIOS; i++) {
        inference->low[i] = inference->high[i] = NAN;
    }
    if (n_a == 0 || n_b == 0) {
        return;
    }
    values_lay_out(group, &blocks);
    inference->d = statistics_ks(blocks.given[SIDE_A], blocks.given[SIDE_B], blocks.places, NULL);
    inference->wasserstein =
        statistics_wasserstein(blocks.x, blocks.given[SIDE_A], blocks.given[SIDE_B], blocks.places);
    inference->cliff = statistics_cliff(blocks.given[SIDE_A], blocks.given[SIDE_B], blocks.places);
    /* Rounding errors around 0 become 0. */
    inference->cliff = fabs(inference->cliff) < 1e-12 ? 0 : inference->cliff;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        find_correlation(&blocks, side, group->counts[side], &inference->sides[side]);
    }
    /* Traces have no order, so there is no drift. */
    for (enum side side = SIDE_A; fewest == DISTRIBUTION_FEWEST && side < SIDES; side++) {
        find_drift(&blocks, side, *random, resamples, &inference->sides[side]);
    }
    if (n_a >= fewest && n_b >= fewest) {
        find_chance(&blocks, random, resamples, confidence, inference);
    }
    free(blocks.memory);
}

/* Limit of groups of values that are reported in a comment line each. Further groups get only rows,
 * without a comment line. */
#define SAID_GROUPS 32

/* A comment line is added if blocks last less than BLOCK_TIMES correlation times, or if a drift has
 * a p-value up to DRIFT_P. */
#define BLOCK_TIMES 5
#define DRIFT_P     0.01

const char *const compare_levels[COMPARE_LEVELS] = {
    "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9", "max", "mean", "n"};

enum { LEVEL_LARGEST = DISTRIBUTION_QUANTILE_COUNT, LEVEL_MEAN };

/* --- # lines on distances, and on reasons to doubt them --------------------------------------- */

static void note_method(struct comparison *comparison) {
    const struct compare_request *request = comparison->request;
    bool several = compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST;
    struct notes *notes = &comparison->notes;

    if (request->blocks == 0) {
        notes_append(notes, "significance is not known without blocks of time (--blocks 0)");
    } else if (several && !compare_has_several_traces(comparison)) {
        notes_append(notes, "low, high and p: unknown, since one side is a single trace; to "
                            "estimate how traces vary by chance, both sides need several");
    } else if (several) {
        notes_append(notes,
                     "low and high: %g %% confidence interval of the ratio, by resampling traces; "
                     "p: by permuting them; both give each trace the same weight, while columns a "
                     "and b pool the values of all traces; up to %d times, seed %llu",
                     100 * request->confidence, request->resamples,
                     (unsigned long long)request->seed);
    } else {
        notes_append(notes,
                     "low and high: %g %% confidence interval of the ratio, by resampling blocks "
                     "of time; p: by permuting them; up to %d blocks for each, %d times, seed "
                     "%llu",
                     100 * request->confidence, request->blocks, request->resamples,
                     (unsigned long long)request->seed);
    }
}

/* Appends the distances between the sides for a group. `lack`: why p-values are unknown. */
static void append_effects(struct text *line, const struct compare_group *group,
                           const struct inference *inference, const char *lack) {
    text_append_format(line, ": n %lld and %lld", (long long)group->counts[SIDE_A],
                       (long long)group->counts[SIDE_B]);
    if (!group->has[SIDE_A] || !group->has[SIDE_B]) {
        return;
    }
    if (group->cuts[SIDE_A].blocks == 0 || group->cuts[SIDE_B].blocks == 0) {
        text_append_format(line, "; no distances: not one of the %d largest groups of a or of b",
                           DISTRIBUTION_CUT);
        return;
    }
    text_append_format(line, "; Kolmogorov-Smirnov D %.6g", inference->d);
    if (inference->done) {
        text_append_format(line, " (p %.4g)", inference->d_p);
    }
    text_append_format(
        line, "; Cliff's delta %.6g (%s); Wasserstein distance %.6g doublings (log2)",
        inference->cliff, statistics_cliff_word(inference->cliff), inference->wasserstein);
    if (!inference->done) {
        text_append_string(line, lack);
        return;
    }
    text_append_format(line, " (p %.4g)", inference->wasserstein_p);
    text_append_format(
        line, "; correlation time %.3g and %.3g values (%.4g and %.4g effective ones)",
        inference->sides[SIDE_A].correlation_time, inference->sides[SIDE_B].correlation_time,
        inference->sides[SIDE_A].effective, inference->sides[SIDE_B].effective);
}

/* Reasons to doubt a group's results. If several groups share a reason, one line names them all. */
enum weakness { WEAK_DEPENDENT, WEAK_SHORT, WEAK_DRIFT, WEAKNESSES };

struct weaknesses {
    struct comparison *comparison;
    size_t counts[WEAKNESSES];
    struct text lines[WEAKNESSES]; /* owned; by reason: the comment line if only one group has this
                                      reason */
    struct text names[WEAKNESSES]; /* owned; by reason: names of all groups with it, for a common
                                      comment line */
};

static const char *values_name_of(const struct compare_group *group) {
    return group->name[0] == '\0' ? "(no name)" : group->name;
}

/* Counts one more group with this reason for doubt. Appends a comma to the reason's list of group
 * names if it is not empty. Empties the reason's comment line and returns it, to be filled. */
static struct text *next_weakness(struct weaknesses *weaknesses, enum weakness weakness) {
    struct text *line = &weaknesses->lines[weakness];

    text_append_string(&weaknesses->names[weakness],
                       weaknesses->counts[weakness]++ > 0 ? ", " : "");
    text_clear(line);
    return line;
}

/* Finds two reasons to doubt a side's values: blocks are shorter than BLOCK_TIMES correlation times
 * (not checked if long-range correlation is reported already), or values drift over time. */
static void find_weaknesses(struct weaknesses *weaknesses, const struct compare_group *group,
                            const struct inference *inference, enum side side) {
    const struct inference_side *known = &inference->sides[side];
    double values = (double)group->counts[side] / (double)group->cuts[side].blocks;
    const char *name = side == SIDE_A ? "a" : "b";

    if (!inference->is_dependent && values < BLOCK_TIMES * known->correlation_time &&
        compare_fewest_blocks(weaknesses->comparison) == DISTRIBUTION_FEWEST) {
        text_append_format(next_weakness(weaknesses, WEAK_SHORT),
                           "%s: blocks of %s hold %.4g values, less than %d correlation times: "
                           "differences may be chance; use fewer --blocks or longer traces",
                           group->name, name, values, BLOCK_TIMES);
        text_append_format(&weaknesses->names[WEAK_SHORT], "%s in %s: %.4g values",
                           values_name_of(group), name, values);
    }
    if (known->drift_p <= DRIFT_P && known->drift > inference->wasserstein &&
        known->drift > log2(1 + weaknesses->comparison->request->noise)) {
        text_append_format(
            next_weakness(weaknesses, WEAK_DRIFT),
            "%s: the first and the last third of %s are %.6g doublings apart, more "
            "than a and b: a rise or fall within one of them enlarges p-values and intervals",
            group->name, name, known->drift);
        text_append_format(&weaknesses->names[WEAK_DRIFT], "%s in %s: %.6g doublings",
                           values_name_of(group), name, known->drift);
    }
}

static void find_all_weaknesses(struct weaknesses *weaknesses, const struct compare_group *group,
                                const struct inference *inference) {
    if (inference->is_dependent) {
        text_append_format(next_weakness(weaknesses, WEAK_DEPENDENT), "%s: " DEPENDENCE_REMARK,
                           group->name, inference->hurst);
        text_append_format(&weaknesses->names[WEAK_DEPENDENT], "%s: Hurst parameter %.2f",
                           values_name_of(group), inference->hurst);
    }
    for (enum side side = SIDE_A; inference->done && side < SIDES; side++) {
        find_weaknesses(weaknesses, group, inference, side);
    }
}

static void note_weaknesses(struct weaknesses *weaknesses) {
    static const char *const sentences[WEAKNESSES] = {
        "blocks of time are long-range dependent: confidence intervals and p-values are enlarged "
        "for it",
        "blocks hold less than 5 correlation times: differences may be chance; use fewer --blocks "
        "or longer traces",
        "the first and the last third of a or of b are further apart than a and b: a rise or fall "
        "within one of them enlarges p-values and intervals",
    };
    struct notes *notes = &weaknesses->comparison->notes;

    for (int i = 0; i < WEAKNESSES; i++) {
        if (weaknesses->counts[i] == 1) {
            notes_append(notes, "%s", text_string(&weaknesses->lines[i]));
        } else if (weaknesses->counts[i] > 1) {
            notes_append(notes, "%s: %zu figures (%s)", sentences[i], weaknesses->counts[i],
                         text_string(&weaknesses->names[i]));
        }
        text_free(&weaknesses->lines[i]);
        text_free(&weaknesses->names[i]);
    }
}

/* Returns why no group has confidence intervals. */
static const char *why_unknown(const struct comparison *comparison) {
    return comparison->request->blocks == 0 ? ""
           : compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST
               ? "no p or interval: too few traces"
               : "no p or interval: too few values to cut into blocks of time";
}

/* Adds the comment line of a group of values. It says why intervals are unknown, unless `several`
 * groups lack them: then one common line says it. */
static void note_group(struct comparison *comparison, const struct compare_group *group,
                       const struct inference *inference, bool several) {
    struct text line = {0}, why = {0};

    if (!several && why_unknown(comparison)[0] != '\0') {
        text_append_format(&why, "; %s", why_unknown(comparison));
    }
    text_append_string(&line, values_name_of(group));
    append_effects(&line, group, inference, text_string(&why));
    text_free(&why);
    notes_append(&comparison->notes, "%s", text_string(&line));
    text_free(&line);
}

static void fill_row(const struct comparison *comparison, struct compare_row *row,
                     const struct compare_group *group, const struct inference *inference) {
    int ratio = row->level < LEVEL_LARGEST ? row->level
                : row->level == LEVEL_MEAN ? INFERENCE_RATIOS - 1
                                           : -1;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        row->has[side] = group->has[side];
        row->numbers[side][NUMBER_VALUE] = row->level < LEVEL_LARGEST
                                               ? group->quantiles[side][row->level]
                                           : row->level == LEVEL_LARGEST ? group->largest[side]
                                           : row->level == LEVEL_MEAN    ? group->means[side]
                                                                         : group->counts[side];
        row->values[side] = group->has[side] ? (double)row->numbers[side][NUMBER_VALUE] : NAN;
    }
    row->delta = row->values[SIDE_B] - row->values[SIDE_A];
    row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
    row->low = ratio < 0 ? NAN : inference->low[ratio];
    row->high = ratio < 0 ? NAN : inference->high[ratio];
    row->p = compare_p_value_from_bounds(comparison, row->ratio, row->low, row->high);
    if (compare_lacks_durations(comparison)) {
        row->delta = row->ratio = row->low = row->high = row->p = NAN;
        row->verdict = VERDICT_NOT_COMPARABLE;
        return;
    }
    row->verdict = compare_decide_verdict(comparison, row);
    /* If a value is 0, the ratio has no bounds. Unlike a missing group, the 0 may be chance, so the
     * verdict is "unclear". */
    if ((row->verdict == VERDICT_MORE || row->verdict == VERDICT_LESS) && isnan(row->low) &&
        comparison->request->blocks > 0) {
        row->verdict = VERDICT_UNCLEAR;
    }
}

static bool finish_values(struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;
    struct inference *inferences = xcalloc(comparison->groups.count + 1, sizeof *inferences);
    struct resampling_random random = {.state = request->seed};
    struct weaknesses weaknesses = {.comparison = comparison};
    const size_t groups = comparison->groups.count;
    size_t unknown = 0;

    note_method(comparison);
    for (size_t i = 0; i < groups; i++) {
        const struct compare_group *group = &comparison->groups.groups[i];

        infer_group(group, &random, compare_fewest_blocks(comparison), request->resamples,
                    request->confidence, &inferences[i]);
        unknown += group->has[SIDE_A] && group->has[SIDE_B] && !inferences[i].done;
    }
    for (size_t i = 0; i < groups && i < SAID_GROUPS; i++) {
        note_group(comparison, &comparison->groups.groups[i], &inferences[i], unknown > 1);
        find_all_weaknesses(&weaknesses, &comparison->groups.groups[i], &inferences[i]);
    }
    if (unknown > 1 && why_unknown(comparison)[0] != '\0') {
        notes_append(&comparison->notes, "%s: %zu of %zu groups", why_unknown(comparison), unknown,
                     groups);
    }
    note_weaknesses(&weaknesses);
    for (size_t i = 0; i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        fill_row(comparison, row, &comparison->groups.groups[row->group], &inferences[row->group]);
    }
    free(inferences);
    return true;
}

const struct compare_method_row compare_values = {
    .keys = {{"group", "", COLUMN_TEXT}, {"quantile", "", COLUMN_TEXT}},
    .cells = {CELL_A, CELL_B, CELL_DELTA, CELL_RATIO, CELL_LOW, CELL_HIGH, CELL_VERDICT},
    .kind = COLUMN_DURATION,
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .keeps_order = true,
    .finish = finish_values,
};
