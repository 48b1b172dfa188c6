/* Count, mean and exact percentiles of values by group, in bounded memory.
 *
 * The values are passed over several times. The first pass finds count, sum, least and largest
 * value of each group, and how many values share their twelve highest bits: so the highest bits of
 * every percentile are known. Each further pass settles the next sixteen bits, among the values
 * that share those already known. Values up to 2^28 ns (a quarter of a second) take two passes in
 * all, up to 2^44 (five hours) three.
 */
#ifndef TRACETOOL_DISTRIBUTION_H
#define TRACETOOL_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "select/scratch.h"

struct distribution;

/* NULL when out of memory. Owned by the caller. */
struct distribution *distribution_new(void);
void distribution_free(struct distribution *distribution);

/* Adds a value, of which those below 0 do not count, to a group. In each pass all values are added
 * again. Fails when there are more than 64 groups. */
bool distribution_add(struct distribution *distribution, const char *group, int64_t value,
                      struct error *error);

/* Ends a pass. `*more`: another one is needed. */
bool distribution_end_pass(struct distribution *distribution, bool *more, struct error *error);

/* Fills temp.distribution, which has the columns DISTRIBUTION_COLUMNS, with a row a group. A
 * percentile is the smallest value that so many per cent do not exceed. */
bool distribution_write(const struct distribution *distribution, struct scratch *scratch,
                        struct error *error);
#define DISTRIBUTION_COLUMNS "name, count, min, mean, p50, p90, p99, max"

#endif
