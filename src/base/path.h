/* Path manipulation, without file system access. */
#ifndef TRACETOOL_PATH_H
#define TRACETOOL_PATH_H

#include "base/text.h"

/* Normalises a path: removes trailing slashes, `//`, `/./` and `a/../`, as if `a` were no symbolic
 * link. An empty path, or one that reduces to nothing, becomes `.`. A relative path keeps a leading
 * `..`. */
void path_normalise(struct text *path);

#endif
