/* Compares two traces: runs one report on both and compares the rows.
 *
 * The command is `tracetool compare A B REPORT`. A is the trace before a change, B after it; all
 * differences are b - a. The query file defines how rows are compared (report/query.h).
 * tracetool-compare(1) describes columns and comment lines, which begin with #. */
#ifndef TRACETOOL_COMPARE_H
#define TRACETOOL_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/comparison.h"
#include "compare/request.h"
#include "compare/table.h"
#include "output/printer.h"
#include "report/workspace.h"

/* Output functions for comparisons by one report and for the overview of all reports (compare.c):
 * the list of traces, the comment lines around the rows, and the input of plots. */

/* List of traces and comment lines of a result; empty if zeroed. `result` borrows strings from the
 * page, the catalog and the queries. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct notes headlines; /* owned; the first comment lines: sentences on the largest changes */
    struct notes notes;     /* owned; comment lines printed after the headlines */
};

/* Adds the traces of both sides to the page, and comment lines on doubts about the comparison. */
void compare_page_begin(const struct comparison *comparison, struct compare_page *page);

/* Adds the traces of another comparison that are not on the page yet. */
void compare_page_add_sides(const struct comparison *comparison, struct compare_page *page);

/* Puts the page's headlines and notes into its result, as comment lines. */
void compare_page_put_notes(struct compare_page *page);

void compare_page_free(struct compare_page *page);

/* Input of a plot besides the rows; zeroed: no plot. */
struct compare_picture {
    char *plot;               /* owned; text of the gnuplot script */
    struct text names[SIDES]; /* owned; labels of the two sides */
    const char *compared[SIDES];
};

/* Returns whether comparisons by the query have a picture without further options. */
bool compare_picture_exists(const struct query *query);

/* Sets the result's input for the plot called `name`: its gnuplot script, and labels of the sides.
 * Call compare_picture_free() after the result was printed, also if this function fails. */
bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error);
void compare_picture_free(struct compare_picture *picture);

/* Returns whether any query of the report compares call trees, which are drawn as flame graphs. */
bool compare_report_has_call_trees(const struct query_set *queries, const char *report);

/* Runs both reports, compares their rows, and prints the result. */
bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error);

/* Overview: the largest changes over all reports that can be run on both sides. */

/* Default number of rows of the overview. */
#define OVERVIEW_TOP 20

/* Compares a and b with every report that can be run on both sides and needs no option. Prints a
 * row for each figure (row and column of a report) that its query marks for the overview. Ignores
 * the report named in the request. */
bool compare_overview(struct workspace *workspace, const struct compare_request *request,
                      const struct printer_style *style, FILE *file,
                      const struct printer_options *options, struct error *error);

/* Adds a comment line with the number of names on each side in which parts that differ between
 * runs, such as pids, were replaced by *. */
void compare_note_renamed(const int64_t renamed[SIDES], struct notes *notes);

/* --fail-if: a condition on one figure of a comparison.
 *
 *     latency.read.p99 > +10%                    b is more than 10 % above a
 *     functions."Tab.restore".self > x1.5        b is more than 1.5 times a
 *     iosize.mean >= +4096                       b is at least 4096 above a
 *     popularity.tvd > 0.05                      the distance or b itself
 *     summary."bytes written"/second > +20%      only if the report has --per */

/* Limit of a condition's length in bytes. */
#define CONDITION_MOST 512

/* Quantity that is compared with the limit: b, b - a, b / a, or the change in per cent. */
enum condition_of { OF_B, OF_DIFFERENCE, OF_RATIO, OF_PER_CENT };

struct compare_condition {
    const char *text;   /* the condition as the user typed it; borrowed */
    const char *path;   /* REPORT.ROW.METRIC, the name of the figure; points into `text` */
    size_t path_length; /* length of `path` in bytes */
    const char *report; /* name of the report, borrowed from the queries */
    /* name of the report's row; "": `metric` is a distance of all rows */
    char item[CONDITION_MOST];
    char metric[CONDITION_MOST];
    enum compare_per per; /* unit after / in the condition, such as second; PER_USUAL: none */
    bool is_less;         /* true: the operator is < or <= */
    bool or_equal;        /* true: the operator is <= or >= */
    bool is_read;         /* true: the syntax is right; the report or figure may still be unknown */
    bool is_signed;       /* true: the limit has a sign, as in +10% */
    enum condition_of of;
    double threshold;
};

/* Outcome of a condition of --fail-if. */
enum condition_state {
    CONDITION_PASSED,   /* the figure is not beyond the limit of the condition */
    CONDITION_FAILED,   /* the figure and its whole confidence interval are beyond the limit */
    CONDITION_UNDECIDED /* the figure is beyond the limit, but its confidence interval is unknown or
                           includes the limit */
};

/* Parses a condition. Sets a usage error if the report or figure does not exist. */
bool compare_condition_parse(struct compare_condition *condition, const char *text,
                             const struct query_set *queries, struct error *error);

/* Returns true if the condition is on a group's maximum or number of values, which never have a
 * confidence interval. */
bool compare_condition_lacks_interval(const struct compare_condition *condition,
                                      const struct query_set *queries);

/* Runs the comparison that the condition needs. The condition fails only if the whole one-sided 95
 * % interval is beyond the limit; a distance must also be significant. `point`: only the figure is
 * tested, not its interval. Appends a line with the outcome, without a newline. Returns false with
 * the error set if the comparison fails or the row does not exist. */
bool compare_condition_check(const struct compare_condition *condition, struct workspace *workspace,
                             const struct compare_request *request, bool point,
                             enum condition_state *state, struct text *line, struct error *error);

#endif
