/* What comparisons by one report and by all of them share (compare.c): the page around the rows,
 * and what a plot gets. */
#ifndef TRACETOOL_COMPARE_PICTURE_H
#define TRACETOOL_COMPARE_PICTURE_H

#include <stdio.h>

#include "compare/comparison.h"

/* Zeroed: nothing. What the result points to is the page's, the catalog's and the queries'. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct notes headlines;      /* owned; they and … */
    struct notes notes; /* … these, owned, become those of the result when it is printed */
};

/* The traces, each once; which side they are on, and what makes the sides hard to compare. */
void compare_page_begin(const struct comparison *comparison, struct compare_page *page);

/* Prints the page: `print_results` begins and ends its result, or several that are made of it. */
bool compare_page_print(struct compare_page *page, const struct printer_style *style, FILE *file,
                        const struct printer_options *options,
                        bool (*print_results)(void *context, struct printer *printer,
                                              struct error *error),
                        void *context, struct error *error);

void compare_page_free(struct compare_page *page);

/* Zeroed: nothing. */
struct compare_picture {
    char *plot;               /* owned */
    struct text names[SIDES]; /* owned */
    const char *compared[SIDES];
};

/* Whether comparisons by the query have a picture of the usual kind. */
bool compare_picture_exists(const struct query *query);

/* Gives the result what the plot `name` needs: its text, and what the sides are called. Ended by
 * compare_picture_free() in any case, when the result has been printed. */
bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error);
void compare_picture_free(struct compare_picture *picture);

/* Whether traces are compared as call trees by the report, or by a file of it. */
bool compare_picture_is_of_trees(const struct query_set *queries, const char *report);

#endif
