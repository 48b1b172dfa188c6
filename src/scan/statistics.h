/* How far two distributions are apart, and how likely that is by chance: plain functions.
 *
 * Distributions are given as counts of the same `n` things on both sides, `a` and `b`, in one order
 * for both: for effects over values by the value, ascending. Where a side counts nothing at all,
 * every effect is 0. tracetool-compare(1) has the definitions.
 */
#ifndef TRACETOOL_STATISTICS_H
#define TRACETOOL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sum of the counts. */
double statistics_total(const double *counts, size_t n);

/* --- kinds ------------------------------------------------------------------------------------ */

/* Total variation distance, 0 to 1: the share of events that would have to be something else. */
double statistics_tvd(const double *a, const double *b, size_t n);

/* Jensen-Shannon divergence in bits, 0 to 1. `terms`, room for n, unless NULL: what each thing
 * adds to it. */
double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms);

/* How the counts differ from those that are expected when both sides are of one distribution. */
struct contingency {
    double chi_square, g;
    double cramers_v;         /* 0 to 1 */
    size_t degrees;           /* of freedom: things that occur, less one */
    size_t cells, below_five; /* of the table; of them, those that expect fewer than 5 */
};
struct contingency statistics_contingency(const double *a, const double *b, size_t n);

/* Rank-biased overlap of two rankings, extrapolated (Webber, Moffat and Zobel 2010, eq. 32), 0 to
 * 1. `depths`, ascending, are the `common` things' worse ranks of the two, from 1 on;
 * `short_length` and `long_length` the lengths; `p`, between 0 and 1, how much the next rank
 * weighs. */
double statistics_rank_overlap(const size_t *depths, size_t common, size_t length_a,
                               size_t length_b, double p);

/* --- values ----------------------------------------------------------------------------------- */

/* Kolmogorov and Smirnov's D, 0 to 1: the largest difference of the cumulated shares. `*at`, unless
 * NULL: the first thing behind which it is so large. */
double statistics_ks(const double *a, const double *b, size_t n, size_t *at);

/* Cliff's delta, -1 to 1: P(b > a) - P(b < a). */
double statistics_cliff(const double *a, const double *b, size_t n);

/* The word for a Cliff's delta of that size (Romano 2006): negligible, small, medium, large. */
const char *statistics_cliff_word(double delta);

/* Wasserstein's distance of order 1, in the unit of the values `x`. */
double statistics_wasserstein(const double *x, const double *a, const double *b, size_t n);

/* On the circle, as of hours of a day, where counts n - 1 and 0 are neighbours: in steps. */
double statistics_circular(const double *a, const double *b, size_t n);

/* --- intervals -------------------------------------------------------------------------------- */

/* So many standard deviations around the mean hold that share, between 0 and 1, of Student's
 * distribution with so many degrees of freedom, 1 at least; infinitely many: of the normal one. */
double statistics_deviations(double share, double degrees);

/* --- rates ------------------------------------------------------------------------------------ */

/* How much more the sum of counts, in order of time, varies than that of independent events would:
 * their variance by their mean (index of dispersion), and more where they depend on one another
 * (struct dependence); at least 1; 1 of fewer than two. */
double statistics_dispersion(const double *counts, size_t n);

/* An interval of the ratio of two rates of `n` and `m` events, which vary so much more than those
 * of independent events: `ratio` divided by, and times, the result; `confidence` is between 0
 * and 1. Infinite where a side has no events. */
double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double confidence);

/* --- p values --------------------------------------------------------------------------------- */

/* How p values are adjusted: by Benjamini and Hochberg (false discovery rate) or by Holm
 * (family-wise error rate). */
enum adjustment { ADJUST_BENJAMINI_HOCHBERG, ADJUST_HOLM };
#define ADJUSTMENTS 2

/* Adjusts n p values. */
void statistics_adjust(double *p, size_t n, enum adjustment adjustment);

