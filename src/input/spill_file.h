/* Bytes that must wait for others: a temporary file without a name, written once, then read.
 *
 * It lies where SQLite puts its temporary files: in $SQLITE_TMPDIR, $TMPDIR, /var/tmp, /usr/tmp,
 * /tmp or the current directory, the first in which a file can be made. Nothing of it is left
 * behind, however the program ends.
 */
#ifndef TRACETOOL_SPILL_FILE_H
#define TRACETOOL_SPILL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

struct spill_file;

/* Makes a file without a name where temporary files go and returns its descriptor, -1 with `error`
 * set when there is no place for one. `*folder`, unless NULL, becomes an owned copy of the folder's
 * name. */
int spill_file_make(char **folder, struct error *error);

/* Writes at the end of such a file. */
bool spill_file_write(int descriptor, const void *bytes, size_t length, struct error *error);

/* Reads as many bytes from `offset` on, all of which must have been written. */
bool spill_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                     struct error *error);

/* Returns an owned, empty spill file; NULL with `error` set when there is no place for one. */
struct spill_file *spill_file_open(struct error *error);

/* NULL is allowed. Readers from spill_file_replay() must be freed first. */
void spill_file_close(struct spill_file *spill);

/* Adds bytes at the end. False with `error` set, which names the folder, when the disk is full. */
bool spill_file_append(struct spill_file *spill, const void *bytes, size_t length,
                       struct error *error);

/* Forgets what was appended behind the first `size` bytes. */
bool spill_file_cut(struct spill_file *spill, int64_t size, struct error *error);

/* Sets up `reader`, to be freed by the caller, over all that was appended; its first byte has
 * `offset`. Once a spill file; nothing can be appended after it. `error` is borrowed by the reader.
 */
bool spill_file_replay(struct spill_file *spill, struct reader *reader, int64_t offset,
                       struct error *error);

#endif
