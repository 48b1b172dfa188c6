/* tracetool plot --all DIR. */
#ifndef TRACETOOL_PLOT_ALL_H
#define TRACETOOL_PLOT_ALL_H

#include "cli/command.h"

/* Draws each picture that fits the traces into the directory that the command's word names, and
 * prints its path. Reports have further pictures for options that have their own query. Pictures
 * without data are skipped, which --verbose reports. False with `error` set if another picture
 * fails, or all are skipped. */
bool plot_all(struct session *session, struct error *error);

#endif
