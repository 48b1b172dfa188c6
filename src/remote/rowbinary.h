/* Rows as a store takes and gives them: ClickHouse's RowBinary. Numbers have 8 bytes (or 1, or 4),
 * the lowest first; a text has its length as a varint in front; what may be NULL has a byte in
 * front of it, 1 for NULL, behind which nothing follows. Nothing in it says what is what: both
 * sides know it from the statement.
 */
#ifndef TRACETOOL_REMOTE_ROWBINARY_H
#define TRACETOOL_REMOTE_ROWBINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* --- writing; text_failed as ever ---------------------------------------------------------------
 */

/* Append a number of 1 byte (0 to 255), one of 8, and a text of any bytes. */
void rowbinary_put_u8(struct text *rows, unsigned value);
void rowbinary_put_u64(struct text *rows, uint64_t value);
void rowbinary_put_text(struct text *rows, const void *bytes, size_t length);

/* --- reading ------------------------------------------------------------------------------------
 */

/* Bytes of an answer that were not read yet. What goes beyond their end, and a length that cannot
 * be, sets `failed` and gives 0 or an empty text from then on. */
struct rowbinary_reader {
    const unsigned char *at, *end;
    bool failed;
};

/* `answer` must outlive the reader. */
struct rowbinary_reader rowbinary_reader(const struct text *answer);

/* Whether there is another row: nothing failed, and bytes are left. */
bool rowbinary_more(const struct rowbinary_reader *reader);

/* The next number of 8 bytes. */
uint64_t rowbinary_u64(struct rowbinary_reader *reader);
int64_t rowbinary_i64(struct rowbinary_reader *reader);

/* Bytes of the answer, any, without a NUL behind them. */
const char *rowbinary_text(struct rowbinary_reader *reader, size_t *length);

/* The same as one value; NULL bytes when it is zeroed, and nothing was read. */
struct rowbinary_slice {
    const char *bytes;
    size_t length;
};

/* The next text. */
struct rowbinary_slice rowbinary_slice(struct rowbinary_reader *reader);

/* Whether it is this text, byte for byte. */
bool rowbinary_slice_is(struct rowbinary_slice slice, const char *text);

/* The byte in front of what may be NULL: whether it is. Anything but 0 and 1 fails. */
bool rowbinary_null(struct rowbinary_reader *reader);

/* --- keys ---------------------------------------------------------------------------------------
 */

/* The keys in front of every row of a store: one attempt to send a trace. */
struct remote_pair {
    uint64_t trace, attempt;
};

/* Below, at or above 0, as of strcmp(): by trace, then by attempt. */
int remote_pair_compare(const struct remote_pair *a, const struct remote_pair *b);

/* Takes the keys of a row. */
struct remote_pair remote_pair_take(struct rowbinary_reader *reader);

#endif
