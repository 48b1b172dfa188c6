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

/* On the circle, as of hours of a day, where counts n - 1 and 0 are neighbours: in steps. `scratch`
 * has room for n. */
double statistics_circular(const double *a, const double *b, size_t n, double *scratch);

/* --- intervals -------------------------------------------------------------------------------- */

/* So many standard deviations around the mean hold that share, between 0 and 1, of Student's
 * distribution with so many degrees of freedom, 1 at least; infinitely many: of the normal one. */
double statistics_deviations(double share, double degrees);

/* --- rates ------------------------------------------------------------------------------------ */

/* How much more the sum of counts, in order of time, varies than that of independent events would:
 * their variance by their mean (index of dispersion), and more where they depend on one another
 * (dependence.h); at least 1; 1 of fewer than two. */
double statistics_dispersion(const double *counts, size_t n);

/* An interval of the ratio of two rates of `n` and `m` events, which vary so much more than those
 * of independent events: `ratio` divided by, and times, the result; `confidence` is between 0
 * and 1. Infinite where a side has no events. */
double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double confidence);

/* --- likelihoods ------------------------------------------------------------------------------ */

/* What many likelihoods are made of: Benjamini and Hochberg's, of which of those below 0.05 one in
 * twenty is so by chance; Holm's, of which one in twenty times any is below 0.05 by chance. */
enum adjustment { ADJUST_BENJAMINI_HOCHBERG, ADJUST_HOLM };
#define ADJUSTMENTS 2

/* Adjusts n likelihoods to each other. False when out of memory. */
bool statistics_adjust(double *p, size_t n, enum adjustment adjustment);

#endif
