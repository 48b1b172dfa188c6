/* Computes figures of traces from reports. Each report runs once for all figures with the same
 * filters and options. Its rows go into a table in memory, and figures are SQL over that table. */
#ifndef TRACETOOL_MEASURE_H
#define TRACETOOL_MEASURE_H

#include "contract/condition.h"
#include "report/report.h"
#include "report/workspace.h"

/* Reasons why a figure is unknown. */
#define MEASURE_NO_BASELINE "the baseline has no trace of this kind"
#define MEASURE_NO_FILES    "the log names no files"
#define MEASURE_NO_ROW      "the report has no such row for this log"
#define MEASURE_NO_REPORT   "there is no such report of the log"
#define MEASURE_NO_TIME     "the log has nothing in that time"

struct measure_table;

/* Reports of some traces. The borrowed members must be set before opening. */
struct measures {
    struct workspace *workspace;          /* borrowed, as is the next */
    const struct report_request *request; /* selects the traces */
    const struct catalog_trace **traces;  /* owned; the traces */
    size_t trace_count, last;     /* last: the trace of the last result; traces are in order */
    sqlite3 *memory;              /* owned */
    struct measure_table *tables; /* owned */
    struct pool pool;             /* memory of reasons */
};

bool measures_open(struct measures *measures, struct error *error);
void measures_close(struct measures *measures);

/* Computes the figure of the trace of that index. A missing figure is unknown, which is not a
 * failure. `where`: an additional SQL condition on the rows; NULL: none. */
bool measure_figure_in_trace(struct measures *measures, const struct figure *figure,
                             const char *where, size_t trace, struct measured *measured,
                             struct error *error);

/* Prepares SQL on the rows of a source; the table is called `rows`. lasting(NAME) is the name
 * without the parts that vary from run to run, as in comparisons. NULL with `error` set. */
sqlite3_stmt *measure_prepare(struct measures *measures, const struct figure *figure,
                              const struct figure_source *source, size_t trace, const char *sql,
                              struct error *error);

/* Returns the columns that identify a row of the figure's report of a trace; blank-separated, "":
 * none, or no such report. */
const char *measure_keys(struct measures *measures, const struct figure *figure, size_t trace);

/* If the figure's time window lies outside of the trace, returns the reason why the figure is
 * unknown, rather than 0. Else NULL. */
const char *measure_outside(const struct catalog_trace *trace, const struct figure *figure);

/* Characters of words in SQL conditions. */
#define CONDITION_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Returns whether an SQL condition contains that word, outside of texts in quotes. */
bool measure_has_word(const char *condition, const char *word);

/* Returns whether a condition names a column of the figure's report that has that kind. */
bool measure_names_kind(struct measures *measures, const struct figure *figure, size_t trace,
                        const char *condition, enum column_kind kind);

/* Returns the figure with at most one name for each key in `keys`, as measure_append_names() takes
 * them; the last one has the further parts of a dotted row, with dots. `columns`: the existing
 * keys. `placed`: storage. */
const struct figure *measure_place_names(struct pool *pool, const struct figure *figure,
                                         const char *keys, const char *columns,
                                         struct figure *placed);

/* Appends AND and an SQL condition: for each key in `keys`, the row has one of the figure's names.
 * `columns`: the existing keys, blank-separated; "name" is called `name`. `only`: just that key;
 * NULL: all. */
void measure_append_names(struct text *sql, const struct figure *figure, const char *keys,
                          const char *columns, const char *name, const char *only);

/* Appends an SQL condition that a column matches a figure's name pattern. */
void measure_append_fits(struct text *sql, const char *column, const char *name);

/* Sets `*lacks` if calls were left out of the log, and it has none whose name `op` meets the SQL
 * condition: then their number is not 0, but unknown. */
bool measure_lacks(struct database *database, const struct catalog_trace *trace,
                   const char *condition, bool *lacks, struct error *error);

/* Returns whether the log names files: a call has the name of its file or pipe, or no call is on
 * one. */
bool measure_names_files(const struct catalog_trace *trace);

#define MEASURE_LACKS "calls were left out of the log, and it has none of these"

/* Returns the reason, in the pool, why a figure is unknown: neither the log nor Linux has a call of
 * that name. */
const char *measure_no_call(struct pool *pool, const char *name);

/* Appends AND and an SQL condition for the calls that a figure's column counts by their effect;
 * nothing for other columns. */
void measure_append_does(struct text *sql, const char *column);

/* Adds the list `columns`, blank-separated, to SQLite's error about a column that does not exist.
 */
void measure_list_columns(struct error *error, const char *columns);

/* Refuses a word in double quotes that is none of the columns and compared with a constant: SQLite
 * takes it as a text, so that no row matters. */
bool measure_check_quoted(const char *condition, const char *columns, struct error *error);

/* Appends a text as an SQL string literal. */
void measure_append_quoted(struct text *sql, const char *text, size_t length, bool is_pattern);

#endif
