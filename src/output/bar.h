/* Shares as bars beside their numbers. */
#ifndef TRACETOOL_BAR_H
#define TRACETOOL_BAR_H

#include <stddef.h>

#include "base/text.h"
#include "output/printer.h"

/* Appends a bar for a share of `per_cent`: of `width` columns for 100 and above, proportionally
 * fewer below, without spaces behind it. With blocks, what is more than 0 shows. Nothing for what
 * is no number. */
void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width);

#endif
