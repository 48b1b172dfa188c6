/* Paths as text. */
#ifndef TRACETOOL_PATH_H
#define TRACETOOL_PATH_H

#include "base/text.h"

/* Makes a path the shortest that says the same: without a slash at its end, `//`, `/./`, and with
 * `a/../` taken out, as if `a` were no symbolic link. An empty one, and what is nothing but dots,
 * becomes `.`; `..` stays where it leads above the beginning of a path that begins nowhere. */
void path_normalise(struct text *path);

#endif
