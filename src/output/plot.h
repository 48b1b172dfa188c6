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

#include "base/error.h"
#include "output/printer.h"

struct plot {
    FILE *script;  /* commands for gnuplot go here; owned */
    pid_t process; /* of gnuplot */
    int picture;   /* a file in memory that gnuplot writes to; owned */
    int target;    /* where it is copied to: a file, owned, or stdout */
    char *path;    /* of the picture; NULL: the terminal */
    char *partial; /* where it is made until it is whole; NULL: the terminal */
};

/* Starts gnuplot. `path` decides by its ending (.png, .svg, .pdf); "-" draws in the terminal. On
 * failure nothing needs ending. */
bool plot_begin(struct plot *plot, const char *path, const struct printer_options *options,
                struct error *error);

/* Waits for gnuplot and puts the picture in its place; with `aborted`, or when gnuplot failed, what
 * was at `path` before stays. Then `error` keeps what it says, or tells what went wrong. */
bool plot_end(struct plot *plot, bool aborted, struct error *error);

#endif
