/* Stores a report's title and # lines in the picture's file, so that the file explains itself. */
#ifndef TRACETOOL_PICTURE_H
#define TRACETOOL_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

enum picture_kind { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF, PICTURE_EPS, PICTURE_TEX };

/* Stores `notes` in the picture in the open file `file`, which gnuplot wrote. `notes` is UTF-8
 * without control characters other than newlines: its first line is the title, the others are the
 * description. A PNG stores them as text (iTXt: Title, Description), an SVG as <title> and <desc>,
 * a PDF in its information dictionary (Title, Subject). An EPS gets nothing; a picture for LaTeX
 * has the notes already. If `dots` is above 0, a PNG also gets that resolution in dots per inch. A
 * file of unexpected structure stays unchanged. Returns false and sets `error` if the file cannot
 * be read or written, or memory runs out. */
bool picture_annotate(int file, enum picture_kind kind, int dots, const char *notes,
                      struct error *error);

#endif
