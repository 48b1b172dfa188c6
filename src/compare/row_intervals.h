/* Between which bounds the ratios of rows lie that are compared each for itself. */
#ifndef TRACETOOL_ROW_INTERVALS_H
#define TRACETOOL_ROW_INTERVALS_H

#include "compare/comparison.h"

/* How far the mean of the blocks may be from the row's own number, by its size. */
#define ROW_INTERVAL_TOLERANCE 0.01

/* Of more rows there are no intervals. */
#define ROW_INTERVAL_ROWS 16384

/* Makes the report of each block of time, or trace, and draws these anew: sets low, high and p of
 * the rows whose number is the mean of what it is in the blocks, as means and shares are, but not
 * sums, percentiles and extremes; of times, which are those of traces, of all rows. A # line says
 * so, or why there are none. */
bool row_intervals_find(struct comparison *comparison, struct error *error);

#endif
