/* Figures of traces, out of reports. Each report is made once for all figures that have the same
 * filter and options: its rows go into a table in memory, and figures are SQL over that. */
#ifndef TRACETOOL_MEASURE_H
#define TRACETOOL_MEASURE_H

#include "contract/condition.h"
#include "report/report.h"
#include "report/workspace.h"

struct measure_table;

/* Reports of some traces. Begun with what is borrowed. */
struct measures {
    struct workspace *workspace;          /* borrowed, as the next */
    const struct report_request *request; /* which traces */
    const struct catalog_trace **traces;  /* owned: they */
    size_t trace_count, last;             /* last: that a report told of; all have the same order */
    sqlite3 *memory;                      /* owned */
    struct measure_table *tables;         /* owned */
    struct pool pool;                     /* of reasons */
};

bool measures_open(struct measures *measures, struct error *error);
void measures_close(struct measures *measures);

/* The figure of the trace of that index. What it does not have is not known, and no failure.
 * `where`: a condition in SQL that the rows have to fulfil, too; NULL: none. */
bool measure(struct measures *measures, const struct figure *figure, const char *where,
             size_t trace, struct measured *measured, struct error *error);

/* Prepares SQL on the rows of a source, which are called `rows` in it. NULL with `error` set. */
sqlite3_stmt *measure_prepare(struct measures *measures, const struct figure *figure,
                              const struct figure_source *source, size_t trace, const char *sql,
                              struct error *error);

/* Appends to SQL, with AND in front, that a row of these keys has one of the figure's names for
 * each of them. `columns`: the keys that there are, blank-separated; "name" is called `name`. */
void measure_append_names(struct text *sql, const struct figure *figure, const char *keys,
                          const char *columns, const char *name);

/* Appends that a column fits a name as figures have it. */
void measure_append_fits(struct text *sql, const char *column, const char *name);

/* Appends a text as SQL has it. */
void measure_append_quoted(struct text *sql, const char *text, size_t length, bool is_pattern);

#endif
