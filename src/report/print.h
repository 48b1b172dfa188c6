/* Prints reports, and the rows of statements. */
#ifndef TRACETOOL_PRINT_H
#define TRACETOOL_PRINT_H

#include <stdio.h>

#include "export/export.h"
#include "report/report.h"

/* Prints all results of a request. On failure, the caller truncates the incomplete output. */
bool print_report(struct workspace *workspace, const struct report_request *request,
                  const struct printer_style *style, FILE *file,
                  const struct printer_options *options, struct error *error);

/* Runs a statement, which the caller finalizes, and prints its rows. If `result` has no columns,
 * the statement's are used. Otherwise, a last column _kind of the statement is not printed: it is
 * the kind of the value before it. `top`: limit of rows, 0: all. */
bool print_statement(struct database *database, sqlite3_stmt *statement, struct printer *printer,
                     struct result *result, int64_t top, struct error *error);

/* Exports a trace; `run` receives the counts of what was written. Returns false with `error` set on
 * failure, or if the format does not support the trace. */
bool run_export(struct workspace *workspace, const struct report_request *request,
                const struct export_order *order, struct export_run *run, struct error *error);

#endif
