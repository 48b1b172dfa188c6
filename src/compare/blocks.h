/* Whether counts differ by more than chance, and between which bounds their ratios lie: the same
 * report is made of blocks of time of both sides, whose counts are shuffled. */
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

/* Makes the report of each block, in the order of the table's rows as it is now. Sets how likely
 * the distances are by chance, the bounds of the rows' ratios and of the ratio of the mean sizes,
 * and says in a remark how likely the first distance is; with no blocks wanted, or too few events
 * for them, that it is not known. */
bool shuffle_say(struct comparison *comparison, const struct shuffle_measure *measure,
                 struct error *error);

/* Bounds for the ratios of rows that are compared independently. */

/* How far the mean of the blocks may be from the row's own number, by its size. */
#define ROW_INTERVAL_TOLERANCE 0.01

/* Limit of rows with intervals; if there are more, none has one. */
#define ROW_INTERVAL_ROWS 16384

/* Makes the report of each block of time, or trace, and draws these anew: sets low, high and p of
 * the rows whose number is the mean of what it is in the blocks, as means and shares are, but not
 * sums, percentiles and extremes; of times, which are those of traces, of all rows. A # line says
 * so, or why there are none. */
bool row_intervals_find(struct comparison *comparison, struct error *error);

#endif
