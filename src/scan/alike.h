/* Events of a chunk that are alike in all that is looked at, as one with its number.
 *
 * Who counts events by a few fields of few values is told each of these events once: what a field
 * is coded by is a small number, so that which of them an event is takes some additions, and no
 * value is made of its codes more than once a chunk.
 */
#ifndef TRACETOOL_ALIKE_H
#define TRACETOOL_ALIKE_H

#include "store/column_reader.h"

/* Different events of a chunk, at most. */
#define ALIKE_MOST 8192

/* Memory for it: large, and to be used again. */
struct alike {
    uint32_t which[EVENT_CHUNK], numbers[EVENT_CHUNK]; /* of each event */
    int64_t values[ALIKE_MOST]; /* of the fields, one behind another, by number */
    size_t first[EVENT_FIELDS]; /* of each field: where its values begin, */
    size_t kinds[EVENT_FIELDS]; /* and how many it can have; 0: it is not looked at */
    uint32_t counts[ALIKE_MOST];
    int64_t bytes[ALIKE_MOST];
};

/* Whether the events at `count` places of a chunk can be told apart by `fields` (enum event_column,
 * without parent, arguments and CPU times) with less work than one by one: their codes say how many
 * different ones there can be. */
bool alike_can(struct alike *alike, const struct column_piece *piece, unsigned fields,
               size_t count);

/* After that: puts each of them once into the columns, which have these fields, and says in
 * `alike` and `bytes` of the columns, which are borrowed until the next call, how many it is.
 * `*different`: how many there are. `sizes`: bytes are wanted; the columns have EVENT_SIZE. False
 * when a code is damaged. */
bool alike_gather(struct alike *alike, const struct column_piece *piece, bool sizes,
                  const uint32_t *places, size_t count, struct event_columns *columns,
                  size_t *different);

#endif
