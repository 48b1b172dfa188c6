/* Reads zip and tar archives and bzip2 files with libarchive: the only file of an archive as a
 * stream, or all files of an archive. */
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
 * it is no archive. A tar may be compressed by gzip, xz, zstd or bzip2. */
const char *archive_format_of(const uint8_t *bytes, size_t length);

/* Reading state of an archive. */
struct archive_file;

/* Opens an archive whose bytes `source` supplies from the first on. Owned by the caller. */
struct archive_file *archive_file_open(unpack_source *source, void *context);
void archive_file_close(struct archive_file *file);

/* Reads up to `capacity` bytes of the file in the archive. Returns their number, 0 at the end; -1
 * if the archive is damaged, or holds no file or several. */
int64_t archive_file_read(struct archive_file *file, void *buffer, size_t capacity);

/* Returns the cause of a failure of archive_file_read(). */
const char *archive_file_message(const struct archive_file *file);

/* Receives the files of an archive: name() at the start of each, then bytes() any number of times.
 * False with `error` set stops the reading. */
struct archive_sink {
    bool (*name)(void *context, const char *name, struct error *error);
    bool (*bytes)(void *context, const void *bytes, size_t length, struct error *error);
    void *context;
};

/* Whether an archive, read from its first byte, holds several files. Stops at the second. The sink
 * gets the bytes of the first file, unless they can be skipped. False also if it refuses.
 */
bool archive_holds_several(int descriptor, const struct archive_sink *sink);

/* Passes all files of an archive to the sink, from the archive's first byte. False with `error` set
 * if the archive is damaged, or the sink refuses. */
bool archive_read_all(int descriptor, const struct archive_sink *sink, struct error *error);

#endif
