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

#define QUERY_PARAMETER_NAME 40 /* maximum bytes of a name */

/* The strings are parts of the line. */
struct query_parameter {
    struct parameter row;
    const char *type;      /* as in the header: integer, real, text, time, duration */
    const char *otherwise; /* default value as text; NULL: none */
};

enum compare_method {
    COMPARE_NOT, /* the report cannot be compared */
    COMPARE_COUNTS,
    COMPARE_SIZES,
    COMPARE_TIMES,
    COMPARE_CLOCK,
    COMPARE_VALUES,
    COMPARE_ROWS,
    COMPARE_TREE,
};

/* Column names, separated by blanks if several; NULL: not given. The strings are parts of the line.
 */
struct query_compare {
    enum compare_method method;
    bool alone;      /* true: compared only on request, not among all reports */
    bool is_lengths; /* values: durations are longer or shorter, not slower or faster */
    const char *key;
    const char *value; /* counts, sizes, clock; rows: NULL: all numbers besides the key */
    const char *calls; /* times, tree, rows; NULL: number of calls unknown */
    const char *time;  /* times, tree; rows: part of the time of these calls, or NULL */
    const char *total; /* tree: time including callees */
    const char *group; /* values: the row's group name in temp.distribution */
    const char
        *has_sign; /* rows, `signed`: nonzero if the value may be negative; NULL: never negative */
    const char *deviation, *count; /* rows: columns with the standard deviation and the number
                                      of values, if `value` is a mean; otherwise NULL */
    const char *seconds;           /* clock: observed time of the hour; NULL: unknown */
};

#define QUERY_COLUMNS    25
#define QUERY_REMARKS    16
#define QUERY_ANALYSES   24
#define QUERY_PARAMETERS 64
#define QUERY_MEANINGS   4
#define QUERY_INSTEAD    4
/* Column name of `needs: log=states`: another trace of the log has thread states. */
#define QUERY_OF_LOG "log"
#define QUERY_FACTS  12

/* Whether larger or smaller values are better. */
enum query_worth { WORTH_NONE, WORTH_MORE, WORTH_LESS };

struct query_column {
    struct column column;
    const char *condition; /* option that must be given, NULL: always present */
    bool unless;           /* the option must not be given */
    enum query_worth worth;
    const char *meaning; /* description; NULL: not given */
};

/* A line `meaning:`. */
struct query_meant {
    const char *word, *value;
};

/* Required meaning of a column of `event`. */
struct query_meaning {
    const char *column, *what;
};

/* Alternative plot if an option is given. */
struct query_other_plot {
    const char *option; /* option that selects the plot; NULL: no alternative */
    const char *values; /* values of the option, separated by blanks; "": any */
    const char *plot;
    char *text; /* owned; NULL if there is no such file */
};

/* What needs a fact: the whole report, rows with given texts in a column, or columns. */
enum query_fact_part { QUERY_FACT_REPORT, QUERY_FACT_ROWS, QUERY_FACT_COLUMNS };
struct query_fact {
    enum fact fact;
    enum query_fact_part part;
    const char *column; /* QUERY_FACT_ROWS: the column that holds `names` */
    const char *names;  /* texts separated by ", "; columns separated by blanks; otherwise NULL */
};

/* A key of `thin`, by column names. */
struct query_place_key {
    const char *column, *plus; /* `plus` NULL: a single column */
    unsigned parts;            /* as in struct downsampling_key */
};

/* A statement after a line `-- remark`. */
struct query_remark {
    const char *sql;
    enum remark_class class;
};

/* Conditions of columns for plots only, and for comparisons only. */
#define QUERY_PICTURE "picture"
#define QUERY_COMPARE "compare"

/* Parameter: 1 if less important rows are omitted, otherwise NULL. */
#define QUERY_BRIEF "brief"

/* Condition of columns for curves (query_curves()). */
#define QUERY_CURVE "curve"

/* Parameter and condition of columns: 1 if --all is given, otherwise NULL. */
#define QUERY_ALL "all"

/* Parameter: 1 if a comparison ignores which I/Os are synchronous, otherwise 0. */
#define QUERY_UNSYNCHRONOUS "unsynchronous"

/* Parameter: 1 if the result becomes a table for people, otherwise NULL. */
#define QUERY_PEOPLE "people"

