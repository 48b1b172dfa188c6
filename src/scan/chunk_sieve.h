/* Which events of a chunk pass a sieve, by its codes.
 *
 * A field of few values asks the sieve once for each value that its code can stand for; then an
 * event passes by the number it is coded by. Where all values pass, or none, no event is looked at.
 */
#ifndef TRACETOOL_CHUNK_SIEVE_H
#define TRACETOOL_CHUNK_SIEVE_H

#include "scan/sieve.h"
#include "store/column_reader.h"

/* Values of a field that are asked for one by one, at most. */
#define CHUNK_SIEVE_VALUES 4096

/* Memory for it: large, and to be used again. */
struct chunk_sieve {
    int64_t values[CHUNK_SIEVE_VALUES];
    bool passes[CHUNK_SIEVE_VALUES]; /* by the number of a value */
    uint32_t numbers[EVENT_CHUNK], ends[COLUMN_RUNS];
};

/* Of the `*count` events at `*places` of a chunk, those that pass: their number, and `*places`
 * where they are, in their order, which is `kept` (room for EVENT_CHUNK) unless all pass. What the
 * sieve needs values of is decoded into the columns: `*decoded`, of all events of the chunk. False
 * when a code is damaged. */
bool chunk_sieve_events(struct chunk_sieve *chunk, const struct sieve *sieve,
                        const struct column_piece *piece, struct event_columns *columns,
                        unsigned *decoded, const uint32_t **places, uint32_t *kept, size_t *count);

#endif
