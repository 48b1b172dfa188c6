/* The values of a column of `event` as bytes: as few bits for each as hold it.
 *
 * tracetool-schema(7), COLUMNS, has the bytes one by one, and tests/columns.py reads them by it.
 * Measured on logs of five formats, this takes a third of the bytes of streamvbyte, which knows 32
 * bits only, and 1 ns to read a value; zstd and deflate of the same save another fifth and take two
 * to twenty times as long.
 */
#ifndef TRACETOOL_COLUMN_CODE_H
#define TRACETOOL_COLUMN_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/event_columns.h"

/* Values that are coded together, at most. A build for tests of threads (tests/threads.sh) has few,
 * so that the events of a small log are many chunks; what it writes all others read. */
#ifndef COLUMN_CODE_VALUES
#define COLUMN_CODE_VALUES 16384
#endif

/* Bytes that must be readable behind a code. */
#define COLUMN_CODE_PADDING 8

/* No code is larger. */
#define COLUMN_CODE_MOST (12 + 8 * 256 + 2 * COLUMN_CODE_VALUES / 8 + 8 * COLUMN_CODE_VALUES)

/* Memory for coding: large, and to be used again. */
struct column_coder {
    int64_t values[COLUMN_CODE_VALUES]; /* the caller's: EVENT_NONE for none */
    uint64_t codes[COLUMN_CODE_VALUES];
    unsigned char numbers[COLUMN_CODE_VALUES]; /* of values in a table */
    unsigned char changes[COLUMN_CODE_VALUES / 8];
};

/* Appends the code of the first `count` of the coder's values, which are changed; of their
 * differences where values follow one another closely. `*least` and `*most` are those of the values
 * that are some. Nothing is appended when there are none. */
void column_encode(struct text *code, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most);

/* Puts the values of a code of `size` bytes into an array of `count` elements of that form. False
 * when it is no such code: what the array holds is then not defined. */
bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count);

#endif
