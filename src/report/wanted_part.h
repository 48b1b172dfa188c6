/* Which events a report looks at, where it does not look at all: so that no more of them are
 * fetched from a store. */
#ifndef TRACETOOL_WANTED_PART_H
#define TRACETOOL_WANTED_PART_H

#include "report/choose.h"
#include "report/request.h"
#include "report/workspace.h"

/* Sets `*parts`, to be freed by wanted_parts_free(), to what the filter of the request and the
 * query of each choice look at of the traces `traces`, `count` ids, among which those of the
 * choices have the order of these; the names and objects of all are in the database. Traces that no
 * choice is of are looked at as a whole. False with `error` set where a time or an action makes no
 * sense for a trace. */
bool wanted_parts_find(struct workspace *workspace, const struct report_request *request,
                       const struct choice *choices, size_t choice_count, const int64_t *traces,
                       size_t count, struct database_part **parts, struct error *error);

/* NULL is allowed. */
void wanted_parts_free(struct database_part *parts, size_t count);

#endif
