/* Quality of a selection's events: how many a filter leaves, how many have a time, and the
 * resolution of the times. */
#ifndef TRACETOOL_COMPARISON_H
#define TRACETOOL_COMPARISON_H

#include "compare/table.h"
#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/selection.h"

/* Limit of events of the first trace whose times are read. */
#define QUALITY_EVENTS 65536

/* Least number of distinct times from which the clock's resolution is inferred. */
#define QUALITY_TIMES 3

/* Hours of a day. */
#define QUALITY_HOURS 24

/* Number of intervals per trace in which events are counted. */
#define QUALITY_STRETCHES 30

/* Quality of a side's data. Zeroed: nothing is known. For block I/O, events are those of the
 * counted action. */
struct compare_quality {
    int64_t selected, all;  /* events that pass the filter, and all events of the traces; all is 0
                               without a filter */
    int64_t untimed, timed; /* counted events without and with a latency */
    int64_t step; /* resolution: all distinct times above 0 that were read are multiples of it; 0:
                     too few times */
    bool hours[QUALITY_HOURS]; /* hours of the day from the first to the last event */
    bool has_hours;            /* `hours` is set: all traces have a wall clock */
    unsigned timeless; /* a log of calls has no durations, or only of interrupted calls, and the
                          query uses them; 2: one of strace */
    double joined;  /* estimated share of issue-completion pairs that join two requests, if events
                       are missing and the query uses such times */
    double counted; /* events that pass the filter, if rates matter */
    double dispersion; /* variance of the counts of these events in QUALITY_STRETCHES, relative to
                          that of independent events (statistics_dispersion()) */
};

/* The measurements to make in a pass over the events. */
struct compare_quality_wanted {
    bool filter; /* true: count the events that the filter selects */
    bool times;  /* resolution of the times */
    bool rates;  /* true: measure how evenly the events occur */
};

/* Measures the quality. The query's report must be open. */
bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error);

/* A running comparison: both sides, their rows, and the method that compares them. */

/* A side of the comparison. */
struct compare_side {
    const struct query *query;                 /* borrowed */
    const struct catalog_trace *const *traces; /* owned array of borrowed traces */
    size_t trace_count;
    char *action; /* owned; block I/O: the counted action; NULL: all actions, or not block I/O */
    const char *clock_unit; /* unit of times; borrowed from a trace */
    double observed;        /* time from the first event to the last, of all traces, in that unit */
    struct compare_quality quality; /* quality of the data; zeroed if not measured */
    struct notes notes;             /* owned; notes of the side's report */
    const char *number_key; /* name of the first column of the key if that is a number; else NULL */
    struct column keys[QUERY_COLUMNS]; /* columns of the key, as the report prints them */
    double totals[NUMBERS];            /* sums of the rows' numbers */
    int64_t *bounds;     /* owned; start times of all blocks of time but the first (blocks.h) */
    size_t bounds_count; /* number of blocks; 0: the trace is not divided */
};

struct compare_method_row;

/* The rows in a block of time: counts, which are summed, or the number of a row that is compared
 * independently. */
struct compare_block {
    double *counts; /* indexed by place; borrowed, as all members */
    size_t count;
    const size_t *places; /* place of each row of the table, by row number */
    double *calls; /* for rows with the time of calls, the number of these; NULL: not wanted */
};

/* Values of independent rows in each block. */
struct compare_spread {
    size_t rows, counts[SIDES]; /* rows, and blocks of each side */
    double *values; /* owned; a's blocks, then b's, each with all rows by number; NAN: missing or
                       not a number */
    double *calls;  /* owned; indexed like `values`. For rows with the time of calls, the number of
                       these */
};

/* A distance between the sides as a whole. */
struct compare_distance {
    const char *name;
    double value;
    bool is_headline; /* worth a row of the overview */
    double power;     /* the distance grows with this power of the difference between the sides */
    double p;         /* probability that chance makes the distance as large; NAN: unknown */
};

#define COMPARE_DISTANCES 8

