/* The files of an import: their order, their format, what each gave, and reading them. */
#ifndef TRACETOOL_READING_H
#define TRACETOOL_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/reader.h"

/* A file that is open. */
struct open_source {
    struct input *input; /* owned; NULL: not open */
    struct reader reader;
};

/* Fills `run->sources`, in the order of their first times where the format has one. */
bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error);
void sources_free(struct import_run *run);

/* It may be zeroed. */
void source_close(struct open_source *source);

/* Opens the files up to the first that is of a known format: `run->source`. */
bool sources_open_first(struct import_run *run, struct open_source *source, struct error *error);

/* From here on records are those of this file; what was counted before was that of the one before.
 * `reader` is NULL when none follows. */
void sources_turn(struct import_run *run, size_t position, struct reader *reader);

/* Reads all files from `run->source` on, one after another or side by side: the first is open in
 * `first` and is closed then. `state` is the importer's. For the importer's thread. False with
 * `run->error` set on failure, or because nobody wants more. */
bool import_read(struct import_run *run, void *state, struct open_source *first);

#endif
