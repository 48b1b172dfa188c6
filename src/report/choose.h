/* Which query answers for which trace. */
#ifndef TRACETOOL_CHOOSE_H
#define TRACETOOL_CHOOSE_H

#include "report/query.h"
#include "report/request.h"

struct choice {
    const struct catalog_trace *trace; /* borrowed */
    const struct query *query;         /* likewise */
    bool done;                         /* part of a result that has been made */
};

/* Puts the traces of the request with their queries into `choices`, owned by the caller, in the
 * order of the request, else of the catalog: at least one. Fails where the report does not exist or
 * is for none of them, or where an option makes no sense for one of them. */
bool choose(const struct catalog *catalog, const struct query_set *queries,
            const struct report_request *request, struct choice **choices, size_t *count,
            struct error *error);

/* Whether there is a report of that name; says so if not. */
bool choose_check_report(const struct query_set *queries, const char *report, struct error *error);

/* Whether two traces may share a result: the same query, kind and clock. */
bool choices_share_result(const struct choice *left, const struct choice *right);

#endif
