/* Computes count, mean and exact percentiles of values by group, in bounded memory.
 *
 * All values are added in several passes. The first pass finds count, sum, minimum and maximum of
 * each group. Bits that minimum and maximum share are the upper bits of every percentile. For the
 * first 64 groups, it also counts values by their twelve highest bits. Each further pass finds the
 * next bits, among the values that share the known bits: sixteen for up to 128 percentiles (25
 * groups), fewer if more percentiles share the memory. With few groups, values up to 2^28 ns (a
 * quarter of a second) need two passes in all, values up to 2^44 ns (five hours) three. */
#ifndef TRACETOOL_DISTRIBUTION_H
#define TRACETOOL_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/temp_schema.h"

/* Limit of groups of a distribution; each takes some 400 bytes. */
#define DISTRIBUTION_GROUPS 262144

struct distribution;

/* Replaces names of groups. Groups whose new names are equal are merged. */
struct distribution_naming {
    /* Returns the new name, of `*length` bytes, for the name of a group; may be the same name. */
    const char *(*find)(const void *context, const char *name, size_t *length);
    const void *context;
};

/* What a distribution computes besides the percentiles of DISTRIBUTION_COLUMNS. Zeroed: nothing. */
struct distribution_shape {
    /* Above 0: also finds the percentiles of DISTRIBUTION_QUANTILES, and counts each group's values
     * in `blocks` blocks of equal size, in the order of adding. A block has at least
     * DISTRIBUTION_LEAST values, so small groups have fewer blocks; fewer than DISTRIBUTION_FEWEST
     * become one. Only the DISTRIBUTION_CUT largest groups have blocks. Needs a second pass. */
    int blocks;
    /* Number of groups that get a curve (value_curve_points()): the largest ones, or first ones
     * among equals. Needs a second pass. distribution_write() writes them to
     * temp.distribution_curve, which must exist, with the columns DISTRIBUTION_CURVE. */
    size_t curves;
    const struct distribution_naming *naming; /* borrowed; NULL: groups keep their names */
};
#define DISTRIBUTION_LEAST  20
#define DISTRIBUTION_FEWEST 5
#define DISTRIBUTION_CUT    32
#define DISTRIBUTION_CURVE  "name, value, count"

/* Returns a new distribution, owned by the caller. */
struct distribution *distribution_new(struct distribution_shape shape);
void distribution_free(struct distribution *distribution);

/* Percentiles that are found with `blocks`, in thousandths, ascending. */
#define DISTRIBUTION_QUANTILES                                                                     \
    { 10, 50, 100, 250, 500, 750, 900, 950, 990, 999 }
#define DISTRIBUTION_QUANTILE_COUNT 10

/* Returns the base-2 logarithm of the middle of a bucket of distribution_block. A doubling has 128
 * buckets; values below 256 have a bucket each. */
double distribution_bucket(int64_t bucket);

/* Returns the number of the group with a name of `length` bytes, and adds it if new. Beyond
 * DISTRIBUTION_GROUPS groups, sets `error` and returns any number. */
size_t distribution_group(struct distribution *distribution, const char *name, size_t length,
                          struct error *error);

/* Returns the number of groups. */
size_t distribution_groups(const struct distribution *distribution);

/* Adds a value to a group; negative values are ignored. Each pass must add all values again. */
void distribution_count(struct distribution *distribution, size_t number, int64_t value);

/* Counted values of a group, all in one bucket of value_bucket() by DURATION_BITS or fewer bits;
 * else percentiles of the group may need more passes. */
struct distribution_part {
    int64_t count; /* number of values, at least 1 */
    int64_t sum, least, largest;
};

/* Adds counted values of a group, instead of a first pass. Blocks and curves are then missing. */
void distribution_add(struct distribution *distribution, size_t number,
                      const struct distribution_part *part);

/* Tells that all values in `part` are equal, `before` values of the group are smaller, and all
 * others are larger. Percentiles with this value then need no pass. Called after all
 * distribution_add(). */
void distribution_set_equal_values(struct distribution *distribution, size_t number, int64_t before,
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

/* Returns a new curve for values from `least`, at least 0, to `largest`, owned by the caller. It
 * takes at most 130 KiB; NULL if out of memory. */
struct value_curve *value_curve_new(int64_t least, int64_t largest);

/* Frees a curve; does nothing for NULL. */
void value_curve_free(struct value_curve *curve);

/* Counts a value, which lies in the curve's range. */
void value_curve_count(struct value_curve *curve, int64_t value);

/* A point of a curve: a value that occurs, and the number of values up to it. */
struct value_point {
    int64_t value, count;
};

/* A curve has a point after each 256th of all values, after each 256th of the logarithmic range,
 * and at the largest value. */
#define VALUE_CURVE_PARTS  256
#define VALUE_CURVE_POINTS (2 * VALUE_CURVE_PARTS + 2)

/* Sets `points`, of size VALUE_CURVE_POINTS, to a curve's points, ascending. Returns their
 * number. */
size_t value_curve_points(const struct value_curve *curve, struct value_point *points);

#endif
