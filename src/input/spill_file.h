/* Spill file: an unnamed temporary file (base/file.h) that is written once, then read. */
#ifndef TRACETOOL_SPILL_FILE_H
#define TRACETOOL_SPILL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

struct spill_file;

/* Returns an owned, empty spill file; NULL with `error` set if no directory is usable. */
struct spill_file *spill_file_open(struct error *error);

/* NULL is allowed. Readers from spill_file_replay() must be freed first. */
void spill_file_close(struct spill_file *spill);

/* Appends bytes. False with `error` set, which names the directory, when the disk is full. */
bool spill_file_append(struct spill_file *spill, const void *bytes, size_t length,
                       struct error *error);

/* Truncates the file to its first `size` bytes. */
bool spill_file_cut(struct spill_file *spill, int64_t size, struct error *error);

/* Initialises `reader` to read the whole file. Its first byte counts as offset `offset`. The caller
 * frees the reader. Allowed once; nothing can be appended afterwards. The reader borrows `error`.
 */
bool spill_file_replay(struct spill_file *spill, struct reader *reader, int64_t offset,
                       struct error *error);

#endif
