/* Shortens an SVG made by gnuplot to fewer bytes that draw the same.
 *
 * gnuplot writes a group with all paint attributes around each line and word. It defines every mark
 * and a pattern for each area, and gives coordinates to a hundredth of a pixel. The short form only
 * has attributes that differ from the picture's defaults, and coordinates in tenths of a unit. */
#ifndef TRACETOOL_SVG_SHORTEN_H
#define TRACETOOL_SVG_SHORTEN_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the shortened picture. Returns false, with nothing appended, if `svg` has anything that
 * gnuplot does not write. */
bool svg_shorten(const char *svg, struct text *out);

#endif
