/* One database out of several. */
#ifndef TRACETOOL_COMBINE_H
#define TRACETOOL_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Writes a new database `place` with all traces of those at `paths`, in this order, with what
 * became of their records, the hashes of their files and their rollups; only ids are others. Fails,
 * and leaves nothing, when two of them have a trace of one name or a log of one content, or there
 * is a file `place`. `*traces` is how many it has. */
bool combine_databases(const char *const *paths, size_t count, const char *place, int64_t *traces,
                       struct error *error);

#endif
