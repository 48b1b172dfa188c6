/* Prints a table with a row per trace, and columns from its summary and other reports. */
#ifndef TRACETOOL_WIDE_H
#define TRACETOOL_WIDE_H

#include <stdio.h>

#include "report/report.h"

/* Name of the report whose rows are attributes of a trace: summary. */
extern const char wide_report[];

/* Prints the table. `names`: the columns, comma-separated; NULL: all attributes of the summary. A
 * column is
 *
 *     writes, mean_I/O_size       an attribute of the summary, case-insensitive, with _ for a blank
 *     latency.read.p99            REPORT.ROW.COLUMN; key columns identify a row
 *     p99, footprint, requests …  a short word for a cell of a report
 *
 * The request is that of the summary; its filters apply to all columns. A value is NULL if a trace
 * lacks it; it is an error if all traces lack it. The workspace must have all queries. */
bool print_wide(struct workspace *workspace, const struct report_request *request,
                const char *names, const struct printer_style *style, FILE *file,
                const struct printer_options *options, struct error *error);

#endif
