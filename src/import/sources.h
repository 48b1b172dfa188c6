/* Handles files of a log that have equal content. */
#ifndef TRACETOOL_SOURCES_H
#define TRACETOOL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"

/* Sets `same_as` of every file whose content equals that of an earlier one. Compares hashes of
 * beginnings, then of whole files. Skips pipes, which cannot be read twice, and unreadable files:
 * duplicates_refuse() and reading report these. Returns false if interrupted. */
bool duplicates_find(struct import_run *run, struct input_stop stop);

/* Whether the file `name`, whose content equals that of `other`, is a copy of it. It is not if the
 * format has one file per thread, without times: threads that did the same have equal files. */
bool is_duplicate(const struct import_run *run, const char *name, const char *other);

#endif
