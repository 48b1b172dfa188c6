#include "input/reader.h"

#include <stdlib.h>
#include <string.h>

bool reader_init(struct reader *reader, struct input *input, struct error *error) {
    *reader = (struct reader){.input = input, .error = error};
    reader->buffer = malloc(2 * READER_WINDOW);
    return reader->buffer != NULL || error_no_memory(error);
}

void reader_free(struct reader *reader) {
    free(reader->buffer);
    *reader = (struct reader){0};
}

size_t reader_fill(struct reader *reader, size_t wanted) {
    if (reader->start + wanted > 2 * READER_WINDOW) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
    }
    while (reader->end - reader->start < wanted && !reader->at_end) {
        size_t got;

        if (!input_read(reader->input, reader->buffer + reader->end,
                        2 * READER_WINDOW - reader->end, &got, reader->error)) {
            reader->failed = true;
            reader->at_end = true;
        } else if (got == 0) {
            reader->at_end = true;
        } else {
            reader->end += got;
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

/* The newline in the window, reading on until there is one, the window is full or the stream
 * ends. */
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

static enum reader_line long_line(struct reader *reader, const char **line, size_t *length) {
    const uint8_t *newline = NULL;

    /* What is skipped overwrites the beginning of the line: show nothing of it. */
    *line = "";
    *length = 0;
    while (newline == NULL && reader_fill(reader, 1) > 0) {
        size_t available = reader->end - reader->start;

        newline = memchr(reader_bytes(reader), '\n', available);
        reader_take(reader,
                    newline == NULL ? available : (size_t)(newline - reader_bytes(reader)) + 1);
    }
    return READER_LONG_LINE;
}

enum reader_line reader_line(struct reader *reader, const char **line, size_t *length,
                             int64_t *offset) {
    const uint8_t *newline;
    size_t available;

    if (reader_fill(reader, 1) == 0) {
        return READER_END;
    }
    *offset = reader->offset;
    newline = find_newline(reader);
    available = reader->end - reader->start;
    if (newline == NULL && available >= READER_WINDOW) {
        return long_line(reader, line, length);
    }
    if (reader->failed) {
        return READER_END;
    }
    *line = (const char *)reader_bytes(reader);
    *length = newline == NULL ? available : (size_t)(newline - reader_bytes(reader));
    reader_take(reader, *length + (newline != NULL));
    if (*length > 0 && (*line)[*length - 1] == '\r') {
        (*length)--;
    }
    return READER_LINE;
}
