/* Pictures for LaTeX. gnuplot's terminal cairolatex draws lines and areas into a PDF, and writes
 * the texts as TeX. These two files are combined into a picture whose texts contain no commands,
 * and which only needs the package graphicx:
 *
 *     \begingroup\fontsize{8}{9.6}\selectfont
 *     \setlength{\unitlength}{0.05bp}%
 *     \begin{picture}(4820.00,3628.00)%
 *     \put(0,0){\includegraphics[width=241.00bp,height=181.00bp]{fig-inc}}%
 *     \put(515,298){\makebox(0,0)[r]{\strut{}10 ms}}%
 *     \end{picture}%
 *     \endgroup
 */
#ifndef TRACETOOL_PLOT_TEX_H
#define TRACETOOL_PLOT_TEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* The gnuplot commands that write to its own directory; the first pass only measures. */
#define PLOT_TEX_MEASURED "measured.tex"
#define PLOT_TEX_PICTURE  "picture.tex"

/* All files that gnuplot writes there, terminated by NULL. */
extern const char *const plot_tex_files[];

/* gnuplot takes a leading [ or { for an option of the terminal. In untrusted texts, these become
 * characters of the private use area, from U+E000 on, and are converted back later. */
#define PLOT_TEX_PRIVATE 0xE000

/* Returns whether TeX can include the files of a picture at `path`, which ends with .tex. */
bool plot_tex_check(const char *path, struct error *error);

/* Size of the picture and of its font, in points of 1/72 inch. */
struct plot_tex {
    double wide, high, font_size;
};

/* Writes the picture from `folder` to `file`, with `notes` (as plot_end()) as comments. Puts the
 * PDF next to `path`, as NAME-inc.pdf. */
bool plot_tex_convert(const struct plot_tex *tex, const char *folder, const char *path,
                      const char *notes, int file, struct error *error);

/* Escapes texts for LaTeX, so that no untrusted text contains a command. */

/* Appends `plain`, `length` bytes of valid UTF-8 without control characters, escaped for LaTeX.
 * Letters up to U+017F are written as they are: every LaTeX since 2018 reads them as UTF-8. Other
 * characters become a command or [U+4E2D], because pdflatex stops at characters that no package
 * defines. */
void latex_append(struct text *out, const char *plain, size_t length);

#endif
