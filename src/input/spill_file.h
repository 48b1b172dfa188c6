/* Spill file: an unnamed temporary file (base/file.h) that is written once, then read. */
#ifndef TRACETOOL_SPILL_FILE_H
#define TRACETOOL_SPILL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/reader.h"

struct spill_file;

/* Returns an empty file, owned by the caller; NULL with `error` set if no directory is usable. */
struct spill_file *spill_file_open(struct error *error);

/* Frees the spill file; NULL is allowed. Readers of spill_file_replay() must be freed before. */
void spill_file_close(struct spill_file *spill);

/* Appends bytes. Returns false with `error` set, which names the directory, if the disk is full. */
bool spill_file_append(struct spill_file *spill, const void *bytes, size_t length,
                       struct error *error);

/* Truncates the file to its first `size` bytes. */
bool spill_file_truncate(struct spill_file *spill, int64_t size, struct error *error);

/* Initialises `reader` to read the whole file. `offset` is what the reader reports as the offset of
 * the first byte. The caller frees the reader. May be called once; nothing can be appended
 * afterwards. The reader borrows `error`. */
bool spill_file_replay(struct spill_file *spill, struct reader *reader, int64_t offset,
                       struct error *error);

#endif
