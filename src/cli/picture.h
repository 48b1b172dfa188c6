/* Output file and look of a picture, for all commands that draw. */
#ifndef TRACETOOL_CLI_PICTURE_H
#define TRACETOOL_CLI_PICTURE_H

#include "cli/command.h"
#include "cli/report_load.h"
#include "output/plot.h"

/* A picture to draw. Borrows from the session; not to be copied, as `printer` points into it. */
struct picture {
    const char *output;  /* path of the output; "-": the terminal */
    const char *caption; /* file that also gets title and notes; NULL: none */
    struct plot_look look;
    struct printer_options printer;
    struct text notes;   /* owned; title and notes of the picture */
    struct text command; /* owned; the command line that draws it */
    struct plot_script_order order;
    struct plot_script
        /* The script of gnuplot, open from picture_begin() to picture_end() if `order` asks for
         * it. */
        script;
    bool is_refused; /* true: the report failed, so nothing was drawn */
};

/* Reads -o and the options for the look. picture_free() must always be called. */
bool picture_read(struct picture *picture, const struct session *session, struct error *error);
void picture_free(struct picture *picture);

/* Starts a picture. `is_flame_graph`: the program itself draws an SVG. Returns the style that
 * prints to plot->script; NULL on failure. */
const struct printer_style *picture_begin(struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error);

/* Ends a picture that was started. `done`: drawing it succeeded. */
bool picture_end(struct picture *picture, struct plot *plot, bool done, struct error *error);

#endif