struct comparison {
    bool is_itself; /* both sides are the same events */
    bool is_known;  /* the number of events after filters is known; do not count again */
    struct workspace *workspace;
    const struct compare_request *request; /* both borrowed, except: */
    struct compare_request both; /* the request with the values missing on either side filled in */
    /* Called when the method is known, before b is read; may be NULL. */
    bool (*check)(const struct comparison *comparison, struct error *error);
    /* Called with each row of a side, whose values are in the order of its columns; may be NULL. */
    void (*visit)(void *context, enum side side, const struct result *result,
                  const struct value *values);
    void *context; /* first argument of `visit`; borrowed */
    struct compare_side sides[SIDES];
    struct compare_names names;
    int64_t renamed[SIDES]; /* rows with names replaced in their key (table.h) */
    const struct compare_method_row *method;
    struct compare_table table;
    struct compare_groups groups; /* groups of values of both sides */
    struct compare_tree tree;     /* call trees of both sides */
    struct temp_schema *temp;     /* borrowed; temporary tables of the current report */
    struct compare_spread spread; /* values by block, if rows have intervals */
    struct compare_block *block;  /* receives the report's counts; NULL: the table does */
    enum compare_read reading;    /* part of the report's groups to read */
    double scale[SIDES];          /* factors of the numbers, for --per */
    bool scaled;                  /* true: some factor is not 1 */
    struct compare_distance distances[COMPARE_DISTANCES];
    size_t distance_count;
    bool lists_untimed;         /* times: some rows have calls without a time */
    double means[SIDES];        /* mean sizes of I/Os or calls */
    double mean_low, mean_high; /* bounds of the ratio of means; NAN: unknown */
    struct notes notes;         /* owned; notes of the method */
    struct notes mismatches;    /* owned; differences that make the sides hard to compare */
};

/* Limit of columns after the key. */
#define COMPARE_COLUMNS 16

/* Columns of a method; columns of the sides come in pairs, a before b. */
enum compare_cell {
    CELL_END, /* terminates a method's columns */
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
    CELL_OWN_A, /* self time of the path alone, as flame graph tools sum it */
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
    CELL_UNIT, /* unit of a and b, for machines; a method's last column */
};

/* A method of comparing rows, one for each enum compare_method. */
struct compare_method_row {
    struct column keys[3]; /* key columns if they differ from the report's; ends with a NULL name */
    enum compare_cell cells[COMPARE_COLUMNS]; /* columns after the key */
    enum column_kind kind;                    /* kind of a, b and their delta */
    const char *pers;                         /* words allowed for --per; "": none */
    enum compare_per usual_per;
    const char *sorts;            /* words allowed for --sort */
    enum compare_sort usual_sort; /* SORT_USUAL: by the key, or by keeps_order */
    bool keeps_given;             /* value of compare_table.keeps_given */
    bool keeps_order;             /* rows keep the report's order unless sorted */
    bool is_tree;                 /* rows form a tree whose siblings are sorted */
    /* Called after the last row: computes results common to all rows, and adds remarks. */
    bool (*finish)(struct comparison *comparison, struct error *error);
};

extern const struct compare_method_row compare_counts, compare_sizes, compare_times, compare_clock,
    compare_rows, compare_values, compare_paths;

/* Returns the column as it is printed. */
struct column compare_cell_column(const struct comparison *comparison, enum compare_cell cell);

/* Sets the values of `cells`, up to CELL_END. The caller has zeroed them. */
void compare_fill(const struct comparison *comparison, const struct compare_row *row,
                  const enum compare_cell *cells, struct value *values);

/* Returns whether the row is the number of values of a group. */
bool comparison_counts_values(const struct comparison *comparison, const struct compare_row *row);

/* Returns whether the row is a quantile that is printed only with --all-quantiles. */
bool comparison_hides_level(const struct comparison *comparison, const struct compare_row *row);

/* Compared levels of a group of values: quantiles, maximum and mean, followed by the number of
 * values. */
#define COMPARE_LEVELS      (DISTRIBUTION_QUANTILE_COUNT + 3)
#define COMPARE_LEVEL_COUNT (COMPARE_LEVELS - 1)
extern const char *const compare_levels[COMPARE_LEVELS];

/* Runs both reports and compares them. `comparison` is zeroed except workspace and request; the
 * workspace's transaction has begun. Call comparison_free() in any case. */
