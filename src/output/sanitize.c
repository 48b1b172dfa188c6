#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "output/tame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/memory.h"

struct tame {
    FILE *stream, *target;
    struct text waiting; /* the beginning of a character of several bytes */
    struct text shown;   /* scratch */
};

/* What text_append_escaped() would escape beyond what is asked for here. */
static const char left_alone[] = "\n\t\\";

static void append_shown(struct text *out, const char *bytes, size_t length) {
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
    text_escape_directions(out);
}

/* How many bytes at the end may be a character that goes on in the next ones. */
static size_t unfinished(const char *bytes, size_t length) {
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        const unsigned char byte = (unsigned char)bytes[length - back];
        const size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;

        if (byte >= 0xC0 || byte < 0x80) {
            return size > back ? back : 0;
        }
    }
    return 0;
}

static bool write_shown(struct tame *tame, size_t length) {
    bool done;

    text_clear(&tame->shown);
    append_shown(&tame->shown, text_string(&tame->waiting), length);
    if (tame->shown.failed) {
        errno = ENOMEM;
        return false;
    }
    done = fwrite(text_string(&tame->shown), 1, tame->shown.length, tame->target) ==
           tame->shown.length;
    if (done && length > 0) {
        tame->waiting.length -= length;
        memmove(tame->waiting.bytes, tame->waiting.bytes + length, tame->waiting.length);
    }
    return done;
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t size) {
    struct tame *tame = cookie;

    text_append(&tame->waiting, bytes, size);
    if (tame->waiting.failed) {
        errno = ENOMEM;
        return 0;
    }
    return write_shown(tame, tame->waiting.length -
                                 unfinished(text_string(&tame->waiting), tame->waiting.length))
               ? (ssize_t)size
               : 0;
}

struct tame *tame_open(FILE *target, struct error *error) {
    struct tame *tame = xcalloc(1, sizeof *tame);

    if (tame != NULL) {
        tame->target = target;
        tame->stream = fopencookie(tame, "w", (cookie_io_functions_t){.write = write_stream});
    }
    if (tame == NULL || tame->stream == NULL) {
        free(tame);
        error_no_memory(error);
        return NULL;
    }
    return tame;
}

FILE *tame_stream(struct tame *tame) {
    return tame->stream;
}

bool tame_close(struct tame *tame, struct error *error) {
    bool done;

    if (tame == NULL) {
        return true;
    }
    done = ferror(tame->stream) == 0;
    done = fclose(tame->stream) == 0 && done;
    done = write_shown(tame, tame->waiting.length) && done;
    if (!done) {
        error_set(error, "cannot write the output: %s", strerror(errno));
    }
    text_free(&tame->waiting);
    text_free(&tame->shown);
    free(tame);
    return done;
}
