/* Output file and appearance of a picture, for all commands that draw. */
#ifndef TRACETOOL_CLI_PICTURE_H
#define TRACETOOL_CLI_PICTURE_H

#include "cli/command.h"
#include "cli/report_load.h"
#include "output/plot.h"

/* A picture to draw. It borrows from the session. Do not copy it: `printer` points into it. */
struct picture {
    const char *output;  /* path of the output; "-": the terminal */
    const char *caption; /* file for title and notes in addition; NULL: none */
    struct plot_look look;
    struct printer_options printer;
    struct text notes;   /* owned; title and notes */
    struct text command; /* owned; command line that draws the picture */
    struct plot_script_order order;
    struct plot_script
        /* Script for --script and --data (`order`); open from picture_begin() to picture_end(). */
        script;
    bool is_refused; /* true: the report failed, so nothing was drawn */
};

/* Reads -o and the options for the appearance. picture_free() must be called even on failure. */
bool picture_read(struct picture *picture, const struct session *session, struct error *error);
void picture_free(struct picture *picture);

/* Begins a picture. `is_flame_graph`: tracetool draws the SVG itself. Returns the style for
 * printing to plot->script; NULL on failure. */
const struct printer_style *picture_begin(struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error);

/* Ends a picture that was begun. `done`: drawing has succeeded. */
bool picture_end(struct picture *picture, struct plot *plot, bool done, struct error *error);

#endif
