/* Effect sizes and significance of differences between two distributions: pure functions.
 *
 * A distribution is given by counts of `n` things, `a` and `b`, in the same order; for values, in
 * ascending order. If one side counts nothing, every effect is 0. tracetool-compare(1) has the
 * definitions. */
#ifndef TRACETOOL_STATISTICS_H
#define TRACETOOL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sum of the counts. */
double statistics_total(const double *counts, size_t n);

/* --- categories ------------------------------------------------------------------------------- */

/* Total variation distance, 0 to 1: the share of events to be replaced to make both equal. */
double statistics_tvd(const double *a, const double *b, size_t n);

/* Jensen-Shannon divergence in bits, 0 to 1. `terms`, room for n, or NULL: each thing's
 * contribution. */
double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms);

/* Deviation of the counts from those expected if both sides have the same distribution. */
struct contingency {
    double chi_square, g;
    double cramers_v;         /* Cramér's V, 0 to 1 */
    size_t degrees;           /* degrees of freedom: occurring things minus one */
    size_t cells, below_five; /* cells of the table; cells with an expected count below 5 */
};
struct contingency statistics_contingency(const double *a, const double *b, size_t n);

/* Rank-biased overlap of two rankings, extrapolated (Webber, Moffat and Zobel 2010, eq. 32), 0 to
 * 1. `depths`, ascending, holds the worse of the two ranks, from 1, of each of the `common` things.
 * `length_a` and `length_b` are the lengths of the rankings. `p`, between 0 and 1, is the weight of
 * each rank relative to the previous one. */
double statistics_rank_overlap(const size_t *depths, size_t common, size_t length_a,
                               size_t length_b, double p);

/* --- values ----------------------------------------------------------------------------------- */

/* Kolmogorov-Smirnov D, 0 to 1: the largest difference of the cumulative shares. `*at`, unless
 * NULL: the first position after which it occurs. */
double statistics_ks(const double *a, const double *b, size_t n, size_t *at);

/* Cliff's delta, -1 to 1: P(b > a) - P(b < a). */
double statistics_cliff(const double *a, const double *b, size_t n);

/* Verbal magnitude of a Cliff's delta (Romano 2006): negligible, small, medium, large. */
const char *statistics_cliff_word(double delta);

/* Wasserstein distance of order 1, in the unit of the values `x`. */
double statistics_wasserstein(const double *x, const double *a, const double *b, size_t n);

/* Wasserstein distance on a circle, such as hours of the day, where positions n - 1 and 0 are
 * adjacent: in steps. */
double statistics_circular(const double *a, const double *b, size_t n);

/* --- intervals -------------------------------------------------------------------------------- */

/* Returns the t value whose interval ±t holds `share`, between 0 and 1, of Student's distribution.
 * `degrees` of freedom are at least 1; infinity gives the normal distribution. */
double statistics_deviations(double share, double degrees);

/* --- rates ------------------------------------------------------------------------------------ */

/* Overdispersion of the sum of counts, in time order, relative to independent events: variance
 * divided by mean (index of dispersion), and more if the counts depend on one another (struct
 * dependence). At least 1; 1 for fewer than two counts. */
double statistics_dispersion(const double *counts, size_t n);

/* Half-width, as a factor, of a confidence interval of the ratio of two rates of `n` and `m` events
 * with these dispersions. The interval is the ratio divided by the result, to the ratio times the
 * result. `confidence` is between 0 and 1. Infinite if a side has no events. */
double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double confidence);

/* --- p values --------------------------------------------------------------------------------- */

/* Adjustment of p values: Benjamini-Hochberg (false discovery rate) or Holm (family-wise error
 * rate). */
enum adjustment { ADJUST_BENJAMINI_HOCHBERG, ADJUST_HOLM };
#define ADJUSTMENTS 2

/* Adjusts n p values. */
void statistics_adjust(double *p, size_t n, enum adjustment adjustment);

/* Dependence of blocks of time, and the uncertainty of their mean.
 *
 * Bursts of bursts (on/off sources with heavy-tailed periods) have long-range dependence: the mean
 * of n blocks then varies by n^(2H-2), not by 1 / n, with a Hurst parameter H above 0.5. H is
 * estimated by restricted maximum likelihood for fractional Gaussian noise, at all lengths from one
 * block to all of them. */

