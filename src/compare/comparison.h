/* Quality of the events that a comparison selects: how many pass the filter, how many have a
 * duration, and the resolution of the durations. */
#ifndef TRACETOOL_COMPARISON_H
#define TRACETOOL_COMPARISON_H

#include "compare/table.h"
#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/selection.h"

/* Limit of events of the first trace that are read to find the resolution of times. */
#define QUALITY_EVENTS 65536

/* A clock resolution is stated only if there are at least this many different times. */
#define QUALITY_TIMES 3

/* Number of hours in a day. */
#define QUALITY_HOURS 24

/* Number of equal intervals per trace in which events are counted, to see how bursty they are. */
#define QUALITY_STRETCHES 30

/* Quality of the events of one side; zeroed: unknown. Of block I/O, only events with the counted
 * action (by default C, completion) are counted. */
struct compare_quality {
    int64_t selected, all; /* selected: number of events that pass the filter; all: of all events, 0
                              if there is no filter */
    int64_t untimed, timed; /* number of events, untimed: without a latency; timed: with one */
    int64_t step; /* resolution in ns: all latencies above 0 are multiples of it; 0: unknown */
    bool hours[QUALITY_HOURS]; /* true for each hour of the day from the first to the last event */
    bool has_hours;            /* true: `hours` is known, because all traces have a wall clock */
    unsigned timeless;         /* 0: durations are known or not needed; 1: no call has one, or only
                                  interrupted calls; 2: as 1, in a log of strace */
    double joined;     /* estimated share of I/Os wrongly paired, because events are missing */
    double counted;    /* number of events that pass the filter; 0: none, or not wanted */
    double dispersion; /* variance of the event counts per interval (or per trace, if larger),
                          divided by the variance of independent events */
    double *weights;   /* owned; expected share of each trace in the events; NULL if rates are not
                          needed */
};

/* Which measurements of a side's events to make. */
struct compare_quality_wanted {
    bool filter;     /* true: count the events that pass the filter */
    bool times;      /* true: find the resolution of the times */
    bool rates;      /* true: measure how bursty events are */
    bool per_second; /* true: the expected number of events is proportional to a trace's time;
                        false: equal */
};

/* Measures the quality of a side's events. The query's report must be open. */
bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error);

/* State of a comparison: both sides, their rows, and the method that compares them. */

/* A side of the comparison: its traces and the rows of its report. */
struct compare_side {
    const struct query *query;                 /* borrowed */
    const struct catalog_trace *const *traces; /* array owned, the traces of the side borrowed */
    size_t trace_count;
    char *action; /* owned; counted action of block I/O, such as C; NULL: all, or no block I/O */
    const char *clock_unit; /* unit of times; borrowed from a trace */
    double observed; /* time from first to last event in clock_unit, summed over the traces */
    struct compare_quality quality; /* quality of the data; zeroed if not measured */
    struct notes notes;             /* owned; comment lines of the side's report */
    const char *number_key; /* name of the first key column if it holds numbers; else NULL */
    struct column keys[QUERY_COLUMNS]; /* key columns of the report, which name a row */
    double totals[NUMBERS];            /* sums of all rows' counts or times */
    int64_t *bounds;     /* owned; start times of blocks 1, 2, … of time (blocks.h) */
    size_t bounds_count; /* number of blocks of time; 0: the trace is not divided */
};

struct compare_method_row;

/* Values of the table's rows in one block (an interval of time, or one of several traces). Counts
 * of a row are added up; with the method `rows`, a row has one value. */
struct compare_block {
    double *counts; /* values of rows, at the indices in `places`; all pointers borrowed */
    size_t count;
    const size_t *places; /* index in `counts` for each row of the table, by row number */
    double *calls;        /* number of calls of each row, if values are times of calls; or NULL */
};

/* Values of rows in each block, from which confidence intervals are computed. */
struct compare_block_values {
    size_t rows, counts[SIDES]; /* rows: number of rows; counts: number of blocks of each side */
    double *values; /* owned; a's blocks, then b's, each with all rows; NAN: no number */
    double *calls;  /* owned; indexed like `values`: number of calls, if rows have calls */
};

/* A distance between the sides as a whole, such as the total variation distance. */
struct compare_distance {
    const char *name;
    double value;
    bool is_headline; /* true: the overview of all reports may print the distance */
    double power;     /* if all differences grow by a factor x, the distance grows by x ^ power */
    double p; /* p-value: probability of a distance at least this large by chance; NAN: unknown */
};

#define COMPARE_DISTANCES 8

