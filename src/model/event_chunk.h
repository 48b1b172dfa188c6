/* A chunk: up to EVENT_CHUNK successive events of a trace, each column encoded separately. Table
 * `event_column` (column_table.h) has a row for each field of a chunk that has values.
 *
 * Fields have the values of tables `event` and `cpu_time`. Only `parent` is stored as the distance
 * to the caller, in events, so that ids may change. Arguments are not in chunks. */
#ifndef TRACETOOL_EVENT_CHUNK_H
#define TRACETOOL_EVENT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/event_columns.h"

/* Limit of values that are encoded together. Builds that test threads (tests/threads.sh) make it
 * small, so that a small log has many chunks; other builds can read such chunks. */
#ifndef COLUMN_CODE_VALUES
#define COLUMN_CODE_VALUES 16384
#endif

/* Bytes behind encoded values that must be readable, since 8 bytes are loaded at a time. */
#define COLUMN_CODE_PADDING 8

/* Limit of a field's encoded size in bytes. */
#define COLUMN_CODE_MOST (12 + 8 + 8 * 256 + 2 * COLUMN_CODE_VALUES / 8 + 8 * COLUMN_CODE_VALUES)

/* Working memory for encoding. It is large, so reuse it. */
struct column_coder {
    int64_t values[COLUMN_CODE_VALUES]; /* input: values to encode; EVENT_NONE: NULL */
    uint64_t codes[COLUMN_CODE_VALUES];
    unsigned char numbers[COLUMN_CODE_VALUES]; /* for each value, its index in the table of
                                                  different values */
    unsigned char changes[COLUMN_CODE_VALUES / 8];
};

/* Encodes the first `count` values of the coder (which it overwrites), and appends the result.
 * `differences`: encodes differences, for values close to the one before. Sets `*least` and `*most`
 * to the smallest and largest value besides NULL. Appends nothing if all values are NULL. */
void column_encode(struct text *code, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most);

/* Decodes `size` bytes into an array of `count` elements, whose type is given by `form`. Returns
 * false if the bytes are invalid; then the array's contents are undefined. */
bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count);

/* Limit of events in a chunk, and in a batch. */
#define EVENT_CHUNK COLUMN_CODE_VALUES

/* Fields of chunks. Databases store these numbers (event_column.fields): add new ones last. */
enum event_field {
    EVENT_FIELD_TIME,
    EVENT_FIELD_CPU_DURATION,
    EVENT_FIELD_CPU_SELF,
#define X(NAME, field, FORM) EVENT_FIELD_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_FIELDS,
};

/* Returns the chunk field that holds a column of `event`. */
static inline enum event_field event_field_of(enum event_place column) {
    return (enum event_field)(EVENT_FIELD_CPU_SELF + 1 + (int)column);
}

/* The encoded values of one field of a chunk. */
struct event_chunk_part {
    int64_t least, most; /* smallest and largest value */
    size_t offset, size; /* position in the chunk's bytes; size 0: no values */
    uint32_t sum;        /* checksum of the encoded values: lower 32 bits of XXH3 */
};

/* A chunk of encoded events. Zeroed: empty. */
struct event_chunk {
    size_t count; /* number of events */
    struct event_chunk_part parts[EVENT_FIELDS];
    struct text bytes; /* owned; encoded values of all fields */
};

/* Returns a field's column name in SQL; NULL for arguments, which are not in chunks. */
const char *event_field_name(enum event_field field);

/* Returns the bit of enum event_column that the field belongs to; 0: time, always present. */
unsigned event_field_column(enum event_field field);

/* Encodes `count` events, at most EVENT_CHUNK, replacing the chunk's content. `columns` must have
 * ids and the columns in `fields` (enum event_column). */
void event_chunk_encode_columns(struct event_chunk *chunk, struct column_coder *coder,
                                const struct event_columns *columns, size_t count, unsigned fields);

/* Decodes a field of `count` events into its array, which must have room; for `parent`, ids must be
 * set. COLUMN_CODE_PADDING bytes must be readable behind `code`; `code` NULL: all values are NULL.
 * Returns false if the bytes are invalid or their checksum differs. */
bool event_field_decode(enum event_field field, const struct event_chunk_part *part,
                        const unsigned char *code, struct event_columns *columns, size_t count);

void event_chunk_free(struct event_chunk *chunk);

#endif
