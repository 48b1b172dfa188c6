/* A row per trace, with columns from its summary and other reports. */
#ifndef TRACETOOL_WIDE_H
#define TRACETOOL_WIDE_H

#include <stdio.h>

#include "report/report.h"

/* The report for the rows. */
extern const char wide_report[];

/* Prints the table. `names`: the columns, comma-separated; NULL: all attributes of the summary. A
 * column is
 *
 *     writes, mean_I/O_size       an attribute of the summary, case-insensitive, with _ for a blank
 *     latency.read.p99            REPORT.ROW.COLUMN; a row is identified by its key columns
 *     p99, footprint, requests …  a short word for one of these
 *
 * The request is that of the summary; its filters apply to all columns. NULL if a trace lacks a
 * value; an error if all traces lack it. The workspace must have all queries. */
bool print_wide(struct workspace *workspace, const struct report_request *request,
                const char *names, const struct printer_style *style, FILE *file,
                const struct printer_options *options, struct error *error);

#endif
