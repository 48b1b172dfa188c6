/* The text of a query file or a plot: read, with what it includes put in, and where each line came
 * from.
 *
 * A line `-- include: NAME` of a query file, or `# include: NAME` of a plot, blanks before it or
 * not, stands for the lines of include/NAME.sql or include/NAME.gp: in the user's folder when the
 * file is the user's and has it there, else among the program's own. What is included may include
 * more. A name has no slash and no dot, so nothing outside of the folder is meant by any.
 *
 * A query file may hold several queries, its parts. Behind a line `-- by: NAME…` or `-- part:
 * NAME…` lines are of those parts alone, up to the next such line; `all` ends it. A file has parts
 * when its header has such a line. In what is included it holds up to the end of that file.
 */
#ifndef TRACETOOL_QUERY_TEXT_H
#define TRACETOOL_QUERY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define QUERY_FILE_LIMIT    (1024 * 1024) /* bytes of a file, and of one with what it includes */
#define QUERY_INCLUDE_DEPTH 8             /* files that include one another */
#define QUERY_INCLUDES      1000          /* files put into one, the same again counted again */
#define QUERY_INCLUDE_NAME  64            /* bytes of a name, its end included */

/* Behind this, in a text that is made of several files, stands FILE:LINE of the next line; nothing:
 * what follows is of the file itself. */
#define QUERY_LINE "-- line of: "

#define QUERY_PARTS 24 /* of a file */

/* A part of a query file. */
struct query_part {
    char name[QUERY_INCLUDE_NAME];
    bool is_by; /* it was first named by `-- by:`: it is meant when --by NAME is given */
};

/* Which files: two constants, no more. */
struct include_style {
    const char *mark;                 /* what a line begins with, behind which the name stands */
    const char *ending;               /* of files */
    const struct resource *resources; /* the program's own */
};

extern const struct include_style include_queries, include_plots;

/* Lines that follow one another in one file. */
struct query_piece {
    size_t at;   /* where they begin in the text */
    char *file;  /* owned */
    size_t line; /* number of the first in that file, from 1 */
};

struct query_text {
    struct text text;           /* owned */
    struct query_piece *pieces; /* owned; in order of `at`, the first at 0 */
    size_t piece_count;
};

/* Puts in what `text` includes; `file` is its name for messages. `directory` is the user's folder,
 * NULL for a file of the program's own. Of a file with parts, only the lines of `part` are taken;
 * NULL: all lines are. On failure nothing needs freeing. */
bool query_text_expand(struct query_text *expanded, const struct include_style *style,
                       const char *file, const char *text, const char *directory, const char *part,
                       struct error *error);

/* Finds the parts that the text of a query file itself names, in its order: 0 when it has none.
 * False with `error` set where there are too many. */
bool query_text_parts(const char *text, struct query_part parts[QUERY_PARTS], size_t *count,
                      struct error *error);
void query_text_free(struct query_text *expanded);

/* Appends `FILE:LINE` of what stands at an offset in the text, with `FILE: ` of the file itself in
 * front of one that it includes. */
void query_text_place(const struct query_text *expanded, size_t offset, struct text *place);

/* The whole of DIRECTORY/NAMEENDING, a text file of the user's: the caller's to free. NULL when it
 * is not there (then `error` stays as it is) or on failure. */
char *query_text_read(const char *directory, const char *name, const char *ending,
                      struct error *error);

/* The text of the plot of that name, with what it includes: the user's own in `directory` (NULL:
 * there is none), else the program's. The caller's to free; NULL when there is none of that name
 * (then `error` stays as it is) or on failure. */
char *query_plot_read(const char *name, const char *directory, struct error *error);

#endif
