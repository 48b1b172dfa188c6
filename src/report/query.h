/* Query files: a report is an SQL file with a header; the program knows none by name.
 *
 * The header is the comment lines at the top:
 *
 *     -- report: popularity                 what the user asks for
 *     -- title: Popularity of operations
 *     -- kinds: calls io spans              kinds of trace it is for
 *     -- formats: mobigen                   only for traces of these formats, before one for all
 *     -- when: of = application             this file is meant when --of application is given;
 *                                           `when: of = operation by default`: also without --of;
 *                                           `when: timeline`: when --timeline is;
 *                                           `when: picture`: where the report is drawn
 *     -- options: of mark                   report options it takes, beside the common ones
 *     -- tally: operation                   analyses whose tables it reads, by name (analysis.h),
 *                                           as temp.tally_operation. NAME? is done where a filter
 *                                           chooses events, and is empty for whole traces
 *     -- events: yes                        reads temp.selected_event
 *     -- actions: all                       block I/O: of all actions, not only the counted one
 *     -- needs: reference address=sector    option without which it makes no sense; what a column
 * of `event` must mean in a trace (tracetool-schema(7))
 *     -- after: io                          where no trace is named, and where a name is short for
 *                                           the traces of one log, only if none is of these kinds
 *     -- instead: files --by process        a report, with or without an option, that may answer
 *                                           for traces this one is not for; 4 lines at most
 *     -- fact: files report                 all that it shows rests on what some logs do not state
 *                                           (model/meaning.h): not for these
 *     -- fact: flushes rows class = flush, discard
 *                                           these rows do, and are left out
 *     -- fact: synchronous-flags columns readsync writesync
 *                                           these columns do: NULL, not 0
 *     -- clocks: any                        traces with different clocks share a result; `first`:
 *                                           those whose first clocks are the same;
 *                                           `real`: only traces whose times are nanoseconds;
 *                                           `both`: only traces with a clock beside the first,
 *                                           whose times the calls have, as with --clock cpu
 *     -- op: limit                          a parameter of its own: where it is not given, --op
 * NAME gives it, and does not choose events
 *     -- window: begun                      counts nothing of calls but those that began between
 *                                           --from and --to; else times are parts of calls
 *                                           (window_edges.h)
 *     -- times: corrected                   of traces with probes times are corrected unless
 *                                           --measured is given
 *     -- thin: time/1200 id/600 name        of rows that a picture would draw at one place, the
 *                                           first is enough: columns that make up a place,
 *                                           integers in so many parts of their range; A+B/N: of a
 *                                           sum (downsample.h)
 *     -- plot: popularity                   plots/popularity.gp; the report's name by default;
 *                                           `none`: there is no picture
 *     -- plot: class-shares if share row column
 *                                           one more line: this plot where --share is given, with
 *                                           one of these values, if there are any
 *     -- curves: 6                          in pictures, and with --cdf,
 *                                           temp.distribution_curve has those of so many
 *                                           groups, the largest; 9 at most
 *     -- column: share share fraction - of all bytes
 *                                           name; type: int, real, text, time, or a kind (enum
 *                                           column_kind in lower case); unit, `-`: none; worth,
 *                                           `more` or `less` where that is better, else `-`; what
 * it holds. All behind the type may be left out
 *     -- column: mark text if mark          only when --mark is given; `if several`: when
 *                                           the result has several traces; `if picture`: when
 *                                           a picture is drawn; `if curve`: with curves;
 *                                           `unless cdf`: when --cdf is not given
 *     -- meaning: share of all bytes        instead of its words in the line `column:`
 *     -- page: 20                           place among the reports of a page, 1 to 99, before
 *                                           those without; `picture`: of which a page has the
 *                                           picture, and no table
 *     -- question: Who writes most?         what the report answers
 *     -- weight: share time                 of a finding (findings.h), as are the next five: the
 *                                           column that says how much it matters, as a share of
 *                                           the time, bytes or calls
 *     -- say: {calls} calls[ of {file}]     the sentence, with columns in it; what stands in [] is
 *                                           left out where one of its columns is NULL
 *     -- look: report syncs                 the command that shows the evidence
 *     -- why: …                             what it means
 *     -- unless: …                          when it is no fault
 *     -- source: …                          where the threshold is from
 *     -- traces: apart                      each trace has a result of its own
 *     -- key: partition file_type           columns that tell rows apart, the coarser first
 *     -- shares: total                      takes --share: integer columns are counts of something,
 *                                           and this one their sum in a row (means.h)
 *     -- order: total                       with a key: means of groups (means.h) come by this
 *                                           column, the largest first; a terminal
 *                                           shows it before other columns
 *     -- worth: name calls total share      where a terminal has no room for all columns, these are
 *                                           left out last, the first of them at the very last
 *     -- blank: mark                        texts that may be empty; people see others as (none)
 *     -- meanless: rank                     columns of which means make no sense
 *     -- compare: counts value=count        how the rows of two traces are compared
 *                                           (query.c); columns `if compare` are there then
 *
 *     -- parameter: limit integer 5 "rows of each group"
 *                                           an option of its own, --limit, read as :limit: name,
 *                                           type, default (`none`: NULL), help
 *
 *     -- by: class file                     the following lines are of the parts `class` and `file`
 *                                           alone, each a query of its own, with `when: by = NAME`
 *                                           unless it says otherwise; `all` ends it. `-- part:`:
 *                                           the same without a condition (query_text.h)
 *
 * Lines `-- include: NAME`, in the header and behind it, are replaced by files (query_text.h).
 *
 * After the header comes the query; it may be followed by others behind a line `-- remark`, each of
 * which gives texts for the `#` lines (`-- remark loss`, `excluded` or `definition`: of what kind,
 * enum remark_class), and by one behind a line `-- NAME`, which gives rows to the
 * analysis of that name: `-- distribution` takes groups and values, whose percentiles the first
 * query finds in temp.distribution. Parameters:
 * `:name` is the value of the option --name: when it was not given, the default of a parameter of
 * the file's own, else NULL. docs/adding-a-report.md
 * and tracetool-config(5) describe what a query can read.
 */
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

