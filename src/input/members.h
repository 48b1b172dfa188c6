/* Reads files in archives. members_unpack() copies them to one unnamed temporary file; input_open()
 * then accepts their paths, ARCHIVE/NAME. The file system never sees an archive's names. */
#ifndef TRACETOOL_MEMBERS_H
#define TRACETOOL_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/unpack.h"

#define MEMBERS_MOST 65536 /* maximum number of files in an archive */

/* Unpacks the zip or tar archive at `path` if it holds several files. Sets `*paths` to their paths,
 * sorted; the caller owns strings and array. Sets `*count` to 0 if it is no such archive, or cannot
 * be opened. Returns false with `error` set, naming the archive, if it is damaged, expands beyond
 * the limit of unpack.h, or `stop` cancels. No member may be read meanwhile. */
bool members_unpack(const char *path, struct input_stop stop, char ***paths, size_t *count,
                    struct error *error);

/* Frees the list of files of all archives; none of them may be open. */
void members_free(void);

/* A file of an archive. member_find() returns the file at a path ARCHIVE/NAME; NULL if there is
 * none. Valid until members_free(). */
struct member;
const struct member *member_find(const char *path);

/* member_size() returns the size in bytes. member_name_offset() returns the offset in the path of
 * the part after the directory that all files of the archive share. */
int64_t member_size(const struct member *member);
size_t member_name_offset(const struct member *member);

/* Reads from a file of an archive, as pread() does from a file. */
ssize_t member_read(const struct member *member, void *buffer, size_t capacity, int64_t offset);

#endif