struct comparison {
    bool is_itself; /* true: both sides have the same events, so that all differences are 0 */
    bool is_known;  /* true: the number of events that pass the filter is known already */
    struct workspace *workspace;
    const struct compare_request *request; /* borrowed */
    struct compare_request both; /* copy of `request` without data that only one side's logs have */
    /* Called after side a was read, before side b, when the method is known; may be NULL. */
    bool (*check)(const struct comparison *comparison, struct error *error);
    /* Called with each row of a side's report, values in the order of its columns; may be NULL. */
    void (*visit)(void *context, enum side side, const struct result *result,
                  const struct value *values);
    void *context; /* first argument of `visit`; borrowed */
    struct compare_side sides[SIDES];
    struct compare_names names;
    int64_t renamed[SIDES]; /* number of rows of each side with a replaced name in their key */
    const struct compare_method_row *method;
    struct compare_table table;
    struct compare_groups groups; /* groups of values of both sides, such as latencies of reads */
    struct compare_tree tree;     /* call trees of both sides */
    struct temp_schema *temp;     /* borrowed; temporary tables of the report that is being read */
    struct compare_block_values spread; /* values of rows in each block, for confidence intervals */
    struct compare_block *block;        /* destination of the rows' values; NULL: `table` */
    enum compare_read reading; /* what to read of `groups`: values of the side or of each block */
    double scale[SIDES];       /* factor for the numbers of each side, from --per */
    bool scaled;               /* true: a factor in `scale` differs from 1 */
    struct compare_distance distances[COMPARE_DISTANCES];
    size_t distance_count;
    bool lists_untimed;  /* method `times`: true if some rows have calls without a duration */
    double means[SIDES]; /* mean sizes of the I/Os or calls of each side in bytes */
    double mean_low, mean_high; /* confidence bounds of the ratio of `means`; NAN: unknown */
    struct notes notes;         /* owned; comment lines of the method that compares */
    struct notes mismatches;    /* owned; comment lines on doubts about the comparison */
};

/* Limit of columns in addition to the key of a row. */
#define COMPARE_COLUMNS 16

/* Columns that a method can print. A quantity of both sides has two columns, a's before b's. */
enum compare_cell {
    CELL_END, /* ends the list of a method's columns */
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
    CELL_OWN_A, /* self time of this path alone, since flame graph tools add callees */
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
    CELL_UNIT, /* unit of the values, printed only in tsv; always the last column of a method */
};

/* A method of comparing rows, one for each enum compare_method. */
struct compare_method_row {
    struct column keys[3]; /* key columns, if they differ from the report's; ended by a NULL name */
    enum compare_cell cells[COMPARE_COLUMNS]; /* columns after the key; ended by CELL_END */
    enum column_kind kind;                    /* kind of columns a, b and delta */
    const char *pers; /* allowed words of --per, separated by spaces; "": none */
    enum compare_per usual_per;
    const char *sorts;            /* allowed words of --sort, separated by spaces */
    enum compare_sort usual_sort; /* order without --sort; SORT_USUAL: by key, or in the report's
                                     order with keeps_order */
    bool keeps_given; /* true: rows keep the report's values (compare_table.keeps_given) */
    bool keeps_order; /* true: rows stay in the report's order unless --sort is given */
    bool is_tree;     /* true: rows are paths of a call tree; only siblings are sorted */
    /* Called after the last row was read: computes distances and bounds, and adds comment lines. */
    bool (*finish)(struct comparison *comparison, struct error *error);
};

extern const struct compare_method_row compare_counts, compare_sizes, compare_times, compare_clock,
    compare_rows, compare_values, compare_paths;

/* Returns name, unit and kind of a column. */
struct column compare_cell_column(const struct comparison *comparison, enum compare_cell cell);

/* Sets a row's values of the columns `cells`, up to CELL_END. The caller has zeroed `values`. */
void compare_fill_cells(const struct comparison *comparison, const struct compare_row *row,
                        const enum compare_cell *cells, struct value *values);

/* Returns whether the row is the number of values in a group (figure "n"). */
bool comparison_counts_values(const struct comparison *comparison, const struct compare_row *row);

/* Returns whether the row is a quantile that is printed only with --all-quantiles. */
bool comparison_hides_level(const struct comparison *comparison, const struct compare_row *row);

/* Figures of a group, one row each: quantiles, maximum, mean, and the number of values. */
#define COMPARE_LEVELS      (DISTRIBUTION_QUANTILE_COUNT + 3)
#define COMPARE_LEVEL_COUNT (COMPARE_LEVELS - 1)
extern const char *const compare_levels[COMPARE_LEVELS];

/* Runs both reports and compares their rows. The caller zeroes `comparison` except workspace and
 * request, and has begun the workspace's transaction. Call comparison_free() also on failure. */
