#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "base/memory.h"
#include "input/members.h"
#include "input/trace_dat.h"
#include "input/unpack.h"

/* --- unpacking -------------------------------------------------------------------------------- */

enum { MAGIC_SIZE = 6 };

struct format {
    const char *name;
    /* The first `magic_size` bytes of every file of the format are `magic`. */
    size_t magic_size;
    uint8_t magic[MAGIC_SIZE];
    bool (*begin)(struct unpacking *unpacking);
    /* Decompresses up to `capacity` bytes. Sets `*got` to their number, which may be 0. Returns an
     * error message, or NULL. */
    const char *(*step)(struct unpacking *unpacking, void *buffer, size_t capacity, size_t *got);
    void (*end)(struct unpacking *unpacking);
};

struct unpacking {
    const char *name; /* name of the format */
    const struct format *format;
    struct archive_file *archive; /* owned; NULL: no archive; if it is set, `format` is NULL */
    unpack_source *source;
    void *context;
    const char *message;
    const uint8_t *packed; /* compressed bytes, borrowed from the source */
    size_t left;           /* number of bytes at `packed` that are not decompressed yet */
    bool ended;            /* true: the source is exhausted */
    bool between; /* true: the last compressed stream is complete, and no further one has begun */
    bool padded;  /* true: zeros follow the last compressed stream, as gzip(1) allows */
    int64_t trailing; /* number of bytes ignored after the end of the compressed data */
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_DStream *zstd;
    } stream;
};

/* --- gzip: zlib verifies the length and checksum of every member ------------------------------ */

/* Begins with the largest window, and expects a gzip header. */
static bool begin_gzip(struct unpacking *unpacking) {
    return inflateInit2(&unpacking->stream.gzip, 15 + 16) == Z_OK;
}

static void end_gzip(struct unpacking *unpacking) {
    inflateEnd(&unpacking->stream.gzip);
}

/* Skips zero padding after a gzip member. Other bytes that do not begin a member are an error: they
 * may be a damaged member. */
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

/* Returns the offset after the line `TRACE:`, which atrace writes, if a zlib header follows it;
 * otherwise `length`. */
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

/* Memory limit of the xz decoder in bytes. xz's presets need up to 65 MiB; a stream can demand 4
 * GiB. */
#define XZ_MOST_MEMORY (UINT64_C(1) << 30)

