/* Prints the events of a trace as text, in time order. */
#ifndef TRACETOOL_DUMP_H
#define TRACETOOL_DUMP_H

#include <stdio.h>

#include "report/request.h"
#include "report/workspace.h"

/* Writes a line for every selected event of every requested trace: seconds, then the importer's
 * text. With `style`, writes rows of a result. */
bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Computes the size in bytes of the lines for a trace of spans: of its first `events` rows, 0: all.
 */
bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t events,
                    int64_t *size, struct error *error);

#endif
