/* Shared by comparisons by one report and overviews (compare.c): the page around the rows, and the
 * input of plots. */
#ifndef TRACETOOL_COMPARE_PICTURE_H
#define TRACETOOL_COMPARE_PICTURE_H

#include <stdio.h>

#include "compare/comparison.h"

/* Page header and notes; zeroed: none. The result's pointers refer to the page, the catalog and the
 * queries. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct notes headlines;      /* owned; these, followed by … */
    struct notes notes;          /* … these, become the notes of the result when it is printed */
};

/* Fills the page: the traces with their side, and reasons why the sides are hard to compare. */
void compare_page_begin(const struct comparison *comparison, struct compare_page *page);

/* Prints the page. `print_results` begins and ends its result, or several copies of it. */
bool compare_page_print(struct compare_page *page, const struct printer_style *style, FILE *file,
                        const struct printer_options *options,
                        bool (*print_results)(void *context, struct printer *printer,
                                              struct error *error),
                        void *context, struct error *error);

void compare_page_free(struct compare_page *page);

/* A picture; zeroed: none. */
struct compare_picture {
    char *plot;               /* owned */
    struct text names[SIDES]; /* owned */
    const char *compared[SIDES];
};

/* Returns whether comparisons by the query have the usual picture. */
bool compare_picture_exists(const struct query *query);

/* Gives the result what plot `name` needs: its text, and labels of the sides. Call
 * compare_picture_free() in any case, after the result was printed. */
bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error);
void compare_picture_free(struct compare_picture *picture);

/* Returns whether the report, or a file of it, compares traces as call trees. */
bool compare_picture_is_of_trees(const struct query_set *queries, const char *report);

#endif
