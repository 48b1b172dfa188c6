/* Combines several databases into one. */
#ifndef TRACETOOL_COMBINE_H
#define TRACETOOL_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Writes a new database `place` with all traces of those at `paths`, in this order, with their
 * ledgers, file hashes and rollups; only ids change. Fails, leaving nothing, if two of them have a
 * trace of the same name or a log of the same content, or if `place` exists. `*traces` receives the
 * number of traces. */
bool combine_databases(const char *const *paths, size_t count, const char *place, int64_t *traces,
                       struct error *error);

#endif
