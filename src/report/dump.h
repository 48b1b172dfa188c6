/* The events of a trace as readable text, in order of time. */
#ifndef TRACETOOL_DUMP_H
#define TRACETOOL_DUMP_H

#include <stdio.h>

#include "report/request.h"
#include "report/workspace.h"

/* Writes a line for every selected event of every requested trace: seconds, then what the trace's
 * importer makes of the event. With `style`, the same as rows of a result. */
bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Bytes of the lines that a trace of spans is formatted to: of its first `events` rows, 0: all. */
bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t events,
                    int64_t *size, struct error *error);

#endif
