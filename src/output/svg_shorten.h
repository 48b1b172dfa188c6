/* An SVG in fewer bytes and elements, that draws the same.
 *
 * gnuplot writes a group with all that it is painted with around each line and each word, and
 * coordinates to a hundredth of a pixel. Here every element says only how it differs from most of
 * the picture, groups that only say so are gone, and coordinates are tenths of a unit.
 */
#ifndef TRACETOOL_SVG_SHORTEN_H
#define TRACETOOL_SVG_SHORTEN_H

#include "base/text.h"

/* Appends the picture in `svg`, which is one that svg_filter() wrote: well-formed, values in ".
 * Its classes are left out, for scripts and style sheets of others. Out of memory: out->failed. */
void svg_shorten(const struct text *svg, struct text *out);

/* Appends a path's `d`, or with `is_points` a polygon's `points`, in tenths: of a path of lines
 * (M, L, Z) each as the way from the last point, without steps that nobody sees; any other as it
 * is. */
void svg_shorten_path(const char *d, size_t length, bool is_points, struct text *out);

#endif
