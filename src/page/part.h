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
    struct text out;          /* owned; what was not written yet */
    int64_t written;          /* bytes, of `file` */
    size_t left_out;          /* reports whose section says why it has nothing else */
    struct error reason;      /* of the first of them */
    size_t undrawn;           /* pictures that gnuplot did not draw */
    struct error why_undrawn; /* of the first of them */
    int64_t largest;          /* of a section; its report: */
    const char *largest_of;   /* NULL: there is none */
};

/* Writes what was appended. */
bool page_flush(struct page *page, struct error *error);

/* Appends the name of a report as an id can hold it: without blanks, and what is odd in hex. */
void page_append_id(struct text *out, const char *report);

/* A table that is being printed, to memory. */
struct page_table {
    char *bytes; /* owned */
    size_t size;
    FILE *file;
    struct printer *printer;
};

/* A printer of HTML whose output is appended to the page by page_table_end(), which comes in any
 * case. */
bool page_table_begin(struct page_table *table, struct error *error);
bool page_table_end(struct page *page, struct page_table *table, bool aborted, struct error *error);

/* A table of rows that are at hand; `values` are row by row. */
bool page_append_rows(struct page *page, const char *title, const struct column *columns,
                      size_t column_count, const struct value *values, size_t row_count,
                      struct error *error);

/* All rows of a section as TSV, as long as they are not too many for the page. Zeroed: none. */
struct page_data {
    struct text bytes; /* owned */
    bool is_full;      /* there is more than PAGE_DATA, and nothing is kept */
};

/* A file whose bytes become the data; the caller closes it. NULL with `error` set on failure. */
FILE *page_data_open(struct page_data *data, struct error *error);

/* What stands below the tables of a section: the data, which are freed; the command that prints it,
 * without the program's name; and what the columns of its queries hold, with their SQL. */
#define PAGE_QUERIES 8

struct page_tail {
    const char *report;
    const char *command;
    struct page_data data;
    int64_t rows; /* of all tables; -1: not counted */
    const struct query *queries[PAGE_QUERIES];
    size_t query_count;
};

/* Appends it, and frees its data. */
void page_append_tail(struct page *page, struct page_tail *tail);

/* The beginning of a section, with its heading. */
void page_begin_section(struct page *page, const char *report, const char *title);

/* Where the error is that something is absent: says so in the page, in place of what needs it, and
 * the error is none any more. False: it is another error. */
bool page_append_absent(struct page *page, struct error *error);

/* The parts, each in a file of its own. */
bool page_append_quality(struct page *page, struct error *error);
bool page_append_numbers(struct page *page, struct error *error);
bool page_append_section(struct page *page, const char *report, struct error *error);
bool page_append_changes(struct page *page, struct error *error);
bool page_append_comparison(struct page *page, const char *report, struct error *error);

/* What is to be drawn. All is borrowed. */
struct page_picture {
    const char *name; /* of the report */
    const char *title;
    const char *caption;
    bool is_flame_graph; /* the program draws it itself, as SVG; a PNG is gnuplot's */
    /* Prints what is drawn. */
    bool (*print)(struct page *page, const struct page_picture *picture,
                  const struct printer_style *style, FILE *file,
                  const struct printer_options *options, struct error *error);
    const void *what; /* its own */
};

/* The picture in a <figure>, with its caption. Where there is none it says why; only what is absent
 * is an error. */
bool page_append_picture(struct page *page, const struct page_picture *picture,
                         struct error *error);

/* The picture that `plot` draws of the report, where it has one. */
bool page_append_report_picture(struct page *page, const struct report_request *request,
                                const struct query *query, const char *caption,
                                struct error *error);

/* The request of the page with another report. */
struct report_request page_report(const struct page *page, const char *report);

/* The query that answers for the first trace of a request, which fits all of them; NULL with
 * `error` set when there is none. `*traces` and `*events`: how many there are. */
const struct query *page_query(const struct page *page, const struct report_request *request,
                               size_t *traces, int64_t *events, struct error *error);

#endif
