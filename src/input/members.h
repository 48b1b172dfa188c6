/* Files in archives. members_unpack() copies them to one unnamed temporary file; from then on
 * input_open() takes their paths, ARCHIVE/NAME. No name of an archive reaches the file system. */
#ifndef TRACETOOL_MEMBERS_H
#define TRACETOOL_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/unpack.h"

#define MEMBERS_MOST 65536 /* maximum files of an archive */

/* Unpacks the zip or tar archive at `path` if it holds several files. `*paths` receives their
 * paths, sorted; strings and array are owned by the caller. `*count` is 0 if it is no such archive
 * or cannot be opened. False with `error` set, naming the archive, if it is damaged, expands beyond
 * the limit of unpack.h, or `stop` cancels. Nobody may be reading a member meanwhile. */
bool members_unpack(const char *path, struct input_stop stop, char ***paths, size_t *count,
                    struct error *error);

/* Forgets all members; none may be open. */
void members_free(void);

/* A file of an archive. member_find() returns the one at a path ARCHIVE/NAME; NULL if there is
 * none. Valid until members_free(). */
struct member;
const struct member *member_find(const char *path);

/* member_size() returns the size in bytes. member_name() returns where in the path the name begins:
 * after the folder that all members of the archive share. */
int64_t member_size(const struct member *member);
size_t member_name(const struct member *member);

/* Reads from a member, like pread(). */
ssize_t member_read(const struct member *member, void *buffer, size_t capacity, int64_t offset);

#endif
