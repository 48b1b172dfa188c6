/* Unpacks gzip with zlib, which verifies length and checksum of every member (libarchive 3.6 does
 * not verify them). */
#ifndef TRACETOOL_GZIP_H
#define TRACETOOL_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gzip;

/* Gives packed bytes: sets `*bytes` and returns how many there are, 0 at the end, -1 on failure. */
typedef int64_t gzip_source(void *context, const uint8_t **bytes);

/* Owned by the caller; NULL when out of memory. */
struct gzip *gzip_open(gzip_source *source, void *context);
void gzip_close(struct gzip *gzip);

/* Unpacks up to `capacity` bytes; members that follow one another are one stream, and
 * zeros behind the last one are nothing. Returns how many,
 * 0 at the end, -1 when the file is damaged or cut short, or the source failed. */
int64_t gzip_read(struct gzip *gzip, void *buffer, size_t capacity);

/* What was wrong after gzip_read() returned -1; a constant string. */
const char *gzip_message(const struct gzip *gzip);

#endif
