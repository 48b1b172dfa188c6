/* The look of a picture, apart from its file type, and the gnuplot commands for it. */
#ifndef TRACETOOL_PLOT_LOOK_H
#define TRACETOOL_PLOT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "output/picture.h"

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

/* The gnuplot commands that write to its own directory; the first pass only measures. */
#define PLOT_TEX_MEASURED "measured.tex"
#define PLOT_TEX_PICTURE  "picture.tex"

/* All files that gnuplot writes for a picture for LaTeX, terminated by NULL. */
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

/* Arrangement of several results in one picture; a plot has its own default. */
enum plot_layout { PLOT_AS_USUAL, PLOT_OVERLAY, PLOT_PANELS };

struct plot_look {
    int width, height; /* in pixels of 1/96 inch, in the terminal in characters; 0: default */
    double points_wide,
        points_high;  /* for print, in points of 1/72 inch; 0: the size is in pixels */
    char font[64];    /* font name: letters, digits, blanks and - only; "": default */
    double font_size; /* font size in points; for pixels the default is 14; 0: default */
    bool no_title, no_notes;
    enum plot_layout layout;
    bool is_tex;  /* the picture is for LaTeX (plot_tex.h) */
    bool log_x;   /* the horizontal axis of a picture of SQL rows is logarithmic */
    bool is_mono; /* grey: colours become distinguishable greys (printer_gnuplot.c) */
};

/* Purpose of a picture, in the order of plot_purposes; it sets size and font. */
enum plot_purpose { PLOT_FOR_COLUMN, PLOT_FOR_PAGE, PLOT_FOR_SLIDE, PLOT_FOR_SCREEN };
void plot_look_for(struct plot_look *look, enum plot_purpose purpose);

/* Parse WIDTHxHEIGHT, in pixels or with units, and NAME, NAME,SIZE or ,SIZE. False with `error`
 * set if malformed. */
bool plot_read_size(struct plot_look *look, const char *size, struct error *error);
bool plot_read_font(struct plot_look *look, const char *font, struct error *error);

/* Checks that a picture file may be that small; `path` is for the message. */
bool plot_look_check(const struct plot_look *look, const char *path, struct error *error);

/* Finds the kind of picture for the path's extension; false if there is none. */
bool plot_kind_of(const char *path, enum picture_kind *kind);

/* Returns the size of a picture for LaTeX. */
struct plot_tex plot_look_tex(const struct plot_look *look);

/* Returns the resolution of a PNG in dots per inch; 0 if it is not stored. */
int plot_look_dots(const struct plot_look *look, enum picture_kind kind);

/* Writes `set terminal …` for a file of that kind, and the variables that plots/include/common.gp
 * reads. */
void plot_set_terminal(FILE *script, enum picture_kind kind, const struct plot_look *look);

/* Returns the option for an arrangement, --overlay or --panels, without the hyphens; NULL if none
 * was requested. */
const char *plot_layout_name(const struct plot_look *look);

/* Writes the variables for the text terminal. */
void plot_set_variables(FILE *script, const struct plot_look *look, double least_part);

#endif
