/* Query files: a report is an SQL file with a header; the program knows no report by name.
 *
 * The header is the comment lines at the top:
 *
 *     -- report: popularity                 name on the command line
 *     -- title: Popularity of operations
 *     -- kinds: calls io spans              supported kinds of trace
 *     -- formats: mobigen                   only for these formats; preferred to a general file
 *     -- when: of = application             selected by --of application;
 *                                           `when: of = operation by default`: also without --of;
 *                                           `when: timeline`: selected by --timeline;
 *                                           `when: picture`: selected when a plot is drawn
 *     -- options: of mark                   report options it takes, besides the common ones
 *     -- tally: operation                   analyses whose tables it reads, by name (analysis.h),
 *                                           as temp.tally_operation. NAME? runs only if a filter
 *                                           selects events, and is empty for whole traces
 *     -- events: yes                        reads temp.selected_event
 *     -- actions: all                       block I/O: all actions, not only the counted one
 *     -- needs: reference address=sector    a required option; a required meaning of a column
 *                                           of `event` (tracetool-schema(7))
 *     -- after: io                          if no trace is named, or a name matches all traces of
 *                                           a log: only used if none has one of these kinds
 *     -- instead: files --by process        alternative report, with or without an option, for
 *                                           unsupported traces; at most 4 lines
 *     -- fact: files report                 the whole report needs a fact that some logs lack
 *                                           (model/meaning.h): not for these
 *     -- fact: flushes rows class = flush, discard
 *                                           these rows need it, and are omitted without it
 *     -- fact: synchronous-flags columns readsync writesync
 *                                           these columns need it: NULL, not 0
 *     -- clocks: any                        traces with different clocks share a result; `first`:
 *                                           those with the same first clock;
 *                                           `real`: only traces with times in nanoseconds;
 *                                           `both`: only traces with a second clock, whose
 *                                           times the calls have, as with --clock cpu
 *     -- op: limit                          its own parameter that --op NAME sets if it is not
 *                                           given; --op is then not a filter
 *     -- window: begun                      counts only calls that began between --from and --to;
 *                                           otherwise times are parts of calls (span_walk.h)
 *     -- times: corrected                   times of traces with probes are corrected unless
 *                                           --measured is given
 *     -- thin: time/1200 id/600 name        downsampling for plots (downsample.h): only the first
 *                                           row at each place is kept. Columns that define a
 *                                           place, integers in so many parts of their range;
 *                                           A+B/N: of a sum
 *     -- plot: popularity                   plots/popularity.gp; default: the report's name;
 *                                           `none`: no plot
 *     -- plot: class-shares if share row column
 *                                           additional line: this plot if --share is given, with
 *                                           one of these values, if any
 *     -- curves: 6                          number of groups, the largest, with curves in
 *                                           temp.distribution_curve, for plots and --cdf;
 *                                           at most 9
 *     -- column: share share fraction - of all bytes
 *                                           name; type: int, real, text, time, or a kind (enum
 *                                           column_kind in lower case); unit, `-`: none; worth:
 *                                           which values are better, `more`, `less` or `-`;
 *                                           meaning. All after the type are optional
 *     -- column: mark text if mark          only if --mark is given; `if several`: if the
 *                                           result has several traces; `if picture`: if a
 *                                           plot is drawn; `if curve`: with curves;
 *                                           `unless cdf`: if --cdf is not given
 *     -- meaning: share of all bytes        replaces the meaning in a `column:` line
 *     -- page: 20                           position on a page, 1 to 99, before reports without
 *                                           one; `picture`: the page has the plot and no table
 *     -- question: Who writes most?         question that the report answers
 *     -- weight: share time                 for a finding (findings.h), like the next five: the
 *                                           column with its importance, as a share of the time,
 *                                           bytes or calls
 *     -- say: {calls} calls[ of {file}]     sentence with columns; text in [] is omitted if one
 *                                           of its columns is NULL
 *     -- look: report syncs                 command that shows the evidence
 *     -- why: …                             explanation
 *     -- unless: …                          when it is not a problem
 *     -- source: …                          source of the threshold
 *     -- traces: apart                      each trace has its own result
 *     -- key: partition file_type           columns that identify rows, the coarser first
 *     -- shares: total                      supports --share: integer columns are counts, and
 *                                           this one is their sum in a row (means.h)
 *     -- order: total                       with a key: means of groups (means.h) are sorted by
 *                                           this column, largest first; a terminal shows it
 *                                           before other columns
 *     -- worth: name calls total share      columns in order of importance, for a terminal that
 *                                           is too narrow for all
 *     -- blank: mark                        text columns that may be empty; others show (none)
 *     -- meanless: rank                     columns without a meaningful mean
 *     -- compare: counts value=count        how to compare the rows of two traces (query.c); adds
 *                                           the columns `if compare`
 *
 *     -- parameter: limit integer 5 "rows of each group"
 *                                           its own option, --limit, read as :limit: name,
 *                                           type, default (`none`: NULL), help
 *
 *     -- by: class file                     the following lines belong to the parts `class` and
 *                                           `file` only, each a separate query, with
 *                                           `when: by = NAME` unless given otherwise; `all` ends
 *                                           it. `-- part:`: without a condition (query_text.h)
 *
 * Lines `-- include: NAME`, in the header or after it, are replaced by files (query_text.h).
 *
 * The query follows the header. Further statements may follow. A line `-- remark` precedes one that
 * returns texts for the `#` lines (`-- remark loss`, `excluded` or `definition`: their class, enum
 * remark_class). A line `-- NAME` precedes one that passes rows to the analysis of that name: `--
 * distribution` takes groups and values, and the main query finds their percentiles in
 * temp.distribution. Parameters: `:name` is the value of the option --name. If it was not given, it
 * is the default of the file's own parameter, otherwise NULL. docs/adding-a-report.md and
 * tracetool-config(5) describe what a query can read. */
