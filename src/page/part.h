/* Declarations shared by the parts of a page. */
#ifndef TRACETOOL_PAGE_PART_H
#define TRACETOOL_PAGE_PART_H

#include <stdio.h>

#include "base/text.h"
#include "output/printer.h"
#include "page/request.h"
#include "report/query.h"

/* Reports of a page other than its sections: the content of each trace, and the key numbers. */
#define PAGE_OVERVIEW_REPORT "overview"
#define PAGE_FINDINGS_REPORT "findings"
#define PAGE_FINDINGS        7 /* limit of findings shown */
#define PAGE_NUMBERS_REPORT  "summary"

/* A section. All members are borrowed. */
struct page_section {
    const char *report, *title;
    int64_t place;    /* requested position; smaller ones come first */
    bool is_left_out; /* the report has nothing to show */
};

struct page {
    const struct page_request *request;
    const struct catalog_trace **traces; /* owned; traces of the page */
    size_t trace_count;
    struct page_section *sections; /* owned */
    size_t report_count;           /* number of sections */
    FILE *file;
    struct text out;              /* owned; the page without its table of contents */
    struct printer_memory memory; /* prints to `out` */
    struct text nothing;          /* owned; titles of empty sections, and the reasons */
    size_t left_out;              /* number of sections that only contain an error */
    struct error reason;          /* error of the first such section */
    size_t undrawn;               /* number of pictures that gnuplot did not draw */
    struct error why_undrawn;     /* error of the first such picture */
    size_t largest;               /* bytes of the largest section */
    const char *largest_of;       /* report of the largest section; NULL: none */
};

/* Truncates to `length` bytes, discarding what was appended after them. */
void page_truncate(struct page *page, size_t length);

/* Appends a report's name as an id: without blanks; other characters become hex. */
void page_append_id(struct text *out, const char *report);

/* Prints a table from memory into the page; `values` are row by row. `has_caption`: shows the
 * title. */
bool page_append_rows(struct page *page, const char *title, bool has_caption,
                      const struct column *columns, size_t column_count, const struct value *values,
                      size_t row_count, struct error *error);

/* Returns an HTML printer that prints into the page, folded as PAGE_FOLD says. `has_caption`: its
 * tables have captions. */
struct printer *page_table_open(struct page *page, bool has_caption);

/* Appends the start of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* Handles an error that means missing data: notes it in the page instead of the affected part, and
 * clears the error. False: it is another error. */
bool page_append_absent(struct page *page, struct error *error);

/* Append parts of a page: data quality, a report, the largest changes, and the comparison of a
 * report. */
bool page_append_quality(struct page *page, struct error *error);
bool page_append_section(struct page *page, struct page_section *section, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* Returns the page's request with another report. Each trace has its own result, unless the page
 * is by groups of traces. */
struct report_request page_report(const struct page *page, const char *report);

/* Returns the query for the first trace of a request; it fits all of the request's traces. NULL
 * with `error` set if there is none. */
const struct query *page_query(const struct page *page, const struct report_request *request,
                               struct error *error);

#endif
