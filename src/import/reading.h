/* Reads the files of an import: order, format, and share of each. */
#ifndef TRACETOOL_READING_H
#define TRACETOOL_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/reader.h"

/* An open file. */
struct open_source {
    struct input *input; /* owned; NULL: not open */
    struct reader reader;
};

/* Fills `run->sources`, ordered by first time if the format has one. */
bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error);
void sources_free(struct import_run *run);

/* A zeroed one is allowed. */
void source_close(struct open_source *source);

/* Opens the files up to the first of a known format: `run->source`. */
bool sources_open_first(struct import_run *run, struct open_source *source, struct error *error);

/* Switches to another file, and attributes what was counted so far to the previous one. `reader` is
 * NULL if none follows. */
void sources_turn(struct import_run *run, size_t position, struct reader *reader);

/* Reads all files from `run->source` on, one after another or in parallel. The first is open in
 * `first`, which is closed. `state` is the importer's. Runs in the importer's thread. False with
 * `run->error` set on failure, or if no more is wanted. */
bool import_read(struct import_run *run, void *state, struct open_source *first);

#endif
