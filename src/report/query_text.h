/* Reads the text of a query file or plot, expands includes, and records the source of each line.
 *
 * A line `-- include: NAME` in a query file, or `# include: NAME` in a plot, optionally indented,
 * is replaced by include/NAME.sql or include/NAME.gp. A user's file takes it from the user's
 * directory if present there, otherwise from the built-in files. Includes may be nested. A name
 * contains no slash and no dot, so it cannot refer to files outside.
 *
 * A query file may hold several queries, its parts. Lines after `-- by: NAME…` or `-- part: NAME…`
 * belong to these parts only, up to the next such line; `all` ends it. A file has parts if its
 * header has such a line. In an included file, it applies up to the end of that file. */
#ifndef TRACETOOL_QUERY_TEXT_H
#define TRACETOOL_QUERY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define QUERY_FILE_LIMIT    (1024 * 1024) /* maximum bytes of a file, also with its includes */
#define QUERY_INCLUDE_DEPTH 8             /* maximum nesting of includes */
#define QUERY_INCLUDES      1000 /* maximum number of includes in a file, counting repetitions */
#define QUERY_INCLUDE_NAME  64   /* maximum bytes of a name, with its NUL */

/* In a text made of several files, this precedes the FILE:LINE that the next line comes from. With
 * nothing after it, the next line is from the main file again. */
#define QUERY_LINE "-- line of: "

#define QUERY_PARTS 24 /* maximum parts of a file */

/* A part of a query file. */
struct query_part {
    char name[QUERY_INCLUDE_NAME];
    bool is_by; /* first named by `-- by:`: selected by --by NAME */
};

/* Type of file: one of two constants. */
struct include_style {
    const char *mark;                 /* beginning of an include line, before the name */
    const char *ending;               /* file name suffix */
    const struct resource *resources; /* built-in files */
};

extern const struct include_style include_queries, include_plots;

/* Consecutive lines of one file. */
struct query_piece {
    size_t at;   /* start in the text */
    char *file;  /* owned */
    size_t line; /* number of its first line in that file, from 1 */
};

struct query_text {
    struct text text;           /* owned */
    struct query_piece *pieces; /* owned; sorted by `at`, the first is 0 */
    size_t piece_count;
};

/* Expands the includes of `text`; `file` is its name for messages. `directory` is the user's
 * directory, NULL for a built-in file. Takes only the lines of `part`; NULL: all lines. On failure
 * nothing needs freeing. */
bool query_text_expand(struct query_text *expanded, const struct include_style *style,
                       const char *file, const char *text, const char *directory, const char *part,
                       struct error *error);

/* Finds the parts named in the text of a query file, in order; 0 if it has none. False with `error`
 * set if there are too many. */
bool query_text_parts(const char *text, struct query_part parts[QUERY_PARTS], size_t *count,
                      struct error *error);
void query_text_free(struct query_text *expanded);

/* Appends `FILE:LINE` of an offset in the text; for an included file, prefixed by `FILE: ` of the
 * including one. */
void query_text_place(const struct query_text *expanded, size_t offset, struct text *place);

/* Reads the user's text file DIRECTORY/NAMEENDING; the caller frees it. NULL if it does not exist
 * (`error` is unchanged) or on failure. */
char *query_text_read(const char *directory, const char *name, const char *ending,
                      struct error *error);

/* Reads the plot of that name with its includes: the user's in `directory` (NULL: none), otherwise
 * the built-in one. The caller frees it. NULL if it does not exist (`error` is unchanged) or on
 * failure. */
char *query_plot_read(const char *name, const char *directory, struct error *error);

#endif
