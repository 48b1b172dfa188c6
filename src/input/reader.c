#include "input/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool reader_init(struct reader *reader, struct input *input, struct error *error) {
    *reader = (struct reader){.input = input, .error = error};
    reader->buffer = xmalloc(2 * READER_WINDOW);
    return true;
}

void reader_free(struct reader *reader) {
    peel_close(reader->peel);
    free(reader->buffer);
    *reader = (struct reader){0};
}

void reader_peel(struct reader *reader, const struct peel_plan *plan) {
    reader->peel = peel_open(plan);
    reader->fed = reader->at_end;
    peel_feed(reader->peel, reader_bytes(reader), reader->end - reader->start, reader->fed);
    reader->start = reader->end = 0;
    reader->at_end = false;
}

/* Reads as input_read() does, but strips layers from the lines. */
static bool read_peeled(struct reader *reader, uint8_t *bytes, size_t capacity, size_t *got) {
    uint8_t raw[32 * 1024];

    while ((*got = peel_take(reader->peel, bytes, capacity)) == 0 && !reader->fed) {
        if (!input_read(reader->input, raw, sizeof raw, got, reader->error)) {
            return false;
        }
        reader->fed = *got == 0;
        peel_feed(reader->peel, raw, *got, reader->fed);
    }
    return true;
}

static bool read_more(struct reader *reader, uint8_t *bytes, size_t capacity, size_t *got) {
    return reader->peel == NULL ? input_read(reader->input, bytes, capacity, got, reader->error)
                                : read_peeled(reader, bytes, capacity, got);
}

size_t reader_fill(struct reader *reader, size_t wanted) {
    if (reader->start + wanted > 2 * READER_WINDOW) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
    }
    while (reader->end - reader->start < wanted && !reader->at_end) {
        size_t got;

        if (!read_more(reader, reader->buffer + reader->end, 2 * READER_WINDOW - reader->end,
                       &got)) {
            reader->failed = true;
            reader->at_end = true;
        } else if (got == 0) {
            reader->at_end = true;
        } else {
            reader->end += got;
            reader->last = reader->buffer[reader->end - 1];
        }
    }
    return reader->end - reader->start;
}

int64_t reader_size(const struct reader *reader) {
    return reader->at_end ? reader->offset + (int64_t)(reader->end - reader->start)
                          : input_expected_size(reader->input);
}

int64_t reader_skip(struct reader *reader, int64_t count) {
    int64_t skipped = 0;

    while (skipped < count) {
        int64_t left = count - skipped;
        size_t wanted = left < (int64_t)READER_WINDOW ? (size_t)left : READER_WINDOW;
        size_t available = reader_fill(reader, wanted);

        if (available == 0) {
            break;
        }
        if (available > wanted) {
            available = wanted;
        }
        reader_take(reader, available);
        skipped += (int64_t)available;
    }
    return skipped;
}

size_t byte_order_mark(const uint8_t *bytes, size_t length) {
    return length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void reader_skip_mark(struct reader *reader) {
    size_t length = reader_fill(reader, 3);

    reader_take(reader, byte_order_mark(reader_bytes(reader), length));
}

/* Finds the next newline. Reads until it is found, the window is full, or the stream ends. */
static const uint8_t *find_newline(struct reader *reader) {
    size_t searched = 0;

    for (;;) {
        size_t available = reader->end - reader->start;
        const uint8_t *newline;

        if (available > READER_WINDOW) {
            available = READER_WINDOW;
        }
        newline = memchr(reader_bytes(reader) + searched, '\n', available - searched);
        if (newline != NULL || available == READER_WINDOW) {
            return newline;
        }
        searched = available;
        if (reader_fill(reader, available + 1) == available) {
            return NULL;
        }
    }
}

/* Consumes the buffered part of a line. Sets `*ended` if this includes the line's end. Returns
 * false at the end of the stream. */
static bool consume_part_of_line(struct reader *reader, const uint8_t **bytes, size_t *length,
                                 bool *ended) {
    size_t available = reader_fill(reader, 1);
    const uint8_t *newline;

    *bytes = reader_bytes(reader);
    newline = available == 0 ? NULL : memchr(*bytes, '\n', available);
    *ended = newline != NULL;
    *length = *ended ? (size_t)(newline - *bytes) : available;
    reader_take(reader, *length + *ended);
    return available > 0;
}

static enum reader_line read_overlong_line(struct reader *reader, const char **line,
                                           size_t *length) {
    const uint8_t *bytes;
    bool ended = false;

    /* Skipping the line has overwritten its beginning in the buffer, so an empty line is returned.
     */
    *line = "";
    *length = 0;
    while (!ended && consume_part_of_line(reader, &bytes, length, &ended)) {
    }
    *length = 0;
    return READER_LONG_LINE;
}

/* Appends bytes of a long line to `ends`: keeps the first `head` bytes, and the last `keep` others.
 */
static void reader_append_tail(struct text *ends, size_t head, size_t keep, const uint8_t *bytes,
                               size_t length) {
    size_t kept = ends->length - head, excess;

    if (length > keep) {
        bytes += length - keep;
        length = keep;
    }
    excess = kept + length > keep ? kept + length - keep : 0;
    if (excess > 0) {
        memmove(ends->bytes + head, ends->bytes + head + excess, kept - excess);
        ends->length -= excess;
    }
    text_append(ends, (const char *)bytes, length);
}

static enum reader_line line_ends(struct reader *reader, struct text *ends, size_t keep,
                                  const char **line, size_t *length) {
    int64_t begin = reader->offset;
    const uint8_t *bytes;
    bool ended = false;
    size_t head, piece;

    text_clear(ends);
    text_append(ends, (const char *)reader_bytes(reader), keep);
    text_append_string(ends, "...");
    reader_take(reader, keep);
    head = ends->length;
    while (!ended && consume_part_of_line(reader, &bytes, &piece, &ended)) {
        reader_append_tail(ends, head, keep, bytes, piece);
    }
    if (reader->offset - begin > READER_LONGEST) {
        if (!ended) {
            read_overlong_line(reader, line, length);
        }
        *length = 0;
        return READER_LONG_LINE;
    }
    *line = ends->bytes;
    *length = ends->length;
    return READER_LINE;
}

/* Removes a trailing carriage return. */
static enum reader_line strip_carriage_return(const char *line, size_t *length) {
    if (*length > 0 && line[*length - 1] == '\r') {
        (*length)--;
    }
    return READER_LINE;
}

enum reader_line reader_line_ends(struct reader *reader, struct text *ends, size_t keep,
                                  const char **line, size_t *length, int64_t *offset) {
    const uint8_t *newline;
    enum reader_line kind;
    size_t available;

    if (reader_fill(reader, 1) == 0) {
        return READER_END;
    }
    *offset = reader_offset(reader);
    newline = find_newline(reader);
    available = reader->end - reader->start;
    if (newline == NULL && available >= READER_WINDOW) {
        kind = ends == NULL ? read_overlong_line(reader, line, length)
                            : line_ends(reader, ends, keep, line, length);
        return kind == READER_LINE ? strip_carriage_return(*line, length) : kind;
    }
    if (reader->failed) {
        return READER_END;
    }
    *line = (const char *)reader_bytes(reader);
    *length = newline == NULL ? available : (size_t)(newline - reader_bytes(reader));
    reader_take(reader, *length + (newline != NULL));
    return strip_carriage_return(*line, length);
}

enum reader_line reader_line(struct reader *reader, const char **line, size_t *length,
                             int64_t *offset) {
    return reader_line_ends(reader, NULL, 0, line, length, offset);
}
