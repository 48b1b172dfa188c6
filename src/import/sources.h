/* The files of an import: their order, their format, and what each gave. */
#ifndef TRACETOOL_SOURCES_H
#define TRACETOOL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/reader.h"

/* Sets `same_as` of every source that holds what an earlier one holds. Files are distinguished by
 * their beginnings where these differ; the others are read as a whole, for their hash. What cannot
 * be read twice (a pipe) or not at all stays as it is: duplicates_refuse() and the reading say so.
 * False when interrupted. */
bool duplicates_find(struct import_run *run, struct input_stop stop);

/* Once all was read: false with `error` set when two sources that were used have the same content
 * after all, of which at least one could be read only once. */
bool duplicates_refuse(const struct import_run *run, struct error *error);

/* A file that is open. */
struct open_source {
    struct input *input; /* owned; NULL: not open */
    struct reader reader;
};

/* Fills `run->sources`, in the order of their first times where the format has one. */
bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error);
void sources_free(struct import_run *run);

/* Whether a file of several must not be opened at all, being the database or of the content of an
 * earlier one; a remark says so. */
bool source_must_not_open(struct import_run *run, size_t position);

/* Opens a file of the run at its beginning, and notes how it is packed. On failure nothing needs
 * closing. */
bool source_open(struct import_run *run, size_t position, struct open_source *source,
                 struct error *error);
void source_close(struct open_source *source);

/* Whether an open file is of the trace's format, which the first file decides: of several files,
 * those that are of no known or of another format are passed over with a remark. */
bool source_choose(struct import_run *run, size_t position, struct reader *reader, bool *use,
                   struct error *error);

/* Opens the files up to the first that is of a known format: `run->source`. */
bool sources_open_first(struct import_run *run, struct open_source *source, struct error *error);

/* From here on records are those of this file; what was counted before was that of the one before.
 * `reader` is NULL when none follows. */
void sources_turn(struct import_run *run, size_t position, struct reader *reader);

/* Counts a record of the file at `offset` that is earlier by `by` than the one before it. */
void source_earlier(struct import_source *source, int64_t by, int64_t offset);

/* Reads what the importer had no interest in, and keeps size and hash of the file. */
bool source_finish(struct import_run *run, size_t position, struct open_source *source);

#endif
