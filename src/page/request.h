/* What a page is to be of, and its bounds. */
#ifndef TRACETOOL_PAGE_REQUEST_H
#define TRACETOOL_PAGE_REQUEST_H

#include <stdbool.h>

#include "compare/request.h"
#include "report/workspace.h"

/* Rows of a table that are seen at once, and that it has; those of one of many tables; bytes of its
 * data, in TSV, beyond which it is not in the page. */
#define PAGE_FOLD      10
#define PAGE_ROWS      50
#define PAGE_MANY_ROWS 10
#define PAGE_DATA      (256 * 1024)

/* Bytes of data that are in the page as they are; more are packed by gzip. */
#define PAGE_PLAIN_DATA (4 * 1024)

/* Bytes of a picture as SVG, of one that gnuplot draws and of a flame graph; larger ones are PNG.
 */
#define PAGE_SVG   (200 * 1024)
#define PAGE_FLAME (1024 * 1024)

/* Tables of a section that stand open; with more, each has PAGE_MANY_ROWS. */
#define PAGE_OPEN 3

/* Traces that the key numbers are of. */
#define PAGE_TRACES 200

/* Bytes of a page beyond which its largest section is named. */
#define PAGE_LARGE (5 * 1024 * 1024)

/* All is borrowed. */
struct page_request {
    struct workspace *workspace;
    const struct report_request *common; /* traces and filters; which report does not matter */
    const char *const *reports;          /* names of reports; none: all that fit */
    size_t report_count;
    const struct compare_request *compare; /* NULL: no comparison; else `common` has both sides' */
    const char *title;                     /* any bytes; NULL: the names of the traces */
    const char *css;                       /* a style sheet instead of ours; NULL: ours */
    const char *licence;  /* of the data, as the reader is told; NULL: nothing is said */
    const char *date;     /* when it is made; NULL: it does not say */
    const char *database; /* its name, as it is said */
    const char *words;    /* what chooses traces and events on a command line, each with a blank in
                             front */
    bool has_plots;
    void (*say)(void *context, const char *line); /* what is worth knowing; NULL: nobody wants it */
    void *say_context;
};

#endif
