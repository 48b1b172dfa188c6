/* Computes figures of traces from reports. A report runs once for all figures with the same filters
 * and options. Its rows go into a table in memory, and figures are SQL on that table. */
#ifndef TRACETOOL_MEASURE_H
#define TRACETOOL_MEASURE_H

#include "contract/condition.h"
#include "report/report.h"
#include "report/workspace.h"

/* Reasons why a figure of a trace is unknown. */
#define MEASURE_NO_BASELINE "the baseline has no trace of this kind"
#define MEASURE_NO_FILES    "the log names no files"
#define MEASURE_NO_ROW      "the report has no such row for this log"
#define MEASURE_NO_REPORT   "there is no such report of the log"
#define MEASURE_NO_TIME     "the log has nothing in that time"

struct measure_table;

/* Tables with the rows of reports on traces. The borrowed members must be set before opening. */
struct measures {
    struct workspace *workspace;          /* borrowed, like `request` */
    const struct report_request *request; /* selects the traces */
    const struct catalog_trace **traces;  /* owned; the selected traces */
    /* Last: index of the trace of the last result; results come in order of traces. */
    size_t trace_count, last;
    sqlite3 *memory;              /* owned */
    struct measure_table *tables; /* owned */
    struct pool pool;             /* memory of the reasons */
};

bool measures_open(struct measures *measures, struct error *error);
void measures_close(struct measures *measures);

/* Computes a figure of the trace with index `trace`. If the figure is missing, it is unknown, which
 * is no failure. `where`: another SQL condition on the rows; NULL: none. */
bool measure_figure_in_trace(struct measures *measures, const struct figure *figure,
                             const char *where, size_t trace, struct measured *measured,
                             struct error *error);

/* Prepares an SQL statement on the rows of a source, which it calls `rows`. lasting(NAME) is the
 * name without the parts that vary from run to run, as in comparisons. NULL with `error` set. */
sqlite3_stmt *measure_prepare(struct measures *measures, const struct figure *figure,
                              const struct figure_source *source, size_t trace, const char *sql,
                              struct error *error);

/* Returns the columns that identify a row of the figure's report on a trace, blank-separated. "":
 * none, or there is no such report. */
const char *measure_row_keys(struct measures *measures, const struct figure *figure, size_t trace);

/* If the figure's time window lies outside of the trace, returns why the figure is unknown, rather
 * than 0; else NULL. */
const char *measure_why_outside(const struct catalog_trace *trace, const struct figure *figure);

/* Characters that words in SQL conditions consist of. */
#define CONDITION_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Returns whether an SQL condition contains a word, outside of texts in quotes. */
bool measure_has_word(const char *condition, const char *word);

/* Returns whether a condition uses a column of the figure's report that has a kind. */
bool measure_uses_kind(struct measures *measures, const struct figure *figure, size_t trace,
                       const char *condition, enum column_kind kind);

/* Returns the figure with at most one name for each key in `keys`, as measure_append_names() needs
 * it; the last name is all further parts of a dotted row, with dots. `columns`: the existing keys.
 * `placed`: memory for the result. */
const struct figure *measure_match_names_to_keys(struct pool *pool, const struct figure *figure,
                                                 const char *keys, const char *columns,
                                                 struct figure *placed);

/* Appends AND and an SQL condition: for each key in `keys`, the row has one of the figure's names.
 * `columns`: the existing keys, blank-separated; the key "name" is called `name` in SQL. `only`:
 * the condition is for this key alone; NULL: for all. */
void measure_append_names(struct text *sql, const struct figure *figure, const char *keys,
                          const char *columns, const char *name, const char *only);

/* Appends an SQL condition: a column fits a name in a figure, which may be a pattern. */
void measure_append_fits(struct text *sql, const char *column, const char *name);

/* Sets `*lacks` if calls were left out of the log, and it has no call whose name `op` meets the SQL
 * condition. Then the number of these calls is unknown, rather than 0. */
bool measure_lacks_calls(struct database *database, const struct catalog_trace *trace,
                         const char *condition, bool *lacks, struct error *error);

/* Returns whether the log names files: a call has its file's name, or no call is on a file. */
bool measure_log_names_files(const struct catalog_trace *trace);

#define MEASURE_LACKS "calls were left out of the log, and it has none of these"

/* Returns, in the pool, why a figure is unknown: the log and Linux lack a call with this name. */
const char *measure_why_no_call(struct pool *pool, const char *name);

/* Appends AND and an SQL condition for the calls that a column counts by what they do to files;
 * nothing for other columns. */
void measure_append_effect_filter(struct text *sql, const char *column);

/* Adds the names of all columns, blank-separated, to SQLite's error about an unknown column. */
void measure_list_columns(struct error *error, const char *columns);

/* Refuses a condition that compares a word in double quotes with a constant, if the word is no
 * column: SQLite takes it as a text, so that the rows do not matter. */
bool measure_check_quoted(const char *condition, const char *columns, struct error *error);

/* Appends a text as an SQL string literal. */
void measure_append_quoted(struct text *sql, const char *text, size_t length, bool is_pattern);

#endif