/* A query of a query file, with its header. `text` owns all strings. */
struct query {
    struct query_text source; /* the file with its includes, for messages; owned */
    char *text;               /* three names, then a copy of the source cut into strings; owned */
    size_t source_at;         /* start of that copy in `text` */
    const char *file;
    const char *name;     /* FILE, or BASE-PART.sql: a user's file of that name replaces it */
    size_t place_in_file; /* position of the part in its file */
    const char *report, *title, *plot;
    const char *when_option, *when_value; /* NULL: no condition, any value */
    const char
        *when_others;    /* other options that select the file, separated by blanks; NULL: none */
    bool when_picture;   /* only if a plot is drawn: instead of the report's other files */
    const char *options; /* separated by blanks */
    const char *formats; /* output formats, separated by blanks; "": all */
    unsigned kinds;      /* bit set of enum trace_kind */
    unsigned after;      /* bit set of enum trace_kind: traces of these kinds take precedence */
    struct wanted_analysis wanted[QUERY_ANALYSES]; /* analyses run, with default parameters */
    size_t wanted_count;
    bool by_default; /* true: the file is also selected if the option is not given */
    bool reads_events, all_actions;
    const char *needs;                  /* option that must be given; NULL: none */
    const char *instead[QUERY_INSTEAD]; /* alternatives for other traces, as command words */
    size_t instead_count;
    const char *op; /* parameter of the file that --op sets; NULL: none */
    struct query_meaning meanings[QUERY_MEANINGS];
    size_t meaning_count;
    bool any_clocks, first_clocks, real_clocks, both_clocks;
    bool begun;           /* counts only calls that began in the window */
    enum correct correct; /* correction of times without --corrected and --measured */
    const char *indented; /* result.indented */
    struct query_column columns[QUERY_COLUMNS];
    size_t column_count;
    const char *key;      /* names of columns, separated by blanks; "": none */
    const char *order;    /* name of a column; NULL: none */
    const char *ranked;   /* names of columns, most important first; NULL: not given */
    const char *prose;    /* names of text columns that wrap between words, and shrink before
                             names; NULL: none */
    const char *blank;    /* names of text columns that may be empty */
    const char *meanless; /* names of columns */
    const char *total;    /* name of a column; NULL: no shares */
    struct query_compare compare; /* its key is NULL only without a method */
    struct query_parameter parameters[QUERY_PARAMETERS];
    size_t parameter_count;
    struct query_place_key place[DOWNSAMPLING_KEYS]; /* what defines a place in the plot */
    size_t place_count;                      /* number of columns of a place; 0: draws all rows */
    const char *question;                    /* NULL: none */
    struct query_meant meant[QUERY_COLUMNS]; /* lines `meaning:`, while the header is parsed */
    size_t meant_count;
    struct query_fact facts[QUERY_FACTS];
    size_t fact_count;
    int64_t page_place; /* position on a page; 0: after reports that have one */
    bool only_picture;  /* a page shows the query's plot, but no table */
    bool apart;         /* each trace has its own result */
    const char *weight, *say, *look, *why, *unless, *cited; /* for a finding; NULL: not given */
    size_t curves; /* number of groups with curves, for plots; 0: none */
    const char *sql;
    struct query_remark remarks[QUERY_REMARKS];
    size_t remark_count;
    char *plot_text; /* owned; content of plots/PLOT.gp, NULL for none */
    struct query_other_plot other_plot;
    bool is_own;         /* a user's file, or a replacement of a built-in one */
    bool is_flame_graph; /* has the line QUERY_FLAME_GRAPH: flame_graph.h draws its SVG */
};

/* Line of a plot file that marks a flame graph. */
#define QUERY_FLAME_GRAPH "# svg: flame graph"

/* Parses a query file, or one part of it if `part` is not NULL. `file` is its name for messages,
 * `text` its content; both are copied. It may include built-in files, and files of `directory`, the
 * user's directory, which is NULL for a built-in file. */
bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 const struct query_part *part, struct error *error);

/* Checks the consistency of the header; for query_parse(). */
bool query_check(struct query *query, struct error *error);

/* Appends the text of a remark of the class definition, if it does not depend on the trace;
 * otherwise false. */
bool query_definition(const struct query_remark *remark, struct text *out);

/* Sets the description of a result and its columns; borrowed. */
void query_describe(const struct query *query, struct result *result);

/* Prepends the place in the file to an error. Always false. */
bool query_error_at(const struct query *query, const char *at, struct error *error);

/* Whether the column exists only for plots, or only for comparisons. */
bool query_column_of_picture(const struct query_column *column);
bool query_column_of_compare(const struct query_column *column);

/* Whether the column exists only with curves. */
bool query_column_of_curve(const struct query_column *column);

/* Whether the query gives cumulative shares, so that --cdf is possible. */
bool query_is_cumulative(const struct query *query);

/* Whether the query also gives the complement of cumulative shares, so that --ccdf is possible. */
bool query_is_complementary(const struct query *query);

/* Whether a report prints the column, given the option that selects its file. */
bool query_prints_column(const struct query *query, const struct query_column *column);

/* Returns the column whose name has these `length` bytes; NULL if there is none. */
const struct query_column *query_find_column(const struct query *query, const char *name,
                                             size_t length);

/* Returns a column's description; NULL if there is none. */
const char *query_column_meaning(const struct query *query, const char *name);

/* Whether the column exists only for plots, for comparisons or with curves, so that reports do not
 * print it. */
bool query_column_is_hidden(const struct query_column *column);

/* Returns the file's own parameter of that name; NULL if it has none. */
const struct query_parameter *query_parameter(const struct query *query, const char *name);

/* Returns the number of groups whose curves the query needs; 0 unless curves are requested
 * (request_wants_curves()). --top then limits these groups, not rows. */
static inline size_t query_curves(const struct query *query, bool wanted) {
    return wanted ? query->curves : 0;
}

/* Returns the first place of a name in a text, where no longer name begins with it; NULL: none. */
const char *sql_find_name(const char *sql, const char *name);

/* Whether the query or one of its remarks contains the name. */
bool query_has_name(const struct query *query, const char *name);

/* Returns the header's word for a kind of column. */
const char *query_column_kind(enum column_kind kind);

/* Finds a kind by the header's word; false if unknown. */
bool query_column_kind_find(const char *name, size_t length, enum column_kind *kind);

/* Returns a statement's length without a final semicolon and blanks. */
size_t query_statement_length(const char *sql);

/* Appends FILE:LINE of a position in one of the query's statements. */
void query_place(const struct query *query, const char *at, struct text *place);
void query_free(struct query *query);

/* Parses the value of `compare:`, cutting it into strings. Sets an error if invalid. The caller
 * checks that the columns exist. */
bool query_compare_parse(struct query_compare *compare, char *line, struct error *error);

#endif
