/* Unnamed temporary files.
 *
 * They are in SQLite's temporary directory: the first usable of $SQLITE_TMPDIR, $TMPDIR, /var/tmp,
 * /usr/tmp, /tmp and the current directory. They disappear however the program ends.
 */
#ifndef TRACETOOL_TEMPORARY_FILE_H
#define TRACETOOL_TEMPORARY_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Creates an unnamed file in the temporary directory. Returns its descriptor; -1 with `error` set
 * if no directory is usable. `*folder`, unless NULL, receives an owned copy of the directory's
 * name. */
int temporary_file_make(char **folder, struct error *error);

/* Appends to such a file. */
bool temporary_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads `length` bytes at `offset`, which must have been written. */
bool temporary_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                         struct error *error);

#endif
