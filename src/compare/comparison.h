/* What a selection's events are good for: how many a filter leaves, how many have a time, and how
 * finely that is measured. */
#ifndef TRACETOOL_COMPARISON_H
#define TRACETOOL_COMPARISON_H

#include "compare/groups.h"
#include "compare/table.h"
#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/selection.h"

/* Events of the first trace whose times are read. */
#define QUALITY_EVENTS 65536

/* Different times that must occur, for these to tell of the clock. */
#define QUALITY_TIMES 3

/* Hours of a day. */
#define QUALITY_HOURS 24

/* Intervals of each trace in which events are counted. */
#define QUALITY_STRETCHES 30

/* Zeroed: nothing is known. Of block I/O, events are those of the counted action. */
struct compare_quality {
    int64_t selected, all;  /* events that pass the filter, and those of the traces; all is 0 where
                               no  filter is given */
    int64_t untimed, timed; /* of what latencies are counted of, without and with one */
    int64_t step; /* all times, more than 0 and no two of them the same, that were looked at
                     are multiples of it; 0: they were too few */
    bool hours[QUALITY_HOURS]; /* of the day, from the first event to the last … */
    bool has_hours;            /* … of traces that all have a wall clock */
    double joined;  /* share of pairs of issue and completion that join two requests, where events
                       are missing and the query looks at such times: an estimate */
    double counted; /* events that pass the filter, where rates matter … */
    double dispersion; /* … and how much more those of QUALITY_STRETCHES vary than if they
                          were independent (statistics_dispersion()) */
};

/* What to find out by a pass over the events. */
struct compare_quality_wanted {
    bool filter; /* how many events it leaves */
    bool times;  /* how finely they are measured */
    bool rates;  /* how evenly the events come */
};

/* While the report of the query is open. */
bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error);

/* A comparison while it is made: both sides, their rows, and the method that compares them. */

/* What is known of a side. */
struct compare_side {
    const struct query *query;                 /* borrowed */
    const struct catalog_trace *const *traces; /* owned array of borrowed traces */
    size_t trace_count;
    char *action;           /* owned; block I/O: the counted action; NULL: all, or none */
    const char *clock_unit; /* borrowed from a trace */
    double observed;        /* time from the first event to the last, of all traces, in that unit */
    struct compare_quality quality;    /* zeroed, where it is not looked at */
    struct notes notes;                /* owned; the report's own */
    struct column keys[QUERY_COLUMNS]; /* those of the key, as the report prints them */
    double totals[NUMBERS];            /* sums of the rows' numbers */
    int64_t *bounds;     /* owned; when each block of time but the first begins (blocks.h) */
    size_t bounds_count; /* blocks, 0: not cut */
};

struct compare_method_row;

/* What the rows are in a block of time: counts, which are added up, or the number of a row that is
 * compared for itself. */
struct compare_block {
    double *counts; /* borrowed, as all: by place */
    size_t count;
    const size_t *places; /* of each row of the table, by its number */
};

/* How far the sides are apart as a whole. */
struct compare_distance {
    const char *name;
    double value;
    bool is_headline; /* worth a row of the overview */
    double power;     /* of how far apart they are, that it grows with */
    double p;         /* that chance makes it as large; NAN: not known */
};

#define COMPARE_DISTANCES 8

struct comparison {
    bool is_itself; /* both sides are the same events */
    bool is_known;  /* how many events filters leave: it is not looked at again */
    struct workspace *workspace;
    const struct compare_request *request; /* both borrowed, but for: */
    struct compare_request both;           /* the request with what either side does not know */
    /* Asked when the method is known, before b is read; NULL: nothing is. */
    bool (*check)(const struct comparison *comparison, struct error *error);
    struct compare_side sides[SIDES];
    struct compare_names names;
    int64_t renamed[SIDES]; /* rows whose key has other names than the report (table.h) */
    const struct compare_method_row *method;
    struct compare_table table;
    struct compare_groups groups; /* of values */
    struct compare_tree tree;     /* of call trees */
    struct temp_schema *temp;     /* borrowed; tables of the report in hand … */
    struct compare_block *block;  /* its counts go there, not into the table; NULL: they do */
    enum compare_read reading;    /* … and what is read of its groups */
    double scale[SIDES];          /* what numbers are multiplied by, for --per */
    bool scaled;                  /* it is not 1 */
    struct compare_distance distances[COMPARE_DISTANCES];
    size_t distance_count;
    double means[SIDES];        /* sizes */
    double mean_low, mean_high; /* of their ratio; NAN: not known */
    struct notes notes;         /* owned; what the method says */
    struct notes mismatches;    /* owned; what makes the sides hard to compare */
};

