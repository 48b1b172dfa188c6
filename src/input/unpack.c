#include "input/unpack.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

static int64_t fail(struct unpacking *unpacking, const char *message) {
    unpacking->message = message;
    return -1;
}

/* --- gzip, by zlib, which verifies length and checksum of every member --------------------------
 */

struct gzip {
    struct unpacking base;
    z_stream stream;
    bool between; /* members: the last one is whole, no other has begun */
    bool padded;  /* zeros follow the last one, as gzip(1) allows */
};

static struct unpacking *open_gzip(unpack_source *source, void *context) {
    struct gzip *gzip = xcalloc(1, sizeof *gzip);

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

/* More packed bytes: 1 there are some, 0 the end, -1 failure. */
static int refill_gzip(struct gzip *gzip) {
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
        fail(&gzip->base, "something that is not gzip follows its end");
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
        int there = refill_gzip(gzip);
        int status;

        if (there < 0) {
            return fail(&gzip->base, "cannot read");
        }
        if (there == 0) {
            return gzip->between ? 0 : fail(&gzip->base, "cut short");
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
            return fail(&gzip->base, stream->msg != NULL ? stream->msg : "damaged");
        }
    }
    return (int64_t)(capacity - stream->avail_out);
}

static const struct unpacker unpacker_gzip = {
    .name = "gzip",
    .magic_size = 2,
    .magic = {0x1F, 0x8B},
    .open = open_gzip,
    .read = read_gzip,
    .close = close_gzip,
};

/* --- xz, by liblzma -----------------------------------------------------------------------------
 */

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
static bool refill_xz(struct xz *xz) {
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

        if (!refill_xz(xz)) {
            return fail(&xz->base, "cannot read");
        }
        status = lzma_code(&xz->stream, xz->ended ? LZMA_FINISH : LZMA_RUN);
        xz->whole = status == LZMA_STREAM_END;
        if (status != LZMA_OK && status != LZMA_STREAM_END) {
            return fail(&xz->base, message_of(status));
        }
    }
    return (int64_t)(capacity - xz->stream.avail_out);
}

static const struct unpacker unpacker_xz = {
    .name = "xz",
    .magic_size = 6,
    .magic = {0xFD, '7', 'z', 'X', 'Z', 0},
    .open = open_xz,
    .read = read_xz,
    .close = close_xz,
};

/* --- Zstandard, by libzstd ----------------------------------------------------------------------
 */

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

/* More packed bytes: how many there are, 0 at the end, -1 on failure. */
static int64_t refill_zstd(struct zstd *zstd) {
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
            int64_t there = refill_zstd(zstd);

            if (there < 0) {
                return fail(&zstd->base, "cannot read");
            }
            if (there == 0) {
                return zstd->between ? 0 : fail(&zstd->base, "cut short");
            }
        }
        status = ZSTD_decompressStream(zstd->stream, &unpacked, &zstd->packed);
        if (ZSTD_isError(status)) {
            return fail(&zstd->base, ZSTD_getErrorName(status));
        }
        zstd->between = status == 0;
        zstd->pending = !zstd->between && unpacked.pos == unpacked.size;
    }
    return (int64_t)unpacked.pos;
}

static const struct unpacker unpacker_zstd = {
    .name = "zstd",
    .magic_size = 4,
    .magic = {0x28, 0xB5, 0x2F, 0xFD},
    .open = open_zstd,
    .read = read_zstd,
    .close = close_zstd,
};

const struct unpacker *const unpackers[UNPACKERS] = {&unpacker_gzip, &unpacker_xz, &unpacker_zstd};
