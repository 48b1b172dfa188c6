/* Files of no known format, and files of equal content. */
#ifndef TRACETOOL_SOURCES_H
#define TRACETOOL_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"

/* Sets `same_as` of every source that holds what an earlier one holds. Files are distinguished by
 * their beginnings where these differ; the others are read as a whole, for their hash. What cannot
 * be read twice (a pipe) or not at all stays as it is: duplicates_refuse() and the reading say so.
 * False when interrupted. */
bool duplicates_find(struct import_run *run, struct input_stop stop);

/* Once all was read: false with `error` set when two sources that were used have the same content
 * after all, of which at least one could be read only once. */
bool duplicates_refuse(const struct import_run *run, struct error *error);

/* Appends, for behind "FILE: ": what else the file is and what to do with it; or how it begins, and
 * which formats it is nearest to, with what these are made of. */
void unknown_describe(const struct sniff *sniff, const struct config *config, struct text *out);

#endif
