/* Bytes made fewer, as gzip does: the same bytes by the same zlib give the same. */
#ifndef TRACETOOL_PACK_H
#define TRACETOOL_PACK_H

#include <stddef.h>

#include "base/text.h"

/* PACK_FAST leaves a quarter of rows, for the way to a server; PACK_SMALL takes its time. */
enum pack_effort { PACK_FAST, PACK_SMALL };

/* Puts `length` bytes into `packed`, which is emptied before. */
void pack_gzip(const void *bytes, size_t length, enum pack_effort effort, struct text *packed);

#endif
