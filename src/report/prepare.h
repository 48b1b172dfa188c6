/* Prepares the results of a report: fetches its data from a store, selects events, runs analyses,
 * and creates the SQL statements for rows and `#` lines. */
#ifndef TRACETOOL_PREPARE_H
#define TRACETOOL_PREPARE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/query.h"
#include "report/request.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"
#include "report/choose.h"
#include "select/selection.h"
#include "base/text.h"

/* Binding of options to the parameters of SQL statements in a query file. */

/* The sources of a statement's parameter values. All pointers are borrowed. */
struct binding {
    const struct query *query; /* query that the statement belongs to */
    const struct report_request *request;
    const struct catalog *catalog;
    const struct catalog_trace *trace; /* one of the result's traces; all have the same clock */
};

/* Returns a cached read-only statement of the query (database_acquire_read_only()) with its named
 * parameters bound. On failure returns NULL; the error names the file and line. */
sqlite3_stmt *prepare_statement(struct temp_schema *temp, const struct binding *binding,
                                const char *sql, struct error *error);

/* Checks the request's options for the parameters of the query's analyses, and that the names in
 * them occur in a trace. Returns false with an error if not. */
bool prepare_check_request(const struct workspace *workspace, const struct query *query,
                           const struct report_request *request,
                           const struct catalog_trace *const *traces, size_t count,
                           struct error *error);

/* Returns whether the query, with this request, must read table event for the trace; false if
 * rollups suffice. The times of the first and last event need no such read, except for spans. */
bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *trace);

/* Returns whether the query, or one of its analyses, reads the temporary table `name`. */
bool prepare_query_reads(const struct query *query, const char *name);

/* Creates the selection of a query's traces, all of one kind, with the tables that the query reads.
 * selection_close() must be called even on failure. */
bool prepare_selection(struct workspace *workspace, struct temp_schema *temp,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error);

/* --mark TRACE: a report marks those of its operations that also occur in another trace. */

/* State of --mark, shared by all results of a report. Zeroed at first. */
struct mark {
    const struct query *query; /* query for which temp.marked_operation is filled */
    bool made;                 /* true: the table temp.marked_operation exists */
    struct notes notes;        /* owned; notes on the trace that --mark names */
};

/* If the rows of the query are operations, creates temp.marked_operation (operation, actor, count).
 * With --mark, fills it from the named trace's events that pass the filters, and adds notes. Must
 * be called before the query's own traces are selected. */
bool mark_fill_table(struct mark *mark, struct workspace *workspace, struct temp_schema *temp,
                     const struct query *query, const struct report_request *request,
                     struct notes *notes, struct error *error);

/* Reference times for report accuracy, read from the file of --reference. */

/* Limits of the file of --reference: bytes of a line, and number of lines. */
#define REFERENCE_LINE  65536
#define REFERENCE_LINES 100000

/* Creates temp.reference (name, time) if the request has --reference or its report reads the table.
 * A line of the file has a name, a TAB and a time, in ns or with a unit (12.5ms). Blank lines and
 * lines that begin with # are skipped. */
bool prepare_reference_table(struct temp_schema *temp, const struct query_set *queries,
                             const struct report_request *request, struct error *error);

/* Fetches from a store what the queries of the choices (traces with queries, at least one) read:
 * data of their traces, of traces that options name, and of traces in the same studies. Does
 * nothing for a database file. Returns false with `error` set if the store does not answer or has
 * changed. */
bool fetch_plan_run(struct workspace *workspace, const struct report_request *request,
                    const struct choice *choices, size_t count, struct error *error);

/* Limit of statements that return `#` lines: the query's and the built-in ones. */
#define REMARK_STATEMENTS (QUERY_REMARKS + 5)

/* Sets `statements` to those that return `#` lines of a result, in order. Returns their number. */
size_t remark_find_statements(const struct query *query, const struct report_request *request,
                              const struct selection *selection,
                              struct query_remark statements[REMARK_STATEMENTS]);

/* Appends a SELECT that returns a row if any event was counted: from the tables of the query's
 * analyses, or temp.selected_event. Appends nothing if the query reads neither. */
void remark_append_row_check(const struct query *query, struct text *sql);

struct sorting {
    int column; /* index in the statement of the column to sort by */
    bool ascending, is_text;
};

/* Finds the column of request->sort among the `*count` columns of the result; `from` are their
 * indices in the statement. Removes columns of cumulative values, which are wrong in any other
 * order. */
bool sorting_find_column(struct sorting *sorting, const struct report_request *request,
                         const struct query *query, struct column *columns, int *from,
                         size_t *count, struct error *error);

/* Appends a statement that sorts the rows of another statement by sorting->column: numbers
 * descending, names ascending, or the opposite. NULL comes last; equal rows keep their order. */
void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text);

#endif
