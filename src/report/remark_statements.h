/* SQL statements for the `#` lines of a result. */
#ifndef TRACETOOL_REMARK_STATEMENTS_H
#define TRACETOOL_REMARK_STATEMENTS_H

#include "report/query.h"
#include "report/request.h"
#include "select/selection.h"

/* Maximum: those of a query, and the built-in ones. */
#define REMARK_STATEMENTS (QUERY_REMARKS + 5)

/* Fills `statements` in the order of their lines; returns their number. */
size_t remark_statements(const struct query *query, const struct report_request *request,
                         const struct selection *selection,
                         struct query_remark statements[REMARK_STATEMENTS]);

/* Appends a SELECT that returns a row if the tables of the query's analyses, or the events it
 * reads, are not empty. Empty if it reads none of these. */
void remark_append_left(const struct query *query, struct text *sql);

#endif
