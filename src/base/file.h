/* Opens files named by a user or found in a directory, but never a file of an open database.
 *
 * SQLite uses POSIX locks: closing any descriptor of a file drops all locks that the process has on
 * it. A file read while a database is open must therefore not be that database under another name:
 * a symbolic link, a hard link, a directory entry. Opening a database registers it here; code that
 * reads other files opens them here.
 */
#ifndef TRACETOOL_FILE_H
#define TRACETOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/error.h"

/* errno for a file of an open database. */
#define FILE_OF_DATABASE 100000

struct file_guard;

/* Registers the open database `path` (absolute, links resolved), with its -journal, -wal and -shm
 * files. The caller owns the result; NULL if out of memory. */
struct file_guard *file_guard(const char *path);

/* Unregisters a closed database. NULL is allowed. */
void file_unguard(struct file_guard *guard);

/* Whether `path` is a file of a registered database: same device and inode, or same name if it does
 * not exist (a journal comes and goes). `path` is not "-". */
bool file_is_guarded(const char *path);

/* Like file_is_guarded(), for an open descriptor, such as a redirected stdin. */
bool file_descriptor_is_guarded(int descriptor);

/* Whether `path` is a device, pipe or directory, which a new file must not replace. */
bool file_is_special(const char *path);

/* open() with O_CLOEXEC and fopen() for reading. Return -1 or NULL with errno, which is
 * FILE_OF_DATABASE if the file is registered; it has then not been opened. */
int file_open(const char *path, int flags);
FILE *file_open_stream(const char *path);

/* close(), unless the descriptor is negative. */
void file_close(int descriptor);

/* Write or read all `length` bytes; reads with pread() if `offset` is not negative. False with
 * errno, which is 0 if the file ends early. */
bool file_write_all(int descriptor, const void *bytes, size_t length);
bool file_read_all(int descriptor, int64_t offset, void *bytes, size_t length);

/* strerror() that also knows FILE_OF_DATABASE. */
const char *file_cause(int cause);

/* Path manipulation, without file system access. */

/* Normalises a path: removes trailing slashes, `//`, `/./` and `a/../`, as if `a` were no symbolic
 * link. An empty path, or one that reduces to nothing, becomes `.`. A relative path keeps a leading
 * `..`. */
void path_normalise(struct text *path);

/* Creates an unnamed file in the temporary directory. Returns its descriptor; -1 with `error` set
 * if no directory is usable. `*folder`, unless NULL, receives an owned copy of the directory's
 * name. */
int temporary_file_make(char **folder, struct error *error);

/* Appends to a file of temporary_file_make(). */
bool temporary_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads `length` bytes at `offset` of a temporary file, which must have been written. */
bool temporary_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                         struct error *error);

struct placed_file {
    FILE *file;    /* stream for writing; owned */
    char *path;    /* owned */
    bool in_place; /* a device or a pipe, which is written directly */
};

/* Begins a file for `path`. A target that is not a regular file, such as /dev/null, is written
 * directly and never replaced. The new file has no name until placed_file_commit(), so a killed
 * program leaves nothing. False with `error` set if it cannot be created or belongs to an open
 * database. */
bool placed_file_open(struct placed_file *placed, const char *path, struct error *error);

/* Replaces the target by the new file in one step. */
bool placed_file_commit(struct placed_file *placed, struct error *error);

/* Frees the memory; without placed_file_commit(), discards the file. A zeroed struct is allowed. */
void placed_file_close(struct placed_file *placed);

#endif