#ifndef TRACETOOL_QUERY_H
#define TRACETOOL_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/parameter.h"
#include "analysis/passes.h"
#include "base/error.h"
#include "model/event.h"
#include "model/meaning.h"
#include "output/printer.h"
#include "output/downsample.h"
#include "report/query_text.h"

#define QUERY_PARAMETER_NAME 40 /* limit of a name's length in bytes */

/* A parameter that a query file defines. The strings are parts of its line. */
struct query_parameter {
    struct parameter row;
    const char *type;      /* word of the type in the header: integer, real, text, time, duration */
    const char *otherwise; /* default value as text; NULL: none */
};

enum compare_method {
    COMPARE_NOT, /* rows of the report cannot be compared */
    COMPARE_COUNTS,
    COMPARE_SIZES,
    COMPARE_TIMES,
    COMPARE_CLOCK,
    COMPARE_VALUES,
    COMPARE_ROWS,
    COMPARE_TREE,
};

/* How rows of two traces are compared. Members are column names, separated by blanks if there are
 * several; NULL: not given. The strings are parts of the line. */
struct query_compare {
    enum compare_method method;
    bool alone;      /* true: compared only on request, not among all reports */
    bool is_lengths; /* of `values`: durations are longer or shorter, not slower or faster */
    const char *key;
    /* Of counts, sizes, clock, rows: the value to compare; NULL: all numbers besides the key. */
    const char *value;
    const char *calls; /* of times, tree, rows: the number of calls; NULL: unknown */
    /* Of times, tree: the time; of rows: the value is a part of these calls' time, or NULL. */
    const char *time;
    const char *total; /* of tree: the time including callees */
    const char *group; /* of values: the name of the row's group in temp.distribution */
    const char
        /* Of rows, from `signed`: nonzero if the value may be negative; NULL: it never is. */
        *has_sign;
    /* Of rows, if `value` is a mean: columns with the standard deviation and the count. */
    const char *deviation, *count;
    const char *seconds; /* of clock: how long the hour was observed; NULL: unknown */
};

#define QUERY_COLUMNS    25
#define QUERY_REMARKS    16
#define QUERY_ANALYSES   24
#define QUERY_PARAMETERS 64
#define QUERY_MEANINGS   4
#define QUERY_INSTEAD    4
/* Stands for a column in `needs: log=states`: another trace of the log has thread states. */
#define QUERY_OF_LOG "log"
#define QUERY_FACTS  12

/* Which values of a column are better: larger or smaller ones. */
enum query_worth { WORTH_NONE, WORTH_MORE, WORTH_LESS };

struct query_column {
    struct column column;
    const char *condition; /* option that must be given; NULL: the column is always present */
    bool unless;           /* true: the option of the condition must not be given */
    enum query_worth worth;
    const char *meaning; /* description of the column; NULL: not given */
};

/* A line `meaning:`, which describes a column. */
struct query_meant {
    const char *word, *value;
};

/* A meaning that a column of `event` must have in the trace. */
struct query_meaning {
    const char *column, *what;
};

/* Another plot, drawn if an option is given. */
struct query_other_plot {
    const char *option; /* option that selects this plot; NULL: there is no other plot */
    /* Values of the option that select the plot, separated by blanks; "": any value. */
    const char *values;
    const char *plot;
    char *text; /* owned; text of the plot; NULL if there is no such file */
};

