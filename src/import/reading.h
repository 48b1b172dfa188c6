/* Reads the files of an import, one after another or side by side. Runs in the importer's thread.
 */
#ifndef TRACETOOL_READING_H
#define TRACETOOL_READING_H

#include <stdbool.h>

#include "import/sources.h"

/* Reads all files from `run->source` on, which is open in `first` and is closed then. `state` is
 * the importer's. False with `run->error` set on failure, or because nobody wants more. */
bool read_sources(struct import_run *run, void *state, struct open_source *first);

#endif
