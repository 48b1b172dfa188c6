/* What the parts of a page share. */
#ifndef TRACETOOL_PAGE_PART_H
#define TRACETOOL_PAGE_PART_H

#include <stdio.h>

#include "base/text.h"
#include "output/printer.h"
#include "page/request.h"
#include "report/query.h"

/* Reports that a page uses besides its sections: for overviews of traces, and for key numbers. */
#define PAGE_OVERVIEW_REPORT "overview"
#define PAGE_FINDINGS_REPORT "findings"
#define PAGE_FINDINGS        7 /* limit of findings that are printed */
#define PAGE_NUMBERS_REPORT  "summary"

/* A section of a page, which shows a report. All members are borrowed. */
struct page_section {
    const char *report, *title;
    int64_t place;    /* position that the report asks for; smaller ones come first */
    bool is_left_out; /* true: the report has nothing to show */
};

struct page {
    const struct page_request *request;
    const struct catalog_trace **traces; /* owned; the traces that the page is about */
    size_t trace_count;
    struct page_section *sections; /* owned */
    size_t report_count;           /* number of reports that have a section */
    FILE *file;
    struct text out;              /* owned; the page's HTML, without the table of contents */
    struct printer_memory memory; /* lets a printer print to `out` */
    struct text nothing;      /* owned; titles of sections without rows, and why they have none */
    size_t left_out;          /* number of sections that consist of an error only */
    struct error reason;      /* error of the first of these sections */
    size_t undrawn;           /* number of pictures that gnuplot has not drawn */
    struct error why_undrawn; /* error of the first of these pictures */
    size_t largest;           /* size of the largest section in bytes */
    const char *largest_of;   /* report of the largest section; NULL: there is none */
};

/* Truncates the page to `length` bytes, and removes what was printed after them. */
void page_truncate(struct page *page, size_t length);

/* Appends the name of a report as an HTML id: without blanks; other characters become hex. */
void page_append_id(struct text *out, const char *report);

/* Prints rows as a table into the page; `values` are row by row. `has_caption`: shows the title. */
bool page_append_rows(struct page *page, const char *title, bool has_caption,
                      const struct column *columns, size_t column_count, const struct value *values,
                      size_t row_count, struct error *error);

/* Returns a printer for HTML that prints into the page; long tables are folded (PAGE_FOLD).
 * `has_caption`: its tables have captions. */
struct printer *page_table_open(struct page *page, bool has_caption);

/* Appends the begin of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* If an error means that data is missing, writes it into the page in place of what it concerns, and
 * clears it. Returns false for other errors. */
bool page_append_missing_data(struct page *page, struct error *error);

/* Append parts of a page: data quality, a report, the largest changes, and the comparison of a
 * report. */
bool page_append_quality(struct page *page, struct error *error);
bool page_append_section(struct page *page, struct page_section *section, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* Returns the page's request, for another report. Each trace has its own result, unless the page is
 * by groups of traces. */
struct report_request page_request_for_report(const struct page *page, const char *report);

/* Returns the query for the first trace of a request, which suits all of the request's traces. NULL
 * with `error` set if there is none. */
const struct query *page_find_query(const struct page *page, const struct report_request *request,
                                    struct error *error);

#endif
