/* Embeds the title and the `#` lines of a report into a picture file, so that the picture explains
 * itself. */
#ifndef TRACETOOL_PICTURE_H
#define TRACETOOL_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

enum picture_kind { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF, PICTURE_EPS, PICTURE_TEX };

/* Writes `notes` into the picture in `file`, an open file made by gnuplot. `notes` is UTF-8
 * without control characters other than newlines; its first line is the title, the others are the
 * description. A PNG stores them as text (iTXt: Title, Description), an SVG as <title> and <desc>,
 * a PDF in its information dictionary (Title, Subject). An EPS stores nothing; a picture for TeX
 * has them already. If `dots` is above 0, a PNG also stores its resolution in dots per inch. A
 * file with an unexpected structure is left unchanged. False with `error` set when the file cannot
 * be read or written, or memory runs out. */
bool picture_annotate(int file, enum picture_kind kind, int dots, const char *notes,
                      struct error *error);

#endif