/* What needs a fact: the whole report, rows with certain texts in a column, or columns. */
enum query_fact_part { QUERY_FACT_REPORT, QUERY_FACT_ROWS, QUERY_FACT_COLUMNS };
struct query_fact {
    enum fact fact;
    enum query_fact_part part;
    const char *column; /* for QUERY_FACT_ROWS: the column that has one of `names` */
    const char *names;  /* texts separated by ", ", or columns separated by blanks; else NULL */
};

/* One of the columns in the line `thin`, which thins out the rows of a plot. */
struct query_place_key {
    /* Names of columns; the sum of both, or `plus` NULL: `column` alone. */
    const char *column, *plus;
    unsigned parts; /* number of parts of the column's range, as in struct downsampling_key */
};

/* A statement after a line `-- remark`, which returns texts for `#` lines. */
struct query_remark {
    const char *sql;
    enum remark_class class;
};

/* Conditions of columns that exist only for plots, or only for comparisons. */
#define QUERY_PICTURE "picture"
#define QUERY_COMPARE "compare"

/* Parameter of statements: 1 if less important rows are left out; else NULL. */
#define QUERY_BRIEF "brief"

/* Condition of columns that exist only with curves (query_curve_groups()). */
#define QUERY_CURVE "curve"

/* Parameter of statements, and condition of columns: 1 if --all is given; else NULL. */
#define QUERY_ALL "all"

/* Parameter of statements: 1 if a comparison ignores which I/Os are synchronous; else 0. */
#define QUERY_UNSYNCHRONOUS "unsynchronous"

/* Parameter of statements: 1 if the result becomes a table for people; else NULL. */
#define QUERY_PEOPLE "people"

/* A query of a query file, with its header. `text` owns all strings. Lists have blanks between. */
struct query {
    struct query_text source; /* owned; the file with its includes, for messages */
    /* Owned; the names of file, query and part, then a copy of the source cut into strings. */
    char *text;
    size_t source_at; /* position in `text` of the copy of the source */
    const char *file;
    /* Name of the file, or BASE-PART.sql; a user's file with this name replaces the query. */
    const char *name;
    size_t place_in_file; /* position among the parts of the file */
    const char *report, *title, *plot;
    /* Option and value of the line `when`; NULL: no condition; any value. */
    const char *when_option, *when_value;
    const char
        *when_others;    /* other options that select the query, separated by blanks; NULL: none */
    bool when_picture;   /* only if a plot is drawn: instead of the report's other queries */
    const char *options; /* options that the query takes */
    const char *formats; /* formats of traces that the query is for; "": all formats */
    unsigned kinds;      /* kinds of traces that the query is for: bit set of enum trace_kind */
    unsigned after;      /* kinds of traces that take precedence: bit set of enum trace_kind */
    struct wanted_analysis wanted[QUERY_ANALYSES]; /* analyses to run, with default parameters */
    size_t wanted_count;
    bool by_default; /* true: also used if the option of `when` is not given */
    bool reads_events, all_actions;
    const char *needs;                  /* option that must be given; NULL: none */
    const char *instead[QUERY_INSTEAD]; /* reports to suggest for other traces, as typed by users */
    size_t instead_count;
    const char *op; /* parameter of the file that --op sets; NULL: none */
    struct query_meaning meanings[QUERY_MEANINGS];
    size_t meaning_count;
    bool any_clocks, first_clocks, real_clocks, both_clocks;
    bool begun; /* true: counts only calls that began in the time window */
    /* Whether times are corrected if neither --corrected nor --measured is given. */
    enum correct correct;
    const char *indented; /* name of the column to indent, for result.indented */
    struct query_column columns[QUERY_COLUMNS];
    size_t column_count;
    const char *key;    /* columns of the key; "": none */
    const char *order;  /* column by which means are sorted; NULL: none */
    const char *ranked; /* columns, most important first; NULL: not given */
    /* Text columns that wrap between words, and shrink before columns of names; NULL: none. */
    const char *prose;
    const char *blank;    /* text columns that may be empty */
    const char *meanless; /* columns that have no meaningful mean */
    const char *total;    /* column with the sum of a row's counts; NULL: the query has no shares */
    struct query_compare compare; /* how rows are compared; `key` is NULL only without a method */
    struct query_parameter parameters[QUERY_PARAMETERS];
    size_t parameter_count;
    struct query_place_key place[DOWNSAMPLING_KEYS]; /* columns that define a place in the plot */
    size_t place_count;                      /* number of columns of a place; 0: draws all rows */
    const char *question;                    /* NULL: none */
    struct query_meant meant[QUERY_COLUMNS]; /* lines `meaning:`, used while the header is parsed */
    size_t meant_count;
    struct query_fact facts[QUERY_FACTS];
    size_t fact_count;
    int64_t page_place; /* position on a page; 0: after queries that have one */
    bool only_picture;  /* true: a page shows the query's plot, but no table */
    bool apart;         /* true: each trace has its own result */
    /* Lines of a finding; NULL: not given. */
    const char *weight, *say, *look, *why, *unless, *cited;
    size_t curves; /* number of groups that get curves for plots; 0: none */
    const char *sql;
    struct query_remark remarks[QUERY_REMARKS];
    size_t remark_count;
    char *plot_text; /* owned; text of plots/PLOT.gp; NULL: there is no such file */
    struct query_other_plot other_plot;
    bool is_own; /* true: a user's file, maybe instead of a built-in one */
    /* True: the plot has the line QUERY_FLAME_GRAPH, so flame_graph.h draws its SVG. */
    bool is_flame_graph;
};

