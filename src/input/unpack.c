#include "input/unpack.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

enum { MAGIC_SIZE = 6 };

struct format {
    const char *name;
    /* Magic number. */
    size_t magic_size;
    uint8_t magic[MAGIC_SIZE];
    bool (*begin)(struct unpacking *unpacking);
    /* Decompresses some bytes, or none: `*got`. Returns an error message, or NULL. */
    const char *(*step)(struct unpacking *unpacking, void *buffer, size_t capacity, size_t *got);
    void (*end)(struct unpacking *unpacking);
};

struct unpacking {
    const char *name; /* of the format */
    const struct format *format;
    struct archive_file *archive; /* owned; if set, it reads all, and `format` is NULL */
    unpack_source *source;
    void *context;
    const char *message;
    const uint8_t *packed; /* borrowed from the source */
    size_t left;           /* bytes of `packed` left */
    bool ended;            /* the source is exhausted */
    bool between;          /* the last stream is complete and no other has begun */
    bool padded;           /* zeros follow the last stream, as gzip(1) allows */
    int64_t trailing;      /* bytes ignored after the end */
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_DStream *zstd;
    } stream;
};

/* --- gzip: zlib verifies the length and checksum of every member ------------------------------ */

/* Largest window, with a gzip header. */
static bool begin_gzip(struct unpacking *unpacking) {
    return inflateInit2(&unpacking->stream.gzip, 15 + 16) == Z_OK;
}

static void end_gzip(struct unpacking *unpacking) {
    inflateEnd(&unpacking->stream.gzip);
}

/* Skips zero padding after a member. Any bytes other than a new member may be a damaged one: an
 * error. */
static const char *unpack_begin_member(struct unpacking *unpacking) {
    for (; unpacking->left > 0 && *unpacking->packed == 0; unpacking->left--) {
        unpacking->padded = true;
        unpacking->packed++;
    }
    if (unpacking->left > 0 && (unpacking->padded || *unpacking->packed != 0x1F)) {
        return "foreign data after the end of the gzip stream";
    }
    if (unpacking->left > 0) {
        inflateReset(&unpacking->stream.gzip);
        unpacking->between = false;
    }
    return NULL;
}

static const char *inflate_step(struct unpacking *unpacking, void *buffer, size_t capacity,
                                size_t *got) {
    z_stream *stream = &unpacking->stream.gzip;
    uInt room = (uInt)(capacity < UINT32_MAX ? capacity : UINT32_MAX);
    int status;

    stream->next_in = (Bytef *)(uintptr_t)unpacking->packed;
    stream->avail_in = (uInt)unpacking->left;
    stream->next_out = buffer;
    stream->avail_out = room;
    status = inflate(stream, Z_NO_FLUSH);
    unpacking->packed = stream->next_in;
    unpacking->left = stream->avail_in;
    unpacking->between = status == Z_STREAM_END;
    *got = room - stream->avail_out;
    if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) {
        return NULL;
    }
    return stream->msg != NULL ? stream->msg : "damaged";
}

static const char *step_gzip(struct unpacking *unpacking, void *buffer, size_t capacity,
                             size_t *got) {
    const char *message = unpacking->between ? unpack_begin_member(unpacking) : NULL;

    return message != NULL || unpacking->between ? message
                                                 : inflate_step(unpacking, buffer, capacity, got);
}

/* --- zlib: atrace -z writes it after `TRACE:`; adb may append other bytes --------------------- */

static bool begin_zlib(struct unpacking *unpacking) {
    return inflateInit(&unpacking->stream.gzip) == Z_OK;
}

static const char *step_zlib(struct unpacking *unpacking, void *buffer, size_t capacity,
                             size_t *got) {
    if (unpacking->between) {
        unpacking->trailing += (int64_t)unpacking->left;
        unpacking->left = 0;
        return NULL;
    }
    return inflate_step(unpacking, buffer, capacity, got);
}

/* Returns the end of the line `TRACE:` if a zlib header follows it; otherwise `length`. */
static size_t find_zlib(const uint8_t *bytes, size_t length) {
    static const char line[] = "TRACE:\n";
    const uint8_t *at = memmem(bytes, length, line, strlen(line));
    size_t begin;

    if (at == NULL || (at != bytes && at[-1] != '\n')) {
        return length;
    }
    begin = (size_t)(at - bytes) + strlen(line);
    return begin + 2 <= length && bytes[begin] == 0x78 &&
                   (bytes[begin] << 8 | bytes[begin + 1]) % 31 == 0
               ? begin
               : length;
}

/* --- xz: liblzma ------------------------------------------------------------------------------ */

/* Memory limit in bytes. xz's own presets use 65 MiB, but a stream can demand 4 GiB. */
#define XZ_MOST_MEMORY (UINT64_C(1) << 30)

