/* Texts in a script for gnuplot: what is escaped, and why, stands in printer_gnuplot.c. */
#ifndef TRACETOOL_GNUPLOT_TEXT_H
#define TRACETOOL_GNUPLOT_TEXT_H

#include <stddef.h>

#include "base/text.h"

/* Lines by which plot_script.c knows where the data are, and where the picture is begun for good.
 * No line of a text from outside is like them. */
#define GNUPLOT_DATA_BEGIN "$data << TRACETOOL_END\n"
#define GNUPLOT_DATA_END   "TRACETOOL_END\n"
#define GNUPLOT_TO_PICTURE "set output\n"

/* Where a text stands in the script. Titles and names of columns come from query files, which are
 * the program's or the user's own; all others from outside. */
enum gnuplot_place {
    GNUPLOT_TITLE,
    GNUPLOT_FIELD,
    GNUPLOT_TEX_FIELD, /* the same for the terminal cairolatex (PLOT_TEX_PRIVATE) */
    GNUPLOT_COMMENT
};

/* Appends `plain`, which has the tsv escapes and so no control characters. Who writes a comment
 * ends its line with " \\#". */
void gnuplot_append(struct text *out, const char *plain, size_t length, enum gnuplot_place place);

/* Appends the name of a file of the user's, with its quotes: no pipe, and none of gnuplot's names
 * for something else, as "-". */
void gnuplot_append_file(struct text *out, const char *path);

#endif
