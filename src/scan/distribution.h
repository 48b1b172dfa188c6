/* Count, mean and exact percentiles of values by group, in bounded memory.
 *
 * All values are added in several passes. The first pass finds count, sum, minimum and maximum of
 * each group. These give the upper bits of every percentile: the common bits of minimum and
 * maximum. For the first 64 groups, it also counts values by their twelve highest bits. Each
 * further pass determines the next bits, among the values that share the known ones: sixteen for up
 * to 128 percentiles (25 groups), fewer if more share the memory. With few groups, values up to
 * 2^28 ns (a quarter of a second) need two passes in all, up to 2^44 (five hours) three. */
#ifndef TRACETOOL_DISTRIBUTION_H
#define TRACETOOL_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/temp_schema.h"

/* Maximum groups of a distribution; some 400 bytes each. */
#define DISTRIBUTION_GROUPS 262144

struct distribution;

/* Replaces group names; groups with equal new names are merged. */
struct distribution_naming {
    /* Returns a name of `*length` bytes that replaces the given one, or the same name. */
    const char *(*find)(const void *context, const char *name, size_t *length);
    const void *context;
};

/* Results besides the percentiles of DISTRIBUTION_COLUMNS. None when zeroed. */
struct distribution_shape {
    /* Above 0: also finds the percentiles of DISTRIBUTION_QUANTILES, and the values of each group
     * in `blocks` blocks of equal size, in the order of adding. Each block has at least
     * DISTRIBUTION_LEAST values, so small groups have fewer blocks; fewer than DISTRIBUTION_FEWEST
     * become one. Only the DISTRIBUTION_CUT largest groups have blocks. Needs a second pass. */
    int blocks;
    /* Number of the largest groups with curves (value_curve_points()); among equal ones, the first.
     * Needs a second pass. distribution_write() writes them to temp.distribution_curve, which must
     * exist, with the columns DISTRIBUTION_CURVE. */
    size_t curves;
    const struct distribution_naming *naming; /* borrowed; NULL: keeps names */
};
#define DISTRIBUTION_LEAST  20
#define DISTRIBUTION_FEWEST 5
#define DISTRIBUTION_CUT    32
#define DISTRIBUTION_CURVE  "name, value, count"

/* Owned by the caller. */
struct distribution *distribution_new(struct distribution_shape shape);
void distribution_free(struct distribution *distribution);

/* Percentiles that are found with `blocks`, in thousandths, ascending. */
#define DISTRIBUTION_QUANTILES                                                                     \
    { 10, 50, 100, 250, 500, 750, 900, 950, 990, 999 }
#define DISTRIBUTION_QUANTILE_COUNT 10

/* Returns the middle of a bucket of distribution_block, as a base-2 logarithm: 128 buckets per
 * doubling. Values below 256 have a bucket each. */
double distribution_bucket(int64_t bucket);

/* Returns the number of the group with a name of `length` bytes, adding it if new. After
 * DISTRIBUTION_GROUPS, sets `error` and returns any number. */
size_t distribution_group(struct distribution *distribution, const char *name, size_t length,
                          struct error *error);

/* Number of groups. */
size_t distribution_groups(const struct distribution *distribution);

/* Adds a value to a group by its number; negative values are ignored. Each pass must add all values
 * again. */
void distribution_count(struct distribution *distribution, size_t number, int64_t value);

/* Values of a group. If they do not share a bucket (value_bucket() by DURATION_BITS), unknown
 * percentiles need another pass. */
struct distribution_part {
    int64_t count; /* number of values, at least 1 */
    int64_t sum, least, largest;
};

/* Adds counted values instead of a first pass; there are then no blocks or curves. */
void distribution_add(struct distribution *distribution, size_t number,
                      const struct distribution_part *part);

/* Call after all distribution_add(). `part` holds a single value; `before` values of the group are
 * smaller, and all others are larger. Percentiles with this value need no pass. */
void distribution_know(struct distribution *distribution, size_t number, int64_t before,
                       const struct distribution_part *part);

/* Ends a pass. Returns whether another one is needed. */
bool distribution_end_pass(struct distribution *distribution);

/* Fills temp.distribution, with the columns DISTRIBUTION_COLUMNS: a row for each group with values.
 * Percentiles are nearest rank. For blocks, also creates and fills temp.distribution_quantile
 * (name, thousandths, value) and temp.distribution_block (name, block, bucket, count). */
bool distribution_write(const struct distribution *distribution, struct temp_schema *temp,
                        struct error *error);
#define DISTRIBUTION_COLUMNS "name, count, min, mean, p50, p90, p99, max, p95, p99_9, sum"

struct value_curve;

/* Creates a curve for values from `least`, at least 0, to `largest`; at most 130 KiB. Owned by the
 * caller; NULL if out of memory. */
struct value_curve *value_curve_new(int64_t least, int64_t largest);

/* NULL is allowed. */
void value_curve_free(struct value_curve *curve);

/* Adds a value within the range. */
void value_curve_count(struct value_curve *curve, int64_t value);

/* An occurring value, and the number of values up to it. */
struct value_point {
    int64_t value, count;
};

/* A point is added after each 256th of all values, or of the logarithmic range, and for the largest
 * value. */
#define VALUE_CURVE_PARTS  256
#define VALUE_CURVE_POINTS (2 * VALUE_CURVE_PARTS + 2)

/* Fills `points`, of size VALUE_CURVE_POINTS, in ascending order; returns their number. */
size_t value_curve_points(const struct value_curve *curve, struct value_point *points);

#endif
