/* Query files: a report is an SQL file with a header; no report is hard-coded in the program.
 *
 * The header is the comment lines at the top:
 *
 *     -- report: popularity                 name on the command line
 *     -- title: Popularity of operations
 *     -- kinds: calls io spans              supported kinds of trace
 *     -- formats: mobigen                   only for these formats; preferred to other queries
 *     -- when: of = application             selected by --of application;
 *                                           `when: of = operation by default`: also without --of;
 *                                           `when: timeline`: selected by --timeline;
 *                                           `when: picture`: selected when a plot is drawn
 *     -- options: of mark                   options of reports it takes, besides the common ones
 *     -- tally: operation                   analyses whose tables it reads, by name (analysis.h),
 *                                           as temp.tally_operation. NAME? runs only if a filter
 *                                           selects events, and is empty for whole traces
 *     -- events: yes                        reads temp.selected_event
 *     -- actions: all                       block I/O: all actions, not only the counted one
 *     -- needs: reference address=sector    a required option; a required meaning of a column
 *                                           of `event` (tracetool-schema(7))
 *     -- after: io                          for traces that are not named one by one: not used if
 *                                           one of them has one of these kinds
 *     -- instead: files --by process        alternative report, with or without an option, for
 *                                           unsupported traces; at most 4 lines
 *     -- fact: files report                 the whole report needs this fact (model/meaning.h);
 *                                           not for logs that lack it
 *     -- fact: flushes rows class = flush, discard
 *                                           these rows need the fact; without it: omitted
 *     -- fact: synchronous-flags columns readsync writesync
 *                                           these columns need the fact; without it: NULL
 *     -- clocks: any                        adds up traces with different clocks; `first`: traces
 *                                           with the same first clock;
 *                                           `real`: only traces with times in nanoseconds;
 *                                           `both`: only traces with a second clock, by which
 *                                           calls have times, too (--clock cpu)
 *     -- op: limit                          --op NAME sets this parameter of the file, if it is not
 *                                           given, instead of filtering
 *     -- window: begun                      counts only calls that began between --from and --to;
 *                                           otherwise counts the parts of calls between them
 *     -- times: corrected                   times of traces with probes are corrected unless
 *                                           --measured is given
 *     -- thin: time/1200 id/600 name        downsampling for plots (downsample.h): only the first
 *                                           row at each place is drawn. Columns that define a
 *                                           place; /N: their range has N intervals;
 *                                           A+B/N: the sum of two columns; weight=A: one row at
 *                                           random, by column A, instead of the first
 *     -- plot: popularity                   plots/popularity.gp; default: the report's name;
 *                                           `none`: no plot
 *     -- plot: class-shares if share row column
 *                                           additional line: this plot if --share has one of
 *                                           these values; without values: if it is given
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
 *     -- weight: share time                 findings only (findings.h), like the next five lines:
 *                                           column with the importance, as a share of the
 *                                           trace's time, bytes or calls
 *     -- say: {calls} calls[ of {file}]     sentence with values of columns; text in [] is omitted
 *                                           if a column in it is NULL
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
 *     -- absent: sequential_share           columns that are not 0 in groups without the row
 *     -- compare: counts value=count        how to compare the rows of two traces (query.c); adds
 *                                           the columns `if compare`
 *
 *     -- parameter: limit integer 5 "rows of each group"
 *                                           defines option --limit of the report, SQL parameter
 *                                           :limit: name, type, default (`none`: NULL), help
 *
 *     -- by: class file                     the following lines belong to the parts `class` and
 *                                           `file` only, each a separate query, with
 *                                           `when: by = NAME` unless given otherwise; after
 *                                           `-- by: all`, lines belong to all parts again.
 *                                           `-- part:`: without a condition (query_text.h)
 *
 * Lines `-- include: NAME`, in the header or after it, are replaced by files (query_text.h).
 *
 * The query follows the header; further SQL statements may follow. One after a line `-- remark`
 * returns texts for `#` lines (`-- remark loss`, `excluded` or `definition`: their class, enum
 * remark_class). One after a line `-- NAME` passes its rows to the analysis of that name: `--
 * distribution` takes groups and values, and the main query finds their percentiles in
 * temp.distribution. SQL parameters: `:name` is the value of option --name. If it is not given,
 * `:name` is the default of the file's own parameter, or NULL. docs/adding-a-report.md and
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

/* A parameter that a query file defines. The strings point into its header line. */
struct query_parameter {
    struct parameter row;
    const char *type;      /* as in the header: integer, integers, real, text, time or duration */
    const char *otherwise; /* default value as text; NULL: none */
};

