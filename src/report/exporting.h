/* An export: the one trace that a request names, by its filters, given to an exporter. */
#ifndef TRACETOOL_EXPORTING_H
#define TRACETOOL_EXPORTING_H

#include "export/export.h"
#include "report/request.h"
#include "report/workspace.h"

/* Writes the trace as it was ordered; `run` says what came of it. False with `error` set when the
 * trace is of no kind that the format is made of, or on failure. */
bool exporting_run(struct workspace *workspace, const struct report_request *request,
                   const struct export_order *order, struct export_run *run, struct error *error);

#endif
