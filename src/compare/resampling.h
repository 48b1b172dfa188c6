/* What chance makes of blocks: by shuffling whose they are, and by drawing them anew.
 *
 * A trace is one thing that happened, whose events depend on one another. Stretches of it that are
 * much longer than that dependence are nearly independent, and take the place of observations.
 */
#ifndef TRACETOOL_RESAMPLING_H
#define TRACETOOL_RESAMPLING_H

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

/* The share of all ways to call n_a of the blocks a's and n_b b's in which a statistic is at least
 * what it is where the first n_a are a's: in `p`, for each of `statistics`. All ways are tried
 * where there are no more than `resamples`; else so many, by chance, and (1 + how many) / (1 +
 * resamples) is the share. Without a block on a side, 1. */
void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, resampling_statistic *statistic, void *context, double *p);

/* The value that a share `q` of the n values, which are sorted here, does not exceed (nearest
 * rank); NAN of none. */
double resampling_quantile(double *values, size_t n, double q);

#endif
