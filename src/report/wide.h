/* A row for each trace: figures of its summary, and of other reports, side by side. */
#ifndef TRACETOOL_WIDE_H
#define TRACETOOL_WIDE_H

#include <stdio.h>

#include "report/report.h"

/* The report that rows are made of. */
extern const char wide_report[];

/* Prints the table. `names`: the figures, parted by commas; NULL: all attributes of the summary. A
 * figure is
 *
 *     writes, mean_I/O_size       an attribute of the summary, with _ for a blank, in letters of
 * any case latency.read.p99            REPORT.ROW.COLUMN; a row is known by the columns of its key
 *     p99, footprint, requests …  a short word for one of these
 *
 * The request is that of the summary; its filters hold for all figures. A trace that a figure is
 * not there of has NULL. It is an error where no trace has it. The workspace has all queries. */
bool print_wide(struct workspace *workspace, const struct report_request *request,
                const char *names, const struct printer_style *style, FILE *file,
                const struct printer_options *options, struct error *error);

#endif
