/* What the commands that draw have in common: where the picture goes, and how it is to look. */
#ifndef TRACETOOL_CLI_PICTURE_H
#define TRACETOOL_CLI_PICTURE_H

#include "cli/command.h"
#include "cli/report_load.h"
#include "output/plot.h"
#include "output/plot_script.h"

/* Borrows from the session; `printer` refers to other parts, so it is not copied. */
struct picture {
    const char *output;  /* "-": the terminal */
    const char *caption; /* where title and notes are written, too; NULL: nowhere */
    struct plot_look look;
    struct printer_options printer;
    struct text notes;   /* owned; what it says about itself */
    struct text command; /* owned; the command line */
    struct plot_script_order order;
    struct plot_script script; /* where order wants a file, and between begin and end */
    bool is_refused;           /* picture_draw_report(): the report failed, not the drawing */
};

/* Reads -o and the options on how a picture is to look. picture_free() in any case. */
bool picture_read(struct picture *picture, const struct session *session, struct error *error);
void picture_free(struct picture *picture);

/* Starts the picture. `is_flame_graph`: an SVG of it is drawn by the program itself. Returns the
 * style that prints to plot->script; NULL on failure. */
const struct printer_style *picture_begin(struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error);

/* Begins, draws the report and ends. */
bool picture_draw_report(struct picture *picture, struct report_load *loaded, struct error *error);

/* Ends what was begun. `done`: what drawing has come to. */
bool picture_end(struct picture *picture, struct plot *plot, bool done, struct error *error);

#endif
