/* The end of an import's transaction: what is refused, and what is written beside the events. */
#ifndef TRACETOOL_FINISH_H
#define TRACETOOL_FINISH_H

#include <stdbool.h>

#include "base/error.h"
#include "store/store.h"

struct import_run;

/* Writes files, ledger, remarks, rollups and the rest of the row of each trace, and commits;
 * `stores` are those of the run's traces, and `name` is that of the log. A trace that got no event
 * is not kept, when another one did: what it has to explain goes to that. False with `error` set
 * when what was read is not to be kept, or on failure: nothing is committed then. */
bool import_finish(struct import_run *run, struct store *stores, const char *name,
                   struct error *error);

#endif
