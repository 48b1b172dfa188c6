/* What blocks of time say of a difference between two groups of values: whether it may be chance,
 * and between which bounds it lies. */
#ifndef TRACETOOL_COMPARE_INFERENCE_H
#define TRACETOOL_COMPARE_INFERENCE_H

#include "compare/groups.h"
#include "compare/resampling.h"

/* Quantiles of DISTRIBUTION_QUANTILES, and the mean behind them. */
#define INFERENCE_RATIOS (DISTRIBUTION_QUANTILE_COUNT + 1)

/* What is known of one side. */
struct inference_side {
    double correlation_time; /* in values, at least 1 */
    double effective;        /* values that tell as much as these would if they were independent */
    /* How far the first third of the blocks is from the last one, in doublings, and how likely that
     * is by chance; 0 and 1 where there are too few. */
    double drift, drift_p;
};

struct inference {
    bool done; /* there were blocks enough: all of what follows is known but for the effects */
    double d, wasserstein; /* Kolmogorov-Smirnov, and the distance in doublings */
    double cliff;
    double d_p, wasserstein_p;
    struct inference_side sides[SIDES];
    bool is_dependent; /* blocks of time depend on one another, by more than chance … */
    double hurst;      /* … so much (dependence.h) */
    /* Ratios b / a that lie between these with the confidence asked for; NAN: too few values. */
    double low[INFERENCE_RATIOS], high[INFERENCE_RATIOS];
};

/* `fewest`: blocks that both sides must have; fewer than DISTRIBUTION_FEWEST: they are traces,
 * which do not depend on one another. `confidence` is between 0 and 1. False with `error` set when
 * out of memory. */
bool inference_make(const struct compare_group *group, struct resampling_random *random,
                    size_t fewest, int resamples, double confidence, struct inference *inference,
                    struct error *error);

#endif
