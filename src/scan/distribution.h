/* Computes count, mean and exact percentiles of values by group, in bounded memory.
 *
 * All values are added in several passes. The first pass finds count, sum, minimum and maximum of
 * each group. The upper bits that minimum and maximum share are those of every percentile. For the
 * first 64 groups, it also counts values by their ten highest bits. Each further pass finds the
 * next bits of each percentile, by counting the values that have its known bits: 18 bits for up to
 * 32 percentiles (6 groups), fewer if more percentiles share the memory. With few groups, values up
 * to 2^28 ns (a quarter of a second) need two passes in all, values up to 2^46 ns (19 hours) three.
 */
#ifndef TRACETOOL_DISTRIBUTION_H
#define TRACETOOL_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"
#include "select/temp_schema.h"

/* Limit of groups of a distribution; each takes some 400 bytes. */
#define DISTRIBUTION_GROUPS 262144

struct distribution;

/* Gives groups new names. Groups with the same new name are merged. */
struct distribution_naming {
    /* Returns the new name, of `*length` bytes, of a group; it may be the old one. */
    const char *(*find)(const void *context, const char *name, size_t *length);
    const void *context;
};

/* Optional results besides the percentiles of DISTRIBUTION_COLUMNS. Zeroed: none. */
struct distribution_shape {
    /* Above 0: also finds the percentiles of DISTRIBUTION_QUANTILES, and cuts each group's values,
     * in the order of adding, into so many blocks of equal size with a histogram each. A block has
     * at least DISTRIBUTION_LEAST values, so small groups have fewer blocks: if fewer than
     * DISTRIBUTION_FEWEST, only one. Only the DISTRIBUTION_CUT largest groups have blocks. Needs a
     * second pass. */
    int blocks;
    /* Number of groups that get a curve (value_curve_points()): the largest, and at equal size the
     * first. Needs a second pass. distribution_write() writes the points to
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

/* Percentiles computed if there are `blocks`, in thousandths, ascending. */
#define DISTRIBUTION_QUANTILES                                                                     \
    { 10, 50, 100, 250, 500, 750, 900, 950, 990, 999 }
#define DISTRIBUTION_QUANTILE_COUNT 10

/* Returns log2 of the middle of a bucket in temp.distribution_block. There are 128 buckets per
 * power of two; values below 256 have one bucket each. */
double distribution_bucket(int64_t bucket);

/* Returns the number, from 0, of the group with this name of `length` bytes; adds it if new. Beyond
 * DISTRIBUTION_GROUPS groups, sets `error` and returns 0. */
size_t distribution_group(struct distribution *distribution, const char *name, size_t length,
                          struct error *error);

/* Cached group of a key. */
struct distribution_key {
    int64_t key;
    size_t group;
    UT_hash_handle hh;
};

/* Finds groups by key: an id, class, hour … */
struct distribution_keys {
    struct distribution *distribution;
    struct database *database;
    /* SELECT of a group's name by its key ?1; a key without a row has the name "". NULL: the name
     * is the key as a number, or "" for EVENT_NONE. */
    const char *name_of;
    struct distribution_key *known;                /* owned hash table: groups by key */
    const struct distribution_key *recent[1 << 8]; /* cache of groups by hash; NULL: empty */
};

/* Finds a group that is not in its place in the cache, and puts it there. */
size_t distribution_find_key(struct distribution_keys *keys, const struct distribution_key **recent,
                             int64_t key, struct error *error);

/* Returns the number of the group of a key, as distribution_group(). */
static inline size_t distribution_group_of_key(struct distribution_keys *keys, int64_t key,
                                               struct error *error) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    const struct distribution_key **recent = &keys->recent[(uint64_t)key * factor >> (64 - 8)];

    return *recent != NULL && (*recent)->key == key
               ? (*recent)->group
               : distribution_find_key(keys, recent, key, error);
}

/* Frees the cached groups. */
void distribution_keys_clear(struct distribution_keys *keys);

/* Returns the number of groups. */
size_t distribution_groups(const struct distribution *distribution);

/* Adds a value to a group; negative values are ignored. Each pass must add all values again. */
void distribution_count(struct distribution *distribution, size_t number, int64_t value);

/* Values that are already counted, such as those of a rollup (stored counts). Percentiles may need
 * more passes if `least` and `largest` are in different buckets of value_bucket() with 10 bits. */
struct distribution_part {
    int64_t count; /* number of values, at least 1 */
    int64_t sum, least, largest;
};

/* Adds values to a group that are already counted, instead of a first pass. Not for distributions
 * with blocks or curves. */
void distribution_add(struct distribution *distribution, size_t number,
                      const struct distribution_part *part);

/* Declares that all values in `part` are equal, `before` values of the group are smaller, and all
 * others are larger. So percentiles with this value need no pass. Called after all
 * distribution_add(). */
void distribution_set_equal_values(struct distribution *distribution, size_t number, int64_t before,
                                   const struct distribution_part *part);

/* Ends a pass over the values. Returns whether another one is needed. */
bool distribution_end_pass(struct distribution *distribution);

/* Fills temp.distribution, with the columns DISTRIBUTION_COLUMNS: a row for each group with values.
 * Percentiles are nearest rank. With blocks, also creates and fills temp.distribution_quantile
 * (name, thousandths, value) and temp.distribution_block (name, block, bucket, count). */
bool distribution_write(const struct distribution *distribution, struct temp_schema *temp,
                        struct error *error);
#define DISTRIBUTION_COLUMNS "name, count, min, mean, p50, p90, p99, max, p95, p99_9, sum"

struct value_curve;

/* Returns a new curve for values from `least`, at least 0, to `largest`. It takes at most 130 KiB;
 * owned by the caller. */
struct value_curve *value_curve_new(int64_t least, int64_t largest);

/* Frees a curve; does nothing for NULL. */
void value_curve_free(struct value_curve *curve);

/* Counts a value from `least` to `largest`. */
void value_curve_count(struct value_curve *curve, int64_t value);

/* A point of a cumulative curve: a value that occurs, and the number of values up to it. */
struct value_point {
    int64_t value, count;
};

/* A curve has a point after every 256th part of the values, one after every 256th part of the range
 * on a logarithmic axis, and one at the largest value. */
#define VALUE_CURVE_PARTS  256
#define VALUE_CURVE_POINTS (2 * VALUE_CURVE_PARTS + 2)

/* Sets `points` (VALUE_CURVE_POINTS elements) to a curve's points, ascending. Returns how many. */
size_t value_curve_points(const struct value_curve *curve, struct value_point *points);

#endif
