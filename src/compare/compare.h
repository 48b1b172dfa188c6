/* Compares two traces: runs one report on both and compares the rows.
 *
 * The command is `tracetool compare A B REPORT`. A is before, B after; all differences are b - a.
 * The query file defines how rows are compared (report/query.h). tracetool-compare(1) describes
 * columns and # lines. */
#ifndef TRACETOOL_COMPARE_H
#define TRACETOOL_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/comparison.h"
#include "compare/request.h"
#include "compare/table.h"
#include "output/printer.h"
#include "report/workspace.h"

/* Shared by comparisons by one report and overviews (compare.c): the page around the rows, and the
 * input of plots. */

/* Page header and notes; zeroed: none. The result's pointers refer to the page, the catalog and the
 * queries. */
struct compare_page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct notes headlines;      /* owned; first notes of the result when it is printed */
    struct notes notes;          /* owned; notes after `headlines` */
};

/* Fills the page: the traces with their side, and reasons why the sides are hard to compare. */
void compare_page_begin(const struct comparison *comparison, struct compare_page *page);

/* Adds the traces of a further comparison if they are new. */
void compare_page_add_sides(const struct comparison *comparison, struct compare_page *page);

/* Makes the headlines and notes those of the page's result. */
void compare_page_show(struct compare_page *page);

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

/* Runs both reports, compares their rows, and prints the result. */
bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error);

/* Overview: the largest changes over all reports that fit both sides. */

/* Default number of rows. */
#define OVERVIEW_TOP 20

/* Compares with every report that fits both sides and needs no option of its own. Prints a row for
 * each figure of a report's column that is marked for the overview. The reports in the request's
 * sides are ignored. */
bool compare_overview(struct workspace *workspace, const struct compare_request *request,
                      const struct printer_style *style, FILE *file,
                      const struct printer_options *options, struct error *error);

/* Adds a note with the number of rows, by side, whose names were replaced because they differ
 * between runs. */
void compare_note_renamed(const int64_t renamed[SIDES], struct notes *notes);

/* --fail-if: a condition on one figure of a comparison.
 *
 *     latency.read.p99 > +10%                    b is more than 10 % above a
 *     functions."Tab.restore".self > x1.5        … more than 1.5 times a
 *     iosize.mean >= +4096                       … at least 4096 above a
 *     popularity.tvd > 0.05                      b itself, or the distance
 *     summary."bytes written"/second > +20%      only if the report has --per */

/* Limit of a condition's length in bytes. */
#define CONDITION_MOST 512

/* Subject of a condition's value. */
enum condition_of { OF_B, OF_DIFFERENCE, OF_RATIO, OF_PER_CENT };

struct compare_condition {
    const char *text;          /* text as given; borrowed */
    const char *path;          /* name of the figure; points into `text` */
    size_t path_length;        /* length of `path` */
    const char *report;        /* borrowed from the queries */
    char item[CONDITION_MOST]; /* name of the row; "": all rows */
    char metric[CONDITION_MOST];
    enum compare_per per; /* what numbers are divided by; PER_USUAL: not given */
    bool is_less;         /* true: the operator is < or <= */
    bool or_equal;        /* true: the operator is <= or >= */
    bool is_read;         /* true: its form is right; report and figure may not exist */
    bool is_signed;       /* true: the threshold has a sign, +10% */
    enum condition_of of;
    double threshold;
};

/* Result of a condition. */
enum condition_state {
    CONDITION_PASSED,   /* the number is within the limit */
    CONDITION_FAILED,   /* the number and its whole interval are beyond the limit */
    CONDITION_UNDECIDED /* only the number is beyond, or it is missing or has no interval */
};

/* Parses a condition. Wrong usage if the report or figure does not exist. */
bool compare_condition_parse(struct compare_condition *condition, const char *text,
                             const struct query_set *queries, struct error *error);

/* Whether the figure can only be the largest value or the number of values of a group: these have
 * no interval. */
bool compare_condition_lacks_interval(const struct compare_condition *condition,
                                      const struct query_set *queries);

/* Compares the sides by the condition's report. The condition fails only if the whole one-sided 95
 * % interval is beyond the threshold; a distance also has to be significant. `point`: the number
 * alone counts. Appends a line with the result, without a newline. Returns false if comparing fails
 * or no row has that name. */
bool compare_condition_check(const struct compare_condition *condition, struct workspace *workspace,
                             const struct compare_request *request, bool point,
                             enum condition_state *state, struct text *line, struct error *error);

#endif
