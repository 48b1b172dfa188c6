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
 * the statement's names are used. Otherwise an additional column _kind gives the kind of the last
 * value in a row. `top`: limit of rows, 0: all. */
bool print_statement(struct database *database, sqlite3_stmt *statement, struct printer *printer,
                     struct result *result, int64_t top, struct error *error);

/* Exports a trace; `run` receives what was written. False with `error` set on failure, or if the
 * format does not support the trace's kind. */
bool run_export(struct workspace *workspace, const struct report_request *request,
                const struct export_order *order, struct export_run *run, struct error *error);

#endif
