/* How a picture is to look, beside what its ending says, and the commands for it to gnuplot. */
#ifndef TRACETOOL_PLOT_LOOK_H
#define TRACETOOL_PLOT_LOOK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "output/picture.h"
#include "output/plot_tex.h"

/* How results are drawn that are in one picture; a plot has a way of its own. */
enum plot_layout { PLOT_AS_USUAL, PLOT_OVERLAY, PLOT_PANELS };

struct plot_look {
    int width, height; /* pixels of 1/96 inch, in the terminal characters; 0: as usual */
    double points_wide, points_high; /* in print, of 1/72 inch; 0: the size is in pixels */
    char font[64];    /* its name: letters, digits, blanks and - only; "": as usual */
    double font_size; /* points; of pixels, where the usual ones are 14; 0: as usual */
    bool no_title, no_notes;
    enum plot_layout layout;
    bool is_tex;  /* the picture is for LaTeX (plot_tex.h) */
    bool log_x;   /* of a statement's picture */
    bool is_mono; /* grey: colours become greys that differ (printer_gnuplot.c) */
};

/* What a picture is for, in the order of plot_purposes: it has a size and a font then. */
enum plot_purpose { PLOT_FOR_COLUMN, PLOT_FOR_PAGE, PLOT_FOR_SLIDE, PLOT_FOR_SCREEN };
void plot_look_for(struct plot_look *look, enum plot_purpose purpose);

/* Reads WIDTHxHEIGHT, in pixels or with units, and NAME, NAME,SIZE or ,SIZE; says so when they are
 * not that. */
bool plot_read_size(struct plot_look *look, const char *size, struct error *error);
bool plot_read_font(struct plot_look *look, const char *font, struct error *error);

/* Whether a picture of a file can be as small; `path` is for the message. */
bool plot_look_check(const struct plot_look *look, const char *path, struct error *error);

/* The kind of picture that the ending of the path says; false: none. */
bool plot_kind_of(const char *path, enum picture_kind *kind);

/* The size of a picture for LaTeX. */
struct plot_tex plot_look_tex(const struct plot_look *look);

/* Dots of a PNG in an inch, 0 where that is not said. */
int plot_look_dots(const struct plot_look *look, enum picture_kind kind);

/* Writes `set terminal …` for a file of that kind, and the variables that plots/include/common.gp
 * reads. */
void plot_set_terminal(FILE *script, enum picture_kind kind, const struct plot_look *look);

/* What --overlay or --panels is called, without the hyphens; NULL: neither was asked for. */
const char *plot_layout_name(const struct plot_look *look);

/* The same for the terminal of characters. */
void plot_set_variables(FILE *script, const struct plot_look *look, double least_part);

#endif
