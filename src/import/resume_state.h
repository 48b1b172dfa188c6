/* Stores the numbers of `importer.resume` for a later append to the trace (import --append): the
 * text "key 1 other -2", followed by that of import_save_state(). */
#ifndef TRACETOOL_RESUME_STATE_H
#define TRACETOOL_RESUME_STATE_H

#include "import/context.h"

/* Reads the numbers into the importer's state when appending; otherwise leaves them. False with an
 * error set if the stored text is invalid or out of bounds. */
bool resume_state_read(struct import_run *run, void *state);

/* Prepends the numbers to what the importer keeps. */
void resume_state_write(struct import_run *run, void *state);

#endif
