/* Splits a comparison by kind of trace. A log may be imported as traces of several kinds, such as
 * calls and io, with the same name. Each kind is compared separately if both sides have it and it
 * has the filter's names. */
#ifndef TRACETOOL_COMPARE_PARTS_H
#define TRACETOOL_COMPARE_PARTS_H

#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"

/* Returns the report's query if one run of it can cover all traces of a side; else NULL. Borrowed.
 */
const struct query *compare_find_query(const struct workspace *workspace,
                                       const struct report_request *side);

/* Iterates over the kinds of traces to compare. */
struct compare_kinds {
    const struct compare_request *request; /* borrowed */
    unsigned kinds; /* bits of enum trace_kind; 0: the request is not split by kind */
    size_t count;   /* number of comparisons, at least 1 */
    int next;       /* kind of trace to try next */
};

/* Finds the kinds of traces to compare for a request that names a report. */
struct compare_kinds compare_kinds_of(const struct workspace *workspace,
                                      const struct compare_request *request);

/* Sets `part` to the request for the next kind of trace. Returns false after the last one. */
bool compare_kinds_next(struct compare_kinds *parts, struct compare_request *part);

/* Returns true if the traces of this kind have, on both sides, all names that the filter uses (such
 * as processes and files); sets an error if not. */
bool compare_kind_has_filter_names(const struct workspace *workspace,
                                   const struct compare_request *part, struct error *error);

#endif