enum compare_method {
    COMPARE_NOT, /* rows of the report cannot be compared with those of another trace */
    COMPARE_COUNTS,
    COMPARE_SIZES,
    COMPARE_TIMES,
    COMPARE_CLOCK,
    COMPARE_VALUES,
    COMPARE_ROWS,
    COMPARE_TREE,
};

/* How rows of two traces are compared (line `compare`, query.c). Members name columns, several
 * separated by blanks; NULL: not given. The strings point into the header line. */
struct query_compare {
    enum compare_method method;
    bool alone;      /* true: the summary of all changes does not include this report */
    bool is_lengths; /* method values: texts say longer and shorter, not slower and faster */
    const char *key;
    /* Methods counts, sizes, clock, rows: the value to compare; NULL: all but key columns. */
    const char *value;
    const char *calls; /* methods times, tree, rows: the number of calls; NULL: unknown */
    /* Methods times, tree: the column with the time. Method rows: the column with the time of
     * calls, of which `value` is a part; NULL: none. */
    const char *time;
    const char *total; /* method tree: the time including callees */
    const char *group; /* method values: the name of the row's group in temp.distribution */
    const char
        /* Method rows, word `signed`: column, not 0 if the value may be negative; NULL: never. */
        *has_sign;
    /* Method rows, if `value` is a mean: its standard deviation and the number of values. */
    const char *deviation, *count;
    const char *seconds; /* method clock: seconds of an hour that the trace covers, or NULL */
};

#define QUERY_COLUMNS    25
#define QUERY_REMARKS    16
#define QUERY_ANALYSES   24
#define QUERY_PARAMETERS 64
#define QUERY_MEANINGS   4
#define QUERY_INSTEAD    4
/* Column name in `needs: log=states`: the query needs thread states, maybe from another trace. */
#define QUERY_OF_LOG "log"
#define QUERY_FACTS  12

/* Which values of a column are better: larger or smaller ones. */
enum query_worth { WORTH_NONE, WORTH_MORE, WORTH_LESS };

struct query_column {
    struct column column;
    const char *condition; /* option or condition that must hold (`if`); NULL: exists always */
    bool unless;           /* true: the condition must not hold */
    enum query_worth worth;
    const char *meaning; /* description of the column; NULL: not given */
};

/* A header line `meaning:`: a column (`word`) and its description. */
struct query_column_description {
    const char *word, *value;
};

/* A header line `needs: COLUMN=WHAT`: the trace's column of `event` must have this meaning. */
struct query_required_meaning {
    const char *column, *what;
};

/* Another plot, drawn instead if an option is given. */
struct query_other_plot {
    const char *option; /* option that selects this plot; NULL: there is no other plot */
    /* Values of the option that select the plot, separated by blanks; "": any value. */
    const char *values;
    const char *plot;
    char *text; /* owned; text of the plot file; NULL: there is no such file */
};

/* What depends on the fact in a line `fact`: the report, rows with certain texts, or columns. */
enum query_fact_part { QUERY_FACT_REPORT, QUERY_FACT_ROWS, QUERY_FACT_COLUMNS };
struct query_fact {
    enum fact fact;
    enum query_fact_part part;
    const char *column; /* QUERY_FACT_ROWS: searched for `names`; rows with one need the fact */
    const char *names;  /* texts of rows, separated by ", ", or columns, by blanks; else NULL */
};

/* A column in the header line `thin`, for downsampling the rows of a plot. */
struct query_downsampling_key {
    /* Column names. The value is the sum of both; `plus` NULL: only `column`. */
    const char *column, *plus;
    unsigned parts; /* number of intervals of the column's range, as in downsampling_key */
};

/* An SQL statement after a line `-- remark`; each row is the text of a `#` line. */
struct query_remark {
    const char *sql;
    enum remark_class class;
};

/* Conditions of columns: exists only if a plot is drawn, or only for tracetool compare. */
#define QUERY_PICTURE "picture"
#define QUERY_COMPARE "compare"

