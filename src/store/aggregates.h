/* SQL aggregates that every connection has; tracetool-sql(1) describes them for users.
 *
 *     quantile(x, p)        the smallest x that at least the part p of all do not exceed: a value
 *                           that occurs, as in the reports; p from 0 to 1
 *     median(x)             the one in the middle; of an even number, the mean of the two there
 *     stddev(x)             standard deviation of a sample, by n - 1; NULL of fewer than two
 *     histogram(x, width)   JSON text [[from,count],…] of the bins from <= x < from + width that
 *                           hold any, in ascending order; from is a multiple of the width
 *
 * NULLs are passed over, text and blobs that are no numbers are errors. All are exact (stddev as
 * far as sums of reals are), and need no more memory than limits.md says. Of integers, quantile and
 * histogram give integers. None is a window function.
 */
#ifndef TRACETOOL_AGGREGATES_H
#define TRACETOOL_AGGREGATES_H

#include <sqlite3.h>
#include <stdbool.h>

/* Bins that a histogram may have. */
#define AGGREGATES_BINS 65536

/* False when out of memory. */
bool aggregates_register(sqlite3 *handle);

#endif
