/* Prints reports, and the rows of any statement. */
#ifndef TRACETOOL_PRINT_H
#define TRACETOOL_PRINT_H

#include <stdio.h>

#include "export/export.h"
#include "report/report.h"

/* Prints all results of a request; the printer is opened with what is known by then. On failure
 * output may have been begun, which the caller cuts off. */
bool print_report(struct workspace *workspace, const struct report_request *request,
                  const struct printer_style *style, FILE *file,
                  const struct printer_options *options, struct error *error);

/* Runs any statement, which the caller finalizes, and prints its rows: `result` without columns
 * takes the statement's own names. With columns, one more in the statement, called _kind, names the
 * kind of the last one in its row. `top` rows at most, 0: all. */
bool print_statement(struct database *database, sqlite3_stmt *statement, struct printer *printer,
                     struct result *result, int64_t top, struct error *error);

/* Writes the trace as it was ordered; `run` says what came of it. False with `error` set when the
 * trace is of no kind that the format is made of, or on failure. */
bool exporting_run(struct workspace *workspace, const struct report_request *request,
                   const struct export_order *order, struct export_run *run, struct error *error);

#endif
