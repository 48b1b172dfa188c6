/* Bit packing of an `event` column's values.
 *
 * tracetool-schema(7), COLUMNS, specifies the bytes; tests/columns.py decodes them independently.
 * On logs of five formats it takes a third of the bytes of streamvbyte, which supports 32 bits
 * only, and 1 ns to read a value. zstd or deflate on top save another fifth but take two to twenty
 * times as long.
 */
#ifndef TRACETOOL_COLUMN_CODE_H
#define TRACETOOL_COLUMN_CODE_H

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
#define COLUMN_CODE_MOST (12 + 8 * 256 + 2 * COLUMN_CODE_VALUES / 8 + 8 * COLUMN_CODE_VALUES)

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

#endif
