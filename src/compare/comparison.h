/* Quality of the events that a comparison selects: how many the filter leaves, how many have a
 * time, and the resolution of the times. */
#ifndef TRACETOOL_COMPARISON_H
#define TRACETOOL_COMPARISON_H

#include "compare/table.h"
#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/selection.h"

/* Limit of events, from the first trace, for finding the resolution of times. */
#define QUALITY_EVENTS 65536

/* Least number of distinct times for a statement on the clock's resolution. */
#define QUALITY_TIMES 3

/* Number of hours in a day. */
#define QUALITY_HOURS 24

/* Number of equal intervals per trace in which events are counted, to see how evenly they occur. */
#define QUALITY_STRETCHES 30

/* Quality of the events of one side. Zeroed: nothing is known. For block I/O, events are those of
 * the counted action, by default C (completion). */
struct compare_quality {
    int64_t selected, all;  /* events that pass the filter, and all events of the traces; all is 0
                               without a filter */
    int64_t untimed, timed; /* events without and with a latency */
    int64_t step;           /* resolution: all latencies above 0 are multiples of it; 0: unknown */
    bool hours[QUALITY_HOURS]; /* hours of the day from the first to the last event */
    bool has_hours;            /* true: `hours` are of the day: all traces have a wall clock */
    unsigned timeless; /* 1: the log's calls have no durations, or only interrupted calls have one,
                          but the query needs them; 2: a log of strace */
    double joined;  /* estimated share of I/Os with the issue of one request and the completion of
                       another, because events are missing */
    double counted; /* events that pass the filter; 0 if rates of events are not compared */
    double dispersion; /* variance of the counts of these events per interval, or per trace if that
                          is larger, divided by that of independent events */
    double *weights;   /* owned, if rates matter; for each trace, what its number of events is
                          expected to be in proportion to */
};

/* Which measurements to make. */
struct compare_quality_wanted {
    bool filter;     /* true: count the events that the filter selects */
    bool times;      /* true: find the resolution of the times */
    bool rates;      /* true: measure how evenly the events occur */
    bool per_second; /* true: longer traces are expected to have more events */
};

/* Measures the quality of a side's events. The query's report must be open. */
bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error);

/* A running comparison: both sides, their rows, and the method that compares them. */

/* A side of the comparison: its traces and what their report says. */
struct compare_side {
    const struct query *query;                 /* borrowed */
    const struct catalog_trace *const *traces; /* owned array of the side's traces (borrowed) */
    size_t trace_count;
    char *action; /* owned; action of block I/O that reports count; NULL: all, or no block I/O */
    const char *clock_unit; /* unit of times; borrowed from a trace */
    double observed;        /* time from first to last event in that unit, sum over the traces */
    struct compare_quality quality; /* quality of the data; zeroed if not measured */
    struct notes notes;             /* owned; # lines of the side's report */
    const char *number_key; /* name of the first key column if it holds numbers; else NULL */
    struct column keys[QUERY_COLUMNS]; /* columns that name a row, as the report prints them */
    double totals[NUMBERS];            /* sums of all rows' counts or times */
    int64_t *bounds;     /* owned; start times of the blocks of time but the first (blocks.h) */
    size_t bounds_count; /* number of blocks of time; 0: the trace is not divided */
};

struct compare_method_row;

/* Values of the table's rows in one block (an interval of time, or one of several traces). Counts
 * of a row are summed; with the method `rows`, there is one value per row. */
struct compare_block {
    double *counts; /* values of the rows, at the indices in `places`; borrowed, as all members */
    size_t count;
    const size_t *places; /* index in `counts` for each row of the table, by row number */
    double *calls;        /* number of calls, for rows with the time of calls; NULL: not wanted */
};

/* Values in each block, for rows that get confidence intervals. */
struct compare_spread {
    size_t rows, counts[SIDES]; /* number of rows, and of blocks of each side */
    double *values; /* owned; a's blocks, then b's, each with all rows; NAN: no number */
    double *calls;  /* owned; indexed like `values`: number of calls, if rows have calls */
};

/* A distance between the sides as a whole, such as the total variation distance. */
struct compare_distance {
    const char *name;
    double value;
    bool is_headline; /* true: the overview may print the distance */
    double power; /* a difference x times as large makes the distance x ^ power times as large */
    double p;     /* p-value: probability of a distance this large by chance; NAN: unknown */
};

#define COMPARE_DISTANCES 8

