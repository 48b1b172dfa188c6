/* Prints a table with one row per trace, and columns from its summary and other reports. */
#ifndef TRACETOOL_WIDE_H
#define TRACETOOL_WIDE_H

#include <stdio.h>

#include "report/report.h"

/* "summary": the report whose rows are attributes of a trace. */
extern const char wide_report[];

/* Prints the table. `names`: the columns, comma-separated; NULL: all attributes of the summary. A
 * column is
 *
 *     writes, mean_I/O_size       an attribute of the summary; ignores case, _ means a blank
 *     latency.read.p99            REPORT.ROW.COLUMN; a row is named by its key columns
 *     p99, footprint, requests …  an abbreviation for such a cell (wide.c)
 *
 * The request is that of the summary; its filters apply to all columns. A value is NULL if a trace
 * lacks it; it is an error if all traces lack it. The workspace must have the queries of all
 * reports. */
bool print_wide(struct workspace *workspace, const struct report_request *request,
                const char *names, const struct printer_style *style, FILE *file,
                const struct printer_options *options, struct error *error);

#endif
