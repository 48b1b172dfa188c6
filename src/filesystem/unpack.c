#include "filesystem/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "input/bytes.h"
#include "input/input.h"
#include "input/spool.h"
#include "base/memory.h"

/* Android's sparse images: a header, then chunks of blocks, each with a header of its own. Sizes of
 * both headers are in the first, so that they may grow. Little endian. */
#define SPARSE_MAGIC       0xED26FF3Au
#define SPARSE_HEADER      28
#define SPARSE_CHUNK       12
#define SPARSE_RAW         0xCAC1
#define SPARSE_FILL        0xCAC2
#define SPARSE_SKIP        0xCAC3
#define SPARSE_CHECKSUM    0xCAC4
#define SPARSE_HEADER_MOST 4096

/* Largest image, bytes: of what a damaged header says nothing larger is made. */
#define IMAGE_MOST ((int64_t)1 << 46)

#define PIECE ((size_t)1 << 20)

/* An image on its way into a temporary file. */
struct unpacking {
    struct input *input;  /* owned */
    int descriptor;       /* of the temporary file */
    int64_t at;           /* where the next byte goes */
    int64_t filled;       /* bytes that were written out of patterns */
    unsigned char *piece; /* owned; PIECE bytes */
    struct error *error;
};

static bool is_zero(const unsigned char *bytes, size_t length) {
    return length == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0);
}

/* Puts bytes behind those that are there; zeros become a hole. */
static bool put(struct unpacking *unpacking, const unsigned char *bytes, size_t length) {
    size_t done = is_zero(bytes, length) ? length : 0;

    while (done < length) {
        ssize_t written = pwrite(unpacking->descriptor, bytes + done, length - done,
                                 (off_t)(unpacking->at + (int64_t)done));

        if (written < 0 && errno != EINTR) {
            return error_set(unpacking->error,
                             "cannot write a temporary file: %s; TMPDIR names a "
                             "folder with more room",
                             strerror(errno));
        }
        done += written < 0 ? 0 : (size_t)written;
    }
    unpacking->at += (int64_t)length;
    return true;
}

/* Up to `length` bytes, fewer only at the end. */
static bool take(struct unpacking *unpacking, unsigned char *bytes, size_t length, size_t *got) {
    size_t some;

    *got = 0;
    do {
        if (!input_read(unpacking->input, bytes + *got, length - *got, &some, unpacking->error)) {
            return false;
        }
        *got += some;
    } while (some > 0 && *got < length);
    return true;
}

static bool take_all(struct unpacking *unpacking, unsigned char *bytes, size_t length) {
    size_t got;

    return take(unpacking, bytes, length, &got) &&
           (got == length || error_set(unpacking->error, "the sparse image ends early"));
}

/* Passes over bytes of a header that this program knows nothing of. */
static bool pass_over(struct unpacking *unpacking, size_t length) {
    return length <= SPARSE_HEADER_MOST
               ? take_all(unpacking, unpacking->piece, length)
               : error_set(unpacking->error, "the sparse image has a header of %zu bytes", length);
}

static bool put_raw(struct unpacking *unpacking, int64_t length) {
    while (length > 0) {
        size_t part = length < (int64_t)PIECE ? (size_t)length : PIECE;

        if (!take_all(unpacking, unpacking->piece, part) ||
            !put(unpacking, unpacking->piece, part)) {
            return false;
        }
        length -= (int64_t)part;
    }
    return true;
}

/* A pattern of four bytes, repeated. That costs its writer nothing: there is a bound. */
static bool put_pattern(struct unpacking *unpacking, int64_t length) {
    unsigned char pattern[4];

    if (!take_all(unpacking, pattern, sizeof pattern)) {
        return false;
    }
    if (is_zero(pattern, sizeof pattern)) {
        unpacking->at += length;
        return true;
    }
    unpacking->filled += length;
    if (unpacking->filled > INPUT_UNPACKED_ALWAYS) {
        return error_set(unpacking->error, "the sparse image has more than %lld bytes of patterns",
                         (long long)INPUT_UNPACKED_ALWAYS);
    }
    for (size_t i = 0; i < PIECE; i++) {
        unpacking->piece[i] = pattern[i % sizeof pattern];
    }
    while (length > 0) {
        size_t part = length < (int64_t)PIECE ? (size_t)length : PIECE;

        if (!put(unpacking, unpacking->piece, part)) {
            return false;
        }
        length -= (int64_t)part;
    }
    return true;
}

static bool put_chunk(struct unpacking *unpacking, unsigned type, int64_t length, int64_t body) {
    if (type == SPARSE_RAW && body == length) {
        return put_raw(unpacking, length);
    }
    if (type == SPARSE_FILL && body == 4) {
        return put_pattern(unpacking, length);
    }
    if (type == SPARSE_SKIP && body == 0) {
        unpacking->at += length;
        return true;
    }
    if (type == SPARSE_CHECKSUM && body == 4) {
        return pass_over(unpacking, 4);
    }
    return error_set(unpacking->error,
                     "the sparse image has a chunk of type 0x%04x with %" PRId64
                     " bytes for %" PRId64,
                     type, body, length);
}

