/* What changed most: the figures of all reports that fit two sides, by the size of the change. */
#ifndef TRACETOOL_COMPARE_OVERVIEW_H
#define TRACETOOL_COMPARE_OVERVIEW_H

#include <stdio.h>

#include "compare/request.h"
#include "output/printer.h"
#include "report/workspace.h"

/* Rows, unless --top says otherwise. */
#define OVERVIEW_TOP 20

/* Compares by every report that fits both sides and takes no option of its own to make sense, and
 * prints a row for each figure that is worth one. The reports of the request's sides do not
 * matter. */
bool compare_overview(struct workspace *workspace, const struct compare_request *request,
                      const struct printer_style *style, FILE *file,
                      const struct printer_options *options, struct error *error);

#endif
