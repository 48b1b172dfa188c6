/* Compresses bytes with gzip. One version of zlib makes the same output of the same bytes. */
#ifndef TRACETOOL_PACK_H
#define TRACETOOL_PACK_H

#include <stddef.h>

#include "base/text.h"

/* How hard to compress. PACK_FAST makes rows for a server a quarter as large; PACK_SMALL takes
 * longer. */
enum pack_effort { PACK_FAST, PACK_SMALL };

/* Compresses `length` bytes into `packed`, in place of what it had. */
void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed);

#endif
