/* Decompression by each format's library, which verifies checksums. Concatenated streams (members,
 * frames) are read as one. Of an archive (archive.h), the only file in it is read. */
#ifndef TRACETOOL_UNPACK_H
#define TRACETOOL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/archive.h"

/* Bytes needed to recognise a compressed file; atrace writes text before the compressed data. */
#define UNPACK_MAGIC_SIZE 1024

/* Limit against decompression bombs: a compressed file may expand to INPUT_UNPACKED_ALWAYS bytes,
 * beyond that to INPUT_UNPACKED_TIMES its compressed bytes read so far. */
#define INPUT_UNPACKED_ALWAYS ((int64_t)4 << 30)
#define INPUT_UNPACKED_TIMES  500

/* Whether `packed` bytes have expanded beyond the limit. No log compresses that well. */
static inline bool unpack_is_bomb(int64_t unpacked, int64_t packed) {
    return unpacked > INPUT_UNPACKED_ALWAYS && unpacked / INPUT_UNPACKED_TIMES > packed;
}

/* Called before each read, and repeatedly while waiting for a pipe; true cancels the input. */
struct input_stop {
    bool (*stop)(const void *context); /* NULL: never cancels */
    const void *context;
};

/* Returns how many bytes of a file's name precede a suffix such as .gz; all if it has none. */
size_t unpack_bare_length(const char *name, size_t length);

/* Returns the name of the compression or archive that a file begins with; NULL if there is none. */
const char *unpack_format_of(const uint8_t *bytes, size_t length);

/* Decompression state of one stream. */
struct unpacking;

/* Starts decompression of a file that begins with these bytes; NULL if it is not compressed. The
 * first `*skipped` bytes precede the compressed data, and the source must not supply them. Owned by
 * the caller. */
struct unpacking *unpacking_open(const uint8_t *bytes, size_t length, unpack_source *source,
                                 void *context, size_t *skipped);
void unpacking_close(struct unpacking *unpacking);

/* Decompresses up to `capacity` bytes. Returns their number, 0 at the end, -1 if the file is
 * damaged or truncated, or if the source failed. */
int64_t unpacking_read(struct unpacking *unpacking, void *buffer, size_t capacity);

/* The cause of a failure (-1), and the name of the format. */
const char *unpacking_message(const struct unpacking *unpacking);
const char *unpacking_format(const struct unpacking *unpacking);

/* Bytes after the end of the compressed data, which only atrace's format allows. */
int64_t unpacking_trailing(const struct unpacking *unpacking);

#endif
