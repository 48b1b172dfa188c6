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
                         const char *statements[REMARK_STATEMENTS]);

#endif
