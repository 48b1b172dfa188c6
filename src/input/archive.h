/* Reads the only file in a zip or tar archive, or in a bzip2 file, with libarchive. */
#ifndef TRACETOOL_ARCHIVE_H
#define TRACETOOL_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

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

#endif
