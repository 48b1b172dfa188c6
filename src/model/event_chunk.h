/* Some events of a trace that follow one another, as columns in code.
 *
 * They are what the table `event_column` holds (column_table.h): a part a field of which at least
 * one event has a value. The values of a field are those of `event`, or of `cpu_time`; only of
 * `parent` it is how many events before the own one the caller is, so that a chunk does not depend
 * on the ids of its events. Argument bytes are in no chunk.
 */
#ifndef TRACETOOL_EVENT_CHUNK_H
#define TRACETOOL_EVENT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/column_code.h"
#include "model/event_columns.h"

/* Events of a chunk, at most: those of a batch. */
#define EVENT_CHUNK COLUMN_CODE_VALUES

/* Databases have these numbers (event_column.fields): it only ever grows at its end. */
enum event_field {
    EVENT_FIELD_TIME,
    EVENT_FIELD_CPU_DURATION,
    EVENT_FIELD_CPU_SELF,
#define X(NAME, field, FORM) EVENT_FIELD_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_FIELDS,
};

/* The field of a column. */
static inline enum event_field event_field_of(enum event_place column) {
    return (enum event_field)(EVENT_FIELD_CPU_SELF + 1 + (int)column);
}

/* A field of the events of a chunk. */
struct event_chunk_part {
    int64_t least, most; /* of its values */
    size_t offset, size; /* of its code, in the chunk's bytes; size 0: no event has a value */
    uint32_t sum;        /* of its code: XXH3, the lower 32 of 64 bits */
};

/* Zeroed: of no events. */
struct event_chunk {
    size_t count; /* events */
    struct event_chunk_part parts[EVENT_FIELDS];
    struct text bytes; /* owned */
};

/* What a field is called in SQL; NULL for argument bytes, which are none of the fields. */
const char *event_field_name(enum event_field field);

/* The columns (enum event_column) that a field needs in order to be decoded; 0: time. */
unsigned event_field_column(enum event_field field);

/* Codes `count` events, at most EVENT_CHUNK, of which `fields` (enum event_column) are there, and
 * id. What the chunk had is dropped. */
void event_chunk_encode_columns(struct event_chunk *chunk, struct column_coder *coder,
                                const struct event_columns *columns, size_t count, unsigned fields);

/* Decodes a field of the `count` events into its array among the columns, which must be there, as
 * must the ids for `parent`. COLUMN_CODE_PADDING bytes can be read behind the code. Without a code
 * (NULL) no event has a value. False when it is damaged: it is not the code of which the part has
 * the sum, or none. */
bool event_field_decode(enum event_field field, const struct event_chunk_part *part,
                        const unsigned char *code, struct event_columns *columns, size_t count);

void event_chunk_free(struct event_chunk *chunk);

#endif