/* Series with a common H: both sides of a comparison. */
#define DEPENDENCE_SERIES 2

/* Maximum blocks of a series; with more, neighbours are joined. */
#define DEPENDENCE_BLOCKS 64

/* H is estimated between 0.5 and this. */
#define DEPENDENCE_HURST_MOST 0.95

/* A value per block, such as its share of reads, in time order. */
struct dependence_series {
    const double *blocks; /* borrowed */
    size_t count;
};

struct dependence {
    double hurst;    /* 0.5 (independent) to DEPENDENCE_HURST_MOST */
    bool is_certain; /* H above 0.5 is significant (likelihood ratio, 5 %) */
    double means[DEPENDENCE_SERIES];
    double variances[DEPENDENCE_SERIES];   /* variances of the means, for `hurst` */
    double independent[DEPENDENCE_SERIES]; /* variances of the means, for independent blocks */
};

/* Takes the blocks as independent. */
void dependence_ignore(struct dependence *found);

/* `series`: 1 or 2 series with at least one block each. */
void dependence_find(const struct dependence_series *series, int count, struct dependence *found);

/* Returns the standard deviation of log(mean of the second series / mean of the first). Both means
 * are above 0. */
double dependence_of_ratio(const struct dependence *found);

/* Returns the factor by which chance separates the means of two series more than those of
 * independent blocks: at least 1; 1 if nothing varies. */
double dependence_of_difference(const struct dependence *found);

/* Permutation tests and bootstrap over blocks.
 *
 * The events of a trace depend on each other. Blocks much longer than the correlation time are
 * nearly independent, so they serve as observations. */

/* Random numbers (splitmix64): a seed gives the same numbers on every machine. */
struct resampling_random {
    uint64_t state; /* current state; initially the seed */
};

/* Returns a number from 0 to n - 1; n is not 0. */
size_t resampling_below(struct resampling_random *random, size_t n);

/* Maximum statistics tested together, and maximum blocks of both sides. */
#define RESAMPLING_STATISTICS 4
#define RESAMPLING_BLOCKS     2048

/* Computes statistics, each increasing with the difference of the sides; block i belongs to side b
 * if `is_b[i]`. */
typedef void resampling_statistic(void *context, const bool *is_b, double *values);

/* Correction for dependent blocks: `factor` by which chance separates the sides more than shuffles
 * (dependence_of_difference()); NULL: none. `powers`: power of the distance by which each statistic
 * grows. */
struct resampling_reach {
    double factor;
    double powers[RESAMPLING_STATISTICS];
};

/* Permutation test for each of `statistics`, with n_a blocks of a and n_b of b. `p` is the share of
 * assignments of blocks with a statistic at least as large as the original one (first n_a to a).
 * Tries all assignments if there are at most `resamples`. Otherwise tries `resamples` random ones,
 * and the share is (1 + hits) / (1 + resamples). 1 if a side has no blocks. */
void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p);

/* Returns the smallest p-value of all assignments of n_a and n_b blocks, at least 1 each: with as
 * many on both sides, the opposite assignment has the same distance. */
double resampling_least(size_t n_a, size_t n_b);

/* Returns the factor, in logarithms, that widens a bootstrap interval of a ratio of means: for
 * dependent blocks and for few blocks. */
double resampling_widening(const struct dependence *dependence, const size_t blocks[2],
                           double confidence);

/* Moves `bound` away from `middle`, in logarithms, by the factor `widening`, on its own side. */
double resampling_widen(double bound, double middle, double widening, bool is_low);

/* Bootstrap interval, from `low` to `high`, of the ratio of b's mean to a's. Resamples the blocks
 * of both series, a's first. `in_time`: they are blocks of time, which may be dependent;
 * `*dependence` receives the estimate, unless NULL. `room` has space for `resamples` numbers. False
 * if a resampled mean of a is not above 0. */
bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence);

/* Returns the quantile `q` (nearest rank) of n values, which it sorts; NAN for none. */
double resampling_quantile(double *values, size_t n, double q);

#endif