struct comparison {
    bool is_itself; /* true: both sides have the same events */
    bool is_known;  /* true: the number of events after filters is known already */
    struct workspace *workspace;
    const struct compare_request *request; /* borrowed */
    struct compare_request both; /* the request, without facts that only one side's logs state */
    /* Called before side b is read, when the method is known; may be NULL. */
    bool (*check)(const struct comparison *comparison, struct error *error);
    /* Called with each row of a side's report, values in the order of its columns; may be NULL. */
    void (*visit)(void *context, enum side side, const struct result *result,
                  const struct value *values);
    void *context; /* first argument of `visit`; borrowed */
    struct compare_side sides[SIDES];
    struct compare_names names;
    int64_t renamed[SIDES]; /* rows of each side whose key has a replaced name (table.h) */
    const struct compare_method_row *method;
    struct compare_table table;
    struct compare_groups groups; /* groups of values of both sides, such as latencies of reads */
    struct compare_tree tree;     /* call trees of both sides */
    struct temp_schema *temp;     /* borrowed; temporary tables of the current report */
    struct compare_spread spread; /* values of rows by block, if rows have confidence intervals */
    struct compare_block *block;  /* where the counts of the report's rows go; NULL: into `table` */
    enum compare_read reading;    /* what is read of these groups now: sums, or values by block */
    double scale[SIDES];          /* what to multiply a side's numbers by, for --per */
    bool scaled;                  /* true: a factor in `scale` is not 1 */
    struct compare_distance distances[COMPARE_DISTANCES];
    size_t distance_count;
    bool lists_untimed;         /* method `times`: some rows have calls without a time */
    double means[SIDES];        /* mean sizes of the I/Os or calls of each side */
    double mean_low, mean_high; /* confidence bounds of the ratio of `means`; NAN: unknown */
    struct notes notes;         /* owned; # lines that the method adds */
    struct notes mismatches;    /* owned; # lines on why the sides are hard to compare */
};

/* Limit of the columns that follow the key of a row. */
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
    CELL_OWN_A, /* self time of this call path alone, as flame graph tools sum it */
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
    CELL_UNIT, /* unit of the values, for tsv; a method's last column */
};

/* A method of comparing rows, one for each enum compare_method. */
struct compare_method_row {
    struct column keys[3]; /* key columns if they differ from the report's; ends with a NULL name */
    enum compare_cell cells[COMPARE_COLUMNS]; /* columns that follow the key; ends with CELL_END */
    enum column_kind kind;                    /* kind of the values of a, b and their difference */
    const char *pers;                         /* words that the method allows for --per; "": none */
    enum compare_per usual_per;
    const char *sorts;            /* words that the method allows for --sort */
    enum compare_sort usual_sort; /* order without --sort; SORT_USUAL: by key, or see keeps_order */
    bool keeps_given; /* whether rows keep the report's values (compare_table.keeps_given) */
    bool keeps_order; /* true: rows stay in the report's order unless --sort is given */
    bool is_tree;     /* true: rows are paths of a call tree, and siblings are sorted */
    /* Called after the last row was read: computes distances and bounds, and adds # lines. */
    bool (*finish)(struct comparison *comparison, struct error *error);
};

extern const struct compare_method_row compare_counts, compare_sizes, compare_times, compare_clock,
    compare_rows, compare_values, compare_paths;

/* Returns the description of a column, as it is printed. */
struct column compare_cell_column(const struct comparison *comparison, enum compare_cell cell);

/* Sets the values of the columns `cells`, up to CELL_END, for a row. The caller has zeroed them. */
void compare_fill_cells(const struct comparison *comparison, const struct compare_row *row,
                        const enum compare_cell *cells, struct value *values);

/* Returns whether the row holds the number of values of a group. */
bool comparison_counts_values(const struct comparison *comparison, const struct compare_row *row);

/* Returns whether the row is a quantile that is printed only with --all-quantiles. */
bool comparison_hides_level(const struct comparison *comparison, const struct compare_row *row);

/* Names of the rows of a group of values: quantiles, maximum, mean, and the number of values. */
#define COMPARE_LEVELS      (DISTRIBUTION_QUANTILE_COUNT + 3)
#define COMPARE_LEVEL_COUNT (COMPARE_LEVELS - 1)
extern const char *const compare_levels[COMPARE_LEVELS];

/* Runs both reports and compares them. `comparison` is zeroed except workspace and request; the
 * workspace's transaction has begun. Call comparison_free() in any case. */
