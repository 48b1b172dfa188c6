/* gzip, by zlib, which verifies length and checksum of every member. */
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "input/unpack.h"
#include "base/memory.h"

struct gzip {
    struct unpacking base;
    z_stream stream;
    bool between; /* members: the last one is whole, no other has begun */
    bool padded;  /* zeros follow the last one, as gzip(1) allows */
};

static struct unpacking *open_gzip(unpack_source *source, void *context) {
    struct gzip *gzip = xcalloc(1, sizeof *gzip);

    if (gzip == NULL) {
        return NULL;
    }
    gzip->base = (struct unpacking){.source = source, .context = context};
    /* The largest window, and a gzip header. */
    if (inflateInit2(&gzip->stream, 15 + 16) != Z_OK) {
        free(gzip);
        return NULL;
    }
    return &gzip->base;
}

static void close_gzip(struct unpacking *unpacking) {
    struct gzip *gzip = (struct gzip *)unpacking;

    inflateEnd(&gzip->stream);
    free(gzip);
}

static int64_t fail(struct gzip *gzip, const char *message) {
    gzip->base.message = message;
    return -1;
}

/* More packed bytes: 1 there are some, 0 the end, -1 failure. */
static int refill(struct gzip *gzip) {
    const uint8_t *bytes;
    int64_t got;

    if (gzip->stream.avail_in > 0) {
        return 1;
    }
    got = gzip->base.source(gzip->base.context, &bytes);
    if (got <= 0) {
        return (int)got;
    }
    gzip->stream.next_in = (Bytef *)(uintptr_t)bytes;
    gzip->stream.avail_in = (uInt)got;
    return 1;
}

/* Between members: a new one begins, or zeros fill up the file, which are taken. Anything else may
 * be a damaged member, and is a failure. */
static bool begin_member(struct gzip *gzip) {
    z_stream *stream = &gzip->stream;

    while (stream->avail_in > 0 && stream->next_in[0] == 0) {
        gzip->padded = true;
        stream->next_in++;
        stream->avail_in--;
    }
    if (stream->avail_in > 0 && (gzip->padded || stream->next_in[0] != 0x1F)) {
        fail(gzip, "something that is not gzip follows its end");
        return false;
    }
    if (stream->avail_in > 0) {
        inflateReset(stream);
        gzip->between = false;
    }
    return true;
}

/* Zeros behind the last member are nothing. */
static int64_t read_gzip(struct unpacking *unpacking, void *buffer, size_t capacity) {
    struct gzip *gzip = (struct gzip *)unpacking;
    z_stream *stream = &gzip->stream;

    stream->next_out = buffer;
    stream->avail_out = (uInt)(capacity < UINT32_MAX ? capacity : UINT32_MAX);
    capacity = stream->avail_out;
    while (stream->avail_out == capacity) {
        int there = refill(gzip);
        int status;

        if (there < 0) {
            return fail(gzip, "cannot read");
        }
        if (there == 0) {
            return gzip->between ? 0 : fail(gzip, "cut short");
        }
        if (gzip->between && !begin_member(gzip)) {
            return -1;
        }
        if (gzip->between) {
            continue;
        }
        status = inflate(stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            gzip->between = true;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return fail(gzip, stream->msg != NULL ? stream->msg : "damaged");
        }
    }
    return (int64_t)(capacity - stream->avail_out);
}

const struct unpacker unpacker_gzip = {
    .name = "gzip",
    .magic_size = 2,
    .magic = {0x1F, 0x8B},
    .open = open_gzip,
    .read = read_gzip,
    .close = close_gzip,
};
