/* Splits a comparison by kind of trace. A log may have traces of several kinds, such as calls and
 * io, all with its name. A report compares each kind that both sides have, with the filter's
 * names. */
#ifndef TRACETOOL_COMPARE_PARTS_H
#define TRACETOOL_COMPARE_PARTS_H

#include "compare/request.h"
#include "report/query.h"
#include "report/workspace.h"

/* Returns the query whose result can hold all traces of a side; NULL if there is none. Borrowed. */
const struct query *compare_query_of(const struct workspace *workspace,
                                     const struct report_request *side);

/* The kinds of traces to compare, in order. */
struct compare_parts {
    const struct compare_request *request; /* borrowed */
    unsigned kinds; /* kinds to compare, bits of enum trace_kind; 0: compares the request as it is,
                       or reports its error */
    size_t count;   /* number of comparisons, at least 1 */
    int next;       /* kind of trace to try next */
};

/* Finds the kinds of traces that a request with a report compares. */
struct compare_parts compare_parts_of(const struct workspace *workspace,
                                      const struct compare_request *request);

/* Sets `part` to the request for the next kind of trace; returns false after the last kind. */
bool compare_parts_next(struct compare_parts *parts, struct compare_request *part);

/* Returns whether both sides have the filter's names for this kind; sets an error if not. */
bool compare_part_has_names(const struct workspace *workspace, const struct compare_request *part,
                            struct error *error);

#endif
