/* Compresses bytes with gzip. The same version of zlib gives the same output for the same bytes. */
#ifndef TRACETOOL_PACK_H
#define TRACETOOL_PACK_H

#include <stddef.h>

#include "base/text.h"

/* Compression effort. PACK_FAST shrinks rows for a server to a quarter; PACK_SMALL is slower. */
enum pack_effort { PACK_FAST, PACK_SMALL };

/* Compresses `length` bytes. Replaces the contents of `packed`. */
void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed);

#endif