#define QUERY_PARAMETER_NAME 40 /* bytes of a name at most */

/* The strings are parts of the line. */
struct query_parameter {
    struct parameter row;
    const char *type;      /* as the header says it: integer, real, text, time, duration */
    const char *otherwise; /* the default, as it would be given; NULL: none */
};

enum compare_method {
    COMPARE_NOT, /* the file does not say */
    COMPARE_COUNTS,
    COMPARE_SIZES,
    COMPARE_TIMES,
    COMPARE_CLOCK,
    COMPARE_VALUES,
    COMPARE_ROWS,
    COMPARE_TREE,
};

/* Names of columns, which blanks part where there are several; NULL: not given. The strings are
 * parts of the line. */
struct query_compare {
    enum compare_method method;
    bool alone;      /* only where it is asked for, not among all reports */
    bool is_lengths; /* values: durations are longer or shorter, not slower or faster */
    const char *key;
    const char *value; /* counts, sizes, clock; rows: NULL: all numbers beside the key */
    const char *calls; /* times, tree; NULL: how often is not known */
    const char *time;  /* times, tree */
    const char *total; /* tree: time with what was called */
    const char *group; /* values: what temp.distribution calls what the row is of */
    const char
        *has_sign; /* rows, `signed`: not 0 where the value may be negative; NULL: none may */
    const char *deviation, *count; /* rows: the standard deviation of the values that `value` is the
                                      mean of, and how many they are; NULL: it is no mean */
    const char *seconds;           /* clock: how long the hour was observed; NULL: not known */
};

#define QUERY_COLUMNS    25
#define QUERY_REMARKS    16
#define QUERY_ANALYSES   24
#define QUERY_PARAMETERS 64
#define QUERY_MEANINGS   4
#define QUERY_INSTEAD    4
/* The column of `needs: log=states`: another trace of the log has states of threads. */
#define QUERY_OF_LOG "log"
#define QUERY_FACTS  12

/* Which values are better for who reads the report. */
enum query_worth { WORTH_NONE, WORTH_MORE, WORTH_LESS };

struct query_column {
    struct column column;
    const char *condition; /* option that must be given, NULL: always there */
    bool unless;           /* that must not be given */
    enum query_worth worth;
    const char *meaning; /* what it holds, in words; NULL: the file does not say */
};

