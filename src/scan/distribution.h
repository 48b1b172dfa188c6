/* Count, mean and exact percentiles of values by group, in bounded memory.
 *
 * The values are passed over several times. The first pass finds count, sum, least and largest
 * value of each group, which tell the highest bits of every percentile: those that both share, or
 * of the first 64 groups, whose values are counted by their twelve highest bits, as many. Each
 * further pass settles the next bits, among the values that share those already known: sixteen
 * where up to 128 percentiles are looked for (25 groups), fewer where more share the memory. With
 * few groups, values up to 2^28 ns (a quarter of a second) take two passes in all, up to 2^44 (five
 * hours) three.
 */
#ifndef TRACETOOL_DISTRIBUTION_H
#define TRACETOOL_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/temp_schema.h"

/* Most groups of a distribution; some 400 bytes each. */
#define DISTRIBUTION_GROUPS 262144

struct distribution;

/* What groups are called instead: groups of several names become one. */
struct distribution_naming {
    /* The name, `*length` bytes, that takes the place of one: the same where nothing does. */
    const char *(*find)(const void *context, const char *name, size_t *length);
    const void *context;
};

/* What is found beside the percentiles of DISTRIBUTION_COLUMNS. Zeroed: nothing. */
struct distribution_shape {
    /* Above 0: the percentiles of DISTRIBUTION_QUANTILES, and the values of each group by `blocks`
     * blocks of equal numbers, in the order in which they are added. Groups with few values have
     * fewer blocks, so that each has DISTRIBUTION_LEAST, and instead of fewer than
     * DISTRIBUTION_FEWEST one; beyond the DISTRIBUTION_CUT largest groups the others have none.
     * Takes a second pass. */
    int blocks;
    /* The curves (value_curve.h) of so many groups, the largest, and of equal ones those that came
     * first. Takes a second pass. distribution_write() puts them into temp.distribution_curve,
     * which then has to be there, with the columns DISTRIBUTION_CURVE. */
    size_t curves;
    const struct distribution_naming *naming; /* borrowed; NULL: names stay */
};
#define DISTRIBUTION_LEAST  20
#define DISTRIBUTION_FEWEST 5
#define DISTRIBUTION_CUT    32
#define DISTRIBUTION_CURVE  "name, value, count"

/* Owned by the caller. */
struct distribution *distribution_new(struct distribution_shape shape);
void distribution_free(struct distribution *distribution);

/* In thousandths, ascending. */
#define DISTRIBUTION_QUANTILES                                                                     \
    { 10, 50, 100, 250, 500, 750, 900, 950, 990, 999 }
#define DISTRIBUTION_QUANTILE_COUNT 10

/* The middle of the values that a bucket of distribution_block holds, in doublings: 128 buckets to
 * a doubling. Values below 256 have a bucket each. */
double distribution_bucket(int64_t bucket);

/* The number of the group with that name of `length` bytes, which is made when there is none. Where
 * there are DISTRIBUTION_GROUPS already, `error` says so, and it is any. */
size_t distribution_group(struct distribution *distribution, const char *name, size_t length,
                          struct error *error);

/* How many groups there are. */
size_t distribution_groups(const struct distribution *distribution);

/* Adds a value, of which those below 0 do not count, to a group by its number. In each pass all
 * values are added again. */
void distribution_count(struct distribution *distribution, size_t number, int64_t value);

/* Values of a group. Where they do not share a bucket (value_bucket() by DURATION_BITS),
 * percentiles that are not known otherwise take a pass more. */
struct distribution_part {
    int64_t count; /* at least 1 */
    int64_t sum, least, largest;
};

/* Adds values that were counted before, in place of the first pass: neither blocks nor curves are
 * made of them. */
void distribution_add(struct distribution *distribution, size_t number,
                      const struct distribution_part *part);

/* Behind all that is added in place of the first pass: a part that holds one value alone, than
 * which `before` of all values of the group are smaller, and all others larger. No pass looks for
 * the percentiles that this value is. */
void distribution_know(struct distribution *distribution, size_t number, int64_t before,
                       const struct distribution_part *part);

/* Ends a pass. Whether another one is needed. */
bool distribution_end_pass(struct distribution *distribution);

/* Fills temp.distribution, which has the columns DISTRIBUTION_COLUMNS, with a row for each group
 * that has a value. A percentile is the smallest value that so many per cent do not exceed. Of
 * blocks it also makes and fills temp.distribution_quantile (name, thousandths, value)
 * and temp.distribution_block (name, block, bucket, count). */
bool distribution_write(const struct distribution *distribution, struct temp_schema *temp,
                        struct error *error);
#define DISTRIBUTION_COLUMNS "name, count, min, mean, p50, p90, p99, max, p95, p99_9, sum"

#endif
