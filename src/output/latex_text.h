/* Texts in LaTeX: nothing in a text from outside is a command. */
#ifndef TRACETOOL_LATEX_TEXT_H
#define TRACETOOL_LATEX_TEXT_H

#include <stddef.h>

#include "base/text.h"

/* Appends `plain`, `length` bytes of valid UTF-8 without control characters, as LaTeX sets it.
 * Letters up to U+017F are written as they are, which every LaTeX since 2018 reads as UTF-8; others
 * have signs of their own or are called [U+4E2D], because pdflatex stops at a character that no
 * package has set up. */
void latex_append(struct text *out, const char *plain, size_t length);

#endif
