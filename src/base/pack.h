/* Compresses bytes with gzip. The output is deterministic for one version of zlib. */
#ifndef TRACETOOL_PACK_H
#define TRACETOOL_PACK_H

#include <stddef.h>

#include "base/text.h"

/* PACK_FAST reduces rows to about a quarter, for a transfer to a server; PACK_SMALL takes longer.
 */
enum pack_effort { PACK_FAST, PACK_SMALL };

/* Compresses `length` bytes into `packed`, which is emptied first. */
void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed);

#endif