bool comparison_make(struct comparison *comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* Returns whether the row is printed: neither --only nor comparison_hides_level() excludes it. */
bool comparison_prints_row(const struct comparison *comparison, const struct compare_row *row);

/* Returns the unit that numbers are divided by: --per, or the method's default. */
enum compare_per comparison_per(const struct comparison *comparison);

/* Runs the report on part of a side, such as a block, and stores the rows' values in `block`. */
bool compare_side_read_block(struct comparison *comparison, enum side side,
                             const struct report_request *request, struct compare_block *block,
                             struct error *error);

/* Divides a side with one trace into blocks of time with equal numbers of selected events
 * (blocks.c). Call it after the rows were read. Makes as many blocks as requested, but with at
 * least DISTRIBUTION_LEAST events each (if rows are counts: counted values each). */
bool compare_side_split_into_blocks(struct comparison *comparison, enum side which,
                                    const struct selection *selection, struct error *error);

/* Returns a side's name for messages: the name of its first trace. */
const char *compare_side_name(const struct compare_side *side);

/* Checks that both sides are of one kind of trace. Returns false with `error` set if not. */
bool compare_check_kinds(const struct comparison *comparison, struct error *error);

/* Checks that the sides of one kind can be compared, such as the same unit of times and clock.
 * Returns false with `error` set if not. */
bool compare_check_comparable(const struct comparison *comparison, struct error *error);

/* Checks that the report uses the costs given with --weights. Always true without --weights, or if
 * several reports are compared. */
bool compare_check_weights_used(const struct comparison *comparison, struct error *error);

/* Adds comment lines on those doubts about the comparison that only the rows of both sides show. */
bool compare_add_mismatches(struct comparison *comparison, struct error *error);

/* --- functions that methods of comparing share ------------------------------------------------ */

/* Returns the number of blocks that each side needs for p-values and confidence intervals: 2 if
 * blocks are traces, DISTRIBUTION_FEWEST if they are intervals of one trace. */
size_t compare_fewest_blocks(const struct comparison *comparison);

/* Returns whether both sides have several traces, so that chance variation can be estimated. */
bool compare_has_several_traces(const struct comparison *comparison);

/* Returns whether both sides have several traces, but too few for a p-value of METRIC_CHANCE. Then
 * no change is significant, whatever its bounds. False if means are compared by Welch's test. */
bool compare_has_too_few_traces(const struct comparison *comparison);

/* Adds a comment line if compare_has_too_few_traces(). */
void compare_note_few(const struct comparison *comparison, struct notes *notes);

/* Returns whether rows without bounds are sums and the like, not single values of a benchmark. */
bool compare_has_sums(const struct comparison *comparison);

/* Decides the verdict of a row by the confidence bounds of its ratio b / a. "same": both bounds are
 * within --noise, or a sum without bounds is equal. "more" or "less": the ratio is beyond --noise
 * and the bounds do not enclose 1. Else "unclear", also if compare_has_too_few_traces(). Decides by
 * the ratio alone if b is 0, with --blocks 0, or if both sides are the same events. Always
 * "unclear" if compare_has_mispaired_ios(). */
enum verdict compare_decide_verdict(const struct comparison *comparison,
                                    const struct compare_row *row);

/* Times get no verdict if at least this share of I/Os has the issue of one request and the
 * completion of another. */
#define COMPARE_JOINED 0.0005

/* Returns true if missing events make COMPARE_JOINED of a side's I/Os, or more, wrongly paired.
 * Then times get no verdict. */
bool compare_has_mispaired_ios(const struct comparison *comparison);

/* Sets the verdicts of all rows. */
void compare_decide_all(struct comparison *comparison);

/* Sets the bounds of a ratio. Useless bounds, more than a factor of a million apart, become NAN. */
void compare_set_bounds(double low, double high, double *row_low, double *row_high);

/* Returns the smallest possible p-value, given the number of resamples and of traces. */
double compare_min_p_value(const struct comparison *comparison);

/* Returns the p-value of a ratio, from its bounds at the requested confidence level; at least
 * compare_min_p_value(). NAN if the bounds are unknown. */
double compare_p_value_from_bounds(const struct comparison *comparison, double ratio, double low,
                                   double high);

/* Comment line on blocks of time with long-range correlation; %.2f is the Hurst parameter. */
#define DEPENDENCE_REMARK                                                                          \
    "blocks of time are long-range dependent (Hurst parameter %.2f): confidence "                  \
    "intervals and p-values are enlarged for it"

/* Returns whether the method compares durations. */
bool compare_uses_durations(const struct comparison *comparison);

/* Returns whether times cannot be compared, because a side's log has no durations of calls. */
bool compare_lacks_durations(const struct comparison *comparison);

/* Returns whether both sides are the same traces, possibly with different time windows. */
bool compare_sides_are_same(const struct comparison *comparison);

/* Returns b / a; NAN if a is not above 0. */
double compare_ratio(double a, double b);

/* Returns the row's events per second of observed time; NAN if that time is 0. */
double compare_rate(const struct compare_row *row, enum side side);

/* Returns part / whole; 0 if the whole is 0. */
double compare_share(double part, double whole);

extern const char *const compare_verdicts[];

#endif
