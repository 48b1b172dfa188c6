/* What chance makes of blocks: by shuffling whose they are, and by drawing them anew.
 *
 * A trace is one thing that happened, whose events depend on one another. Stretches of it that are
 * much longer than that dependence are nearly independent, and take the place of observations.
 */
#ifndef TRACETOOL_RESAMPLING_H
#define TRACETOOL_RESAMPLING_H

#include "compare/dependence.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
