/* xz, by liblzma. */
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>

#include "input/unpack.h"
#include "base/memory.h"

/* Bytes: what xz's own presets take is 65 MiB, and a stream can ask for 4 GiB. */
#define XZ_MOST_MEMORY (UINT64_C(1) << 30)

struct xz {
    struct unpacking base;
    lzma_stream stream;
    bool ended; /* the packed bytes */
    bool whole; /* all streams are, and have been read */
};

static struct unpacking *open_xz(unpack_source *source, void *context) {
    struct xz *xz = xcalloc(1, sizeof *xz);

    if (xz == NULL) {
        return NULL;
    }
    xz->base = (struct unpacking){.source = source, .context = context};
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&xz->stream, XZ_MOST_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
        free(xz);
        return NULL;
    }
    return &xz->base;
}

static void close_xz(struct unpacking *unpacking) {
    struct xz *xz = (struct xz *)unpacking;

    lzma_end(&xz->stream);
    free(xz);
}

static int64_t fail(struct xz *xz, const char *message) {
    xz->base.message = message;
    return -1;
}

static const char *message_of(lzma_ret status) {
    switch (status) {
    case LZMA_MEM_ERROR:
        return "out of memory";
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more than 1 GiB of memory";
    case LZMA_OPTIONS_ERROR:
        return "it was packed in a way that is not known";
    case LZMA_BUF_ERROR:
        return "cut short";
    default:
        return "damaged";
    }
}

/* More packed bytes, unless there are some or they have ended; false on failure. */
static bool refill(struct xz *xz) {
    int64_t got;

    if (xz->stream.avail_in > 0 || xz->ended) {
        return true;
    }
    got = xz->base.source(xz->base.context, &xz->stream.next_in);
    if (got < 0) {
        return false;
    }
    xz->stream.avail_in = (size_t)got;
    xz->ended = got == 0;
    return true;
}

static int64_t read_xz(struct unpacking *unpacking, void *buffer, size_t capacity) {
    struct xz *xz = (struct xz *)unpacking;

    xz->stream.next_out = buffer;
    xz->stream.avail_out = capacity;
    while (xz->stream.avail_out == capacity && !xz->whole) {
        lzma_ret status;

        if (!refill(xz)) {
            return fail(xz, "cannot read");
        }
        status = lzma_code(&xz->stream, xz->ended ? LZMA_FINISH : LZMA_RUN);
        xz->whole = status == LZMA_STREAM_END;
        if (status != LZMA_OK && status != LZMA_STREAM_END) {
            return fail(xz, message_of(status));
        }
    }
    return (int64_t)(capacity - xz->stream.avail_out);
}

const struct unpacker unpacker_xz = {
    .name = "xz",
    .magic_size = 6,
    .magic = {0xFD, '7', 'z', 'X', 'Z', 0},
    .open = open_xz,
    .read = read_xz,
    .close = close_xz,
};
