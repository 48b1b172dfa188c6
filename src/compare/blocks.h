/* Significance of differences, and bounds of ratios. The report is repeated for blocks of time of
 * both sides; their counts are permuted and resampled. */
#ifndef TRACETOOL_COMPARE_BLOCKS_H
#define TRACETOOL_COMPARE_BLOCKS_H

#include "compare/comparison.h"

/* Limit of rows that are distinguished; all others count as one. */
#define SHUFFLE_MOST 16384

/* Distances between the counts of two sides. `a` and `b` have `n` counts, in the order of the
 * table's rows if there are at most SHUFFLE_MOST of them. */
struct shuffle_measure {
    const char *what; /* name of the first distance */
    /* Computes all distances that the comparison keeps, in their order. */
    void (*find)(const void *context, const double *a, const double *b, size_t n, double *values);
    const void *context;
    const double
        *sizes; /* mean size for each of the `n` counts, if mean sizes are compared; else NULL */
};

/* Runs the report on each block; places follow the current order of the table's rows. Sets the
 * p-values of the distances, and the bounds of the rows' ratios and of the ratio of mean sizes.
 * Adds a remark with the p-value of the first distance. If there are too few events for blocks, the
 * remark says so. Does nothing if no blocks are wanted. */
bool shuffle_note(struct comparison *comparison, const struct shuffle_measure *measure,
                  struct error *error);

/* Bounds of ratios for rows that are compared independently. */

/* Largest relative difference between the mean of the blocks and the row's own value. */
#define ROW_INTERVAL_TOLERANCE 0.01

/* Limit of rows with intervals; if there are more, none has one. */
#define ROW_INTERVAL_ROWS 16384

/* Runs the report on each block of time, or trace, and resamples them. Sets low, high and p of rows
 * whose value is the mean of its blocks: means and shares, but not sums, percentiles and extremes.
 * With the method `times`, blocks are traces and all rows get bounds. A # line describes the
 * method, or why there are no bounds. */
bool row_intervals_find(struct comparison *comparison, struct error *error);

/* Finds the confidence interval of the ratio of the mean times of calls. The calls are those of the
 * rows `parts`, and `means` has the means of a and b. False if too few blocks have such calls. */
bool blocks_find_mean(const struct comparison *comparison, struct compare_row *const *parts,
                      size_t count, const double *means, double *low, double *high);

#endif
