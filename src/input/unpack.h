/* Unpacking: a stream of packed bytes into what was packed, each by the library of its format,
 * which verifies checksums. Streams (members, frames) that follow one another are one. */
#ifndef TRACETOOL_UNPACK_H
#define TRACETOOL_UNPACK_H

#include <stddef.h>
#include <stdint.h>

/* As many bytes tell whether a file is packed; atrace has words of its own in front. */
#define UNPACK_MAGIC_SIZE 1024

/* Gives packed bytes: sets `*bytes` and returns how many there are, 0 at the end, -1 on failure. */
typedef int64_t unpack_source(void *context, const uint8_t **bytes);

/* A stream that is being unpacked. */
struct unpacking;

/* Of a file that begins with these bytes; NULL when it is not packed. Packed bytes begin behind the
 * first `*skipped` of them, which the source does not give. Owned by the caller. */
struct unpacking *unpacking_open(const uint8_t *bytes, size_t length, unpack_source *source,
                                 void *context, size_t *skipped);
void unpacking_close(struct unpacking *unpacking);

/* Unpacks up to `capacity` bytes. Returns how many, 0 at the end, -1 when the file is damaged or
 * cut short, or the source failed. */
int64_t unpacking_read(struct unpacking *unpacking, void *buffer, size_t capacity);

/* What was wrong, after -1; the name of the format. */
const char *unpacking_message(const struct unpacking *unpacking);
const char *unpacking_format(const struct unpacking *unpacking);

/* Bytes behind the end of what was packed, of a format that may have some: atrace's. */
int64_t unpacking_trailing(const struct unpacking *unpacking);

#endif
