/* Opens an image for reading at any place: as it is, or unpacked into a temporary file. */
#ifndef TRACETOOL_UNPACK_H
#define TRACETOOL_UNPACK_H

#include "base/error.h"

/* Opens a file or block device; what is packed (gzip, xz, zstd), or is an Android sparse image, or
 * both, is unpacked into a file without a name, which has holes where there are zeros. Returns a
 * descriptor, -1 with `error` set, which names the file. */
int unpack_image(const char *path, struct error *error);

#endif
