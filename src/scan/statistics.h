/* Effect sizes and significance of differences between two distributions, as pure functions. A
 * distribution is an array of counts: `a` and `b` have the counts of the same `n` things, in the
 * same order; for values, in ascending order. If one side is empty, every effect is 0.
 * tracetool-compare(1) has the definitions. */
#ifndef TRACETOOL_STATISTICS_H
#define TRACETOOL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the sum of the counts. */
double statistics_total(const double *counts, size_t n);

/* --- effect sizes for categories -------------------------------------------------------------- */

/* Total variation distance, 0 to 1: the share of events that must change to make both equal. */
double statistics_tvd(const double *a, const double *b, size_t n);

/* Returns the Jensen-Shannon divergence in bits, 0 to 1. `terms`: room for the contribution of each
 * thing, or NULL. */
double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms);

/* Chi-square test: how counts deviate from those expected if both distributions are equal. */
struct contingency {
    double chi_square, g;
    double cramers_v; /* effect size: Cramér's V, 0 to 1 */
    size_t degrees;   /* degrees of freedom: number of things that occur, minus one */
    /* Number of cells of the table; of cells with an expected count below 5. */
    size_t cells, below_five;
};
struct contingency statistics_contingency(const double *a, const double *b, size_t n);

/* Returns the rank-biased overlap of two rankings, 0 to 1, extrapolated (Webber, Moffat and Zobel
 * 2010, eq. 32). `depths`, ascending, has the worse of the two ranks, from 1, of each of the
 * `common` things. `length_a` and `length_b` are the lengths of the rankings. `p`, between 0 and 1,
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

/* Returns the t for which the interval from -t to t holds `share`, between 0 and 1, of Student's
 * distribution. `degrees` of freedom are at least 1; infinity gives the normal distribution. */
double statistics_t_of_share(double share, double degrees);

/* --- confidence intervals of rates ------------------------------------------------------------ */

/* Returns how much the sum of counts, in time order, varies relative to independent events:
 * variance divided by mean (index of dispersion), and more if the counts depend on one another
 * (struct dependence). At least 1; 1 for fewer than two counts. */
double statistics_dispersion(const double *counts, size_t n);

/* Overdispersion of the sum of counts of `n` independent traces, expected to be in proportion to
 * `weights`, such as the lengths of the traces. 0 for fewer than two, or without events. */
double statistics_dispersion_between(const double *counts, const double *weights, size_t n);

/* Returns the half-width, as a factor, of a confidence interval of the ratio of two rates: of `n`
 * and `m` events with these dispersions, `deviations` standard deviations. The interval is from the
 * ratio divided by the factor to the ratio times the factor. Infinite if a side has no events. */
double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double deviations);

/* --- adjusting p values ----------------------------------------------------------------------- */

/* Ways to adjust p values: Benjamini-Hochberg (false discovery rate), Holm (family-wise error). */
enum adjustment { ADJUST_BENJAMINI_HOCHBERG, ADJUST_HOLM };
#define ADJUSTMENTS 2

/* Adjusts n p values for testing them together. */
void statistics_adjust(double *p, size_t n, enum adjustment adjustment);

/* Dependence of blocks of time, and the uncertainty of their mean.
 *
 * Bursts of bursts (on/off sources with heavy-tailed periods) have long-range dependence: the mean
 * of n blocks then varies by n^(2H-2), not by 1 / n, with a Hurst parameter H above 0.5. H is
 * estimated by restricted maximum likelihood for fractional Gaussian noise, at all lengths from one
 * block to all of them. */

/* Number of series that may share H: both sides of a comparison. */
#define DEPENDENCE_SERIES 2

/* Limit of blocks of a series; if there are more, neighbours are joined. */
#define DEPENDENCE_BLOCKS 64

/* H is estimated between 0.5 and this number. */
#define DEPENDENCE_HURST_MOST 0.95

/* A series in time order: one value per block of time, such as its share of reads. */
struct dependence_series {
    const double *blocks; /* borrowed */
    size_t count;
};

struct dependence {
    double hurst;    /* H, from 0.5 (independent) to DEPENDENCE_HURST_MOST */
    bool is_certain; /* H is significantly above 0.5 (likelihood ratio, 5 %) */
    double means[DEPENDENCE_SERIES];
    double variances[DEPENDENCE_SERIES]; /* variance of each series' mean, with `hurst` */
    /* Variance of each series' mean, if blocks were independent. */
    double independent[DEPENDENCE_SERIES];
};

/* Changes the result to that for independent blocks. */
void dependence_set_independent(struct dependence *found);

/* Estimates the dependence of 1 or 2 series, which have at least one block each. */
void dependence_estimate(const struct dependence_series *series, int count,
                         struct dependence *found);

/* Returns the standard deviation of log(mean of the second series / mean of the first). */
double dependence_of_ratio(const struct dependence *found);

/* Returns the factor by which chance separates the means of two series more than if blocks were
 * independent: at least 1; 1 if nothing varies. */
double dependence_of_difference(const struct dependence *found);

/* Permutation tests and bootstrap over blocks.
 *
 * The events of a trace depend on each other. Blocks much longer than the correlation time are
 * nearly independent, so they serve as observations. */

/* Random numbers (splitmix64). A seed gives the same numbers on every machine. */
struct resampling_random {
    uint64_t state; /* current state; at first the seed */
};

/* Returns a random number from 0 to limit - 1; the limit is not 0. */
size_t resampling_draw(struct resampling_random *random, size_t limit);

/* Limits of statistics that are tested together, and of blocks of both sides. */
#define RESAMPLING_STATISTICS 4
#define RESAMPLING_BLOCKS     2048

/* Computes statistics that increase with the difference between sides a and b. Block i belongs to
 * side b if `is_b[i]`. */
typedef void resampling_statistic(void *context, const bool *is_b, double *values);

/* Corrects for dependent blocks. `factor`: how much more chance separates the sides than shuffles
 * do (dependence_of_difference()); NULL: no correction. `powers`: power of the distance by which
 * each statistic grows. */
struct resampling_reach {
    double factor;
    double powers[RESAMPLING_STATISTICS];
};

/* Runs a permutation test for each of `statistics`, with n_a blocks of a and n_b of b. `p` is the
 * share of assignments of blocks to sides with a statistic at least as large as that of the
 * original one (first n_a to a). Tries all assignments if there are at most `resamples`. Otherwise
 * tries `resamples` random ones; the share is (1 + hits) / (1 + resamples). 1 if a side has no
 * blocks. */
void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p);

/* Returns the smallest p value that the test can have with n_a and n_b blocks, at least 1 each. If
 * both are equal, the opposite assignment has the same distance. */
double resampling_least_p(size_t n_a, size_t n_b);

/* Returns the factor that widens the logarithm of a bootstrap interval of a ratio of means, because
 * blocks are dependent, or few. */
double resampling_widening_factor(const struct dependence *dependence, const size_t blocks[2],
                                  double confidence);

/* Moves `bound` away from `middle` by the factor `widening`, in logarithms. `is_low`: downwards. */
double resampling_widen(double bound, double middle, double widening, bool is_low);

/* Computes a bootstrap interval, from `low` to `high`, of the ratio of b's mean to a's. Resamples
 * the blocks of both series, a's first. `in_time`: they are blocks of time, which may be dependent;
 * `*dependence` receives the estimate, unless NULL. `room` has space for `resamples` numbers. False
 * if a resampled mean of a is not above 0. */
bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence);

/* Returns the quantile `q` (nearest rank) of n values, which it sorts; NAN for none. */
double resampling_quantile(double *values, size_t n, double q);

#endif
