/* What is printed of a comparison: the traces of both sides, what is to be known of them, rows. */
#ifndef TRACETOOL_COMPARE_PICTURE_H
#define TRACETOOL_COMPARE_PICTURE_H

#include <stdio.h>

#include "compare/comparison.h"

/* Zeroed: nothing. What the result points to is the page's, the catalog's and the queries'. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct remarks remarks;      /* owned; become those of the result when it is printed */
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

/* Pictures of comparisons: which plot (plots/compare-….gp) draws what, and what it is given.
 *
 * Most draw the rows that are printed. Call trees are flame graphs of the program's own. Values by
 * group have a result for each group instead, of its
 * distribution on both sides, or of its quantiles.
 */

/* Rows that are drawn of counts and times, unless --top says otherwise. */
#define COMPARE_PICTURE_ROWS 20

/* Groups of values that are drawn, a panel each. */
#define COMPARE_PICTURE_GROUPS 6

/* Zeroed: nothing. */
struct compare_picture {
    char *plot;               /* owned */
    struct text names[SIDES]; /* owned */
    const char *compared[SIDES];
};

/* Whether the report has a picture of the kind that is asked for; says so if not, and which ones
 * have. The method is known. */
bool compare_picture_check(const struct comparison *comparison, struct error *error);

/* Whether comparisons by the query have a picture of the usual kind. */
bool compare_picture_exists(const struct query *query);

/* Gives the result what the plot `name` needs: its text, and what the sides are called. Ended by
 * compare_picture_free() in any case, when the result has been printed. */
bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error);
void compare_picture_free(struct compare_picture *picture);

/* The plot of the comparison, which compare_picture_check() found. */
const char *compare_picture_plot(const struct comparison *comparison);

/* How many of the rows are drawn at most; 0: all. */
int64_t compare_picture_rows(const struct comparison *comparison);

/* Whether it is of values: then compare_picture_groups() prints the results, like `result` but for
 * their groups and columns, and with the remarks of that in the first. */
bool compare_picture_is_of_groups(const struct comparison *comparison);
size_t compare_picture_group_count(const struct comparison *comparison);
bool compare_picture_groups(const struct comparison *comparison, struct result *result,
                            struct printer *printer, struct error *error);

/* Whether it is of call trees, as flame graph: then compare_picture_tree() prints the result, which
 * is that of the rows with a column `self` behind them, the width; and compare_picture_say_tree()
 * says what widths and colours mean. */
bool compare_picture_is_tree(const struct comparison *comparison);
bool compare_picture_tree(const struct comparison *comparison, struct result *result,
                          struct printer *printer, struct error *error);
void compare_picture_say_tree(const struct comparison *comparison, struct remarks *remarks);

/* Whether traces are compared as call trees by the report, or by a file of it. */
bool compare_picture_is_of_trees(const struct query_set *queries, const char *report);

#endif
