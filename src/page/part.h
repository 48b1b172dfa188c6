/* What the parts of a page share. */
#ifndef TRACETOOL_PAGE_PART_H
#define TRACETOOL_PAGE_PART_H

#include <stdio.h>

#include "base/text.h"
#include "output/printer.h"
#include "page/request.h"
#include "report/query.h"

/* The reports that a page is made of, beside those of its sections: what is in each trace, and the
 * key numbers. */
#define PAGE_OVERVIEW_REPORT "overview"
#define PAGE_FINDINGS_REPORT "findings"
#define PAGE_FINDINGS        7 /* that are shown, at most */
#define PAGE_NUMBERS_REPORT  "summary"

/* A section. All is borrowed. */
struct page_section {
    const char *report, *title;
    int64_t place;    /* that the query asks for; smaller ones come before */
    bool is_left_out; /* it has nothing to say */
};

struct page {
    const struct page_request *request;
    const struct catalog_trace **traces; /* owned; that it is of */
    size_t trace_count;
    struct page_section *sections; /* owned */
    size_t report_count;           /* of the sections */
    FILE *file;
    struct text out;              /* owned; the page but for its contents */
    struct printer_memory memory; /* `out` */
    struct text nothing;          /* owned; titles of sections with nothing to say, and why */
    size_t left_out;              /* reports whose section says why it has nothing else */
    struct error reason;          /* of the first of them */
    size_t undrawn;               /* pictures that gnuplot did not draw */
    struct error why_undrawn;     /* of the first of them */
    size_t largest;               /* bytes of a section; its report: */
    const char *largest_of;       /* NULL: there is none */
};

/* Takes back what was appended behind the first `length` bytes. */
void page_take_back(struct page *page, size_t length);

/* Appends the name of a report as an id can hold it: without blanks, and what is odd in hex. */
void page_append_id(struct text *out, const char *report);

/* Prints a table of rows that are at hand into the page; `values` are row by row. `has_caption`:
 * the title is seen. */
bool page_append_rows(struct page *page, const char *title, bool has_caption,
                      const struct column *columns, size_t column_count, const struct value *values,
                      size_t row_count, struct error *error);

/* A printer of HTML that prints into the page, as PAGE_FOLD says; `has_caption`: its tables say
 * what they are of. */
struct printer *page_table_open(struct page *page, bool has_caption);

/* The beginning of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* Where the error is that something is absent: says so in the page, in place of what needs it, and
 * the error is none any more. False: it is another error. */
bool page_append_absent(struct page *page, struct error *error);

/* Parts of a page: what is in the traces, their numbers, a report, what changed most, the
 * comparison of a report, and how good the data are. */
bool page_append_overview(struct page *page, struct error *error);
bool page_append_numbers(struct page *page, struct error *error);
bool page_append_quality(struct page *page, struct error *error);
bool page_append_section(struct page *page, struct page_section *section, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* The request of the page with another report. Each trace has a result of its own, unless the page
 * is by groups of them. */
struct report_request page_report(const struct page *page, const char *report);

/* The query that answers for the first trace of a request, which fits all of them; NULL with
 * `error` set when there is none. `*traces` and `*events`: how many there are. */
const struct query *page_query(const struct page *page, const struct report_request *request,
                               size_t *traces, int64_t *events, struct error *error);

#endif
