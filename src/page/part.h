/* What the parts of a page share. */
#ifndef TRACETOOL_PAGE_PART_H
#define TRACETOOL_PAGE_PART_H

#include <stdio.h>

#include "base/text.h"
#include "output/printer.h"
#include "page/request.h"
#include "report/query.h"

struct page {
    const struct page_request *request;
    const struct catalog_trace **traces; /* owned; that it is of */
    size_t trace_count;
    const char **reports; /* owned; of the sections, and their titles: */
    const char **titles;  /* owned */
    size_t report_count;
    FILE *file;
    struct text out;              /* owned; what was not written yet */
    struct printer_memory memory; /* `out` */
    int64_t written;              /* bytes, of `file` */
    size_t left_out;              /* reports whose section says why it has nothing else */
    struct error reason;          /* of the first of them */
    size_t undrawn;               /* pictures that gnuplot did not draw */
    struct error why_undrawn;     /* of the first of them */
    int64_t largest;              /* of a section; its report: */
    const char *largest_of;       /* NULL: there is none */
};

/* Writes what was appended. */
bool page_flush(struct page *page, struct error *error);

/* Appends the name of a report as an id can hold it: without blanks, and what is odd in hex. */
void page_append_id(struct text *out, const char *report);

/* A printer of HTML that prints into the page. */
struct printer *page_table_open(struct page *page);

/* The beginning of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* Where the error is that something is absent: says so in the page, in place of what needs it, and
 * the error is none any more. False: it is another error. */
bool page_append_absent(struct page *page, struct error *error);

/* Parts of a page: a report, what changed most, and the comparison of a report. */
bool page_append_section(struct page *page, const char *report, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* The request of the page with another report. */
struct report_request page_report(const struct page *page, const char *report);

/* The query that answers for the first trace of a request, which fits all of them; NULL with
 * `error` set when there is none. `*traces` and `*events`: how many there are. */
const struct query *page_query(const struct page *page, const struct report_request *request,
                               size_t *traces, int64_t *events, struct error *error);

#endif