bool comparison_make(struct comparison *comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* Returns whether the row is printed: --only includes it, and its level is one of the usual ones or
 * --all-quantiles is given. */
bool comparison_wants(const struct comparison *comparison, const struct compare_row *row);

/* Returns the unit that numbers are given per. */
enum compare_per comparison_per(const struct comparison *comparison);

/* Runs a report on part of a side, and stores the numbers of the table's rows in the block. */
bool compare_side_count(struct comparison *comparison, enum side side,
                        const struct report_request *request, struct compare_block *block,
                        struct error *error);

/* Divides a side with one trace into blocks of equal numbers of selected events, after its rows
 * were read (blocks.c). There are as many blocks as requested, but each has at least
 * DISTRIBUTION_LEAST events, or counted values if rows count. */
bool shuffle_cut(struct comparison *comparison, enum side which, const struct selection *selection,
                 struct error *error);

/* Returns a side's name for messages: the name of its first trace. */
const char *compare_side_name(const struct compare_side *side);

/* Checks that the sides are comparable; sets `error` if not. */
bool compare_check(const struct comparison *comparison, struct error *error);

/* Checks that the report has the costs of --weights, if given. Always true if several reports are
 * compared. */
bool compare_check_costs(const struct comparison *comparison, struct error *error);

/* Adds to `mismatches` what is known after the last row. */
bool compare_mismatches(struct comparison *comparison, struct error *error);

/* --- for the methods -------------------------------------------------------------------------- */

/* Returns the number of blocks that each side needs for statements on chance: two if they are
 * traces, several if they are parts of one trace. */
size_t compare_fewest_blocks(const struct comparison *comparison);

/* Returns whether both sides have several traces, whose differences show the variation by chance.
 */
bool compare_has_several_traces(const struct comparison *comparison);

/* Returns whether both sides have several traces, but too few for a p-value of METRIC_CHANCE: then
 * no change is beyond chance, whatever the bounds. Means by Welch's test do not depend on it. */
bool compare_traces_are_few(const struct comparison *comparison);

/* Adds a note if compare_traces_are_few(). */
void compare_note_few(const struct comparison *comparison, struct notes *notes);

/* Decides the verdict of a row by the bounds of its ratio. "same": both bounds are within the
 * noise. A change: the ratio is beyond the noise and both bounds are on its side of 1. Otherwise
 * "unclear", as is a change if traces are few. By effect alone if a side is 0, without blocks, or
 * if both sides are the same events. Always "unclear" if compare_joins(). */
enum verdict compare_decide(const struct comparison *comparison, const struct compare_row *row);

/* At this share of pairs that join two requests, or above, times get no verdict. */
#define COMPARE_JOINED 0.0005

/* Returns whether a side has a share of COMPARE_JOINED or more because its log lacks events. Then
 * there is no verdict. */
bool compare_joins(const struct comparison *comparison);

/* Sets the verdict of each row. */
void compare_decide_all(struct comparison *comparison);

/* Sets the bounds of a ratio. They become NAN if they are more than a factor of a million apart,
 * and so uninformative. */
void compare_bound(double low, double high, double *row_low, double *row_high);

/* Returns the p-value of a ratio with these bounds at the requested confidence level. It is at
 * least the smallest p-value that shuffles can show, of few traces, too. NAN if the bounds are
 * unknown. */
double compare_p_of_bounds(const struct comparison *comparison, double ratio, double low,
                           double high);

/* Remark for blocks of time that depend on one another; its parameter is H. */
#define DEPENDENCE_REMARK                                                                          \
    "blocks of time are long-range dependent (Hurst parameter %.2f): confidence "                  \
    "intervals and p-values are enlarged for it"

/* Returns whether the method compares durations. */
bool compare_is_of_times(const struct comparison *comparison);

/* Returns whether times cannot be compared, since a log has no durations of calls. */
bool compare_lacks_times(const struct comparison *comparison);

/* Returns whether both sides are the same traces, possibly in different windows. */
bool compare_is_same(const struct comparison *comparison);

/* Returns b / a; NAN if a is not above 0. */
double compare_ratio(double a, double b);

/* Returns the row's count per observed second; NAN if it was not observed. */
double compare_rate(const struct compare_row *row, enum side side);

/* Returns part / whole; 0 if the whole is 0. */
double compare_share(double part, double whole);

extern const char *const compare_verdicts[];

#endif
