/* The end of an import's transaction: what is refused, and what is written beside the events. */
#ifndef TRACETOOL_FINISH_H
#define TRACETOOL_FINISH_H

#include <stdbool.h>

#include "base/error.h"
#include "store/store.h"

struct import;

/* Writes files, ledger, remarks, rollups and the rest of the trace's row, and commits. False with
 * `error` set when what was read is not to be kept, or on failure: nothing is committed then. */
bool import_finish(struct import *import, struct store *store, struct error *error);

#endif
