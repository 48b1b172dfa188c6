/* Effect sizes and significance of differences between two distributions, as pure functions. A
 * distribution is an array of counts: `a` and `b` hold the counts of the same `n` categories, in
 * the same order; for values, in ascending order. If one side is empty, every effect is 0.
 * tracetool-compare(1) has the definitions. */
#ifndef TRACETOOL_STATISTICS_H
#define TRACETOOL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the sum of the counts. */
double statistics_total(const double *counts, size_t n);

/* --- effect sizes for categories -------------------------------------------------------------- */

/* Returns the total variation distance, 0 to 1: share of events to change to make both equal. */
double statistics_tvd(const double *a, const double *b, size_t n);

/* Returns the Jensen-Shannon divergence in bits, 0 to 1. Sets `terms`, unless NULL, to the
 * contribution of each category. */
double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms);

/* Chi-square test: how counts deviate from those expected if both distributions were equal. `g` is
 * the statistic of the G-test. */
struct contingency {
    double chi_square, g;
    double cramers_v; /* effect size: Cramér's V, 0 to 1 */
    size_t degrees;   /* degrees of freedom: number of categories that occur, minus one */
    /* number of cells of the contingency table, and of those with an expected count below 5 */
    size_t cells, below_five;
};
struct contingency statistics_contingency(const double *a, const double *b, size_t n);

/* Returns the rank-biased overlap of two rankings, 0 to 1, extrapolated (Webber, Moffat and Zobel
 * 2010, eq. 32). `depths`, ascending, holds the worse of the two ranks, from 1, of each of the
 * `common` items. `length_a` and `length_b` are the lengths of the rankings. `p`, between 0 and 1,
 * is the weight of each rank relative to the rank above it. */
double statistics_rank_overlap(const size_t *depths, size_t common, size_t length_a,
                               size_t length_b, double p);

/* --- effect sizes for values ------------------------------------------------------------------ */

/* Returns Kolmogorov-Smirnov's D, 0 to 1: the largest difference of the cumulative shares. Sets
 * `*at`, unless NULL, to the first position where it occurs. */
double statistics_ks(const double *a, const double *b, size_t n, size_t *at);

/* Returns Cliff's delta, -1 to 1: P(b > a) - P(b < a). */
double statistics_cliff(const double *a, const double *b, size_t n);

/* Returns the word for a Cliff's delta (Romano 2006): negligible, small, medium, large. */
const char *statistics_cliff_word(double delta);

/* Returns the Wasserstein distance of order 1, in the unit of the values `x`. */
double statistics_wasserstein(const double *x, const double *a, const double *b, size_t n);

/* Returns the Wasserstein distance on a circle, such as hours of the day, in steps: positions n - 1
 * and 0 are adjacent. */
double statistics_distance_on_circle(const double *a, const double *b, size_t n);

/* --- Student's distribution ------------------------------------------------------------------- */

/* Returns t such that the interval from -t to t contains the share `confidence`, between 0 and 1,
 * of Student's distribution. `degrees` of freedom: at least 1; infinity gives the normal
 * distribution.
 */
double statistics_student_t(double confidence, double degrees);

/* --- confidence intervals of rates ------------------------------------------------------------ */

/* Returns the variance of the sum of counts, in time order, divided by its mean (index of
 * dispersion): 1 for independent events, larger if the counts depend on one another (struct
 * dependence). At least 1; 1 for fewer than two counts. */
double statistics_dispersion(const double *counts, size_t n);

/* Returns the index of dispersion (variance / mean) of the counts of `n` independent traces,
 * expected in proportion to `weights`, such as the traces' lengths. 0 if n < 2, or without events.
 */
double statistics_dispersion_between(const double *counts, const double *weights, size_t n);

/* Returns the half-width, as a factor, of a confidence interval for the ratio of two rates, from
 * `n` and `m` events with these indices of dispersion. The interval is from ratio / factor to ratio
 * * factor: `deviations` standard deviations each way. Infinite if a side has no events. */
double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double deviations);

/* --- adjusting p values ----------------------------------------------------------------------- */

/* Ways to adjust p values: Benjamini-Hochberg (false discovery rate), Holm (family-wise error). */
enum adjustment { ADJUST_BENJAMINI_HOCHBERG, ADJUST_HOLM };
#define ADJUSTMENTS 2

/* Adjusts n p values for multiple testing, in place. */
void statistics_adjust(double *p, size_t n, enum adjustment adjustment);

