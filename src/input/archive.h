/* Reads zip and tar archives and bzip2 files with libarchive: as the stream of the only file in it,
 * or all files of an archive. */
#ifndef TRACETOOL_ARCHIVE_H
#define TRACETOOL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Supplies compressed bytes: sets `*bytes` and returns their number, 0 at the end, -1 on failure.
 */
typedef int64_t unpack_source(void *context, const uint8_t **bytes);

/* Returns the name of the archive format that a file begins with ("zip", "tar", "bzip2"); NULL if
 * there is none. A tar may be compressed by gzip, xz, zstd or bzip2. */
const char *archive_format_of(const uint8_t *bytes, size_t length);

/* Reading state of one archive. */
struct archive_file;

/* Opens an archive, which the source supplies from its first byte. Owned by the caller. */
struct archive_file *archive_file_open(unpack_source *source, void *context);
void archive_file_close(struct archive_file *file);

/* Reads up to `capacity` bytes of the file in the archive. Returns their number, 0 at the end; -1
 * if the archive is damaged, or holds no file or several. */
int64_t archive_file_read(struct archive_file *file, void *buffer, size_t capacity);

/* The cause of a failure (-1). */
const char *archive_file_message(const struct archive_file *file);

/* Receives the files of an archive: name() at the start of each, then bytes() any number of times.
 * False with `error` set stops the reading. */
struct archive_sink {
    bool (*name)(void *context, const char *name, struct error *error);
    bool (*bytes)(void *context, const void *bytes, size_t length, struct error *error);
    void *context;
};

/* Whether an archive, read from its first byte, holds several files. Stops at the second one. The
 * sink sees the bytes of the first one, unless they can be skipped. False if the sink refuses, too.
 */
bool archive_holds_several(int descriptor, const struct archive_sink *sink);

/* Reads all files of an archive from its first byte. False with `error` set if it is damaged, or
 * the sink refuses. */
bool archive_read_all(int descriptor, const struct archive_sink *sink, struct error *error);

#endif