/* How much blocks of time depend on one another, and how uncertain that makes their mean.
 *
 * Bursts of bursts (on/off sources whose periods have heavy tails) have long-range dependence: the
 * mean of n blocks then varies by n^(2H-2), not by 1 / n, where H, the Hurst parameter, is above
 * 0.5. H is that of fractional Gaussian noise that makes the means of the blocks likeliest
 * (restricted maximum likelihood, at all lengths from one block to all of them).
 */

/* Series that share one H: both sides of a comparison. */
#define DEPENDENCE_SERIES 2

/* Most blocks of a series; of more, neighbours are taken together. */
#define DEPENDENCE_BLOCKS 64

/* H is looked for from 0.5 up to here. */
#define DEPENDENCE_HURST_MOST 0.95

/* What a block is, such as the share of its I/Os that are reads, in order of time. */
struct dependence_series {
    const double *blocks; /* borrowed */
    size_t count;
};

struct dependence {
    double hurst;    /* 0.5 (independent) to DEPENDENCE_HURST_MOST */
    bool is_certain; /* that it is above 0.5: more than chance (likelihood ratio, 5 %) */
    double means[DEPENDENCE_SERIES];
    double variances[DEPENDENCE_SERIES];   /* of these means, at that H … */
    double independent[DEPENDENCE_SERIES]; /* … and if the blocks were independent */
};

/* `series` are 1 or 2, each of at least one block. */
void dependence_find(const struct dependence_series *series, int count, struct dependence *found);

/* Standard deviation of log(mean of the second series / mean of the first); both means are above 0.
 */
double dependence_of_ratio(const struct dependence *found);

/* How many times as far apart the means of two series are by chance as those of independent blocks
 * would be: at least 1; 1 where nothing varies. */
double dependence_of_difference(const struct dependence *found);

/* Permutation tests and the bootstrap over blocks.
 *
 * The events of a trace depend on each other. Blocks of it that are much longer than the
 * correlation time are nearly independent, and take the place of observations.
 */

/* Random numbers (splitmix64): the same seed, the same numbers on every machine. */
struct resampling_random {
    uint64_t state; /* begins as the seed */
};

/* A number from 0 to less than n, which is not 0. */
size_t resampling_below(struct resampling_random *random, size_t n);

/* Most statistics that are looked at at once, and most blocks of both sides. */
#define RESAMPLING_STATISTICS 4
#define RESAMPLING_BLOCKS     2048

/* Works statistics out, each the larger the more the sides differ, where block i is one of b if
 * `is_b[i]`. */
typedef void resampling_statistic(void *context, const bool *is_b, double *values);

/* How much further apart the sides are by chance than shuffles make them, where blocks depend on
 * one another (dependence_of_difference()); NULL: not at all. `powers`: that a statistic grows by,
 * with how far they are apart. */
struct resampling_reach {
    double factor;
    double powers[RESAMPLING_STATISTICS];
};

/* The share of all ways to call n_a of the blocks a's and n_b b's in which a statistic is at least
 * what it is where the first n_a are a's: in `p`, for each of `statistics`. All ways are tried
 * where there are no more than `resamples`; else so many, by chance, and (1 + how many) / (1 +
 * resamples) is the share. Without a block on a side, 1. */
void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p);

/* How much wider than drawing blocks of time anew says an interval of the ratio of two means is, as
 * a factor of logarithms: by their dependence, and by how few they are. */
double resampling_widening(const struct dependence *dependence, const size_t blocks[2],
                           double confidence);

/* `bound` as many times as far from `middle`, by their logarithms, on its own side. */
double resampling_widen(double bound, double middle, double widening, bool is_low);

/* Draws blocks of both series anew, a's first: the ratio of b's mean to a's lies between `low` and
 * `high`, with that confidence. `in_time`: they are blocks of time, which may depend on one another
 * (`*dependence`, unless NULL: how much). `room` has room for `resamples` numbers. False where a
 * draw of a has no mean above 0. */
bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence);

/* The value that a share `q` of the n values, which are sorted here, does not exceed (nearest
 * rank); NAN of none. */
double resampling_quantile(double *values, size_t n, double q);

#endif
