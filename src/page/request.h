/* A page: one self-contained HTML file for sharing.
 *
 * Order: the subject; the content, with a row for each of several traces; table of contents; a
 * section per report, the most informative first; the empty reports in one line; key numbers; data
 * quality; how the page was made. A section has picture, table, meaning of the columns, the
 * command that prints it, data and SQL. The page loads nothing, and is complete without script and
 * style. The same input gives the same bytes.
 *
 * The whole page is held in memory until its contents are known. */
#ifndef TRACETOOL_PAGE_REQUEST_H
#define TRACETOOL_PAGE_REQUEST_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/request.h"
#include "report/workspace.h"

/* Limits: visible rows of a table, all its rows, those of one of many tables, and bytes of TSV
 * data, beyond which the page omits the data. */
#define PAGE_FOLD      10
#define PAGE_ROWS      50
#define PAGE_MANY_ROWS 10
#define PAGE_DATA      (256 * 1024)

/* Limit in bytes of data stored uncompressed; larger data is compressed by gzip. */
#define PAGE_PLAIN_DATA (4 * 1024)

/* Limits in bytes of an SVG, drawn by gnuplot and of a flame graph; larger pictures become PNG. */
#define PAGE_SVG   (200 * 1024)
#define PAGE_FLAME (1024 * 1024)

/* Limit of expanded tables in a section; if there are more, each has PAGE_MANY_ROWS. */
#define PAGE_OPEN 3

/* Limit of traces with key numbers. */
#define PAGE_TRACES 200

/* Size in bytes beyond which a message names the page's largest section. */
#define PAGE_LARGE (5 * 1024 * 1024)

/* All members are borrowed. */
struct page_request {
    struct workspace *workspace;
    const struct report_request *common; /* traces and filters; the report is ignored */
    const char *const *reports;          /* names of reports; none: all that apply */
    size_t report_count;
    const struct compare_request
        *compare;         /* NULL: no comparison; else `common` covers both sides */
    const char *title;    /* any bytes; NULL: the names of the traces */
    const char *css;      /* the user's style sheet; NULL: the built-in one */
    const char *licence;  /* licence of the data, shown to readers; NULL: not shown */
    const char *date;     /* time of creation; NULL: not shown */
    const char *database; /* name of the database, as displayed */
    const char *words;    /* options that select traces and events, each preceded by a blank */
    bool has_plots;
    void (*say)(void *context,
                const char *line); /* receives notes for the user; NULL: not wanted */
    void *say_context;
};

/* Writes the page. After a failure, the partial output is useless. `undrawn` has a message if the
 * page is complete except for pictures that gnuplot did not draw. */
bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error);

#endif
