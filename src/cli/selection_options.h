/* The options that select traces and events, for the commands report, plot and dump. */
#ifndef TRACETOOL_SELECTION_OPTIONS_H
#define TRACETOOL_SELECTION_OPTIONS_H

#include "cli/command.h"
#include "report/request.h"

/* Fills a request from the command line. `options` has room for OPTION_MOST options. The request
 * borrows from `options` and the session. */
bool selection_fill_request(const struct session *session, struct report_option *options,
                            struct report_request *request, struct error *error);

/* Parses MAJOR:MINOR, both decimal, to a device_number(). Does nothing if `value` is NULL. */
bool selection_parse_device(const char *value, int64_t *device, struct error *error);

#endif
