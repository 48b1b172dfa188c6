/* Finds the files of one trace whose (unpacked) content is that of another one, before any of them
 * is imported. */
#ifndef TRACETOOL_DUPLICATES_H
#define TRACETOOL_DUPLICATES_H

#include "import/context.h"

/* Sets `same_as` of every source that holds what an earlier one holds. Files are told apart by
 * their beginnings where these differ; the others are read as a whole, for their hash. What cannot
 * be read twice (a pipe) or not at all stays as it is: duplicates_refuse() and the reading say so.
 * False when interrupted or out of memory. */
bool duplicates_find(struct import_run *run, struct input_stop stop, struct error *error);

/* Once all was read: false with `error` set when two sources that were used have the same content
 * after all, of which at least one could be read only once. */
bool duplicates_refuse(const struct import_run *run, struct error *error);

#endif
