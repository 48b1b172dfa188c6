/* Opens files that the user named or that were found in a directory, but never a file of an open
 * database.
 *
 * SQLite uses POSIX locks: if a process closes any descriptor of a file, it loses all its locks on
 * that file. So while a database is open, no other code may open its file by any name: symbolic
 * link, hard link or directory entry. Open databases are registered here, and all other files are
 * opened by the functions here. */
#ifndef TRACETOOL_FILE_H
#define TRACETOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/error.h"

/* Value of errno for a file of an open database; no system call sets it. */
#define FILE_OF_DATABASE 100000

struct registered_database;

/* Registers an open database with its absolute path, without symbolic links, and its files
 * -journal, -wal and -shm. The caller owns the result. */
struct registered_database *file_register_database(const char *path);

/* Removes the registration of a closed database. NULL is allowed. */
void file_unregister_database(struct registered_database *registration);

/* Returns whether `path` is a file of a registered database: it has the same device and inode; or
 * it does not exist, as is usual for a journal, but has the same path. `path` must not be "-". */
bool file_is_open_database(const char *path);

/* Returns whether an open descriptor, such as stdin redirected from a file, is of a file of a
 * registered database. */
bool file_descriptor_is_open_database(int descriptor);

/* Returns whether `path` is a device, pipe or directory, which a new file must not replace. */
bool file_is_special(const char *path);

/* open() with O_CLOEXEC, and fopen() for reading. Return -1 or NULL and set errno on failure. For a
 * file of a registered database, fail with FILE_OF_DATABASE without opening it. */
int file_open(const char *path, int flags);
FILE *file_open_stream(const char *path);

/* Closes a descriptor; does nothing if it is negative. */
void file_close(int descriptor);

/* Write or read all of `length` bytes. An `offset` of at least 0 is the position to read from.
 * Return false and set errno on failure; errno is 0 if the file ends too early. */
bool file_write_all(int descriptor, const void *bytes, size_t length);
bool file_read_all(int descriptor, int64_t offset, void *bytes, size_t length);

/* strerror(), with a text for FILE_OF_DATABASE. */
const char *file_strerror(int cause);

/* Path functions that do not access files. */

/* Simplifies a path: removes slashes at the end, `//`, `/./` and `a/../`, assuming that `a` is not
 * a symbolic link. An empty result becomes `.`. `..` at the begin of a relative path stays. */
void path_normalise(struct text *path);

/* Creates a temporary file without a name and returns its descriptor. Returns -1 with the error set
 * if no directory can be used. `*folder`: the directory, owned by the caller; NULL: not needed. */
int temporary_file_create(char **folder, struct error *error);

/* Appends bytes to a file of temporary_file_create(). */
bool temporary_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads `length` bytes at `offset` of a temporary file; all must have been written. */
bool temporary_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                         struct error *error);

struct atomic_file {
    FILE *file;    /* owned; stream to write to */
    char *path;    /* owned */
    bool in_place; /* true: a device or pipe, written directly instead of replaced */
};

/* Begins to write a file that will replace `path`. If `path` is not a regular file, such as
 * /dev/null, writes to it directly. The new file has no name until atomic_file_commit(), so nothing
 * is left if the program is killed. Returns false with the error set if it cannot be created, or
 * `path` is a file of an open database. */
bool atomic_file_open(struct atomic_file *output_file, const char *path, struct error *error);

/* Moves the complete file to its path atomically, replacing an old one. Failures set the error. */
bool atomic_file_commit(struct atomic_file *output_file, struct error *error);

/* Frees the memory and closes the file; without atomic_file_commit(), the new file vanishes. A
 * zeroed struct is allowed. */
void atomic_file_close(struct atomic_file *output_file);

#endif
