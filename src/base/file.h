/* Opens files that a user named or that were found in a folder, but never a file of an open
 * database.
 *
 * SQLite uses POSIX locks: if a process closes any descriptor of a file, all its locks on the file
 * are dropped. So while a database is open, no other code may open its file, also under another
 * name: a symbolic link, a hard link, or an entry of a folder. Open databases are registered here,
 * and other files are opened here. */
#ifndef TRACETOOL_FILE_H
#define TRACETOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/error.h"

/* Stands in errno for a file of an open database. */
#define FILE_OF_DATABASE 100000

struct file_guard;

/* Registers an open database with the path `path` (absolute, without links), and its files
 * -journal, -wal and -shm. The caller owns the result. */
struct file_guard *file_guard(const char *path);

/* Removes the registration of a database that was closed. NULL is allowed. */
void file_unguard(struct file_guard *guard);

/* Returns whether `path` is a file of a registered database: it has the same device and inode; or
 * it does not exist, as a journal often, but has the same name. `path` is not "-". */
bool file_is_guarded(const char *path);

/* Like file_is_guarded(), for an open descriptor, such as stdin from a file. */
bool file_descriptor_is_guarded(int descriptor);

/* Returns whether `path` is a device, pipe or folder: something that a new file must not
 * replace. */
bool file_is_special(const char *path);

/* open() with O_CLOEXEC, and fopen() for reading. Return -1 or NULL and set errno on failure; to
 * FILE_OF_DATABASE, without opening, if the file is of a registered database. */
int file_open(const char *path, int flags);
FILE *file_open_stream(const char *path);

/* Closes a descriptor; does nothing if it is negative. */
void file_close(int descriptor);

/* Write or read all of `length` bytes; an `offset` of at least 0 is where pread() reads. Return
 * false and set errno on failure; to 0 if the file ends before. */
bool file_write_all(int descriptor, const void *bytes, size_t length);
bool file_read_all(int descriptor, int64_t offset, void *bytes, size_t length);

/* strerror(), with a text for FILE_OF_DATABASE. */
const char *file_strerror(int cause);

/* Changing paths, without looking at files. */

/* Simplifies a path: removes slashes at the end, `//`, `/./` and `a/../`, as if `a` were no link.
 * If nothing is left, the path is `.`. `..` at the beginning of a relative path stays. */
void path_normalise(struct text *path);

/* Creates a temporary file without a name and returns its descriptor; returns -1 and sets `error`
 * if no folder can be used. `*folder`: gets a copy of the folder's name, owned by the caller; NULL:
 * not wanted. */
int temporary_file_make(char **folder, struct error *error);

/* Appends bytes to a file of temporary_file_make(). */
bool temporary_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads `length` bytes at `offset` of a file of temporary_file_make(); they must have been
 * written. */
bool temporary_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                         struct error *error);

struct placed_file {
    FILE *file;    /* owned; stream to write to */
    char *path;    /* owned */
    bool in_place; /* true: a device or pipe: written to directly, not replaced */
};

/* Begins to write a file that will be at `path`. If something other than a regular file is there,
 * such as /dev/null, writes to it directly. The new file has no name until placed_file_commit(), so
 * a killed program leaves nothing. Returns false and sets `error` if it cannot be created, or
 * `path` is a file of an open database. */
bool placed_file_open(struct placed_file *placed, const char *path, struct error *error);

/* Puts the new file at its path, in one step, in place of an old one. */
bool placed_file_commit(struct placed_file *placed, struct error *error);

/* Frees the memory; without placed_file_commit(), the new file vanishes. A zeroed struct is
 * allowed. */
void placed_file_close(struct placed_file *placed);

#endif
