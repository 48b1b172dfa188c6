/* Functions shared by the parts of a page. */
#ifndef TRACETOOL_PAGE_PART_H
#define TRACETOOL_PAGE_PART_H

#include <stdio.h>

#include "base/text.h"
#include "output/printer.h"
#include "page/request.h"
#include "report/query.h"

/* Reports that a page uses in addition to its sections: in the overview, and for key numbers. */
#define PAGE_OVERVIEW_REPORT "overview"
#define PAGE_FINDINGS_REPORT "findings"
#define PAGE_FINDINGS        7 /* limit of findings on the page */
#define PAGE_NUMBERS_REPORT  "summary"

/* A section of a page, which shows a report. All members are borrowed. */
struct page_section {
    const char *report, *title;
    int64_t place;    /* position on the page (query->page_place); INT64_MAX: none */
    bool is_left_out; /* true: the section is left out, as the report has no rows */
};

struct page {
    const struct page_request *request;
    const struct catalog_trace **traces; /* owned; traces on the page */
    size_t trace_count;
    struct page_section *sections; /* owned */
    size_t report_count;           /* number of elements in `sections` */
    FILE *file;
    struct text out;              /* owned; HTML of the page, without the table of contents */
    struct printer_memory memory; /* destination of printers: they append to `out` */
    struct text nothing;          /* owned; titles of left-out sections, with the reason */
    size_t left_out;              /* number of sections with only an error */
    struct error reason;          /* error of the first section that has only an error */
    size_t undrawn;               /* number of pictures that gnuplot did not draw */
    struct error why_undrawn;     /* error of the first picture that gnuplot did not draw */
    size_t largest;               /* size of the largest section in bytes */
    const char *largest_of;       /* report of the largest section; NULL: none */
};

/* Removes all of the page's HTML after `length` bytes. */
void page_truncate(struct page *page, size_t length);

/* Appends a report's name as an HTML id: all but letters, digits and - become _ and hex digits. */
void page_append_id(struct text *out, const char *report);

/* Prints rows as an HTML table into the page. `values`: row_count × column_count values, row by
 * row. `has_caption`: prints the title. */
bool page_append_rows(struct page *page, const char *title, bool has_caption,
                      const struct column *columns, size_t column_count, const struct value *values,
                      size_t row_count, struct error *error);

/* Returns a printer of HTML tables into the page; long tables are folded (PAGE_FOLD).
 * `has_caption`: prints titles. */
struct printer *page_table_open(struct page *page, bool has_caption);

/* Appends the beginning of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* If `error` says that data are missing or too many, writes it into the page and clears it. Returns
 * false for all other errors. */
bool page_append_missing_data(struct page *page, struct error *error);

/* Append parts of a page: data quality, a report, the largest changes, a comparison by a report. */
bool page_append_quality(struct page *page, struct error *error);
bool page_append_section(struct page *page, struct page_section *section, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* Returns the page's request for a report. With several traces, each gets its own result, unless
 * traces are grouped. */
struct report_request page_request_for_report(const struct page *page, const char *report);

/* Returns the query that works for all traces of a request; NULL with `error` set if there is none.
 */
const struct query *page_find_query(const struct page *page, const struct report_request *request,
                                    struct error *error);

#endif
