/* The options that choose traces and events, shared by report, plot and dump. */
#ifndef TRACETOOL_SELECTION_OPTIONS_H
#define TRACETOOL_SELECTION_OPTIONS_H

#include "cli/command.h"
#include "report/request.h"

/* Fills a request out of the command line. `options` has room for OPTION_MOST. The request borrows
 * from both. */
bool selection_options(const struct session *session, struct report_option *options,
                       struct report_request *request, struct error *error);

/* Reads MAJOR:MINOR, both decimal, into a device_number(); NULL leaves it as it is. */
bool selection_device(const char *value, int64_t *device, struct error *error);

#endif
