/* Escapes texts for LaTeX, so that no untrusted text contains a command. */
#ifndef TRACETOOL_LATEX_TEXT_H
#define TRACETOOL_LATEX_TEXT_H

#include <stddef.h>

#include "base/text.h"

/* Appends `plain`, `length` bytes of valid UTF-8 without control characters, escaped for LaTeX.
 * Letters up to U+017F are written as they are: every LaTeX since 2018 reads them as UTF-8. Other
 * characters become a command or [U+4E2D], because pdflatex stops at characters that no package
 * defines. */
void latex_append(struct text *out, const char *plain, size_t length);

#endif
