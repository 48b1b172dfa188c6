/* Output file and look of pictures, shared by the commands that draw. */
#ifndef TRACETOOL_CLI_PICTURE_H
#define TRACETOOL_CLI_PICTURE_H

#include "cli/command.h"
#include "cli/report_load.h"
#include "output/plot.h"

/* Borrows from the session. Do not copy: `printer` points to other members. */
struct picture {
    const char *output;  /* "-": the terminal */
    const char *caption; /* file that title and notes are also written to; NULL: none */
    struct plot_look look;
    struct printer_options printer;
    struct text notes;   /* title and notes of the picture; owned */
    struct text command; /* owned; the command line */
    struct plot_script_order order;
    struct plot_script
        script;      /* open between picture_begin() and picture_end() if `order` asks for it */
    bool is_refused; /* the report failed, not the drawing */
};

/* Reads -o and the options for the look. Call picture_free() in any case. */
bool picture_read(struct picture *picture, const struct session *session, struct error *error);
void picture_free(struct picture *picture);

/* Starts the picture. `is_flame_graph`: the program itself draws an SVG. Returns the style that
 * prints to plot->script; NULL on failure. */
const struct printer_style *picture_begin(struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error);

/* Ends a started picture. `done`: whether drawing succeeded. */
bool picture_end(struct picture *picture, struct plot *plot, bool done, struct error *error);

#endif