/* A line `meaning:`. */
struct query_meant {
    const char *word, *value;
};

/* What a column of `event` has to mean in a trace. */
struct query_meaning {
    const char *column, *what;
};

/* The plot where an option is given. */
struct query_other_plot {
    const char *option; /* NULL: there is none */
    const char *values; /* blank-separated; "": any */
    const char *plot;
    char *text; /* owned; NULL where there is no such file */
};

/* What rests on a fact that the log may not state: all that the query shows, rows with some texts
 * in a column, or columns. */
enum query_fact_part { QUERY_FACT_REPORT, QUERY_FACT_ROWS, QUERY_FACT_COLUMNS };
struct query_fact {
    enum fact fact;
    enum query_fact_part part;
    const char *column; /* of rows; else NULL */
    const char *names;  /* texts in it, parted by ", "; columns, parted by blanks; else NULL */
};

/* A key of `thin`, by the names of its columns. */
struct query_place_key {
    const char *column, *plus; /* plus: NULL: only the first */
    unsigned parts;            /* as in struct downsampling_key */
};

/* A statement behind a line `-- remark`. */
struct query_remark {
    const char *sql;
    enum remark_class class;
};

/* The conditions of columns that are for pictures, and for comparisons, only. */
#define QUERY_PICTURE "picture"
#define QUERY_COMPARE "compare"

/* A parameter: 1 where the less important rows are left out, else NULL. */
#define QUERY_BRIEF "brief"

/* That of columns of curves (query_curves()). */
#define QUERY_CURVE "curve"

/* A parameter, and the condition of columns: 1 where --all is given, else NULL. */
#define QUERY_ALL "all"

/* A parameter: 1 where a comparison leaves out which I/Os are synchronous, else 0. */
#define QUERY_UNSYNCHRONOUS "unsynchronous"

/* A parameter: 1 where the result becomes a table for people, else NULL. */
#define QUERY_PEOPLE "people"

/* All strings are owned by `text`. */
struct query {
    struct query_text source; /* the file with what it includes, for messages; owned */
    char *text;               /* three names, then the same, cut into strings; owned */
    size_t source_at;         /* where it begins in `text` */
    const char *file;
    const char *name;     /* FILE, or BASE-PART.sql: a user's file of that name replaces it */
    size_t place_in_file; /* the parts of a file are in order of this */
    const char *report, *title, *plot;
    const char *when_option, *when_value; /* NULL: no condition, any value */
    bool when_picture;                    /* only where a picture is drawn: of a report of others */
    const char *options;                  /* blank-separated */
    const char *formats;                  /* likewise; "": all */
    unsigned kinds;                       /* bit set of enum trace_kind */
    unsigned after; /* likewise: traces of these kinds are reported instead of its own */
    struct wanted_analysis wanted[QUERY_ANALYSES]; /* parameters as they are when none is given */
    size_t wanted_count;
    bool by_default; /* also meant when the option is not given */
    bool reads_events, all_actions;
    const char *needs;                  /* option, NULL: none */
    const char *instead[QUERY_INSTEAD]; /* reports for other traces, as they are typed */
    size_t instead_count;
    const char *op; /* its own parameter that --op means, NULL: none */
    struct query_meaning meanings[QUERY_MEANINGS];
    size_t meaning_count;
    bool any_clocks, first_clocks, real_clocks, both_clocks;
    bool begun;           /* of calls counts only those that began in the window */
    enum correct correct; /* when neither --corrected nor --measured is given */
    const char *indented; /* result.indented */
    struct query_column columns[QUERY_COLUMNS];
    size_t column_count;
    const char *key;              /* names of columns, blank-separated; "": none */
    const char *order;            /* name of a column; NULL: none */
    const char *ranked;           /* names of columns, the worthiest first; NULL: not said */
    const char *blank;            /* names of columns of text that may be empty */
    const char *meanless;         /* names of columns */
    const char *total;            /* name of a column; NULL: counts do not become shares */
    struct query_compare compare; /* its key is never NULL unless there is no method */
    struct query_parameter parameters[QUERY_PARAMETERS];
    size_t parameter_count;
    struct query_place_key place[DOWNSAMPLING_KEYS]; /* what makes up a place of the picture */
    size_t place_count;                              /* 0: all rows are drawn */
    const char *question;                            /* NULL: none */
    struct query_meant meant[QUERY_COLUMNS]; /* lines `meaning:`, until the header is read */
    size_t meant_count;
    struct query_fact facts[QUERY_FACTS];
    size_t fact_count;
    int64_t page_place; /* among the reports of a page; 0: behind those that have one */
    bool only_picture;  /* a page has its picture, and no table */
    bool apart;         /* each trace has a result of its own */
    const char *weight, *say, *look, *why, *unless, *cited; /* of a finding; NULL: not said */
    size_t curves; /* of so many groups of a distribution, for pictures; 0: none are wanted */
    const char *sql;
    struct query_remark remarks[QUERY_REMARKS];
    size_t remark_count;
    char *plot_text; /* owned; what plots/PLOT.gp says, NULL for none */
    struct query_other_plot other_plot;
    bool is_own;         /* a file of the user's, or in place of one of the program's */
    bool is_flame_graph; /* it has the line QUERY_FLAME_GRAPH: an SVG is drawn by flame_graph.h */
};