/* SQL parameter: 1 if the report may omit less important rows (no --all); else NULL. */
#define QUERY_BRIEF "brief"

/* Condition of columns: exists only if curves are drawn (query_curve_groups()). */
#define QUERY_CURVE "curve"

/* SQL parameter, and condition of columns: 1 if --all is given; else NULL. */
#define QUERY_ALL "all"

/* SQL parameter: 1 if a comparison must ignore which I/Os are synchronous, else 0. */
#define QUERY_UNSYNCHRONOUS "unsynchronous"

/* SQL parameter: 1 if the output is a human-readable table; else NULL. */
#define QUERY_PEOPLE "people"

/* A query of a query file, with its header. `text` owns all strings. Members that are lists have
 * their items separated by blanks. */
struct query {
    struct query_text source; /* owned; the file with its includes expanded, for messages */
    /* Owned; names of file, query and part, then a copy of the source, split into strings. */
    char *text;
    size_t source_at; /* offset in `text` of the copy of the source */
    const char *file;
    /* Name of the file, or BASE-PART.sql. A user's file with this name replaces the query. */
    const char *name;
    size_t place_in_file; /* place of the query in its file, for sorting */
    const char *report, *title, *plot;
    /* Option and value of the line `when`. NULL option: no condition; NULL value: any value. */
    const char *when_option, *when_value;
    const char
        *when_others;    /* other options that select the query, separated by blanks; NULL: none */
    bool when_picture;   /* true: used instead of the report's other queries if a plot is drawn */
    const char *options; /* options that the query takes, besides the common ones */
    const char *formats; /* trace formats that the query supports; "": all formats */
    unsigned kinds; /* kinds of trace that the query supports, as a bit set of enum trace_kind */
    unsigned after; /* kinds (bit set): query is unused if a trace of one is reported, too */
    struct requested_analysis wanted[QUERY_ANALYSES]; /* analyses to run, with default parameters */
    size_t wanted_count;
    bool by_default; /* true: also used if the option of `when` is not given */
    bool reads_events, all_actions;
    const char *needs;                  /* option that the query requires; NULL: none */
    const char *instead[QUERY_INSTEAD]; /* reports that suit other traces, as users type them */
    size_t instead_count;
    const char *op; /* name of the file's parameter that --op sets; NULL: --op is a filter */
    struct query_required_meaning meanings[QUERY_MEANINGS];
    size_t meaning_count;
    bool any_clocks, first_clocks, real_clocks, both_clocks;
    bool begun; /* true: counts only calls that began in the time window */
    /* Which times are corrected if neither --corrected nor --measured is given. */
    enum correct correct;
    const char *indented; /* column to indent by depth (result.indented); NULL: none */
    struct query_column columns[QUERY_COLUMNS];
    size_t column_count;
    const char *key;    /* key columns, which identify rows; "": none */
    const char *order;  /* column by which means are sorted; NULL: none */
    const char *ranked; /* columns, most important first, for narrow terminals; NULL: not given */
    /* Text columns that wrap between words, and get narrower before other columns; NULL: none. */
    const char *prose;
    const char *blank;    /* text columns that may be empty */
    const char *meanless; /* columns that have no meaningful mean */
    const char *absent;   /* columns without a value in groups without the row, not 0 */
    const char *total;    /* column with the sum of a row's counts; NULL: the query has no shares */
    struct query_compare compare; /* how rows are compared; with a method, `key` is not NULL */
    struct query_parameter parameters[QUERY_PARAMETERS];
    size_t parameter_count;
    struct query_downsampling_key place[DOWNSAMPLING_KEYS]; /* columns of the line `thin` */
    size_t place_count; /* number of elements in `place`; 0: the plot draws all rows */
    const char
        *thin_weight;     /* column by which one of the rows at a place is drawn; NULL: the first */
    const char *question; /* question that the report answers; NULL: not given */
    struct query_column_description meant[QUERY_COLUMNS]; /* `meaning:`, for the parser */
    size_t meant_count;
    struct query_fact facts[QUERY_FACTS];
    size_t fact_count;
    int64_t page_place; /* position on a page of reports, 1 to 99; 0: after all reports with one */
    bool only_picture;  /* true: a page shows the query's plot, but no table */
    bool apart;         /* true: each trace has its own result */
    /* Header lines of a finding (findings.h), `cited` from line `source`; NULL: not given. */
    const char *weight, *say, *look, *why, *unless, *cited;
    size_t curves; /* number of groups that get curves if a plot is drawn; 0: none */
    const char *sql;
    struct query_remark remarks[QUERY_REMARKS];
    size_t remark_count;
    char *plot_text; /* owned; text of plots/PLOT.gp; NULL: there is no such file */
    struct query_other_plot other_plot;
    bool is_own; /* true: from the user's directory; it may replace a built-in query */
    /* True: the plot file has the line QUERY_FLAME_GRAPH, so flame_graph.h draws the SVG. */
    bool is_flame_graph;
};

