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

/* Limit of a file's size in bytes, also after its includes. */
#define QUERY_FILE_LIMIT    (1024 * 1024)
#define QUERY_INCLUDE_DEPTH 8    /* limit of levels of includes */
#define QUERY_INCLUDES      1000 /* limit of includes in a file, with repetitions */
#define QUERY_INCLUDE_NAME  64   /* limit of a name's size in bytes, with its NUL */

/* A line in a text that is made from several files. The FILE:LINE after it tells where the next
 * line comes from; if nothing is after it, from the main file again. */
#define QUERY_LINE "-- line of: "

#define QUERY_PARTS 24 /* limit of parts of a file */

/* A part of a query file: one of its queries. */
struct query_part {
    char name[QUERY_INCLUDE_NAME];
    bool is_by; /* true: `-- by:` was the first line to name the part, so --by NAME selects it */
};

/* What includes look like in a type of file. There are two constants of this type. */
struct include_style {
    const char *mark;                 /* text of an include line before the name */
    const char *ending;               /* suffix of included files */
    const struct resource *resources; /* the built-in files that can be included */
};

extern const struct include_style include_queries, include_plots;

/* Consecutive lines of an expanded text that come from one file. */
struct query_piece {
    size_t at;   /* position of the first line in the expanded text */
    char *file;  /* owned */
    size_t line; /* number of the first line in its file, from 1 */
};

struct query_text {
    struct text text;           /* owned */
    struct query_piece *pieces; /* owned; sorted by `at`, which is 0 for the first */
    size_t piece_count;
};

/* Expands the includes of `text`. `file` is its name for messages. `directory` is the user's
 * directory, NULL for a built-in file. Takes only the lines of `part`; NULL: all lines. On failure
 * nothing needs freeing. */
bool query_text_expand(struct query_text *expanded, const struct include_style *style,
                       const char *file, const char *text, const char *directory, const char *part,
                       struct error *error);

/* Finds the parts that a query file names, in order; sets `*count`, 0 if there are none. False with
 * `error` set if there are too many. */
bool query_text_parts(const char *text, struct query_part parts[QUERY_PARTS], size_t *count,
                      struct error *error);
void query_text_free(struct query_text *expanded);

/* Appends `FILE:LINE` for a position in the expanded text. For an included file, `FILE: ` of the
 * file that includes it comes first. */
void query_text_place(const struct query_text *expanded, size_t offset, struct text *place);

/* Reads the user's text file DIRECTORY/NAMEENDING. The caller frees it. NULL if the file does not
 * exist (`error` is unchanged) or on failure. */
char *query_text_read(const char *directory, const char *name, const char *ending,
                      struct error *error);

/* Reads a plot with its includes: the user's in `directory` (NULL: none), or else the built-in one.
 * The caller frees it. NULL if it does not exist (`error` is unchanged) or on failure. */
char *query_plot_read(const char *name, const char *directory, struct error *error);

#endif
