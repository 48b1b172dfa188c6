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

/* Values of a side: counts by block and bucket. */
struct compare_cut {
    size_t blocks;
    int64_t least;    /* first bucket (distribution_bucket()) */
    size_t places;    /* number of buckets */
    uint32_t *counts; /* owned; block by block */
};

struct compare_group {
    const char *name; /* borrowed from its hash table entry */
    char *part;       /* owned; name in the current report; NULL: not in it */
    size_t part_length;
    bool has[SIDES];
    int64_t counts[SIDES], means[SIDES], largest[SIDES];
    int64_t quantiles[SIDES][DISTRIBUTION_QUANTILE_COUNT];
    struct compare_cut cuts[SIDES];
};

/* All groups; zeroed: none. */
struct compare_groups {
    struct compare_group *groups; /* owned */
    size_t count, capacity;
    struct compare_place *places;      /* owned hash table of the groups, by name */
    struct compare_alias *aliases;     /* owned hash table: parts represented by others */
    struct distribution_naming naming; /* maps aliases; reports get its address */
};

/* Limit of groups. */
#define COMPARE_GROUPS 16384

/* What to read of a group. READ_ALL: a single trace. READ_TOTALS: several traces together, without
 * blocks. READ_BLOCKS: then each of them alone, appended as one block. */
enum compare_read { READ_ALL, READ_TOTALS, READ_BLOCKS };

/* Reads the results of a side's report for the group called `part` in temp.distribution. `name` is
 * its name in the comparison. `*place`: index of the group. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct temp_schema *temp, const struct value *part, const char *name,
                         size_t *place, struct error *error);

/* Call this after all parts were read. If renaming made names of parts equal, the first part
 * represents the others from now on. Then this discards the data of the side, which must be read
 * again with the returned names. NULL if nothing was renamed. */
const struct distribution_naming *compare_groups_again(struct compare_groups *groups,
                                                       enum side side);

/* Forgets the parts of a side and their aliases. */
void compare_groups_end_side(struct compare_groups *groups);

/* Merges the blocks of a trace into one, for comparison with several traces. */
void compare_groups_join(struct compare_groups *groups, enum side side);

void compare_groups_free(struct compare_groups *groups);

#endif