static bool begin_xz(struct unpacking *unpacking) {
    unpacking->stream.xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_stream_decoder(&unpacking->stream.xz, XZ_MOST_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static void end_xz(struct unpacking *unpacking) {
    lzma_end(&unpacking->stream.xz);
}

static const char *xz_error_message(lzma_ret status) {
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
    return xz_error_message(status);
}

/* --- Zstandard: libzstd ----------------------------------------------------------------------- */

/* Begins to decompress. libzstd rejects a frame with a window above 128 MiB. */
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

/* --- choosing the format, and reading --------------------------------------------------------- */

static const struct format formats[] = {
    {"gzip", 2, {0x1F, 0x8B}, begin_gzip, step_gzip, end_gzip},
    {"xz", 6, {0xFD, '7', 'z', 'X', 'Z', 0}, begin_xz, step_xz, end_xz},
    {"zstd", 4, {0x28, 0xB5, 0x2F, 0xFD}, begin_zstd, step_zstd, end_zstd},
};

static const struct format zlib_format = {"zlib", 0, {0}, begin_zlib, step_zlib, end_gzip};

size_t unpack_stem_length(const char *name, size_t length) {
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

/* Starts to decompress a file that begins with these bytes. The caller owns the result; NULL if the
 * file is not compressed. Sets `*skipped` to the number of bytes before the compressed data; the
 * source must not supply these. */
static struct unpacking *unpacking_open(const uint8_t *bytes, size_t length, unpack_source *source,
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

static void unpacking_close(struct unpacking *unpacking) {
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

/* Decompresses up to `capacity` bytes. Returns their number; 0 at the end; -1 if the file is
 * damaged or truncated, or the source failed. */
static int64_t unpacking_read(struct unpacking *unpacking, void *buffer, size_t capacity) {
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

static const char *unpacking_format(const struct unpacking *unpacking) {
    return unpacking->name;
}

enum { RAW_BUFFER_SIZE = 256 * 1024 };

struct input {
    int descriptor;
    const struct member *member; /* file of an archive, read instead of `descriptor`; NULL: none */
    char *name;
    struct unpacking *unpacking; /* owned; NULL: not compressed */
    const char *packing;
    /* Process that prints a trace.dat as text; `descriptor` is the pipe from it. 0: none. */
    pid_t printer;
    XXH3_state_t *hash;
    int64_t bytes_read;
    _Atomic int64_t unpacked;
    _Atomic int64_t packed_read;
    int64_t packed_size;
    struct input_stop stop;
    /* First the bytes read to find the magic number, then buffer for compressed bytes. */
    uint8_t *raw;
    size_t raw_length, raw_taken;
    /* has_head: true once `head` holds the first decompressed bytes of a compressed file, which may
     * be a trace.dat. */
    bool has_head;
    uint8_t head[TRACE_DAT_MAGIC_SIZE];
    size_t head_length, head_taken;
};

static bool is_stopped(const struct input *input) {
    return input->stop.stop != NULL && input->stop.stop(input->stop.context);
}

/* Returns whether reading may continue; false with errno EINTR if cancelled. Also called for
 * regular files: when the reader skips a very long line, nothing else checks. */
static bool check_cancelled(const struct input *input) {
    if (input->packed_size < 0) {
        /* Waits until a pipe has data or the input is cancelled. */
        struct pollfd poll_descriptor = {.fd = input->descriptor, .events = POLLIN};
        int ready = 0;

        while (ready == 0 && !is_stopped(input)) {
            ready = poll(&poll_descriptor, 1, 100);
            if (ready < 0 && errno == EINTR) {
                ready = 0;
            }
        }
        if (ready == 0) {
            errno = EINTR;
        }
        return ready > 0;
    }
    errno = EINTR;
    return !is_stopped(input);
}

/* Calls read(), again after a signal that does not cancel the import. Loops, because a device may
 * have no data after all, or read() may block although poll() did not. */
static ssize_t input_read_descriptor(struct input *input, void *buffer, size_t capacity) {
    ssize_t got;

    do {
        if (!check_cancelled(input)) {
            return -1;
        }
        got = input->member != NULL
                  ? member_read(input->member, buffer, capacity, input->packed_read)
                  : read(input->descriptor, buffer, capacity);
    } while (got < 0 && (errno == EINTR || (errno == EAGAIN && input->packed_size < 0)));
    if (got > 0 && input->printer == 0) {
        input->packed_read += got;
    }
    return got;
}

static bool read_failed(const struct input *input, struct error *error) {
    return error_set(error, "%s: cannot read at byte %lld: %s", input->name,
                     (long long)input->packed_read, strerror(errno));
}

/* Supplies compressed bytes to the decompressor: first those in `raw`, then bytes of the file.
 * Returns -1 with errno set on failure. */
static int64_t supply_packed_bytes(void *context, const uint8_t **bytes) {
    struct input *input = context;
    size_t rest = input->raw_length - input->raw_taken;

    if (rest > 0) {
        *bytes = input->raw + input->raw_taken;
        input->raw_taken = input->raw_length;
        return (int64_t)rest;
    }
    *bytes = input->raw;
    return input_read_descriptor(input, input->raw, RAW_BUFFER_SIZE);
}

static bool unpacking_failed(const struct input *input, struct error *error) {
    return error_set(error,
                     "%s: cannot unpack (%s) after %lld unpacked bytes: %s; to import what is "
                     "readable, unpack it by hand and pipe it into `tracetool import -`",
                     input->name, unpacking_format(input->unpacking), (long long)input->bytes_read,
                     (input->unpacking->archive != NULL
                          ? archive_file_message(input->unpacking->archive)
                          : input->unpacking->message));
}

/* Fills `raw` with enough bytes for a magic number, unless the file is shorter. */
static bool read_magic(struct input *input, struct error *error) {
    while (input->raw_length < UNPACK_MAGIC_SIZE) {
        ssize_t got = input_read_descriptor(input, input->raw + input->raw_length,
                                            RAW_BUFFER_SIZE - input->raw_length);

        if (got < 0) {
            return read_failed(input, error);
        }
        if (got == 0) {
            break;
        }
        input->raw_length += (size_t)got;
    }
    return true;
}

static bool open_descriptor(struct input *input, const char *path, struct error *error) {
    struct stat status;

    if ((input->member = member_find(path)) != NULL) {
        input->packed_size = member_size(input->member);
        return true;
    }
    /* O_NONBLOCK: a pipe without a writer must block in read(), which can be interrupted, not in
     * open(). */
    input->descriptor =
        strcmp(path, "-") == 0 ? STDIN_FILENO : file_open(path, O_RDONLY | O_NONBLOCK);
    if (input->descriptor < 0 || fstat(input->descriptor, &status) != 0) {
        return error_set(error, "%s: cannot open: %s", input->name, file_strerror(errno));
    }
    if (input->descriptor == STDIN_FILENO && file_descriptor_is_open_database(STDIN_FILENO)) {
        return error_set(error, "%s: cannot read: %s", input->name,
                         file_strerror(FILE_OF_DATABASE));
    }
    if (S_ISDIR(status.st_mode)) {
        return error_set(error, "%s: is a directory: name the files in it", input->name);
    }
    input->packed_size = S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
    return true;
}

/* Returns an input that no file is opened for yet. */
static struct input *new_input(const char *name) {
    struct input *input = xcalloc(1, sizeof *input);

    input->descriptor = -1;
    input->packed_size = -1;
    input->packing = "";
    input->name = xstrdup(name);
    input->raw = xmalloc(RAW_BUFFER_SIZE);
    input->hash = XXH3_createState();
    if (input->hash == NULL) {
        out_of_memory();
    }
    XXH3_128bits_reset(input->hash);
    return input;
}

/* --- reading bytes of the file, without decompression ----------------------------------------- */

static bool read_plain(struct input *input, void *buffer, size_t capacity, size_t *got,
                       struct error *error) {
    size_t rest = input->raw_length - input->raw_taken;
    ssize_t count;

    if (rest > 0) {
        *got = rest < capacity ? rest : capacity;
        memcpy(buffer, input->raw + input->raw_taken, *got);
        input->raw_taken += *got;
        return true;
    }
    count = input_read_descriptor(input, buffer, capacity);
    if (count < 0) {
        return read_failed(input, error);
    }
    *got = (size_t)count;
    return true;
}

static bool read_unpacked(struct input *input, void *buffer, size_t capacity, size_t *got,
                          struct error *error) {
    *got = 0;
    if (input->unpacking == NULL) {
        if (!read_plain(input, buffer, capacity, got, error)) {
            return false;
        }
    } else {
        int64_t count = unpacking_read(input->unpacking, buffer, capacity);

        if (count < 0) {
            return unpacking_failed(input, error);
        }
        *got = (size_t)count;
    }
    input->unpacked += (int64_t)*got;
    if ((input->unpacking != NULL || input->printer != 0) &&
        unpack_is_bomb(input->unpacked, input->packed_read)) {
        return error_set(
            error,
            "%s: unpacks to more than %d times its size and more than 4 GiB, as no log "
            "does; to import it all the same, unpack it first",
            input->name, INPUT_UNPACKED_TIMES);
    }
    return true;
}

/* --- reading a trace.dat as text -------------------------------------------------------------- */

/* Copies a pipe, compressed file or file of an archive to `file`, because libtracecmd seeks. */
static bool input_copy_all(struct input *input, int file, struct error *error) {
    uint8_t *buffer = xmalloc(RAW_BUFFER_SIZE);
    size_t got = input->head_length;
    bool done = temporary_file_write(file, input->head, got, error);

    do {
        done = done && read_unpacked(input, buffer, RAW_BUFFER_SIZE, &got, error) &&
               temporary_file_write(file, buffer, got, error);
    } while (done && got > 0);
    free(buffer);
    return done;
}

/* Makes the input read the text that a new process prints of the trace.dat. */
static bool open_trace_dat(struct input *input, struct error *error) {
    bool is_plain = input->unpacking == NULL && input->member == NULL && input->packed_size >= 0;
    int file = is_plain ? input->descriptor : temporary_file_create(NULL, error), text = -1;

    if (file >= 0 && (is_plain || input_copy_all(input, file, error)) &&
        lseek(file, 0, SEEK_SET) == 0) {
        text = trace_dat_begin(file, &input->printer, error);
    }
    if (file > STDIN_FILENO && !is_plain) {
        close(file);
    }
    if (text < 0) {
        return false;
    }
    if (input->descriptor > STDIN_FILENO) {
        close(input->descriptor);
    }
    input->descriptor = text;
    input->member = NULL;
    input->packed_read = is_plain ? input->packed_size : input->packed_read;
    input->packed_size = -1;
    unpacking_close(input->unpacking);
    input->unpacking = NULL;
    input->raw_taken = input->raw_length;
    input->head_taken = input->head_length;
    return true;
}

/* Reads the first decompressed bytes; if they begin a trace.dat, reads the trace.dat's text
 * instead. */
static bool read_head(struct input *input, struct error *error) {
    size_t got = 1;

    while (got > 0 && input->head_length < sizeof input->head) {
        if (!read_unpacked(input, input->head + input->head_length,
                           sizeof input->head - input->head_length, &got, error)) {
            return false;
        }
        input->head_length += got;
    }
    input->has_head = true;
    return !trace_dat_is_magic(input->head, input->head_length) || open_trace_dat(input, error);
}

static bool end_trace_dat(struct input *input, struct error *error) {
    pid_t printer = input->printer;

    input->printer = 0;
    return trace_dat_end(printer, error) || error_context(error, "%s", input->name);
}

/* --- functions of input.h --------------------------------------------------------------------- */

struct input *input_open(const char *path, struct input_stop stop, struct error *error) {
    struct input *input = new_input(strcmp(path, "-") == 0 ? "stdin" : path);
    size_t skipped;

    input->stop = stop;
    if (!open_descriptor(input, path, error) || !read_magic(input, error)) {
        input_close(input);
        return NULL;
    }
    input->unpacking =
        unpacking_open(input->raw, input->raw_length, supply_packed_bytes, input, &skipped);
    input->raw_taken = input->unpacking == NULL ? 0 : skipped;
    if (input->unpacking != NULL) {
        input->packing = unpacking_format(input->unpacking);
    } else if (trace_dat_is_magic(input->raw, input->raw_length)) {
        input->packing = "trace-cmd";
        if (!open_trace_dat(input, error)) {
            input_close(input);
            return NULL;
        }
    }
    return input;
}

struct input *input_open_descriptor(int descriptor, const char *name) {
    struct input *input = new_input(name);

    input->descriptor = descriptor;
    return input;
}

bool input_is_file(const char *path) {
    struct stat status;

    return member_find(path) != NULL ||
           (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode));
}

void input_close(struct input *input) {
    if (input == NULL) {
        return;
    }
    unpacking_close(input->unpacking);
    if (input->descriptor > STDIN_FILENO) {
        close(input->descriptor);
    }
    if (input->printer != 0) {
        trace_dat_stop(input->printer);
    }
    XXH3_freeState(input->hash);
    free(input->raw);
    free(input->name);
    free(input);
}

bool input_read(struct input *input, void *buffer, size_t capacity, size_t *got,
                struct error *error) {
    size_t rest;

    *got = 0;
    if (input->unpacking != NULL && !input->has_head && !read_head(input, error)) {
        return false;
    }
    rest = input->head_length - input->head_taken;
    if (rest > 0) {
        *got = rest < capacity ? rest : capacity;
        memcpy(buffer, input->head + input->head_taken, *got);
        input->head_taken += *got;
    } else if (!read_unpacked(input, buffer, capacity, got, error) ||
               (*got == 0 && input->printer != 0 && !end_trace_dat(input, error))) {
        return false;
    }
    XXH3_128bits_update(input->hash, buffer, *got);
    input->bytes_read += (int64_t)*got;
    return true;
}

const char *input_packing(const struct input *input) {
    return input->packing;
}

int64_t input_trailing(const struct input *input) {
    return input->unpacking == NULL ? 0 : input->unpacking->trailing;
}

int64_t input_bytes_read(const struct input *input) {
    return input->bytes_read;
}

int64_t input_packed_read(const struct input *input) {
    return input->printer != 0 ? input->unpacked : input->packed_read;
}

int64_t input_packed_size(const struct input *input) {
    return input->packed_size;
}

int64_t input_expected_size(const struct input *input) {
    return input->unpacking == NULL ? input->packed_size : -1;
}

void input_hash(const struct input *input, char hash[INPUT_HASH_SIZE]) {
    XXH128_canonical_t canonical;

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(input->hash));
    for (size_t i = 0; i < sizeof canonical.digest; i++) {
        snprintf(hash + 2 * i, 3, "%02x", canonical.digest[i]);
    }
}
