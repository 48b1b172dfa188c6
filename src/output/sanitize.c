#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for fopencookie() */
#endif
#include "output/sanitize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/memory.h"

struct sanitizer {
    FILE *stream, *target;
    struct text waiting; /* first bytes of a multi-byte character that is not complete yet */
    struct text shown;   /* scratch memory */
};

/* Characters that this stream does not escape, unlike text_append_escaped(). */
static const char left_alone[] = "\n\t\\";

static void sanitize_append_shown(struct text *out, const char *bytes, size_t length) {
    const char *end = bytes + length;

    while (bytes < end) {
        const char *stop = bytes;

        while (stop < end && (*stop == '\0' || strchr(left_alone, *stop) == NULL)) {
            stop++;
        }
        text_append_escaped(out, bytes, (size_t)(stop - bytes));
        if (stop < end) {
            text_append_char(out, *stop++);
        }
        bytes = stop;
    }
    text_escape_bidi(out);
}

/* Returns how many bytes at the end may be the start of an incomplete multi-byte character. */
static size_t incomplete_tail_length(const char *bytes, size_t length) {
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        const unsigned char byte = (unsigned char)bytes[length - back];
        const size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;

        if (byte >= 0xC0 || byte < 0x80) {
            return size > back ? back : 0;
        }
    }
    return 0;
}

static bool write_shown(struct sanitizer *sanitizer, size_t length) {
    bool done;

    text_clear(&sanitizer->shown);
    sanitize_append_shown(&sanitizer->shown, text_string(&sanitizer->waiting), length);
    done = fwrite(text_string(&sanitizer->shown), 1, sanitizer->shown.length, sanitizer->target) ==
           sanitizer->shown.length;
    if (done && length > 0) {
        sanitizer->waiting.length -= length;
        memmove(sanitizer->waiting.bytes, sanitizer->waiting.bytes + length,
                sanitizer->waiting.length);
    }
    return done;
}

static ssize_t sanitize_write_stream(void *cookie, const char *bytes, size_t size) {
    struct sanitizer *sanitizer = cookie;

    text_append(&sanitizer->waiting, bytes, size);
    return write_shown(sanitizer, sanitizer->waiting.length -
                                      incomplete_tail_length(text_string(&sanitizer->waiting),
                                                             sanitizer->waiting.length))
               ? (ssize_t)size
               : 0;
}

struct sanitizer *sanitizer_open(FILE *target) {
    struct sanitizer *sanitizer = xcalloc(1, sizeof *sanitizer);

    sanitizer->target = target;
    sanitizer->stream =
        fopencookie(sanitizer, "w", (cookie_io_functions_t){.write = sanitize_write_stream});
    if (sanitizer->stream == NULL) {
        out_of_memory();
    }
    return sanitizer;
}

FILE *sanitizer_stream(struct sanitizer *sanitizer) {
    return sanitizer->stream;
}

bool sanitizer_close(struct sanitizer *sanitizer, struct error *error) {
    bool done = ferror(sanitizer->stream) == 0;

    done = fclose(sanitizer->stream) == 0 && done;
    done = write_shown(sanitizer, sanitizer->waiting.length) && done;
    if (!done) {
        error_set(error, "cannot write the output: %s", strerror(errno));
    }
    text_free(&sanitizer->waiting);
    text_free(&sanitizer->shown);
    free(sanitizer);
    return done;
}
