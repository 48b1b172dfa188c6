/* Reads and writes rows in ClickHouse's format RowBinary.
 *
 * Numbers have 8 bytes (or 1, or 4), little-endian. A text is preceded by its length as a varint.
 * A nullable value is preceded by a byte: 1 for NULL, with no value after it. The format contains
 * no types: both sides know them from the statement. */
#ifndef TRACETOOL_REMOTE_ROWBINARY_H
#define TRACETOOL_REMOTE_ROWBINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* --- writing values in the format RowBinary --------------------------------------------------- */

/* Appends a number of 1 byte (0 to 255), a number of 8 bytes, or a text of any bytes. */
void rowbinary_append_u8(struct text *rows, unsigned value);
void rowbinary_append_u64(struct text *rows, uint64_t value);
void rowbinary_append_text(struct text *rows, const void *bytes, size_t length);

/* --- reading values in the format RowBinary --------------------------------------------------- */

/* Remaining bytes of an answer. Reading beyond the end, or an impossible length, sets `failed`;
 * then all functions return 0 or an empty text. */
struct rowbinary_reader {
    const unsigned char *at, *end;
    bool failed;
};

/* Starts reading an answer, which must outlive the reader. */
struct rowbinary_reader rowbinary_reader(const struct text *answer);

/* Returns whether there is another row: bytes remain, and no read failed. */
bool rowbinary_more(const struct rowbinary_reader *reader);

/* Reads a number of 8 bytes. */
uint64_t rowbinary_u64(struct rowbinary_reader *reader);
int64_t rowbinary_i64(struct rowbinary_reader *reader);

/* Reads a text. Returns a pointer into the answer: any bytes, without a NUL at the end. */
const char *rowbinary_text(struct rowbinary_reader *reader, size_t *length);

/* A text in an answer, not NUL-terminated. `bytes` is NULL if zeroed. */
struct rowbinary_slice {
    const char *bytes;
    size_t length;
};

/* Reads a text, like rowbinary_text(). */
struct rowbinary_slice rowbinary_slice(struct rowbinary_reader *reader);

/* Returns whether the slice is equal to `text`. */
bool rowbinary_slice_is(struct rowbinary_slice slice, const char *text);

/* Reads the byte before a nullable value: 1 for NULL, else 0. Returns whether the value is NULL.
 * Other bytes are an error. */
bool rowbinary_read_null(struct rowbinary_reader *reader);

/* --- keys of rows: trace and attempt ---------------------------------------------------------- */

/* Key of each row in a store: a trace, and one attempt (upload) of it. */
struct upload_key {
    uint64_t trace, attempt;
};

/* Compares by trace, then by attempt; the result is below, equal to or above 0. */
int upload_key_compare(const struct upload_key *a, const struct upload_key *b);

/* Reads trace and attempt at the beginning of a row. */
struct upload_key rowbinary_read_upload_key(struct rowbinary_reader *reader);

#endif