static bool put_chunks(struct unpacking *unpacking, const unsigned char *header) {
    unsigned header_size = bytes_u16_little(header + 8), chunk_size = bytes_u16_little(header + 10);
    int64_t block_size = bytes_u32_little(header + 12), blocks = bytes_u32_little(header + 16);

    if (header_size < SPARSE_HEADER || chunk_size < SPARSE_CHUNK || block_size == 0 ||
        block_size % 4 != 0 || blocks > IMAGE_MOST / block_size) {
        return error_set(unpacking->error, "the header of the sparse image is damaged");
    }
    if (!pass_over(unpacking, header_size - SPARSE_HEADER)) {
        return false;
    }
    for (uint32_t left = bytes_u32_little(header + 20); left > 0; left--) {
        unsigned char chunk[SPARSE_CHUNK];
        int64_t length, body;

        if (!take_all(unpacking, chunk, sizeof chunk) ||
            !pass_over(unpacking, chunk_size - SPARSE_CHUNK)) {
            return false;
        }
        length = bytes_u32_little(chunk + 4) * block_size;
        body = (int64_t)bytes_u32_little(chunk + 8) - chunk_size;
        if (bytes_u16_little(chunk) == SPARSE_CHECKSUM) {
            length = 0;
        }
        if (length > blocks * block_size - unpacking->at) {
            return error_set(unpacking->error, "the sparse image has more blocks than it says");
        }
        if (!put_chunk(unpacking, bytes_u16_little(chunk), length, body)) {
            return false;
        }
    }
    unpacking->at = blocks * block_size;
    return true;
}

static bool put_rest(struct unpacking *unpacking) {
    size_t got;

    do {
        if (!take(unpacking, unpacking->piece, PIECE, &got) ||
            !put(unpacking, unpacking->piece, got)) {
            return false;
        }
        if (unpacking->at > IMAGE_MOST) {
            return error_set(unpacking->error, "it is larger than %lld bytes",
                             (long long)IMAGE_MOST);
        }
    } while (got == PIECE);
    return true;
}

static bool put_image(struct unpacking *unpacking) {
    unsigned char header[SPARSE_HEADER];
    size_t got;

    if (!take(unpacking, header, sizeof header, &got)) {
        return false;
    }
    if (got == sizeof header && bytes_u32_little(header) == SPARSE_MAGIC) {
        if (!put_chunks(unpacking, header)) {
            return false;
        }
    } else if (!put(unpacking, header, got) || !put_rest(unpacking)) {
        return false;
    }
    return ftruncate(unpacking->descriptor, (off_t)unpacking->at) == 0 ||
           error_set(unpacking->error, "cannot make a temporary file of %lld bytes: %s",
                     (long long)unpacking->at, strerror(errno));
}

static int unpack(const char *path, struct error *error) {
    struct unpacking unpacking = {.descriptor = -1, .error = error};
    bool done = false;

    unpacking.input = input_open(path, (struct input_stop){0}, error);
    if (unpacking.input == NULL) {
        return -1;
    }
    unpacking.piece = xmalloc(PIECE);
    unpacking.descriptor = spool_make_file(NULL, error);
    if (unpacking.piece == NULL) {
        error_no_memory(error);
    } else if (unpacking.descriptor >= 0) {
        done = put_image(&unpacking) || error_context(error, "%s", path);
    }
    if (!done && unpacking.descriptor >= 0) {
        close(unpacking.descriptor);
    }
    input_close(unpacking.input);
    free(unpacking.piece);
    return done ? unpacking.descriptor : -1;
}

/* Whether the first bytes are those of something to be unpacked. */
static bool is_packed(const unsigned char *head, size_t length) {
    static const struct {
        const char *magic;
        size_t length;
    } packings[] = {
        {"\x1F\x8B", 2}, {"\xFD\x37zXZ", 5}, {"\x28\xB5\x2F\xFD", 4}, {"\x3A\xFF\x26\xED", 4}};

    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (length >= packings[i].length &&
            memcmp(head, packings[i].magic, packings[i].length) == 0) {
            return true;
        }
    }
    return false;
}

int unpack_image(const char *path, struct error *error) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    unsigned char head[8];
    struct stat status;
    ssize_t got;

    if (descriptor < 0) {
        error_set(error, "%s: %s", path, file_cause(errno));
        return -1;
    }
    if (fstat(descriptor, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))) {
        error_set(error, "%s: an image is a file or a block device", path);
        close(descriptor);
        return -1;
    }
    got = pread(descriptor, head, sizeof head, 0);
    if (got > 0 && is_packed(head, (size_t)got)) {
        close(descriptor);
        return unpack(path, error);
    }
    return descriptor;
}