/* The line of a plot file that says so. */
#define QUERY_FLAME_GRAPH "# svg: flame graph"

/* Parses one query file, or a part of it unless that is NULL. `file` is its name for messages,
 * `text` its content; both are copied. It may include files of the program's own, and of
 * `directory`, the user's folder for a file of his, else NULL. */
bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 const struct query_part *part, struct error *error);

/* Whether what the header says fits together; for query_parse(). */
bool query_check(struct query *query, struct error *error);

/* Appends the text of a remark that defines words, where it does not depend on the trace; false
 * where it does, or is another remark. */
bool query_definition(const struct query_remark *remark, struct text *out);

/* Sets what a result of the query says of itself and its columns; borrowed. */
void query_describe(const struct query *query, struct result *result);

/* Puts the place in the file in front of an error. Always false. */
bool query_error_at(const struct query *query, const char *at, struct error *error);

/* Whether the column is there only where a picture is drawn, or two traces are compared. */
bool query_column_of_picture(const struct query_column *column);
bool query_column_of_compare(const struct query_column *column);

/* Whether it is there only with curves. */
bool query_column_of_curve(const struct query_column *column);

/* Whether the query says which share of all is no more than the value of each row: whether --cdf
 * asks for what it gives. */
bool query_is_cumulative(const struct query *query);

/* Whether it also says how many are beyond that: whether --ccdf makes sense. */
bool query_is_complementary(const struct query *query);

/* Whether a report of the query prints the column, given the option that chooses its file. */
bool query_prints_column(const struct query *query, const struct query_column *column);

/* What the file says about the column of that name, NULL: nothing. */
const char *query_column_meaning(const struct query *query, const char *name);

/* Any of these three: it is none of those that a report prints. */
bool query_column_is_hidden(const struct query_column *column);

/* The file's own parameter of that name, NULL when it has none. */
const struct query_parameter *query_parameter(const struct query *query, const char *name);

/* Of how many groups of a distribution the query wants curves; 0 unless these are wanted
 * (request_wants_curves()). Then --top is of these groups, not of rows. */
static inline size_t query_curves(const struct query *query, bool wanted) {
    return wanted ? query->curves : 0;
}

/* Whether the query or one of its remarks has the text. */
bool query_has_text(const struct query *query, const char *text);

/* What a header calls a kind of column. */
const char *query_column_kind(enum column_kind kind);

/* The kind whose name these bytes are; false: none. */
bool query_column_kind_find(const char *name, size_t length, enum column_kind *kind);

/* Bytes of a statement without the semicolon and blanks that end it. */
size_t query_statement_length(const char *sql);

/* Appends FILE:LINE of a place in one of the query's statements. */
void query_place(const struct query *query, const char *at, struct text *place);
void query_free(struct query *query);

/* Parses what stands behind `compare:`, and cuts it into strings. Says what is wrong with it; that
 * the columns are there is the caller's to see. */
bool query_compare_parse(struct query_compare *compare, char *line, struct error *error);

#endif
