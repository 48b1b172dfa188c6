/* Decompression by each format's library, which verifies checksums. Concatenated streams (members,
 * frames) are read as one. If an archive (archive.h) holds one file, that file is read. */
#ifndef TRACETOOL_UNPACK_H
#define TRACETOOL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/archive.h"

/* Bytes needed to recognise a compressed file. They are many, since atrace writes text before the
 * compressed data. */
#define UNPACK_MAGIC_SIZE 1024

/* Limits against decompression bombs: a compressed file may expand to INPUT_UNPACKED_ALWAYS bytes,
 * and beyond that to INPUT_UNPACKED_TIMES the compressed bytes read so far. */
#define INPUT_UNPACKED_ALWAYS ((int64_t)4 << 30)
#define INPUT_UNPACKED_TIMES  500

/* Whether `unpacked` bytes exceed the limit for `packed` ones. No log compresses so well. */
static inline bool unpack_is_bomb(int64_t unpacked, int64_t packed) {
    return unpacked > INPUT_UNPACKED_ALWAYS && unpacked / INPUT_UNPACKED_TIMES > packed;
}

/* stop() returns true to cancel an input. It is called before each read, and while waiting for a
 * pipe. */
struct input_stop {
    bool (*stop)(const void *context); /* NULL: the input is never cancelled */
    const void *context;
};

/* Returns the length of a file name without a suffix such as .gz; the whole length if it has none.
 */
size_t unpack_stem_length(const char *name, size_t length);

/* Returns the compression or archive format of a file that begins with these bytes; NULL: none. */
const char *unpack_format_of(const uint8_t *bytes, size_t length);

/* Decompression state of one stream. */
struct unpacking;

#endif
