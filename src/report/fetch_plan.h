/* Fetches what a report reads of a store, before the report selects it. */
#ifndef TRACETOOL_FETCH_PLAN_H
#define TRACETOOL_FETCH_PLAN_H

#include "report/choose.h"
#include "report/request.h"
#include "report/workspace.h"

/* Fetches what the queries of the choices, `count` of them and at least one, read of their traces
 * and of others: those that options name, and those of the same studies. A database that is a file
 * has all of it already. False with `error` set when the store cannot be asked, or changed. */
bool fetch_plan_run(struct workspace *workspace, const struct report_request *request,
                    const struct choice *choices, size_t count, struct error *error);

#endif