bool comparison_make(struct comparison *comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* Returns whether the row is printed: neither --only nor comparison_hides_level() excludes it. */
bool comparison_prints_row(const struct comparison *comparison, const struct compare_row *row);

/* Returns what numbers are divided by: --per, or the method's default. */
enum compare_per comparison_per(const struct comparison *comparison);

/* Runs the report on part of a side, such as a block; stores the rows' values in `block`. */
bool compare_side_read_block(struct comparison *comparison, enum side side,
                             const struct report_request *request, struct compare_block *block,
                             struct error *error);

/* Divides a side with one trace into blocks of time with equal numbers of selected events
 * (blocks.c), after its rows were read. Makes as many blocks as requested, but each has at least
 * DISTRIBUTION_LEAST events, or counted values if rows count. */
bool shuffle_cut_into_blocks(struct comparison *comparison, enum side which,
                             const struct selection *selection, struct error *error);

/* Returns a side's name for messages: the name of its first trace. */
const char *compare_side_name(const struct compare_side *side);

/* Checks that the sides are comparable; sets `error` if not. */
bool compare_check(const struct comparison *comparison, struct error *error);

/* Checks that the report has the costs of --weights, if given. Always true if several reports are
 * compared. */
bool compare_check_costs(const struct comparison *comparison, struct error *error);

/* Adds reasons why the sides are hard to compare that need all rows of both sides. */
bool compare_add_mismatches(struct comparison *comparison, struct error *error);

/* --- functions that methods of comparing share ------------------------------------------------ */

/* Returns the number of blocks that each side needs for statements on chance: two if they are
 * traces, several if they are parts of one trace. */
size_t compare_fewest_blocks(const struct comparison *comparison);

/* Returns whether both sides have several traces, whose differences show the variation by chance.
 */
bool compare_has_several_traces(const struct comparison *comparison);

/* Returns whether both sides have several traces, but too few for a p-value of METRIC_CHANCE. Then
 * no change is significant, whatever its bounds. Does not apply to Welch's test on means. */
bool compare_traces_are_few(const struct comparison *comparison);

/* Adds a # line if compare_traces_are_few(). */
void compare_note_few(const struct comparison *comparison, struct notes *notes);

/* Decides the verdict of a row by the confidence bounds of its ratio b / a. "same": both bounds are
 * within --noise. A change: the ratio is beyond the noise and the bounds do not enclose 1.
 * Otherwise "unclear", also if traces are few. By the ratio alone if a side is 0, with --blocks 0,
 * or if both sides are the same events. Always "unclear" if compare_pairs_wrongly(). */
enum verdict compare_decide_verdict(const struct comparison *comparison,
                                    const struct compare_row *row);

/* Times get no verdict if at least this share of I/Os is paired from two requests. */
#define COMPARE_JOINED 0.0005

/* Returns whether at least COMPARE_JOINED of a side's I/Os are paired wrongly because its log lacks
 * events. Then times get no verdict. */
bool compare_pairs_wrongly(const struct comparison *comparison);

/* Sets the verdict of each row. */
void compare_decide_all(struct comparison *comparison);

/* Sets the bounds of a ratio. They become NAN if the upper one is over a million times the lower:
 * such bounds say nothing. */
void compare_set_bounds(double low, double high, double *row_low, double *row_high);

/* Returns the smallest p-value that shuffles can show: of so many resamples, and of so many traces.
 */
double compare_least_p(const struct comparison *comparison);

/* Returns the p-value of a ratio, from its bounds at the requested confidence level. It is not
 * below compare_least_p(). NAN if the bounds are unknown. */
double compare_p_of_bounds(const struct comparison *comparison, double ratio, double low,
                           double high);

/* # line on blocks of time that are correlated over long times; the parameter is H. */
#define DEPENDENCE_REMARK                                                                          \
    "blocks of time are long-range dependent (Hurst parameter %.2f): confidence "                  \
    "intervals and p-values are enlarged for it"

/* Returns whether the method compares durations. */
bool compare_is_of_times(const struct comparison *comparison);

/* Returns whether times cannot be compared, since a log has no durations of calls. */
bool compare_lacks_times(const struct comparison *comparison);

/* Returns whether both sides are the same traces, possibly in different windows. */
bool compare_sides_are_same(const struct comparison *comparison);

/* Returns b / a; NAN if a is not above 0. */
double compare_ratio(double a, double b);

/* Returns the row's count per second of observed time; NAN if that time is 0. */
double compare_rate(const struct compare_row *row, enum side side);

/* Returns part / whole; 0 if the whole is 0. */
double compare_share(double part, double whole);

extern const char *const compare_verdicts[];

#endif