/* Most columns behind those of the key. */
#define COMPARE_COLUMNS 16

/* Columns of a method; in pairs what there is of each side, b behind a. */
enum compare_cell {
    CELL_END, /* behind the last one of a method */
    CELL_A,
    CELL_B,
    CELL_SHARE_A,
    CELL_SHARE_B,
    CELL_RANK_A,
    CELL_RANK_B,
    CELL_CUMULATIVE_A,
    CELL_CUMULATIVE_B,
    CELL_BYTES_A,
    CELL_BYTES_B,
    CELL_RATE_A,
    CELL_RATE_B,
    CELL_SECONDS_A,
    CELL_SECONDS_B,
    CELL_CALLS_A,
    CELL_CALLS_B,
    CELL_SELF_A,
    CELL_SELF_B,
    CELL_TOTAL_A,
    CELL_TOTAL_B,
    CELL_OWN_A, /* self time of the row's path alone, as flame graph tools add it up */
    CELL_OWN_B,
    CELL_DELTA,
    CELL_DELTA_SHARE,
    CELL_DELTA_TOTAL,
    CELL_BY_CALLS,
    CELL_BY_MEAN,
    CELL_RANK_CHANGE,
    CELL_PART,
    CELL_STATUS,
    CELL_RATIO,
    CELL_LOW,
    CELL_HIGH,
    CELL_VERDICT,
    CELL_UNIT, /* of a and b, for machines; the last one of a method */
};

/* How rows are compared: one for each enum compare_method. */
struct compare_method_row {
    struct column keys[3]; /* where they are not those of the report; ends with a NULL name */
    enum compare_cell cells[COMPARE_COLUMNS]; /* columns behind those of the key */
    enum column_kind kind;                    /* of a, b and their delta */
    const char *pers;                         /* words that --per may be; "": none */
    enum compare_per usual_per;
    const char *sorts;            /* words that --sort may be */
    enum compare_sort usual_sort; /* SORT_USUAL: by the key, or as keeps_order says */
    bool keeps_given;             /* as the table */
    bool keeps_order;             /* rows come as they are in the report, unless they are sorted */
    bool is_tree;                 /* rows come as in a tree, in which siblings are sorted */
    /* Behind the last row: works out what rows have in common, and what there is to remark. */
    bool (*finish)(struct comparison *comparison, struct error *error);
};

extern const struct compare_method_row compare_counts, compare_sizes, compare_times, compare_clock,
    compare_rows, compare_values, compare_paths;

/* The column as it is printed. */
struct column compare_cell_column(const struct comparison *comparison, enum compare_cell cell);

/* Fills the values of these columns, up to CELL_END, which are zeroed before. */
void compare_fill(const struct comparison *comparison, const struct compare_row *row,
                  const enum compare_cell *cells, struct value *values);

/* Whether the row says how many values there are of a group. */
bool comparison_counts_values(const struct comparison *comparison, const struct compare_row *row);

/* What is compared of a group of values: quantiles, the largest, the mean, and behind these how
 * many there are. */
#define COMPARE_LEVELS      (DISTRIBUTION_QUANTILE_COUNT + 3)
#define COMPARE_LEVEL_COUNT (COMPARE_LEVELS - 1)
extern const char *const compare_levels[COMPARE_LEVELS];

