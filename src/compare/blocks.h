/* p-values of differences, and confidence bounds of ratios. Runs the report on blocks of both sides
 * (intervals of a trace, or whole traces), then permutes and resamples the blocks' counts. */
#ifndef TRACETOOL_COMPARE_BLOCKS_H
#define TRACETOOL_COMPARE_BLOCKS_H

#include "compare/comparison.h"

/* Limit of separate counts per block; the last count is the sum of all further rows. */
#define SHUFFLE_MOST 16384

/* Callback that computes distances between the row counts `a` and `b` of the two sides. The arrays
 * have `n` counts, in the order of the table's rows; the last may be a sum (SHUFFLE_MOST). */
struct shuffle_measure {
    const char *what; /* name of the first distance, printed in a comment line (#) */
    /* Computes the distances in the order of comparison->distances. */
    void (*find)(const void *context, const double *a, const double *b, size_t n, double *values);
    const void *context;
    const double *sizes; /* mean size (bytes) of each row's I/Os, `n` elements, if mean sizes are
                            compared; else NULL */
};

/* Runs the report on each block and sets the p-values of the distances, and the bounds of the rows'
 * ratios and of the ratio of mean sizes. The table's rows must keep their order meanwhile. Adds a #
 * line with the first distance's p-value, or why it is unknown. Does nothing with --blocks 0. */
bool shuffle_find_p_values(struct comparison *comparison, const struct shuffle_measure *measure,
                           struct error *error);

/* Confidence intervals for rows whose values are compared one by one, not as shares of a total. */

/* A row's value is taken as the mean of its blocks' values if it differs by at most this share. */
#define ROW_INTERVAL_TOLERANCE 0.01

/* Limit of rows; if a table has more rows, no row gets a confidence interval. */
#define ROW_INTERVAL_ROWS 16384

/* Runs the report on each block (interval of time, or trace) and resamples the blocks. Sets low,
 * high and p of rows whose value is the mean of their blocks: means and shares, not sums,
 * percentiles and extremes. With the method `times`, blocks are traces and all rows get bounds.
 * Adds a comment line on the method, or on why there are no bounds. */
bool row_intervals_find(struct comparison *comparison, struct error *error);

/* Finds the confidence interval of the ratio b / a of the mean time per call. Each row of `parts`
 * has one component of the time, such as queueing or the device. `means`: mean times of a and b.
 * Returns false if too few blocks have calls. */
bool blocks_find_mean(const struct comparison *comparison, struct compare_row *const *parts,
                      size_t count, const double *means, double *low, double *high);

#endif
