/* What is printed of a comparison: the traces of both sides, what is to be known of them, rows. */
#ifndef TRACETOOL_COMPARE_PAGE_H
#define TRACETOOL_COMPARE_PAGE_H

#include <stdio.h>

#include "compare/comparison.h"

/* Zeroed: nothing. What the result points to is the page's, the catalog's and the queries'. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct remarks remarks;      /* owned; become those of the result when it is printed */
};

/* The traces, each once; which side they are on, and what makes the sides hard to compare. */
bool compare_page_begin(const struct comparison *comparison, struct compare_page *page,
                        struct error *error);

/* Prints the page: `print_results` begins and ends its result, or several that are made of it. */
bool compare_page_print(struct compare_page *page, const struct printer_style *style, FILE *file,
                        const struct printer_options *options,
                        bool (*print_results)(void *context, struct printer *printer,
                                              struct error *error),
                        void *context, struct error *error);

void compare_page_free(struct compare_page *page);

#endif
