/* Opens files by names that a user or a folder gives, and never one of an open database.
 *
 * SQLite's locks are POSIX locks: closing any descriptor of a file gives up all locks that the
 * process has on it, whoever took them. A file that is read beside an open database must therefore
 * not be the database, by whatever name: a link, another hard link, the folder's listing. The
 * database is told here when it is opened, and whoever reads other files opens them here.
 */
#ifndef TRACETOOL_FILE_H
#define TRACETOOL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* errno of a file that belongs to an open database. */
#define FILE_OF_DATABASE 100000

struct file_guard;

/* The database `path` (absolute, links resolved) is open from now on: it and the files beside it
 * whose names are its own with -journal, -wal or -shm behind. NULL when out of memory; owned by the
 * caller. */
struct file_guard *file_guard(const char *path);

/* The database is closed. NULL is welcome. */
void file_unguard(struct file_guard *guard);

/* Whether `path` is a file of a guarded database, by device and inode, or by its name when it is
 * not there (a journal comes and goes). Not "-". */
bool file_is_guarded(const char *path);

/* The same of an open file: of stdin, which a shell has opened. */
bool file_descriptor_is_guarded(int descriptor);

/* Whether something is there that a new file must not take the place of: a device, a pipe, a
 * folder. */
bool file_is_special(const char *path);

/* open() with O_CLOEXEC and fopen() for reading; -1 or NULL with errno, which is FILE_OF_DATABASE
 * when the file is guarded: then it has not been opened. */
int file_open(const char *path, int flags);
FILE *file_open_stream(const char *path);

/* write() of all bytes; read() of all, or pread() from `offset` on unless that is below 0. False
 * with errno, which is 0 where the file ends early. */
bool file_write_all(int descriptor, const void *bytes, size_t length);
bool file_read_all(int descriptor, int64_t offset, void *bytes, size_t length);

/* strerror() that knows FILE_OF_DATABASE, too. */
const char *file_cause(int cause);

#endif
