/* A picture of gnuplot's as an SVG of fewer bytes that draws the same.
 *
 * gnuplot writes a group with all that it is painted with around each line and each word, defines
 * every mark and a pattern for each area, and gives coordinates to a hundredth of a pixel. Here
 * every element says only how it differs from the picture, and coordinates are tenths of a unit.
 */
#ifndef TRACETOOL_SVG_SHORTEN_H
#define TRACETOOL_SVG_SHORTEN_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the picture in `svg`. False: it holds what gnuplot does not write, and nothing is
 * appended. */
bool svg_shorten(const char *svg, struct text *out);

#endif
