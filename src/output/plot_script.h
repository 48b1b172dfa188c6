/* The script and the data of a picture, beside it, so that gnuplot alone draws it again.
 *
 * What a plot is told is copied on its way to gnuplot, with a terminal and a file to draw to in
 * front. Where the data have a file of their own, the script reads that one.
 */
#ifndef TRACETOOL_PLOT_SCRIPT_H
#define TRACETOOL_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/placed_file.h"
#include "base/text.h"
#include "output/plot.h"

/* What is wanted. All is borrowed. */
struct plot_script_order {
    const char *script, *data; /* paths; NULL: not wanted */
    const char *picture;       /* the path that the script draws to */
    const char *command;       /* how the picture was made, without control characters */
};

struct plot_script {
    struct plot_script_order order;
    FILE *gnuplot; /* what plot->script was; owned until it is that again */
    struct placed_file script, data;
    struct text line, scratch; /* owned */
    bool is_data;              /* the next line is */
};

/* Begins the files that `order` wants. From now on what is written to plot->script is copied, until
 * plot_script_end(). On failure nothing needs ending, and plot->script is as before. */
bool plot_script_begin(struct plot_script *script, struct plot *plot,
                       const struct plot_script_order *order, const struct plot_look *look,
                       struct error *error);

/* Gives plot->script back. The files stay open. */
void plot_script_end(struct plot_script *script, struct plot *plot);

/* Closes the files; where all is `done`, they get their places. Returns `done`, or false with
 * `error` set when they cannot be written. */
bool plot_script_close(struct plot_script *script, bool done, struct error *error);

#endif