static bool begin_xz(struct unpacking *unpacking) {
    unpacking->stream.xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_stream_decoder(&unpacking->stream.xz, XZ_MOST_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static void end_xz(struct unpacking *unpacking) {
    lzma_end(&unpacking->stream.xz);
}

static const char *message_of(lzma_ret status) {
    switch (status) {
    case LZMA_OK:
    case LZMA_STREAM_END:
        return NULL;
    case LZMA_MEM_ERROR:
        return "out of memory";
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more than 1 GiB of memory";
    case LZMA_OPTIONS_ERROR:
        return "unknown compression method";
    case LZMA_BUF_ERROR:
        return "cut short";
    default:
        return "damaged";
    }
}

static const char *step_xz(struct unpacking *unpacking, void *buffer, size_t capacity,
                           size_t *got) {
    lzma_stream *stream = &unpacking->stream.xz;
    lzma_ret status;

    stream->next_in = unpacking->packed;
    stream->avail_in = unpacking->left;
    stream->next_out = buffer;
    stream->avail_out = capacity;
    status = lzma_code(stream, unpacking->ended ? LZMA_FINISH : LZMA_RUN);
    unpacking->packed = stream->next_in;
    unpacking->left = stream->avail_in;
    unpacking->between = status == LZMA_STREAM_END;
    *got = capacity - stream->avail_out;
    return message_of(status);
}

/* --- Zstandard: libzstd ----------------------------------------------------------------------- */

/* libzstd rejects a frame with a window above 128 MiB. */
static bool begin_zstd(struct unpacking *unpacking) {
    unpacking->stream.zstd = ZSTD_createDStream();
    return unpacking->stream.zstd != NULL;
}

static void end_zstd(struct unpacking *unpacking) {
    ZSTD_freeDStream(unpacking->stream.zstd);
}

static const char *step_zstd(struct unpacking *unpacking, void *buffer, size_t capacity,
                             size_t *got) {
    ZSTD_inBuffer packed = {.src = unpacking->packed, .size = unpacking->left};
    ZSTD_outBuffer unpacked = {.dst = buffer, .size = capacity};
    size_t status = ZSTD_decompressStream(unpacking->stream.zstd, &unpacked, &packed);

    unpacking->packed += packed.pos;
    unpacking->left -= packed.pos;
    unpacking->between = status == 0;
    *got = unpacked.pos;
    return ZSTD_isError(status) ? ZSTD_getErrorName(status) : NULL;
}

/* --- all formats ------------------------------------------------------------------------------ */

static const struct format formats[] = {
    {"gzip", 2, {0x1F, 0x8B}, begin_gzip, step_gzip, end_gzip},
    {"xz", 6, {0xFD, '7', 'z', 'X', 'Z', 0}, begin_xz, step_xz, end_xz},
    {"zstd", 4, {0x28, 0xB5, 0x2F, 0xFD}, begin_zstd, step_zstd, end_zstd},
};

static const struct format zlib_format = {"zlib", 0, {0}, begin_zlib, step_zlib, end_gzip};

size_t unpack_bare_length(const char *name, size_t length) {
    static const char *const suffixes[] = {".gz", ".xz", ".zst", ".bz2", ".zip"};

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);

        if (length > suffix && memcmp(name + length - suffix, suffixes[i], suffix) == 0) {
            return length - suffix;
        }
    }
    return length;
}

static const struct format *find_format(const uint8_t *bytes, size_t length, size_t *skipped) {
    *skipped = 0;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (length >= formats[i].magic_size &&
            memcmp(bytes, formats[i].magic, formats[i].magic_size) == 0) {
            return &formats[i];
        }
    }
    *skipped = find_zlib(bytes, length);
    return *skipped < length ? &zlib_format : NULL;
}

const char *unpack_format_of(const uint8_t *bytes, size_t length) {
    const char *archive = archive_format_of(bytes, length);
    size_t skipped;
    const struct format *format = archive == NULL ? find_format(bytes, length, &skipped) : NULL;

    return format == NULL ? archive : format->name;
}

struct unpacking *unpacking_open(const uint8_t *bytes, size_t length, unpack_source *source,
                                 void *context, size_t *skipped) {
    const char *archive = archive_format_of(bytes, length);
    const struct format *format = NULL;
    struct unpacking *unpacking;

    *skipped = 0;
    if (archive == NULL && (format = find_format(bytes, length, skipped)) == NULL) {
        return NULL;
    }
    unpacking = xcalloc(1, sizeof *unpacking);
    unpacking->name = archive != NULL ? archive : format->name;
    unpacking->format = format;
    unpacking->source = source;
    unpacking->context = context;
    if (archive != NULL) {
        unpacking->archive = archive_file_open(source, context);
    } else if (!format->begin(unpacking)) {
        out_of_memory();
    }
    return unpacking;
}

void unpacking_close(struct unpacking *unpacking) {
    if (unpacking == NULL) {
        return;
    }
    if (unpacking->archive != NULL) {
        archive_file_close(unpacking->archive);
    } else {
        unpacking->format->end(unpacking);
    }
    free(unpacking);
}

static int64_t unpack_fail(struct unpacking *unpacking, const char *message) {
    unpacking->message = message;
    return -1;
}

int64_t unpacking_read(struct unpacking *unpacking, void *buffer, size_t capacity) {
    size_t got = 0;

    if (unpacking->archive != NULL) {
        return archive_file_read(unpacking->archive, buffer, capacity);
    }
    while (got == 0 && !(unpacking->ended && unpacking->between)) {
        const char *message;

        if (unpacking->left == 0 && !unpacking->ended) {
            int64_t more = unpacking->source(unpacking->context, &unpacking->packed);

            if (more < 0) {
                return unpack_fail(unpacking, "cannot read");
            }
            unpacking->left = (size_t)more;
            unpacking->ended = more == 0;
            continue;
        }
        message = unpacking->format->step(unpacking, buffer, capacity, &got);
        if (message != NULL) {
            return unpack_fail(unpacking, message);
        }
        if (got == 0 && unpacking->ended && !unpacking->between) {
            return unpack_fail(unpacking, "cut short");
        }
    }
    return (int64_t)got;
}

const char *unpacking_message(const struct unpacking *unpacking) {
    return unpacking->archive != NULL ? archive_file_message(unpacking->archive)
                                      : unpacking->message;
}

const char *unpacking_format(const struct unpacking *unpacking) {
    return unpacking->name;
}

int64_t unpacking_trailing(const struct unpacking *unpacking) {
    return unpacking->trailing;
}
