/* Groups of values of both sides, such as latencies of one class, cut into blocks of time. */
#ifndef TRACETOOL_COMPARE_GROUPS_H
#define TRACETOOL_COMPARE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/table.h"
#include "scan/distribution.h"
#include "select/temp_schema.h"

/* The values of a side: how many there are in each bucket of each block. */
struct compare_cut {
    size_t blocks;
    int64_t least;    /* the first bucket (distribution_bucket()) */
    size_t places;    /* buckets */
    uint32_t *counts; /* owned; block by block */
};

struct compare_group {
    const char *name; /* borrowed from its place */
    char *part;       /* owned; what the report in hand calls it; NULL: none does */
    size_t part_length;
    bool has[SIDES];
    int64_t counts[SIDES], means[SIDES], largest[SIDES];
    int64_t quantiles[SIDES][DISTRIBUTION_QUANTILE_COUNT];
    struct compare_cut cuts[SIDES];
};

/* Zeroed: none. */
struct compare_groups {
    struct compare_group *groups; /* owned */
    size_t count, capacity;
    struct compare_place *places;      /* owned hash table of the groups, by name */
    struct compare_alias *aliases;     /* owned hash table: parts of a side that others stand for */
    struct distribution_naming naming; /* by the aliases; its address is given to reports */
};

/* Most groups. */
#define COMPARE_GROUPS 16384

/* What of a group is read: all of one trace; or of several together without their blocks, and then
 * of each of them alone only these, behind those that are there: as one block, where it is not cut.
 */
enum compare_read { READ_ALL, READ_TOTALS, READ_BLOCKS };

/* Reads what a side's report has found out of the group that temp.distribution calls `part`; `name`
 * is what the reader calls it. `*place`: its number among the groups. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct temp_schema *temp, const struct value *part, const char *name,
                         size_t *place, struct error *error);

/* Parts of one name, which the names made so, were read: a first one, and others that it stands for
 * from now on. Where there are, forgets what was read of the side, which has to be read again with
 * these names. */
const struct distribution_naming *compare_groups_again(struct compare_groups *groups,
                                                       enum side side);

/* What the parts of a side were called is known no more. */
void compare_groups_end_side(struct compare_groups *groups);

/* Makes the blocks of time of a trace one block, to compare it with several traces. */
void compare_groups_join(struct compare_groups *groups, enum side side);

void compare_groups_free(struct compare_groups *groups);

#endif
