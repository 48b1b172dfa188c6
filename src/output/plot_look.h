/* Size, font and colours of a picture, and the gnuplot commands that set them. */
#ifndef TRACETOOL_PLOT_LOOK_H
#define TRACETOOL_PLOT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "output/picture.h"

/* Pictures for LaTeX. gnuplot's terminal cairolatex draws lines and areas into a PDF, and writes
 * the texts as TeX. These two files are combined into a picture that only needs the package
 * graphicx, and whose texts contain no commands:
 *
 *     \begingroup\fontsize{8}{9.6}\selectfont
 *     \setlength{\unitlength}{0.05bp}%
 *     \begin{picture}(4820.00,3628.00)%
 *     \put(0,0){\includegraphics[width=241.00bp,height=181.00bp]{fig-inc}}%
 *     \put(515,298){\makebox(0,0)[r]{\strut{}10 ms}}%
 *     \end{picture}%
 *     \endgroup */

/* Files that gnuplot writes in its temporary directory: a first pass measures, a second draws. */
#define PLOT_TEX_MEASURED "measured.tex"
#define PLOT_TEX_PICTURE  "picture.tex"

/* Names of all files that gnuplot writes for a picture for LaTeX, ending with NULL. */
extern const char *const plot_tex_files[];

/* gnuplot takes [ or { at the start of a text for a terminal's option. In untrusted texts, they
 * become private use characters (U+E000 plus their code) until gnuplot's file is converted. */
#define PLOT_TEX_PRIVATE 0xE000

/* Checks that LaTeX can include the files of a picture at `path`, which must end with .tex. */
bool plot_tex_check(const char *path, struct error *error);

/* Size of a picture for LaTeX, and its font size, in points of 1/72 inch. */
struct plot_tex {
    double wide, high, font_size;
};

/* Writes the picture for LaTeX to `file`, from gnuplot's files in directory `folder`, with `notes`
 * (plot_end()) as comments. Writes the PDF with lines and areas next to `path`, as NAME-inc.pdf. */
bool plot_tex_convert(const struct plot_tex *tex, const char *folder, const char *path,
                      const char *notes, int file, struct error *error);

/* Escapes texts for LaTeX, so that no untrusted text contains a command. */

/* Appends `plain`, `length` bytes of valid UTF-8 without control characters, escaped for LaTeX.
 * Letters up to U+017F are written as they are: every LaTeX since 2018 reads them as UTF-8. Other
 * characters become a command or [U+4E2D], because pdflatex stops at characters that no package
 * defines. */
void latex_append(struct text *out, const char *plain, size_t length);

/* How one picture shows several results: as the plot does by default, overlaid, or in panels. */
enum plot_layout { PLOT_AS_USUAL, PLOT_OVERLAY, PLOT_PANELS };

struct plot_look {
    int width, height; /* in pixels of 1/96 inch, in the terminal in characters; 0: default */
    double points_wide,
        points_high;  /* size for print in points of 1/72 inch; 0: no size for print was given */
    char font[64];    /* font name: letters, digits, blanks and - only; "": default */
    double font_size; /* font size in points; 0: default (14 for sizes in pixels) */
    bool no_title, no_notes;
    bool has_caption; /* true: title and notes are also written as text */
    enum plot_layout layout;
    bool is_tex;  /* true: the picture is for LaTeX */
    bool log_x;   /* true: the horizontal axis is logarithmic, for rows of a user's SQL */
    bool is_mono; /* true: colours become greys that are easily distinguished (printer_gnuplot.c) */
};

/* Purpose of a picture, which sets its size and font size; in the order of plot_purposes. */
enum plot_purpose { PLOT_FOR_COLUMN, PLOT_FOR_PAGE, PLOT_FOR_SLIDE, PLOT_FOR_SCREEN };
void plot_look_set_purpose(struct plot_look *look, enum plot_purpose purpose);

/* plot_read_size() parses a size WIDTHxHEIGHT, in pixels or with units; plot_read_font() a font
 * NAME, NAME,SIZE or ,SIZE. Both return false and set `error` if it is malformed. */
bool plot_read_size(struct plot_look *look, const char *size, struct error *error);
bool plot_read_font(struct plot_look *look, const char *font, struct error *error);

/* Checks that a picture of this size can be written to a file. `path` is for the error message. */
bool plot_look_check(const struct plot_look *look, const char *path, struct error *error);

/* Sets the kind of picture by the path's extension. Returns false if the extension is unknown. */
bool plot_kind_of(const char *path, enum picture_kind *kind);

/* Returns the size and font size of a picture for LaTeX. */
struct plot_tex plot_look_tex(const struct plot_look *look);

/* Returns the resolution to store in a PNG for print, in dots per inch; 0: none. */
int plot_look_dots(const struct plot_look *look, enum picture_kind kind);

/* Writes the command `set terminal …` for a file of this kind, and sets the variables of
 * plot_set_variables(). */
void plot_set_terminal(FILE *script, enum picture_kind kind, const struct plot_look *look);

/* Returns "overlay" or "panels" if the user asked for it; else NULL. */
const char *plot_layout_name(const struct plot_look *look);

/* Sets gnuplot variables to the options of a look, for plots/include/common.gp. `least_part`: least
 * size of texts, as a fraction of the font size. */
void plot_set_variables(FILE *script, const struct plot_look *look, double least_part);

#endif
