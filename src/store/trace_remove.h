/* Removes traces. */
#ifndef TRACETOOL_TRACE_REMOVE_H
#define TRACETOOL_TRACE_REMOVE_H

#include "store/database.h"

/* Removes a trace wholly, within a transaction of the caller's. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

#endif
