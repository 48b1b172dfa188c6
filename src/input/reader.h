/* Cursor over an input. Every access reports whether the bytes exist.
 *
 * The reader buffers a window of the stream, which bounds its memory. Binary importers request
 * bytes with reader_need(), text importers request lines with reader_line(). Both report the end of
 * the stream and read errors alike; reader_failed() says whether it was an error. */
#ifndef TRACETOOL_READER_H
#define TRACETOOL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "input/input.h"
#include "input/peel.h"

/* Maximum bytes of a request, and of a line. */
#define READER_WINDOW ((size_t)256 * 1024)

struct reader {
    struct input *input; /* borrowed */
    struct error *error; /* borrowed; set on a read error */
    uint8_t *buffer;     /* owned, 2 * READER_WINDOW bytes */
    size_t start, end;   /* range of the unconsumed bytes in `buffer` */
    int64_t offset; /* byte offset of buffer[start] in the decompressed (and stripped) stream */
    bool at_end, failed;
    uint8_t last;      /* last byte that was read */
    struct peel *peel; /* strips layers around the lines, owned; NULL: nothing to strip */
    bool fed;          /* true: `peel` has received the whole file */
};

/* Initialises a reader of the input. Borrows `input` and `error` until reader_free(). Returns false
 * if memory is exhausted. */
bool reader_init(struct reader *reader, struct input *input, struct error *error);
void reader_free(struct reader *reader);

/* Makes the reader strip a plan's layers (input/peel.h). Must precede consuming any byte. */
void reader_peel(struct reader *reader, const struct peel_plan *plan);

/* Tries to buffer `wanted` bytes (at most READER_WINDOW). Returns the number of bytes available,
 * which is less only at the end of the stream or after a read error. */
size_t reader_fill(struct reader *reader, size_t wanted);

/* Returns the buffered bytes; valid until the next reader function except reader_skip(). */
static inline const uint8_t *reader_bytes(const struct reader *reader) {
    return reader->buffer + reader->start;
}

/* Returns the byte offset of the cursor in the decompressed file, including stripped bytes. */
static inline int64_t reader_offset(const struct reader *reader) {
    return reader->peel == NULL ? reader->offset : peel_offset(reader->peel, reader->offset);
}

/* Whether a read failed; the struct error given to reader_init() has the cause. */
static inline bool reader_failed(const struct reader *reader) {
    return reader->failed;
}

/* Returns the size of the whole stream; -1 if unknown (a pipe or a compressed file). */
int64_t reader_size(const struct reader *reader);

/* Sets `*bytes` to the next `count` bytes, without consuming them. Returns false if the stream ends
 * earlier. */
static inline bool reader_need(struct reader *reader, size_t count, const uint8_t **bytes) {
    if (reader->end - reader->start < count && reader_fill(reader, count) < count) {
        return false;
    }
    *bytes = reader->buffer + reader->start;
    return true;
}

/* Consumes `count` buffered bytes. */
static inline void reader_take(struct reader *reader, size_t count) {
    reader->start += count;
    reader->offset += (int64_t)count;
}

/* Consumes `count` bytes, reading more if needed; returns the number consumed. */
int64_t reader_skip(struct reader *reader, int64_t count);

/* Returns 3 if the bytes begin with UTF-8's byte order mark, which some editors write; otherwise 0.
 */
size_t byte_order_mark(const uint8_t *bytes, size_t length);

/* Consumes a byte order mark if one is at the cursor. For the beginning of a text. */
void reader_skip_mark(struct reader *reader);

enum reader_line {
    READER_LINE,      /* a line */
    READER_LONG_LINE, /* the line is longer than the window: it was consumed, but is not returned */
    READER_END,       /* no line: end of the stream, or a read error */
};

/* Consumes the next line and returns it without its newline, and without a carriage return before
 * that. The last line may lack a newline. Sets `*offset` to the line's byte offset in the file. */
enum reader_line reader_line(struct reader *reader, const char **line, size_t *length,
                             int64_t *offset);

/* Maximum bytes of a line that reader_line_ends() abbreviates. */
#define READER_LONGEST ((int64_t)64 * 1024 * 1024)

/* Reads a line as reader_line() does, but abbreviates a line longer than the window, up to
 * READER_LONGEST: returns its first and last `keep` bytes (at most half of READER_WINDOW), joined
 * by "...", in the caller's `ends`. */
enum reader_line reader_line_ends(struct reader *reader, struct text *ends, size_t keep,
                                  const char **line, size_t *length, int64_t *offset);

#endif
