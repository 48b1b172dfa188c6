/* Combines several databases into a new one. */
#ifndef TRACETOOL_COMBINE_H
#define TRACETOOL_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Writes a new database `place` with all traces of the databases `paths`, in this order, with their
 * ledgers (counts of records), file hashes and rollups; only ids change. `*traces`: number of
 * traces. Fails and leaves no file if two databases have a trace of the same name or a log with the
 * same contents, or if `place` exists. */
bool combine_databases(const char *const *paths, size_t count, const char *place, int64_t *traces,
                       struct error *error);

#endif
