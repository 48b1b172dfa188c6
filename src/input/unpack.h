/* Unpacking: a stream of packed bytes into what was packed, each by the library of its format,
 * which verifies checksums. Streams (members, frames) that follow one another are one. */
#ifndef TRACETOOL_UNPACK_H
#define TRACETOOL_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#define UNPACK_MAGIC_SIZE 6

/* Gives packed bytes: sets `*bytes` and returns how many there are, 0 at the end, -1 on failure. */
typedef int64_t unpack_source(void *context, const uint8_t **bytes);

/* A stream that is being unpacked; each format has more behind it. */
struct unpacking {
    unpack_source *source;
    void *context;
    const char *message; /* what was wrong, after read() returned -1 */
};

struct unpacker {
    const char *name;
    /* What packed files begin with. */
    size_t magic_size;
    uint8_t magic[UNPACK_MAGIC_SIZE];
    /* Owned by the caller, who closes it; NULL when out of memory. */
    struct unpacking *(*open)(unpack_source *source, void *context);
    /* Unpacks up to `capacity` bytes. Returns how many, 0 at the end, -1 when the file is damaged
     * or cut short, or the source failed. */
    int64_t (*read)(struct unpacking *unpacking, void *buffer, size_t capacity);
    void (*close)(struct unpacking *unpacking);
};

#define UNPACKERS 3
extern const struct unpacker *const unpackers[UNPACKERS];

#endif
