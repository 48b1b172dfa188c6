/* Selects what a query reads, and has it counted. */
#ifndef TRACETOOL_PREPARE_H
#define TRACETOOL_PREPARE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "report/query.h"
#include "report/request.h"
#include "report/workspace.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* What the parameters of a query file's statements are: the values of options. */

/* All is borrowed. */
struct binding {
    const struct query *query; /* that the statement is of */
    const struct report_request *request;
    const struct catalog *catalog;
    const struct catalog_trace *trace; /* one of the result: all of them have its clock */
};

/* A statement of the query that the connection keeps (database_take_reading()), with its named
 * parameters bound. NULL with `error` set on failure, which says where in the query file. */
sqlite3_stmt *prepare_statement(struct temp_schema *temp, const struct binding *binding,
                                const char *sql, struct error *error);

/* Whether the options of the request are good values of the parameters of the analyses that the
 * query wants, and what they name occurs in one of the traces; says so if not. */
bool prepare_check(const struct workspace *workspace, const struct query *query,
                   const struct report_request *request, const struct catalog_trace *const *traces,
                   size_t count, struct error *error);

/* Whether the query, as the request has it, looks at events of the traces beyond the times of each
 * one's first and last; else rollups answer. Of spans these two times are no less than others. */
bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *const *traces, size_t count);

/* Whether the query, or an analysis that it wants, reads the temporary table `name`. */
bool prepare_reads(const struct query *query, const char *name);

/* Makes the selection of the traces, which are of one kind, with the tables that the query reads.
 * To be ended by selection_close() in any case. */
bool prepare_selection(struct workspace *workspace, struct temp_schema *temp,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error);

/* --mark: operations of another trace, by which those of a report are marked. */

/* What is marked for the results of one query; zeroed at first. */
struct mark {
    const struct query *query; /* the one for which temp.marked_operation is filled */
    bool made;                 /* temp.marked_operation is there */
    struct notes notes;        /* owned; what the reader must know of the marked trace */
};

/* Fills temp.marked_operation (operation, actor, count) with the events of the trace of --mark that
 * pass the filters, where the query counts operations, and adds to `notes`. To be called before
 * the selection of the query's own traces is open. */
bool mark_select(struct mark *mark, struct workspace *workspace, struct temp_schema *temp,
                 const struct query *query, const struct report_request *request,
                 struct notes *notes, struct error *error);
void mark_free(struct mark *mark);

/* Reference times that `accuracy` compares measured ones with. */

/* Longest line and most lines of the file. */
#define REFERENCE_LINE  65536
#define REFERENCE_LINES 100000

/* Makes temp.reference (name, time) for a request with --reference, or whose report reads it, of
 * the lines of that file: a name, a TAB and a time, in nanoseconds or with a unit (12.5ms). Blank
 * lines and those that begin with # are left out. */
bool prepare_reference(struct temp_schema *temp, const struct query_set *queries,
                       const struct report_request *request, struct error *error);

#endif
