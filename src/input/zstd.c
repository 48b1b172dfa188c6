/* Zstandard, by libzstd. */
#include <stdbool.h>
#include <stdlib.h>
#include <zstd.h>

#include "input/unpack.h"
#include "base/memory.h"

struct zstd {
    struct unpacking base;
    ZSTD_DStream *stream;
    ZSTD_inBuffer packed;
    bool between; /* frames: the last one is whole, no other has begun */
    bool pending; /* there may be unpacked bytes that had no room */
};

/* A frame that asks for a window of more than 128 MiB is refused, which is libzstd's own bound. */
static struct unpacking *open_zstd(unpack_source *source, void *context) {
    struct zstd *zstd = xcalloc(1, sizeof *zstd);

    if (zstd == NULL) {
        return NULL;
    }
    zstd->base = (struct unpacking){.source = source, .context = context};
    zstd->stream = ZSTD_createDStream();
    if (zstd->stream == NULL) {
        free(zstd);
        return NULL;
    }
    return &zstd->base;
}

static void close_zstd(struct unpacking *unpacking) {
    struct zstd *zstd = (struct zstd *)unpacking;

    ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

static int64_t fail(struct zstd *zstd, const char *message) {
    zstd->base.message = message;
    return -1;
}

/* More packed bytes: how many there are, 0 at the end, -1 on failure. */
static int64_t refill(struct zstd *zstd) {
    const uint8_t *bytes = NULL;
    int64_t got = zstd->base.source(zstd->base.context, &bytes);

    if (got > 0) {
        zstd->packed = (ZSTD_inBuffer){.src = bytes, .size = (size_t)got};
    }
    return got;
}

static int64_t read_zstd(struct unpacking *unpacking, void *buffer, size_t capacity) {
    struct zstd *zstd = (struct zstd *)unpacking;
    ZSTD_outBuffer unpacked = {.dst = buffer, .size = capacity};

    while (unpacked.pos == 0) {
        size_t status;

        if (zstd->packed.pos == zstd->packed.size && !zstd->pending) {
            int64_t there = refill(zstd);

            if (there < 0) {
                return fail(zstd, "cannot read");
            }
            if (there == 0) {
                return zstd->between ? 0 : fail(zstd, "cut short");
            }
        }
        status = ZSTD_decompressStream(zstd->stream, &unpacked, &zstd->packed);
        if (ZSTD_isError(status)) {
            return fail(zstd, ZSTD_getErrorName(status));
        }
        zstd->between = status == 0;
        zstd->pending = !zstd->between && unpacked.pos == unpacked.size;
    }
    return (int64_t)unpacked.pos;
}

const struct unpacker unpacker_zstd = {
    .name = "zstd",
    .magic_size = 4,
    .magic = {0x28, 0xB5, 0x2F, 0xFD},
    .open = open_zstd,
    .read = read_zstd,
    .close = close_zstd,
};
