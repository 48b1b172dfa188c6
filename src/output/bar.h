/* Bars for shares, printed next to the numbers. */
#ifndef TRACETOOL_BAR_H
#define TRACETOOL_BAR_H

#include <stddef.h>

#include "base/text.h"
#include "output/printer.h"

/* Appends a bar for a share of `per_cent`: `width` columns at 100 and above, proportionally fewer
 * below, without trailing spaces. With block characters, every share above 0 is visible. Appends
 * nothing if `per_cent` is not a number. */
void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width);

#endif
