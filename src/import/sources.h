/* Handles files with equal content. */
#ifndef TRACETOOL_SOURCES_H
#define TRACETOOL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"

/* Sets `same_as` of every source with the content of an earlier one. Compares beginnings first; if
 * these are equal, reads the whole files for their hashes. Skips what cannot be read twice (a pipe)
 * or at all: duplicates_refuse() and reading report those. False when interrupted. */
bool duplicates_find(struct import_run *run, struct input_stop stop);

/* Whether a file with the content of another one is its copy. Threads that did the same have equal
 * files where the format has one for each and their times are not logged. */
bool is_duplicate(const struct import_run *run, const char *name, const char *other);

#endif
