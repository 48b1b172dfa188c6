/* The events of a trace as rows of one wide table, with texts where the database has ids: for
 * engines that know nothing of tracetool (Spark, Trino, DuckDB, ClickHouse). The columns are the
 * same for every kind of trace, so that many traces are one table there; what a kind does not have
 * is NULL.
 */
#ifndef TRACETOOL_EVENT_TABLE_H
#define TRACETOOL_EVENT_TABLE_H

#include <sqlite3.h>

#include "export/export.h"

/* Every kind of trace can be such a table. */
#define EVENT_TABLE_KINDS                                                                          \
    (1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS | 1u << TRACE_SAMPLES |                \
     1u << TRACE_RESULTS)

enum event_table_type {
    EVENT_TABLE_INTEGER, /* 64 bits, signed */
    EVENT_TABLE_TEXT,    /* of a log: any bytes */
    EVENT_TABLE_BYTES,
};

struct event_table_column {
    const char *name;
    enum event_table_type type;
    bool optional;    /* it may be NULL */
    const char *unit; /* "clock": of the trace's clock; "place": of its addresses; "" for none */
    const char *what; /* a line */
};

/* In order; the last one has no name. */
extern const struct event_table_column event_table_columns[];

/* The unit of a column in a trace. */
const char *event_table_unit(const struct event_table_column *column,
                             const struct catalog_trace *trace);

/* Calls `row` for each event of the selection, in order of time: value i of the statement is that
 * of column i. Counts them in run->written. */
bool event_table_read(struct export_run *run,
                      bool (*row)(struct export_run *run, void *state, sqlite3_stmt *values,
                                  struct error *error),
                      void *state, struct error *error);

/* Rows of the table of events as lines of CSV. */

/* Begins zeroed. */
struct event_lines {
    struct text line;    /* owned; the last one that was made */
    struct text escaped; /* owned */
};

/* Puts the names of the columns into `line`, as the first line of all. */
void event_lines_heading(struct event_lines *lines);

/* Puts the row into `line`, with its end. */
void event_lines_row(struct event_lines *lines, sqlite3_stmt *values);

void event_lines_free(struct event_lines *lines);

#endif
