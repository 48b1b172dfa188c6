/* A page: one self-contained HTML file for sharing.
 *
 * Its order: the subject; an overview, with a row for each of several traces; table of contents; a
 * section per report, the most informative first; reports without rows in one line; key numbers;
 * data quality; how the page was made. A section has a picture, a table, the meaning of the
 * columns, the command that prints it, data and SQL. The page loads nothing, and is complete
 * without script and style. The same input gives the same bytes. The whole page is held in memory
 * until its contents are known. */
#ifndef TRACETOOL_PAGE_REQUEST_H
#define TRACETOOL_PAGE_REQUEST_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/request.h"
#include "report/workspace.h"

/* Limits: rows of a table that are visible at first; all its rows; the same if there are many
 * tables; and bytes of TSV data, beyond which the page leaves the data out. */
#define PAGE_FOLD      10
#define PAGE_ROWS      50
#define PAGE_MANY_ROWS 10
#define PAGE_DATA      (256 * 1024)

/* Limit in bytes of data that is stored uncompressed; larger data is compressed by gzip. */
#define PAGE_PLAIN_DATA (4 * 1024)

/* Limits in bytes of an SVG: drawn by gnuplot, and of a flame graph. Larger pictures become PNG. */
#define PAGE_SVG   (200 * 1024)
#define PAGE_FLAME (1024 * 1024)

/* Limit of tables in a section that are open; if there are more, each has PAGE_MANY_ROWS rows. */
#define PAGE_OPEN 3

/* Limit of traces with key numbers. */
#define PAGE_TRACES 200

/* Size in bytes beyond which a message names the largest section of the page. */
#define PAGE_LARGE (5 * 1024 * 1024)

/* What a page shows, and how. All members are borrowed. */
struct page_request {
    struct workspace *workspace;
    const struct report_request *common; /* selects traces and events; its report is ignored */
    const char *const *reports;          /* names of the reports to show; none: all that suit */
    size_t report_count;
    const struct compare_request
        *compare;      /* comparison of two traces; NULL: none; else `common` selects both sides */
    const char *title; /* title of the page, any bytes; NULL: the names of the traces */
    const char *css;   /* the user's style sheet; NULL: the built-in one */
    const char *licence;  /* licence of the data, which the page shows; NULL: none */
    const char *date;     /* time of creation, which the page shows; NULL: none */
    const char *database; /* name of the database, as the page shows it */
    /* Options that select traces and events, each after a blank, for commands on the page. */
    const char *words;
    bool has_plots;
    void (*say)(void *context,
                const char *line); /* gets notes for the user; NULL: nothing is called */
    void *say_context;
};

/* Writes the page. After a failure, what was written is useless. `undrawn` has a message if the
 * page is complete but for pictures that gnuplot did not draw. */
bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error);

#endif
