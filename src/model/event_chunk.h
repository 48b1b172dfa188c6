/* Consecutive events of a trace as encoded columns.
 *
 * Stored in the table `event_column` (column_table.h), one part for each field with a value. Fields
 * hold the values of `event` or `cpu_time`. Exception: `parent` is the number of events back to the
 * caller, so that a chunk does not depend on its ids. Chunks have no argument bytes.
 */
#ifndef TRACETOOL_EVENT_CHUNK_H
#define TRACETOOL_EVENT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/event_columns.h"

/* Maximum values in one code. A build for thread tests (tests/threads.sh) has few, so that a small
 * log has many chunks; other builds can read its output. */
#ifndef COLUMN_CODE_VALUES
#define COLUMN_CODE_VALUES 16384
#endif

/* Bytes that must be readable after a code. */
#define COLUMN_CODE_PADDING 8

/* Maximum size of a code. */
#define COLUMN_CODE_MOST (12 + 8 + 8 * 256 + 2 * COLUMN_CODE_VALUES / 8 + 8 * COLUMN_CODE_VALUES)

/* Working memory for encoding: large, reusable. */
struct column_coder {
    int64_t values[COLUMN_CODE_VALUES]; /* set by the caller; EVENT_NONE for no value */
    uint64_t codes[COLUMN_CODE_VALUES];
    unsigned char numbers[COLUMN_CODE_VALUES]; /* index of each value in a table */
    unsigned char changes[COLUMN_CODE_VALUES / 8];
};

/* Appends the code of the coder's first `count` values, which it modifies. `differences`: encodes
 * differences, for values close to their predecessors. Sets the minimum and maximum of the values
 * that are not EVENT_NONE. Appends nothing if there are none. */
void column_encode(struct text *code, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most);

/* Decodes `size` bytes into an array of `count` elements of `form`. False if the code is invalid;
 * the array is then undefined. */
bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count);

/* Maximum events of a chunk, and of a batch. */
#define EVENT_CHUNK COLUMN_CODE_VALUES

/* Databases store these numbers (event_column.fields): append new ones at the end. */
enum event_field {
    EVENT_FIELD_TIME,
    EVENT_FIELD_CPU_DURATION,
    EVENT_FIELD_CPU_SELF,
#define X(NAME, field, FORM) EVENT_FIELD_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_FIELDS,
};

/* Returns the field of a chunk that has the values of a column. */
static inline enum event_field event_field_of(enum event_place column) {
    return (enum event_field)(EVENT_FIELD_CPU_SELF + 1 + (int)column);
}

/* One encoded field. */
struct event_chunk_part {
    int64_t least, most; /* minimum and maximum value */
    size_t offset, size; /* position of its code in the chunk's bytes; size 0: no values */
    uint32_t sum;        /* checksum of its code: lower 32 bits of XXH3 */
};

/* Empty when zeroed. */
struct event_chunk {
    size_t count; /* number of events */
    struct event_chunk_part parts[EVENT_FIELDS];
    struct text bytes; /* owned */
};

/* SQL name of a field; NULL for argument bytes, which are not a field. */
const char *event_field_name(enum event_field field);

/* Columns (enum event_column) needed to decode a field; 0: time only. */
unsigned event_field_column(enum event_field field);

/* Encodes `count` events, at most EVENT_CHUNK. The columns in `fields` (enum event_column) and id
 * must be set. Replaces the chunk's content. */
void event_chunk_encode_columns(struct event_chunk *chunk, struct column_coder *coder,
                                const struct event_columns *columns, size_t count, unsigned fields);

/* Decodes a field of `count` events into its array, which must exist; `parent` also needs the ids.
 * COLUMN_CODE_PADDING bytes must be readable after the code. `code` NULL: no event has a value.
 * False if the code is damaged or does not match the part's checksum. */
bool event_field_decode(enum event_field field, const struct event_chunk_part *part,
                        const unsigned char *code, struct event_columns *columns, size_t count);

void event_chunk_free(struct event_chunk *chunk);

#endif
