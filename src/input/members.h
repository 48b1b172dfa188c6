/* Reads files in archives. members_unpack() copies them to one unnamed temporary file; input_open()
 * then takes their paths, ARCHIVE/NAME. Names of an archive are not used in the file system. */
#ifndef TRACETOOL_MEMBERS_H
#define TRACETOOL_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/unpack.h"

#define MEMBERS_MOST 65536 /* maximum number of files in an archive */

/* Unpacks the zip or tar archive at `path` if it holds several files. `*paths` receives their
 * paths, sorted; strings and array are owned by the caller. `*count` is 0 if it is no such archive
 * or cannot be opened. False with `error` set, naming the archive, if it is damaged, expands beyond
 * the limit of unpack.h, or `stop` cancels. No member may be read meanwhile. */
bool members_unpack(const char *path, struct input_stop stop, char ***paths, size_t *count,
                    struct error *error);

/* Forgets the files of all archives; none of them may be open. */
void members_free(void);

/* A file of an archive. member_find() returns the file at a path ARCHIVE/NAME; NULL if there is
 * none. Valid until members_free(). */
struct member;
const struct member *member_find(const char *path);

/* member_size() returns the size in bytes. member_name() returns the part of the path after the
 * folder that all files of the archive share. */
int64_t member_size(const struct member *member);
size_t member_name(const struct member *member);

/* Reads from a file of an archive, like pread(). */
ssize_t member_read(const struct member *member, void *buffer, size_t capacity, int64_t offset);

#endif