/* Line of a plot file that marks a flame graph. */
#define QUERY_FLAME_GRAPH "# svg: flame graph"

/* Parses a query file, or one part of it if `part` is not NULL. `file` is its name for messages,
 * `text` its content; both are copied. It may include built-in files, and files in `directory`, the
 * user's directory, which is NULL for a built-in file. */
bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 const struct query_part *part, struct error *error);

/* Checks that the lines of the header agree with one another. Called by query_parse(). */
bool query_check(struct query *query, struct error *error);

/* Appends the text of a remark of class definition. Returns false if it depends on the trace. */
bool query_append_definition(const struct query_remark *remark, struct text *out);

/* Sets the title and columns of a result from the query, which keeps the strings. */
void query_describe(const struct query *query, struct result *result);

/* Puts the place in the query file before the message of an error. Always returns false. */
bool query_add_place_to_error(const struct query *query, const char *at, struct error *error);

/* Returns whether the column exists only for plots, or only for comparisons. */
bool query_column_is_for_plots(const struct query_column *column);
bool query_column_is_for_compare(const struct query_column *column);

/* Whether the column exists only with curves. */
bool query_column_is_for_curves(const struct query_column *column);

/* Returns whether the query gives cumulative shares, so that --cdf is possible. */
bool query_is_cumulative(const struct query *query);

/* Returns whether the query has complements of cumulative shares, so that --ccdf is possible. */
bool query_is_complementary(const struct query *query);

/* Returns whether a report prints the column, given the option of its condition. */
bool query_prints_column(const struct query *query, const struct query_column *column);

/* Returns the column whose name is `name`, of `length` bytes; NULL if there is none. */
const struct query_column *query_find_column(const struct query *query, const char *name,
                                             size_t length);

/* Returns the description of a column; NULL if it has none. */
const char *query_column_meaning(const struct query *query, const char *name);

/* Returns whether the column is only for plots, comparisons or curves: reports do not print it. */
bool query_column_is_hidden(const struct query_column *column);

/* Returns the parameter with a name that the file defines; NULL if there is none. */
const struct query_parameter *query_parameter(const struct query *query, const char *name);

/* Returns for how many groups the query needs curves; 0 unless curves are requested
 * (request_wants_curves()). --top then limits these groups, not rows. */
static inline size_t query_curve_groups(const struct query *query, bool wanted) {
    return wanted ? query->curves : 0;
}

/* Returns the first occurrence of a name in a text that is not a part of a longer one; or NULL. */
const char *sql_find_name(const char *sql, const char *name);

/* Returns whether the query, or one of its remarks, contains a name. */
bool query_has_name(const struct query *query, const char *name);

/* Returns the word for a kind of column in the header. */
const char *query_column_kind(enum column_kind kind);

/* Finds the kind of column that a word in the header means; false if unknown. */
bool query_column_kind_find(const char *name, size_t length, enum column_kind *kind);

/* Returns the length of a statement without a final semicolon and blanks. */
size_t query_statement_length(const char *sql);

/* Appends FILE:LINE for a position in one of the query's statements. */
void query_append_place(const struct query *query, const char *at, struct text *place);
void query_free(struct query *query);

/* Parses the value of the line `compare:`, which is cut into strings. Sets an error if it is
 * invalid. The caller checks that the columns exist. */
bool query_compare_parse(struct query_compare *compare, char *line, struct error *error);

#endif
