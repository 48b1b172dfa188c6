/* `report REPORT --help`: what one report takes and gives. */
#ifndef TRACETOOL_REPORT_HELP_H
#define TRACETOOL_REPORT_HELP_H

#include "cli/command.h"

/* Prints the options of the report that the command's word names, its columns with kinds and units,
 * and two examples, on stdout. No database is looked at. */
bool report_help(struct session *session, const struct command *command, struct error *error);

#endif
