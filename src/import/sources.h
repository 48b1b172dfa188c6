/* Handles files of a log that have equal content. */
#ifndef TRACETOOL_SOURCES_H
#define TRACETOOL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"

/* Sets `same_as` of every file with the content of an earlier one. Compares beginnings first; if
 * these are equal, reads the whole files for their hashes. Skips files that cannot be read twice
 * (pipes) or at all; duplicates_refuse() and reading report them. False when interrupted. */
bool duplicates_find(struct import_run *run, struct input_stop stop);

/* Whether the file `name`, whose content equals that of `other`, is a copy. It is none if the
 * format has one file per thread without times: threads that did the same then have equal files. */
bool is_duplicate(const struct import_run *run, const char *name, const char *other);

#endif
