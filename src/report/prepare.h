/* Prepares a report: fetches its data from a store, selects the data of a query, runs its analyses,
 * and writes the statements of its rows and `#` lines. */
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

/* Binds options to the parameters of a query file's statements. */

/* Where the values of a statement's parameters come from. All pointers are borrowed. */
struct binding {
    const struct query *query; /* source of the statement */
    const struct report_request *request;
    const struct catalog *catalog;
    const struct catalog_trace *trace; /* one of the result's traces, which have the same clock */
};

/* Returns a cached statement of the query (database_take_reading()) with its named parameters
 * bound. NULL with `error` set on failure, with the place in the query file. */
sqlite3_stmt *prepare_statement(struct temp_schema *temp, const struct binding *binding,
                                const char *sql, struct error *error);

/* Whether the request's options are valid for the parameters of the query's analyses, and the names
 * in them occur in a trace. Sets an error if not. */
bool prepare_check(const struct workspace *workspace, const struct query *query,
                   const struct report_request *request, const struct catalog_trace *const *traces,
                   size_t count, struct error *error);

/* Whether the query, with this request, reads events of the trace other than the times of the
 * first and last; otherwise rollups suffice. For spans, reading these two counts, too. */
bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *trace);

/* Whether the query, or an analysis of it, reads the temporary table `name`. */
bool prepare_reads(const struct query *query, const char *name);

/* Creates the selection of the traces, of one kind, with the tables that the query reads. Always
 * call selection_close(). */
bool prepare_selection(struct workspace *workspace, struct temp_schema *temp,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error);

/* --mark: marks a report's operations that occur in another trace. */

/* Marks for the results of one query; initially zeroed. */
struct mark {
    const struct query *query; /* the query for which temp.marked_operation was filled */
    bool made;                 /* temp.marked_operation exists */
    struct notes notes;        /* owned; notes on the marked trace */
};

/* Fills temp.marked_operation (operation, actor, count) with the events of --mark's trace that pass
 * the filters, if the query counts operations, and adds notes. Call before opening the selection of
 * the query's own traces. */
bool mark_select(struct mark *mark, struct workspace *workspace, struct temp_schema *temp,
                 const struct query *query, const struct report_request *request,
                 struct notes *notes, struct error *error);

/* Reference times for the report `accuracy`. */

/* Maximum line length and number of lines of the file. */
#define REFERENCE_LINE  65536
#define REFERENCE_LINES 100000

/* Creates temp.reference (name, time) if the request has --reference or its report reads it. A line
 * of the file has a name, a TAB and a time, in nanoseconds or with a unit (12.5ms). Blank lines and
 * lines that begin with # are skipped. */
bool prepare_reference(struct temp_schema *temp, const struct query_set *queries,
                       const struct report_request *request, struct error *error);

/* Fetches what the `count` queries, at least one, read of their traces and of others: traces named
 * by options, and traces of the same studies. Does nothing for a database file. False with `error`
 * set if the store does not answer or has changed. */
bool fetch_plan_run(struct workspace *workspace, const struct report_request *request,
                    const struct choice *choices, size_t count, struct error *error);

/* Most statements of remarks: those of a query, and the built-in ones. */
#define REMARK_STATEMENTS (QUERY_REMARKS + 5)

/* Fills `statements` in the order of their lines; returns their number. */
size_t remark_statements(const struct query *query, const struct report_request *request,
                         const struct selection *selection,
                         struct query_remark statements[REMARK_STATEMENTS]);

/* Appends a SELECT that returns a row if the tables of the query's analyses, or the events it
 * reads, are not empty. Empty if it reads none of these. */
void remark_append_left(const struct query *query, struct text *sql);

struct sorting {
    int column; /* index of the sort column in the statement */
    bool ascending, is_text;
};

/* Finds the column of request->sort among the `*count` columns of the result, which are the columns
 * `from` of the statement. Removes cumulative columns, which have no meaning in another order. */
bool sorting_find(struct sorting *sorting, const struct report_request *request,
                  const struct query *query, struct column *columns, int *from, size_t *count,
                  struct error *error);

/* Appends the statement that sorts another one's rows: numbers descending, names ascending, or the
 * opposite; NULL last; ties in the original order. */
void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text);

#endif
