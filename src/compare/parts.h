/* Parts of a comparison. A log may have traces of several kinds. Its name stands for all of them,
 * and a report compares those of each kind that both sides have, with the names of the filter. */
#ifndef TRACETOOL_COMPARE_PARTS_H
#define TRACETOOL_COMPARE_PARTS_H

#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"

/* Returns the query for all traces of a side in one result; NULL if there is none. Borrowed. */
const struct query *compare_query_of(const struct workspace *workspace,
                                     const struct report_request *side);

/* Parts of a request, in order of their kinds. */
struct compare_parts {
    const struct compare_request *request; /* borrowed */
    unsigned kinds; /* kinds of the parts, bits of enum trace_kind; 0: one part, the request itself
                       (its error, if the report suits no kind) */
    size_t count;   /* number of parts, at least 1 */
    int next;       /* kind of trace to try next */
};

/* Finds the parts of a request that names a report. */
struct compare_parts compare_parts_of(const struct workspace *workspace,
                                      const struct compare_request *request);

/* Sets `part` to the request of the next part and returns true; false after the last. */
bool compare_parts_next(struct compare_parts *parts, struct compare_request *part);

/* Returns whether both sides of a part have the names of the filter; sets an error if not. */
bool compare_part_has_names(const struct workspace *workspace, const struct compare_request *part,
                            struct error *error);

#endif
