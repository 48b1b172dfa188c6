/* How concentrated references are on few of many items: what the counts of the items say, whatever
 * the items are.
 *
 * Items are ranked by their counts. The Zipf exponent is that of the model in which the item of
 * rank r of n has the share r^-s / (1^-s + … + n^-s), found by maximum likelihood; a regression
 * over logarithms, which is common, is biased and not done. How far the model is from the data is
 * said beside it: by the largest distance of the two cumulative shares (Kolmogorov and Smirnov).
 *
 * Memory grows with the number of different counts, which is at most the root of twice their sum.
 */
#ifndef TRACETOOL_CONCENTRATION_H
#define TRACETOOL_CONCENTRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Different counts; 64 bytes each. */
#define CONCENTRATION_COUNTS (1 << 20)

struct concentration;

/* Of no items, all is 0 and NaN. */
struct concentration_figures {
    int64_t items, references; /* `references` stays at the largest number */
    double exponent;           /* of Zipf; NaN for fewer than two items */
    double error;              /* its standard error; NaN: there is none */
    double distance;           /* largest, of the cumulative shares; NaN as the exponent is */
    double
        top[3];  /* share of the references to the first 1, 10 and 20 % of the items, rounded up */
    double gini; /* 0: all are referred to as often, towards 1: one has all */
    double entropy;    /* bits */
    double perplexity; /* as many items, referred to as often as one another, have that entropy */
};

/* NULL when out of memory. Owned by the caller. */
struct concentration *concentration_new(void);
void concentration_free(struct concentration *concentration);

/* Adds an item that is referred to `count` times, at least 1, in any order. */
bool concentration_add(struct concentration *concentration, int64_t count, struct error *error);

/* What all items that were added make. */
bool concentration_find(const struct concentration *concentration,
                        struct concentration_figures *figures, struct error *error);

#endif