/* Makes both reports and compares them: `comparison` is zeroed but for workspace and request, whose
 * transaction has begun. comparison_free() in any case. */
bool comparison_make(struct comparison *comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* Whether --only asks for the row, and of values, unless --all-quantiles does, it is one of those
 * that are usually looked at. */
bool comparison_wants(const struct comparison *comparison, const struct compare_row *row);

/* What numbers are given by. */
enum compare_per comparison_per(const struct comparison *comparison);

/* Makes a report of some of a side, and puts what it says of each row of the table into the block.
 */
bool compare_side_count(struct comparison *comparison, enum side side,
                        const struct report_request *request, struct compare_block *block,
                        struct error *error);

/* After the rows of a side with one trace: finds out when blocks of equal numbers of its selected
 * events begin (blocks.c). There are as many as the request says, but fewer where the events, or
 * what is counted of them where that is what rows say, would make less than DISTRIBUTION_LEAST in
 * one.
 */
bool shuffle_cut(struct comparison *comparison, enum side which, const struct selection *selection,
                 struct error *error);

/* What a side is called in messages: the name of its first trace. */
const char *compare_side_name(const struct compare_side *side);

/* Whether the sides can be compared at all; says so if not. */
bool compare_check(const struct comparison *comparison, struct error *error);

/* Whether what --weights asks for, if it is given, is among what is compared; says so if not. Of
 * several reports that is not asked. */
bool compare_check_costs(const struct comparison *comparison, struct error *error);

/* Adds to the mismatches: behind the last row. */
bool compare_mismatches(struct comparison *comparison, struct error *error);

/* --- for the methods -------------------------------------------------------------------------- */

/* Blocks that each side must have for anything to be said of chance: two where they are traces, and
 * several where one trace was cut. */
size_t compare_fewest_blocks(const struct comparison *comparison);

/* Whether both sides have several traces, so that these tell how much they differ by chance. */
bool compare_traces_tell(const struct comparison *comparison);

/* Verdict by the bounds of the ratio: the same where both are within the noise, a change where the
 * ratio is beyond it and both bounds are beyond 1, else unclear. What is 0 on a side needs none: it
 * is a change, or nothing on both. Without blocks, and of what is compared with itself, by effect.
 * Unclear, too, where compare_joins(). */
enum verdict compare_decide(const struct comparison *comparison, const struct compare_row *row);

/* From this share of pairs that join two requests, times get no verdict. */
#define COMPARE_JOINED 0.0005

/* Whether so many pairs of a side join two requests, for events are missing from its log: no
 * verdict is given then. */
bool compare_joins(const struct comparison *comparison);

/* Sets the verdict of each row. */
void compare_decide_all(struct comparison *comparison);

/* Sets bounds of a ratio, unless they are so far apart that they say nothing: a million times. */
void compare_bound(double low, double high, double *row_low, double *row_high);

/* Sets low, high, p and verdict of rows that are means, of which deviation and count are known: by
 * Welch's test, with the confidence asked for. Says so in the notes. */
void compare_means(struct comparison *comparison);

/* How likely a ratio is by chance, of which these are the bounds, with the confidence that was
 * asked for; not below what shuffles can tell. NAN: they are not known. */
double compare_p_of_bounds(const struct comparison *comparison, double ratio, double low,
                           double high);

/* Said where blocks of time depend on one another, of H. */
#define DEPENDENCE_REMARK                                                                          \
    "blocks of time are long-range dependent (Hurst parameter %.2f): bounds are wider and p "      \
    "larger"

/* Whether both sides are the same traces, maybe in other windows. */
bool compare_is_same(const struct comparison *comparison);

/* b / a; NAN where a is not larger than 0. */
double compare_ratio(double a, double b);

/* How many of the row there are in a second in which it was observed; NAN: it was not. */
double compare_rate(const struct compare_row *row, enum side side);

/* part / whole; 0 of nothing. */
double compare_share(double part, double whole);

extern const char *const compare_verdicts[];

#endif
