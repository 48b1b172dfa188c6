/* Draws a picture with gnuplot, which runs as a child process and reads its commands from a pipe.
 *
 * No shell is involved, and no gnuplot command contains a file name. gnuplot writes to a file in
 * memory, which is copied to its target when the picture is complete. */
#ifndef TRACETOOL_PLOT_H
#define TRACETOOL_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/file.h"
#include "base/signal_cleanup.h"
#include "base/text.h"
#include "output/picture.h"
#include "output/plot_look.h"
#include "output/printer.h"

#define PLOT_SECONDS 600

struct plot {
    FILE *script;  /* stream of commands for gnuplot; owned */
    int pipe;      /* descriptor of the pipe to gnuplot; closed with script */
    pid_t process; /* pid of gnuplot; 0: this program draws the picture itself */
    int picture;   /* file in memory that gnuplot writes to; owned */
    int messages;  /* file in memory with gnuplot's messages; owned */
    int target;    /* descriptor that the picture is copied to: a file, owned, or stdout */
    char *path;    /* path of the picture; NULL: the terminal */
    char *partial; /* temporary file until the picture is complete; NULL: a terminal or a device */
    enum picture_kind kind;
    char *folder;    /* directory where gnuplot writes a picture for LaTeX; owned; NULL: none */
    int folder_file; /* descriptor of `folder`; -1: none */
    struct plot_tex tex;
    bool is_stuck; /* true: gnuplot neither read nor exited, and was killed */
    int dots;      /* resolution of a PNG in dots per inch; 0: not stored */
    struct signal_cleanup_hook
        hook; /* on a signal, removes an incomplete picture and ends gnuplot */
};

/* Starts gnuplot. With `own`, the program draws the picture itself: the caller writes an SVG that
 * contains its notes to `script`. The extension of `path` selects the kind (.png, .svg, .pdf, .eps,
 * .tex); "-" draws in the terminal. A device or a pipe is written to, not replaced. gnuplot is
 * killed if it neither reads nor exits for PLOT_SECONDS or $TRACETOOL_GNUPLOT_SECONDS. On failure,
 * nothing needs to be cleaned up. */
bool plot_begin(struct plot *plot, const char *path, bool own, const struct plot_look *look,
                const struct printer_options *options, struct error *error);

/* Starts a picture that is not written to a file. Finish it with plot_read_output(). */
bool plot_begin_in_memory(struct plot *plot, enum picture_kind kind, bool own,
                          const struct plot_look *look, struct error *error);

/* Waits for gnuplot, if it draws, and appends the picture to `picture`. `aborted`: as for
 * plot_end(). */
bool plot_read_output(struct plot *plot, bool aborted, struct text *picture, struct error *error);

/* Returns whether an error means that there is nothing to draw. */
bool plot_has_nothing_to_draw(const struct error *error);

/* Waits for gnuplot, if it draws, and moves the picture to its path. `notes`, lines of text with
 * the title first, are stored in the file (picture.h), after a line for each group of rows that is
 * drawn in part was added. An existing file at `path` stays if `aborted` (an earlier error is in
 * `error`), or if gnuplot fails or finds nothing to draw. Sets `error` to the cause of a failure;
 * after `aborted`, only if gnuplot explains the earlier error. */
bool plot_end(struct plot *plot, bool aborted, struct text *notes, struct error *error);

/* Saves the commands and data of a picture next to it, so that gnuplot alone can draw it again.
 *
 * All commands for gnuplot are copied, preceded by commands for the terminal and the output file.
 * The data may get a separate file, which the script then reads. */

/* Files to save with a picture. All members are borrowed. */
struct plot_script_order {
    /* paths of the files for commands and for data; NULL: not requested */
    const char *script, *data;
    const char *picture; /* path of the picture that the script draws */
    const char *command; /* command of the user that made the picture, without control characters */
};

struct plot_script {
    struct plot_script_order order;
    FILE *gnuplot; /* original value of plot->script; owned until plot_script_end() */
    struct atomic_file script, data;
    struct text line, scratch; /* owned */
    bool is_data;              /* true: the current line is data */
};

/* Opens the files of `order`. Until plot_script_end(), output to plot->script is also written to
 * these files. On failure, nothing needs to be cleaned up, and plot->script is unchanged. */
bool plot_script_begin(struct plot_script *script, struct plot *plot,
                       const struct plot_script_order *order, const struct plot_look *look,
                       struct error *error);

/* Restores plot->script. The files stay open. */
void plot_script_end(struct plot_script *script, struct plot *plot);

/* Closes the files. If `done`, moves them to their paths. Returns `done`; false with `error` set if
 * they cannot be written. */
bool plot_script_close(struct plot_script *script, bool done, struct error *error);

/* Lines in the commands for gnuplot, by which plot.c finds the data, and where the commands for the
 * final picture begin. No line of untrusted text can equal them. */
#define GNUPLOT_DATA_BEGIN "$data << TRACETOOL_END\n"
#define GNUPLOT_DATA_END   "TRACETOOL_END\n"
#define GNUPLOT_TO_PICTURE "set output\n"

/* Where a text occurs in the script. Titles and column names come from query files, which are
 * trusted: the program's or the user's own. All other texts are untrusted. */
enum gnuplot_place {
    GNUPLOT_TITLE,
    GNUPLOT_FIELD,
    GNUPLOT_TEX_FIELD, /* a field of data in a picture for LaTeX (PLOT_TEX_PRIVATE) */
    GNUPLOT_COMMENT
};

/* Appends a text, escaped as in tsv (so without control characters) and for gnuplot. The caller
 * must end a comment line with " \\#", since a backslash at the end would continue the line. */
void gnuplot_append(struct text *out, const char *plain, size_t length, enum gnuplot_place place);

/* Appends a user's file name in quotes, in a form that gnuplot reads as a file name, not as a pipe
 * or a special name such as "-". */
void gnuplot_append_file(struct text *out, const char *path);

#endif
