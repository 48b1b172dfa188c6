/* Computes figures of traces from reports. A report runs once for all figures with the same filters
 * and options. Its rows are stored in a table in memory; figures are SQL queries on this table. */
#ifndef TRACETOOL_MEASURE_H
#define TRACETOOL_MEASURE_H

#include "contract/condition.h"
#include "report/report.h"
#include "report/workspace.h"

/* Reasons why a figure (named number) of a trace is unknown. */
#define MEASURE_NO_BASELINE "the baseline has no trace of this kind"
#define MEASURE_NO_FILES    "the log names no files"
#define MEASURE_NO_ROW      "the report on this log has no such row"
#define MEASURE_NO_REPORT   "the report does not apply to this log"
#define MEASURE_NO_TIME     "the log has no events in that time"

struct measure_table;

/* Tables in memory with the rows of reports. The caller sets `workspace` and `request` before
 * measures_open(). */
struct measures {
    struct workspace *workspace;          /* borrowed, like `request` */
    const struct report_request *request; /* selects the traces */
    const struct catalog_trace **traces;  /* owned; the selected traces */
    /* last: index of the trace of the previous result, since results come in order of traces. */
    size_t trace_count, last;
    sqlite3 *memory;              /* owned; database in memory */
    struct measure_table *tables; /* owned */
    struct pool pool;             /* owns the reasons why figures are unknown */
};

bool measures_open(struct measures *measures, struct error *error);
void measures_close(struct measures *measures);

/* Computes a figure of the trace with index `trace`. An unknown figure is no failure: `measured`
 * then has the reason. `where`: further SQL condition on the rows; NULL: none. */
bool measure_figure_in_trace(struct measures *measures, const struct figure *figure,
                             const char *where, size_t trace, struct measured *measured,
                             struct error *error);

/* Prepares an SQL statement, in which the table `rows` has the rows of a figure's source (a
 * report). SQL function lasting(NAME) removes the parts of a name that vary between runs, as in
 * comparisons. Returns NULL with `error` set on failure. */
sqlite3_stmt *measure_prepare(struct measures *measures, const struct figure *figure,
                              const struct figure_source *source, size_t trace, const char *sql,
                              struct error *error);

/* Returns the columns that identify a row of the figure's report on a trace, separated by spaces;
 * "" if there are none, or no such report. */
const char *measure_row_keys(struct measures *measures, const struct figure *figure, size_t trace);

/* Returns the reason why the figure is unknown, not 0, if its time window lies outside the trace;
 * else NULL. */
const char *measure_why_outside_window(const struct catalog_trace *trace,
                                       const struct figure *figure);

/* Characters of words in SQL conditions. */
#define CONDITION_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Returns whether an SQL condition contains the word outside string literals. */
bool measure_has_word(const char *condition, const char *word);

/* Returns whether a condition uses a column of that kind in the figure's report. */
bool measure_uses_kind(struct measures *measures, const struct figure *figure, size_t trace,
                       const char *condition, enum column_kind kind);

/* Returns the figure with at most one name per key in `keys`, for measure_append_names(). If a
 * figure written with dots (REPORT.ROW.COLUMN) has more names, the last name is all remaining ones,
 * joined by dots. `columns`: columns of the report. `placed`: storage for the result, if it differs
 * from `figure`. */
const struct figure *measure_match_names_to_keys(struct pool *pool, const struct figure *figure,
                                                 const char *keys, const char *columns,
                                                 struct figure *placed);

/* Appends AND and an SQL condition for each key in `keys`: the row's key is one of the names that
 * the figure gives for this key. Skips keys that are not in `columns` (separated by spaces).
 * `name`: SQL name of the key "name". `only`: the only key to use; NULL: all. */
void measure_append_names(struct text *sql, const struct figure *figure, const char *keys,
                          const char *columns, const char *name, const char *only);

/* Appends an SQL condition: the column matches a figure's name, which may be a pattern. */
void measure_append_name_condition(struct text *sql, const char *column, const char *name);

/* Sets `*lacks` if the log was recorded without some calls, and has no call whose name `op` meets
 * the SQL condition. Then the number of these calls is unknown, not 0. */
bool measure_lacks_calls(struct database *database, const struct catalog_trace *trace,
                         const char *condition, bool *lacks, struct error *error);

/* Returns whether the log has file names: false if calls on files lack the file's name. */
bool measure_log_names_files(const struct catalog_trace *trace);

#define MEASURE_LACKS "the log has none of these calls, but not all calls were logged"

/* Returns, in the pool, why a figure is unknown: neither the log nor Linux has such a call. */
const char *measure_why_no_call(struct pool *pool, const char *name);

/* Appends AND and an SQL condition for calls with the effect that a column counts, such as reads;
 * nothing for other columns. */
void measure_append_effect_filter(struct text *sql, const char *column);

/* Appends the column names (separated by spaces) to SQLite's error about an unknown column. */
void measure_list_columns(struct error *error, const char *columns);

/* Returns false with an error if a condition compares a double-quoted word with a constant, and the
 * word is no column. SQLite would take it as a string, so the result would be the same for all
 * rows. */
bool measure_check_quoted(const char *condition, const char *columns, struct error *error);

/* Appends a text as an SQL string literal; `is_pattern`: as a GLOB pattern with only * special. */
void measure_append_quoted(struct text *sql, const char *text, size_t length, bool is_pattern);

#endif
