/* A cursor over an input: every access says whether the bytes are there.
 *
 * The reader keeps a window of the stream in memory. Binary importers ask for bytes with
 * reader_need(), text importers for lines with reader_line(). A false return is the end of the
 * stream or a failed read; reader_failed() tells which. Memory is bounded by the window.
 */
#ifndef TRACETOOL_READER_H
#define TRACETOOL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "input/input.h"
#include "input/peel.h"

/* The most bytes that can be asked for at once, and so the longest line. */
#define READER_WINDOW ((size_t)256 * 1024)

struct reader {
    struct input *input; /* borrowed */
    struct error *error; /* borrowed; filled when reading fails */
    uint8_t *buffer;     /* owned, 2 * READER_WINDOW bytes */
    size_t start, end;   /* what of it is not consumed yet */
    int64_t offset;      /* in the unpacked stream, or that without its layers, of buffer[start] */
    bool at_end, failed;
    struct peel *peel; /* owned; NULL: the bytes are as they are in the file */
    bool fed;          /* it has all bytes of the file */
};

/* Both structs are borrowed until reader_free(). False when out of memory. */
bool reader_init(struct reader *reader, struct input *input, struct error *error);
void reader_free(struct reader *reader);

/* Peels what a plan says off the lines (input/peel.h) from here on, which is the beginning of the
 * file: nothing may be consumed yet. */
void reader_peel(struct reader *reader, const struct peel_plan *plan);

/* Tries to have `wanted` (at most READER_WINDOW) bytes in the window, and returns how many there
 * are: fewer only at the end of the stream or when reading failed. */
size_t reader_fill(struct reader *reader, size_t wanted);

/* The bytes of the window; valid until the next call but reader_skip(). */
static inline const uint8_t *reader_bytes(const struct reader *reader) {
    return reader->buffer + reader->start;
}

/* Offset of the cursor in the (unpacked) file, as that lies. */
static inline int64_t reader_offset(const struct reader *reader) {
    return reader->peel == NULL ? reader->offset : peel_offset(reader->peel, reader->offset);
}

/* Whether a read failed; the error that reader_init() was given says why. */
static inline bool reader_failed(const struct reader *reader) {
    return reader->failed;
}

/* Size of the whole stream, -1 while it is not known (a pipe or a packed file). */
int64_t reader_size(const struct reader *reader);

/* Makes `count` bytes available at `*bytes` and does not consume them. False when the stream ends
 * before. */
static inline bool reader_need(struct reader *reader, size_t count, const uint8_t **bytes) {
    if (reader->end - reader->start < count && reader_fill(reader, count) < count) {
        return false;
    }
    *bytes = reader->buffer + reader->start;
    return true;
}

/* Consumes `count` bytes, which must be in the window. */
static inline void reader_take(struct reader *reader, size_t count) {
    reader->start += count;
    reader->offset += (int64_t)count;
}

/* Consumes `count` bytes, reading on where needed; returns how many there were. */
int64_t reader_skip(struct reader *reader, int64_t count);

/* 3 when the bytes begin with UTF-8's byte order mark, which some editors put before a text, else
 * 0.
 */
size_t byte_order_mark(const uint8_t *bytes, size_t length);

/* Consumes the byte order mark when the cursor stands at one, at the beginning of a text. */
void reader_skip_mark(struct reader *reader);

enum reader_line {
    READER_LINE,      /* a line */
    READER_LONG_LINE, /* longer than the window: consumed, and nothing of it is given */
    READER_END,       /* no more lines, or reading failed */
};

/* The next line without its newline (and without a carriage return before it), consumed. The last
 * line needs no newline. `*offset` is where it began. */
enum reader_line reader_line(struct reader *reader, const char **line, size_t *length,
                             int64_t *offset);

/* The longest line of which reader_line_ends() gives the ends. */
#define READER_LONGEST ((int64_t)64 * 1024 * 1024)

/* As reader_line(); but of a line that is longer than the window, and no longer than
 * READER_LONGEST, its first and last `keep` bytes (at most half of READER_WINDOW) are given as a
 * line, with "..." in place of what is missing between them. They lie in `ends`, the caller's. */
enum reader_line reader_line_ends(struct reader *reader, struct text *ends, size_t keep,
                                  const char **line, size_t *length, int64_t *offset);

#endif
