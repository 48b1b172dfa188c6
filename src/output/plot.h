/* Draws a picture: gnuplot is run as a program, its commands go through a pipe.
 *
 * No shell is involved, and no file name stands in a gnuplot command: the program's output is
 * connected to a file in memory, from which the picture is copied when it is whole.
 */
#ifndef TRACETOOL_PLOT_H
#define TRACETOOL_PLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/signal_cleanup.h"
#include "base/error.h"
#include "base/text.h"
#include "output/picture.h"
#include "output/plot_look.h"
#include "output/printer.h"

#define PLOT_SECONDS 600

struct plot {
    FILE *script;  /* commands for gnuplot go here; owned */
    int pipe;      /* that leads to gnuplot; closed with script */
    pid_t process; /* of gnuplot; 0: the program draws itself */
    int picture;   /* a file in memory that gnuplot writes to; owned */
    int target;    /* where it is copied to: a file, owned, or stdout */
    char *path;    /* of the picture; NULL: the terminal */
    char *partial; /* where it is made until it is whole; NULL: a terminal or a device */
    enum picture_kind kind;
    char *folder;    /* owned; where gnuplot writes a picture for LaTeX; NULL: none */
    int folder_file; /* that folder, open; -1: none */
    struct plot_tex tex;
    bool is_stuck;                   /* gnuplot did not go on, and was stopped */
    int dots;                        /* of a PNG in an inch; 0: that is not said */
    struct signal_cleanup_duty duty; /* no picture that is not whole stays, nor does gnuplot */
};

/* Starts gnuplot, unless `own`: the program draws the picture itself, into `script`, an SVG with
 * all that it says about itself. `path` decides by its ending (.png, .svg, .pdf, .eps, .tex); "-"
 * draws in the terminal. A device or a pipe is written to, not replaced. gnuplot is stopped where
 * it neither reads nor ends for PLOT_SECONDS, or as many as $TRACETOOL_GNUPLOT_SECONDS says. On
 * failure nothing needs ending.
 */
bool plot_begin(struct plot *plot, const char *path, bool own, const struct plot_look *look,
                const struct printer_options *options, struct error *error);

/* The same for a picture that stays in memory, of any kind. Ended by plot_take(). */
bool plot_begin_in_memory(struct plot *plot, enum picture_kind kind, bool own,
                          const struct plot_look *look, struct error *error);

/* Waits for gnuplot, if it draws, and appends the picture; `aborted` as for plot_end(). */
bool plot_take(struct plot *plot, bool aborted, struct text *picture, struct error *error);

/* Whether a picture at that path would be an SVG. */
bool plot_is_svg(const char *path);

/* Whether an error says that there is nothing to draw. */
bool plot_is_nothing(const struct error *error);

/* Waits for gnuplot, if it draws, and puts the picture in its place, with `notes`, lines of text of
 * which the first is the title, as what it says about itself (picture.h); with `aborted`, or when
 * gnuplot failed or found nothing to draw, what was at `path` before stays. Then `error` keeps what
 * it says, or tells what went wrong. */
bool plot_end(struct plot *plot, bool aborted, const char *notes, struct error *error);

#endif
