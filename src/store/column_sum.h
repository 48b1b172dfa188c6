/* The sums of the table `event_column`, by which a row is known to be as it was written.
 *
 * A row has one number of 64 bits. The upper half is of all that it says beside the code, so that
 * whoever passes a chunk over by its extents can trust these without reading it; the lower half is
 * of the code (event_chunk.h). Both are lower halves of XXH3 with 64 bits. tracetool-schema(7) says
 * which bytes they are of.
 */
#ifndef TRACETOOL_COLUMN_SUM_H
#define TRACETOOL_COLUMN_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event_chunk.h"

/* What a row says beside its code. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* of times: a bit 1 << enum event_field of each that the chunk has; else 0 */
};

/* The sum of a row; `code` is that of its code. */
int64_t column_sum(const struct column_key *key, uint32_t code);

/* Whether that is the sum of a row with this key, whatever its code. */
bool column_sum_fits(const struct column_key *key, int64_t sum);

#endif
