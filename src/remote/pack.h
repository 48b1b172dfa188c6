/* Bytes made fewer for their way to a server, as gzip does. */
#ifndef TRACETOOL_REMOTE_PACK_H
#define TRACETOOL_REMOTE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Puts `length` bytes into `packed`, which is emptied before: of rows a quarter is left. */
bool pack_gzip(const void *bytes, size_t length, struct text *packed, struct error *error);

#endif
