/* Reads zip and tar archives and bzip2 files with libarchive: the only file of an archive as a
 * stream of bytes, or all files of an archive. */
#ifndef TRACETOOL_ARCHIVE_H
#define TRACETOOL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Supplies compressed bytes: sets `*bytes` and returns their number; 0 at the end, -1 on failure.
 */
typedef int64_t unpack_source(void *context, const uint8_t **bytes);

/* Returns the name of the archive format ("zip", "tar", "bzip2") of a file that begins with these
 * bytes; NULL if it is no archive. A tar may be compressed by gzip, xz, zstd or bzip2. */
const char *archive_format_of(const uint8_t *bytes, size_t length);

/* State of reading the only file of an archive. */
struct archive_file;

/* Opens an archive whose bytes `source` supplies from the first on. Owned by the caller. */
struct archive_file *archive_file_open(unpack_source *source, void *context);
void archive_file_close(struct archive_file *file);

/* Reads up to `capacity` bytes of the file in the archive. Returns their number; 0 at the end; -1
 * if the archive is damaged, or does not hold exactly one file. */
int64_t archive_file_read(struct archive_file *file, void *buffer, size_t capacity);

/* Returns the reason why archive_file_read() failed. */
const char *archive_file_message(const struct archive_file *file);

/* Receives the files of an archive: name() at the start of each file, then bytes() any number of
 * times. Returning false with `error` set stops the reading. */
struct archive_sink {
    bool (*name)(void *context, const char *name, struct error *error);
    bool (*bytes)(void *context, const void *bytes, size_t length, struct error *error);
    void *context;
};

/* Whether an archive, read from its first byte, holds several files. Stops reading at the second
 * file. The sink gets the bytes of the first file, unless they can be skipped. Returns false also
 * if the sink refuses. */
bool archive_holds_several(int descriptor, const struct archive_sink *sink);

/* Passes all files of an archive to the sink; reads from the archive's first byte. Returns false
 * with `error` set if the archive is damaged, or the sink refuses. */
bool archive_read_all(int descriptor, const struct archive_sink *sink, struct error *error);

#endif
