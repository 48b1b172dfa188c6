/* Reads the text of a query file or plot, expands includes, and records the source of each line.
 *
 * A line `-- include: NAME` in a query file, or `# include: NAME` in a plot, optionally indented,
 * is replaced by include/NAME.sql or include/NAME.gp. A user's file includes it from the user's
 * directory if present there, otherwise from the built-in files. Includes may be nested. A name
 * contains no slash and no dot, so it cannot refer to files outside.
 *
 * A query file may hold several queries, its parts. Lines after `-- by: NAME…` or `-- part: NAME…`
 * belong to these parts only, up to the next such line. After `-- by: all`, lines belong to all
 * parts again. A file has parts if its header has such a line. In an included file, the line
 * applies up to the end of that file. */
#ifndef TRACETOOL_QUERY_TEXT_H
#define TRACETOOL_QUERY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Limit of a file's size in bytes, before and after its includes are expanded. */
#define QUERY_FILE_LIMIT    (1024 * 1024)
#define QUERY_INCLUDE_DEPTH 8    /* limit of nested levels of includes */
#define QUERY_INCLUDES      1000 /* limit of include lines expanded for a file */
#define QUERY_INCLUDE_NAME  64   /* limit of an included name's size in bytes, with its NUL */

/* A line in a composed text: `-- line of: FILE:LINE` says where the next line comes from. Without
 * FILE:LINE, the next line is from the main file again. */
#define QUERY_LINE "-- line of: "

#define QUERY_PARTS 24 /* limit of parts (queries) of a file */

/* A part of a query file: one of its queries. */
struct query_part {
    char name[QUERY_INCLUDE_NAME];
    bool is_by; /* true: introduced by a line `-- by:`, so --by NAME selects it */
};

/* Syntax of includes in a type of file: query files or plots. */
struct include_style {
    const char *mark;   /* text of an include line before the name: `-- include:` or `# include:` */
    const char *ending; /* suffix of the file names */
    const struct resource *resources; /* the built-in files that can be included */
};

extern const struct include_style include_queries, include_plots;

/* Consecutive lines of an expanded text that come from the same file. */
struct query_piece {
    size_t at;   /* offset in bytes of the first line in the expanded text */
    char *file;  /* owned */
    size_t line; /* number of the first line in the original file, from 1 */
};

struct query_text {
    struct text text;           /* owned */
    struct query_piece *pieces; /* owned; sorted by `at`; the first has `at` 0 */
    size_t piece_count;
};

/* Expands the includes of `text`. `file` is its name for messages. `directory` is the user's
 * directory; NULL for a built-in file. Expands only the lines of `part` (a query of the file);
 * NULL: all. On failure nothing needs to be freed. */
bool query_text_expand(struct query_text *expanded, const struct include_style *style,
                       const char *file, const char *text, const char *directory, const char *part,
                       struct error *error);

/* Lists the parts (queries) that a query file names, in order; `*count` is 0 if it has none.
 * Returns false with `error` set if there are too many. */
bool query_text_parts(const char *text, struct query_part parts[QUERY_PARTS], size_t *count,
                      struct error *error);
void query_text_free(struct query_text *expanded);

/* Appends the place FILE:LINE of an offset in the expanded text. If it is in an included file, the
 * main file's name and a colon come first. */
void query_text_place(const struct query_text *expanded, size_t offset, struct text *place);

/* Reads the text file DIRECTORY/NAMEENDING of the user; the caller frees it. Returns NULL if the
 * file does not exist (`error` is unchanged) or on failure. */
char *query_text_read(const char *directory, const char *name, const char *ending,
                      struct error *error);

/* Reads a plot with its includes expanded: from `directory`, the user's (NULL: none), or built-in.
 * The caller frees it. NULL if it does not exist (`error` is unchanged) or on failure. */
char *query_plot_read(const char *name, const char *directory, struct error *error);

#endif
