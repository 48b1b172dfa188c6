/* Saves a picture's script and data next to it, so that gnuplot alone can redraw it.
 *
 * The commands sent to gnuplot are copied, preceded by commands for the terminal and the output
 * file. If the data are saved to a separate file, the script reads that file. */
#ifndef TRACETOOL_PLOT_SCRIPT_H
#define TRACETOOL_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/placed_file.h"
#include "base/text.h"
#include "output/plot.h"

/* The files to write. All members are borrowed. */
struct plot_script_order {
    const char *script, *data; /* paths; NULL: not requested */
    const char *picture;       /* the path that the script draws to */
    const char *command;       /* how the picture was made, without control characters */
};

struct plot_script {
    struct plot_script_order order;
    FILE *gnuplot; /* original plot->script; owned until it is restored */
    struct placed_file script, data;
    struct text line, scratch; /* owned */
    bool is_data;              /* the next line is data */
};

/* Opens the files of `order`. Copies everything written to plot->script until plot_script_end().
 * On failure there is nothing to clean up, and plot->script is unchanged. */
bool plot_script_begin(struct plot_script *script, struct plot *plot,
                       const struct plot_script_order *order, const struct plot_look *look,
                       struct error *error);

/* Restores plot->script. The files stay open. */
void plot_script_end(struct plot_script *script, struct plot *plot);

/* Closes the files. If `done`, moves them to their paths. Returns `done`, or false with `error`
 * set when they cannot be written. */
bool plot_script_close(struct plot_script *script, bool done, struct error *error);

#endif
