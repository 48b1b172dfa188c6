/* Significance of differences, and confidence bounds of ratios. Runs the report on blocks of both
 * sides (intervals of a trace, or whole traces), and permutes and resamples their counts. */
#ifndef TRACETOOL_COMPARE_BLOCKS_H
#define TRACETOOL_COMPARE_BLOCKS_H

#include "compare/comparison.h"

/* Limit of rows with counts of their own per block; all rows after them are added up as one. */
#define SHUFFLE_MOST 16384

/* Functions that compute the distances between the counts of the two sides. The arrays `a` and `b`
 * have `n` counts, in the order of the table's rows if there are at most SHUFFLE_MOST rows. */
struct shuffle_measure {
    const char *what; /* name of the first distance, for the # line */
    /* Computes the distances in the order of comparison->distances. */
    void (*find)(const void *context, const double *a, const double *b, size_t n, double *values);
    const void *context;
    const double
        *sizes; /* mean size for each of the `n` counts, if mean sizes are compared; else NULL */
};

/* Runs the report on each block; the table's rows must keep their order meanwhile. Sets the
 * p-values of the distances, and the bounds of the rows' ratios and of the ratio of mean sizes.
 * Adds a # line with the p-value of the first distance, or why it is not known. Does nothing with
 * --blocks 0. */
bool shuffle_find_p_values(struct comparison *comparison, const struct shuffle_measure *measure,
                           struct error *error);

/* Confidence intervals for rows whose values are compared one by one, not as shares of a total. */

/* A row's value counts as the mean of its blocks if both differ by at most this fraction. */
#define ROW_INTERVAL_TOLERANCE 0.01

/* Limit of rows with intervals; if a table has more rows, no row gets an interval. */
#define ROW_INTERVAL_ROWS 16384

/* Runs the report on each block of time, or trace, and resamples them. Sets low, high and p of rows
 * whose value is the mean of its blocks: means and shares, but not sums, percentiles and extremes.
 * With the method `times`, blocks are traces and all rows get bounds. A # line describes the
 * method, or why there are no bounds. */
bool row_intervals_find(struct comparison *comparison, struct error *error);

/* Finds the confidence interval of the ratio b / a of the mean time of calls, from the rows `parts`
 * with parts of the time; `means` has the means of a and b. False if too few blocks have such
 * calls. */
bool blocks_find_mean(const struct comparison *comparison, struct compare_row *const *parts,
                      size_t count, const double *means, double *low, double *high);

#endif
