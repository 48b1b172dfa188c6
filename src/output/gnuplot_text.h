/* Escapes texts for gnuplot scripts. printer_gnuplot.c explains what is escaped and why. */
#ifndef TRACETOOL_GNUPLOT_TEXT_H
#define TRACETOOL_GNUPLOT_TEXT_H

#include <stddef.h>

#include "base/text.h"

/* Marker lines. They show plot_script.c where the data are and where the final picture begins. No
 * line of an untrusted text can equal them. */
#define GNUPLOT_DATA_BEGIN "$data << TRACETOOL_END\n"
#define GNUPLOT_DATA_END   "TRACETOOL_END\n"
#define GNUPLOT_TO_PICTURE "set output\n"

/* Context of a text in the script. Titles and column names come from query files, which are the
 * program's or the user's own. All other texts are untrusted. */
enum gnuplot_place {
    GNUPLOT_TITLE,
    GNUPLOT_FIELD,
    GNUPLOT_TEX_FIELD, /* a field for the terminal cairolatex (PLOT_TEX_PRIVATE) */
    GNUPLOT_COMMENT
};

/* Appends `plain`, which has the tsv escapes and so no control characters. After a comment, the
 * caller ends the line with " \\#". */
void gnuplot_append(struct text *out, const char *plain, size_t length, enum gnuplot_place place);

/* Appends a user's file name in quotes. gnuplot takes it neither for a pipe nor for a special name
 * such as "-". */
void gnuplot_append_file(struct text *out, const char *path);

#endif
