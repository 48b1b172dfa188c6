/* The events of a trace as readable text, in order of time. */
#ifndef TRACETOOL_DUMP_H
#define TRACETOOL_DUMP_H

#include "report/report.h"

/* Writes a line for every selected event of every requested trace: seconds, then what the trace's
 * importer makes of the event. With `style`, the same as rows of a result. */
bool dump_run(struct database *database, const struct config *config,
              const struct report_request *request, const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error);

/* Bytes of the lines that a trace of spans is formatted to: of its first `events` rows, 0: all. */
bool dump_text_size(struct database *database, const struct config *config,
                    const struct catalog_trace *trace, int64_t events, int64_t *size,
                    struct error *error);

#endif
