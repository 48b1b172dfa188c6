/* SQL statements for the `#` lines of a result. */
#ifndef TRACETOOL_REMARK_STATEMENTS_H
#define TRACETOOL_REMARK_STATEMENTS_H

#include "report/query.h"
#include "report/request.h"
#include "select/selection.h"

/* Those of a query, and the program's own. */
#define REMARK_STATEMENTS (QUERY_REMARKS + 5)

/* Puts the statements into `statements`, in the order of their lines; returns how many there are.
 */
size_t remark_statements(const struct query *query, const struct report_request *request,
                         const struct selection *selection,
                         struct query_remark statements[REMARK_STATEMENTS]);

/* Appends a SELECT that has a row when the tables that analyses of the query have filled, or the
 * events that it reads itself, have one; empty where it looks at none of these. */
void remark_append_left(const struct query *query, struct text *sql);

#endif