/* Dependence of blocks of time, and the uncertainty of their mean.
 *
 * Traffic from on/off sources with heavy-tailed periods has long-range dependence. The variance of
 * the mean of n blocks then falls with n^(2H-2), not with 1 / n, where the Hurst parameter H is
 * above 0.5. H is estimated by restricted maximum likelihood for fractional Gaussian noise, over
 * all lengths from one block to all blocks. */

/* Limit of series with a common H: both sides of a comparison. */
#define DEPENDENCE_SERIES 2

/* Limit of blocks of a series; if there are more, adjacent ones are averaged. */
#define DEPENDENCE_BLOCKS 64

/* Upper limit of the estimated H; the lower one is 0.5. */
#define DEPENDENCE_HURST_MOST 0.95

/* A series in time order: one value for each block of time, such as the share of reads. */
struct dependence_series {
    const double *blocks; /* borrowed */
    size_t count;
};

struct dependence {
    double hurst;    /* H, from 0.5 (independent) to DEPENDENCE_HURST_MOST */
    bool is_certain; /* H is significantly above 0.5 (likelihood ratio, 5 %) */
    double means[DEPENDENCE_SERIES];
    double variances[DEPENDENCE_SERIES]; /* variance of each series' mean, for the estimated H */
    /* Variance of each series' mean if blocks were independent (H = 0.5). */
    double independent[DEPENDENCE_SERIES];
};

/* Sets H to 0.5, and the variances to those of independent blocks. */
void dependence_set_independent(struct dependence *found);

/* Estimates the dependence of 1 or 2 series with at least one block each, and a common H. */
void dependence_estimate(const struct dependence_series *series, int count,
                         struct dependence *found);

/* Returns the standard deviation of log(second series' mean / first series' mean). */
double dependence_of_ratio(const struct dependence *found);

/* Returns by which factor dependence increases the standard deviation of the difference of two
 * means. At least 1; 1 if nothing varies. */
double dependence_of_difference(const struct dependence *found);

/* Permutation tests and bootstrap over blocks of time.
 *
 * The events of a trace depend on each other. But blocks much longer than the correlation time are
 * nearly independent, so they can serve as observations. */

/* Random numbers (splitmix64); the same for the same seed on every machine. */
struct resampling_random {
    uint64_t state; /* initially the seed */
};

/* Returns a random number from 0 to limit - 1; `limit` is above 0. */
size_t resampling_draw(struct resampling_random *random, size_t limit);

/* Limits: how many statistics are tested together, and how many blocks both sides have. */
#define RESAMPLING_STATISTICS 4
#define RESAMPLING_BLOCKS     2048

/* Callback: computes statistics that grow with the difference between sides a and b. Block i
 * belongs to side b if `is_b[i]`. */
typedef void resampling_statistic(void *context, const bool *is_b, double *values);

/* Corrects a permutation test for dependent blocks. `factor`: dependence_of_difference(), by which
 * permutations underestimate chance. `powers`: for each statistic, the power of the difference that
 * it is proportional to. */
struct resampling_reach {
    double factor;
    double powers[RESAMPLING_STATISTICS];
};

/* Runs a permutation test for each of `statistics`, with n_a blocks on side a and n_b on side b.
 * Sets `p` to the share of assignments of blocks to sides whose statistic is at least as large as
 * that of the original one (first n_a blocks to a). Tries all assignments if there are at most
 * `resamples`, else `resamples` random ones; then the share is (1 + hits) / (1 + resamples). p is 1
 * if a side has no blocks. `reach` NULL: no correction for dependence. */
void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p);

/* Returns the smallest p value possible with n_a and n_b blocks, at least 1 each. If n_a equals
 * n_b, it is twice as large: exchanging the sides gives the same difference. */
double resampling_least_p(size_t n_a, size_t n_b);

/* Returns the factor by which the logarithm of a bootstrap interval for a ratio of means must be
 * widened, because blocks are dependent, or few. */
double resampling_widening_factor(const struct dependence *dependence, const size_t blocks[2],
                                  double confidence);

/* Moves `bound` away from `middle`, on a log scale, by a factor. `is_low`: it is a lower bound. */
double resampling_widen(double bound, double middle, double widening, bool is_low);

/* Computes a bootstrap interval from `low` to `high` for the ratio of the mean of series[1] to that
 * of series[0], by resampling the blocks of both. `in_time`: they are blocks of time, which may be
 * dependent; the estimate is stored in `*dependence`, unless NULL. `room`: buffer for `resamples`
 * numbers. Returns false if a resampled mean of series[0] is not above 0. */
bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence);

/* Returns the quantile `q` (nearest rank) of n values; sorts them. NAN if n is 0. */
double resampling_quantile(double *values, size_t n, double q);

#endif