/* Line in a plot file: tracetool draws a flame graph itself instead of running gnuplot. */
#define QUERY_FLAME_GRAPH "# svg: flame graph"

/* Parses a query file; with `part`, only this part of it. `file` is its name for messages, `text`
 * its content; both are copied. `directory`: the user's directory, which it may include files from;
 * NULL for a built-in file, which includes only built-in files. */
bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 const struct query_part *part, struct error *error);

/* Checks that the lines of the header are consistent. Called by query_parse(). */
bool query_check(struct query *query, struct error *error);

/* Appends the text of a `#` line of class `definition`; false if the text depends on the trace. */
bool query_append_definition(const struct query_remark *remark, struct text *out);

/* Sets the title and columns of a result from the query; strings are borrowed from the query. */
void query_describe(const struct query *query, struct result *result);

/* Puts FILE:LINE of the position `at` in the query before an error's message. Returns false. */
bool query_add_place_to_error(const struct query *query, const char *at, struct error *error);

/* Return whether the column exists only if a plot is drawn, or only for tracetool compare. */
bool query_column_is_for_plots(const struct query_column *column);
bool query_column_is_for_compare(const struct query_column *column);

/* Returns whether a picture has the same rows, columns and remarks as a table. */
bool query_is_same_for_pictures(const struct query *query);

/* Returns whether the column exists only if curves are drawn. */
bool query_column_is_for_curves(const struct query_column *column);

/* Returns whether the query gives cumulative shares, so that --cdf is possible. */
bool query_is_cumulative(const struct query *query);

/* Returns whether the query has complementary cumulative shares, so that --ccdf is possible. */
bool query_is_complementary(const struct query *query);

/* Returns whether the report's table has the column, if the option in its condition is given. */
bool query_prints_column(const struct query *query, const struct query_column *column);

/* Returns the column with this name of `length` bytes; NULL if there is none. */
const struct query_column *query_find_column(const struct query *query, const char *name,
                                             size_t length);

/* Returns the description of a column; NULL if it has none. */
const char *query_column_meaning(const struct query *query, const char *name);

/* Returns whether the column is only for plots, comparisons or curves, not for tables. */
bool query_column_is_hidden(const struct query_column *column);

/* Returns the parameter with this name that the query file defines; NULL if there is none. */
const struct query_parameter *query_parameter(const struct query *query, const char *name);

/* Returns for how many groups the query needs curves; 0 unless `wanted` (request_wants_curves()).
 * With curves, --top limits the number of groups instead of rows. */
static inline size_t query_curve_groups(const struct query *query, bool wanted) {
    return wanted ? query->curves : 0;
}

/* Returns the first `name` in an SQL text that is not the start of a longer name, or NULL. */
const char *sql_find_name(const char *sql, const char *name);

/* Returns whether the SQL of the query, or of one of its remarks, contains a name. */
bool query_has_name(const struct query *query, const char *name);

/* Returns the word for a kind of column in header lines `column`. */
const char *query_column_kind(enum column_kind kind);

/* Sets `*kind` to the kind of column that a word in the header means; returns false if unknown. */
bool query_column_kind_find(const char *name, size_t length, enum column_kind *kind);

/* Returns the length of an SQL statement without trailing semicolons and white space. */
size_t query_statement_length(const char *sql);

/* Appends FILE:LINE of the position `at` in one of the query's strings. */
void query_append_place(const struct query *query, const char *at, struct text *place);
void query_free(struct query *query);

/* Parses the value of the line `compare:`, and splits it into strings in place. Returns false with
 * `error` set if it is invalid. The caller checks that the columns exist. */
bool query_compare_parse(struct query_compare *compare, char *line, struct error *error);

#endif
