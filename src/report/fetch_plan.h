/* Fetches the data that a report needs from a store, before it selects them. */
#ifndef TRACETOOL_FETCH_PLAN_H
#define TRACETOOL_FETCH_PLAN_H

#include "report/choose.h"
#include "report/request.h"
#include "report/workspace.h"

/* Fetches what the `count` queries, at least one, read of their traces and of others: traces named
 * by options, and traces of the same studies. Does nothing for a database file. False with `error`
 * set if the store does not answer or has changed. */
bool fetch_plan_run(struct workspace *workspace, const struct report_request *request,
                    const struct choice *choices, size_t count, struct error *error);

#endif
