/* How much blocks of time depend on one another, and how uncertain that makes their mean.
 *
 * Bursts of bursts (on/off sources whose periods have heavy tails) have long-range dependence: the
 * mean of n blocks then varies by n^(2H-2), not by 1 / n, where H, the Hurst parameter, is above
 * 0.5. H is that of fractional Gaussian noise that makes the means of the blocks likeliest
 * (restricted maximum likelihood, at all lengths from one block to all of them).
 */
#ifndef TRACETOOL_COMPARE_DEPENDENCE_H
#define TRACETOOL_COMPARE_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
