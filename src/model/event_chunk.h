/* A chunk: up to EVENT_CHUNK successive events of a trace, with each column encoded by itself. The
 * table `event_column` (column_table.h) has a row for each field of a chunk with any value.
 *
 * Fields have the values of the tables `event` and `cpu_time`. Only `parent` is stored as the
 * number of events back to the caller, so that ids may change. Bytes of arguments are not in
 * chunks. */
#ifndef TRACETOOL_EVENT_CHUNK_H
#define TRACETOOL_EVENT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/event_columns.h"

/* Limit of values that are encoded together. Builds for tests of threads (tests/threads.sh) set it
 * low, so that a small log has many chunks; other builds can read these. */
#ifndef COLUMN_CODE_VALUES
#define COLUMN_CODE_VALUES 16384
#endif

/* Number of bytes after encoded values that must be readable. */
#define COLUMN_CODE_PADDING 8

/* Limit of bytes of encoded values. */
#define COLUMN_CODE_MOST (12 + 8 + 8 * 256 + 2 * COLUMN_CODE_VALUES / 8 + 8 * COLUMN_CODE_VALUES)

/* Memory for encoding: large, so that it should be reused. */
struct column_coder {
    int64_t values[COLUMN_CODE_VALUES]; /* values to encode, from the caller; EVENT_NONE: none */
    uint64_t codes[COLUMN_CODE_VALUES];
    unsigned char numbers[COLUMN_CODE_VALUES]; /* index in the table of each value */
    unsigned char changes[COLUMN_CODE_VALUES / 8];
};

/* Encodes the first `count` values of the coder, which it changes, and appends the result.
 * `differences`: stores differences, for values close to the one before. Sets the smallest and
 * largest value, without EVENT_NONE. Appends nothing if all are EVENT_NONE. */
void column_encode(struct text *code, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most);

/* Decodes `size` bytes into an array of `count` elements of type `form`. Returns false if the bytes
 * are invalid; the array may then have anything. */
bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count);

/* Limit of events in a chunk, and in a batch. */
#define EVENT_CHUNK COLUMN_CODE_VALUES

/* Fields of chunks. Databases store these numbers (event_column.fields): add new ones at the
 * end. */
enum event_field {
    EVENT_FIELD_TIME,
    EVENT_FIELD_CPU_DURATION,
    EVENT_FIELD_CPU_SELF,
#define X(NAME, field, FORM) EVENT_FIELD_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_FIELDS,
};

/* Returns the field of a chunk with the values of a column of `event`. */
static inline enum event_field event_field_of(enum event_place column) {
    return (enum event_field)(EVENT_FIELD_CPU_SELF + 1 + (int)column);
}

/* Encoded values of one field of a chunk. */
struct event_chunk_part {
    int64_t least, most; /* smallest and largest value */
    size_t offset, size; /* where the encoded values are in the chunk's bytes; size 0: none */
    uint32_t sum;        /* checksum of the encoded values: lower 32 bits of XXH3 */
};

/* A chunk of events; zeroed: empty. */
struct event_chunk {
    size_t count; /* number of events */
    struct event_chunk_part parts[EVENT_FIELDS];
    struct text bytes; /* owned */
};

/* Returns the name of a field in SQL; NULL for bytes of arguments, which are not in chunks. */
const char *event_field_name(enum event_field field);

/* Returns which columns (enum event_column) a field needs for decoding; 0: only time. */
unsigned event_field_column(enum event_field field);

/* Encodes `count` events, at most EVENT_CHUNK, in place of what the chunk had. The columns in
 * `fields` (enum event_column) and ids must be set. */
void event_chunk_encode_columns(struct event_chunk *chunk, struct column_coder *coder,
                                const struct event_columns *columns, size_t count, unsigned fields);

/* Decodes a field of `count` events into its array, for which there must be room; for `parent`, ids
 * must be set. COLUMN_CODE_PADDING bytes must be readable after `code`. `code` NULL: no event has a
 * value. Returns false if the bytes are invalid, or have another checksum. */
bool event_field_decode(enum event_field field, const struct event_chunk_part *part,
                        const unsigned char *code, struct event_columns *columns, size_t count);

void event_chunk_free(struct event_chunk *chunk);

#endif
