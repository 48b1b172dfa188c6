/* Keeps the numbers of `importer.resume` from one import of a trace to the next (import --append):
 * the text "key 1 other -2", and what the importer adds with import_keep(). */
#ifndef TRACETOOL_RESUME_STATE_H
#define TRACETOOL_RESUME_STATE_H

#include "import/context.h"

/* Reads the numbers into the importer's state where the trace goes on; else they stay as they are.
 * False with an error set when they were not kept so, or are out of bounds. */
bool resume_state_read(struct import_run *run, void *state);

/* Puts the numbers before what the importer keeps. */
void resume_state_write(struct import_run *run, void *state);

#endif
