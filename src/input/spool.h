/* Bytes that must wait for others: a temporary file without a name, written once, then read.
 *
 * It lies where SQLite puts its temporary files: in $SQLITE_TMPDIR, $TMPDIR, /var/tmp, /usr/tmp,
 * /tmp or the current directory, the first in which a file can be made. Nothing of it is left
 * behind, however the program ends.
 */
#ifndef TRACETOOL_SPOOL_H
#define TRACETOOL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

struct spool;

/* Makes a file without a name where temporary files go and returns its descriptor, -1 with `error`
 * set when there is no place for one. `*folder`, unless NULL, becomes an owned copy of the folder's
 * name. */
int spool_make_file(char **folder, struct error *error);

/* Writes at the end of such a file. */
bool spool_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads as many bytes from `offset` on, all of which must have been written. */
bool spool_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                     struct error *error);

/* Returns an owned, empty spool; NULL with `error` set when there is no place for one. */
struct spool *spool_open(struct error *error);

/* NULL is allowed. Readers from spool_read() must be freed first. */
void spool_close(struct spool *spool);

/* Adds bytes at the end. False with `error` set, which names the folder, when the disk is full. */
bool spool_append(struct spool *spool, const void *bytes, size_t length, struct error *error);

/* Forgets what was appended behind the first `size` bytes. */
bool spool_cut(struct spool *spool, int64_t size, struct error *error);

/* Sets up `reader`, to be freed by the caller, over all that was appended; its first byte has
 * `offset`. Once a spool; nothing can be appended after it. `error` is borrowed by the reader. */
bool spool_read(struct spool *spool, struct reader *reader, int64_t offset, struct error *error);

#endif
