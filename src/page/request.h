/* A page: a self-contained HTML file with reports, for sharing.
 *
 * Its order: title; overview, with a row per trace if there are several; table of contents; a
 * section per report, most informative first; a line with the reports without rows; key numbers;
 * data quality; how the page was made. A section has a picture, a table, the meaning of the
 * columns, the command that prints it, data and SQL. The page loads nothing, and is complete
 * without script and style. The same input gives the same bytes. The page is built in memory, since
 * its table of contents is known last. */
#ifndef TRACETOOL_PAGE_REQUEST_H
#define TRACETOOL_PAGE_REQUEST_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/request.h"
#include "report/workspace.h"

/* Limits: rows of a table that are visible at first; rows of a table; rows of a table in a section
 * with many tables; bytes of TSV data, beyond which the page has no data. */
#define PAGE_FOLD      10
#define PAGE_ROWS      50
#define PAGE_MANY_ROWS 10
#define PAGE_DATA      (256 * 1024)

/* Larger data (in bytes) are compressed by gzip. */
#define PAGE_PLAIN_DATA (4 * 1024)

/* Limits of an SVG in bytes: drawn by gnuplot; flame graph. Larger pictures become PNG. */
#define PAGE_SVG   (200 * 1024)
#define PAGE_FLAME (1024 * 1024)

/* Limit of unfolded tables in a section. If there are more, tables have PAGE_MANY_ROWS rows. */
#define PAGE_OPEN 3

/* Limit of traces with key numbers. */
#define PAGE_TRACES 200

/* For a page above this size in bytes, a message names its largest section. */
#define PAGE_LARGE (5 * 1024 * 1024)

/* Content and style of a page. All members are borrowed. */
struct page_request {
    struct workspace *workspace;
    const struct report_request *common; /* selects traces and events; its report is ignored */
    const char *const *reports; /* names of the reports; none: all that the traces support */
    size_t report_count;
    /* comparison of two traces; NULL: none. `common` then applies to both */
    const struct compare_request *compare;
    const char *title;    /* page title, any bytes; NULL: names of the traces */
    const char *css;      /* the user's style sheet; NULL: the built-in one */
    const char *licence;  /* licence of the data, to be printed; NULL: none */
    const char *date;     /* time of creation, to be printed; NULL: none */
    const char *database; /* name of the database, to be printed */
    bool has_logs;        /* true: logs were asked, not the database */
    /* Options and logs that select traces and events, each after a space, to be printed in
     * commands; those of them that do not select traces; and those that `show` takes. */
    const char *words, *words_of_any, *words_of_show;
    bool has_plots;
    void (*say)(void *context,
                const char *line); /* called with messages for the user; may be NULL */
    void *say_context;
};

/* Writes the page. On failure, the file's content is unusable. `undrawn`: set if only pictures are
 * missing, which gnuplot did not draw. */
bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error);

#endif
