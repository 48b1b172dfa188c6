/* What a picture says about itself: its title and the `#` lines of its report, in the file, where
 * people who have nothing but the picture find them. */
#ifndef TRACETOOL_PICTURE_H
#define TRACETOOL_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

enum picture_kind { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF, PICTURE_EPS, PICTURE_TEX };

/* Puts `notes`, UTF-8 without control characters but for the ends of lines, into the picture in
 * `file`, an open file of gnuplot's: the first line is the title, all others are the description. A
 * PNG has them as text (iTXt: Title, Description), an SVG as <title> and <desc>, a PDF in its
 * information dictionary (Title, Subject). An EPS says nothing, and one for TeX has them already.
 * With `dots` above 0 a PNG says how many of its dots are an inch. A file that is not as gnuplot
 * writes it stays as it is. False with `error` set when the file cannot be read or written, or
 * memory runs out. */
bool picture_annotate(int file, enum picture_kind kind, int dots, const char *notes,
                      struct error *error);

#endif
