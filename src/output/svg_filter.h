/* An SVG made fit to stand in an HTML page.
 *
 * The picture may come from anywhere. What is written has the elements and attributes of a list,
 * and nothing else: no script, no style, no event, nothing that is loaded. `style` becomes
 * attributes, which a page's policy for styles does not concern; ids get a prefix, so that several
 * pictures do not meet; an address is that of an id that is written, too, or a PNG within the
 * picture itself. What is written is well-formed, whatever was read.
 */
#ifndef TRACETOOL_SVG_FILTER_H
#define TRACETOOL_SVG_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Elements within one another; deeper ones are left out. */
#define SVG_FILTER_DEPTH 64

struct svg_look {
    const char *prefix; /* of ids: letters, digits, - and _; it begins with a letter */
    const char *title;  /* what a screen reader says; any bytes */
    bool keeps_titles;  /* those of parts, which a browser shows beside the mouse */
};

/* Appends what of the picture in `bytes` is harmless. `*dropped`: how many elements and attributes
 * were left out that are neither known nor superfluous. False when there is no <svg>, or memory ran
 * out. */
bool svg_filter(const char *bytes, size_t length, const struct svg_look *look, struct text *out,
                size_t *dropped, struct error *error);

#endif
