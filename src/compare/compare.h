/* What changed between two traces: the rows of one report on both, beside one another.
 *
 *     tracetool compare A B REPORT
 *
 * A is what was before, B what came after; all differences are b - a. How rows are compared, the
 * query file says (report/query_compare.h). tracetool-compare(1) describes columns and # lines.
 */
#ifndef TRACETOOL_COMPARE_H
#define TRACETOOL_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/request.h"
#include "output/printer.h"
#include "report/workspace.h"

/* Makes both reports, compares and prints. */
bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error);

#endif
