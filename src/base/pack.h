/* Compresses bytes with gzip. The same version of zlib gives the same output for the same bytes. */
#ifndef TRACETOOL_PACK_H
#define TRACETOOL_PACK_H

#include <stddef.h>

#include "base/text.h"

/* Compression effort. PACK_FAST compresses rows sent to a server to a quarter of their size;
 * PACK_SMALL is slower and gives smaller output. */
enum pack_effort { PACK_FAST, PACK_SMALL };

/* Compresses `length` bytes. Replaces the contents of `packed`. */
void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed);

#endif
