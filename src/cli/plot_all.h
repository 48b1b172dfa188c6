/* tracetool plot --all DIR. */
#ifndef TRACETOOL_PLOT_ALL_H
#define TRACETOOL_PLOT_ALL_H

#include "cli/command.h"

/* Draws each picture that fits the traces into the folder that the command's word names, and prints
 * its path; reports with options that a query is for are pictures of their own. What the traces
 * have nothing for is left out, and told with --verbose. False with `error` set where a picture
 * fails otherwise, or none is left. */
bool plot_all(struct session *session, struct error *error);

#endif
