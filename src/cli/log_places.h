/* Finds the calls that break contracts in the logs: `app.strace:1204: `. */
#ifndef TRACETOOL_LOG_PLACES_H
#define TRACETOOL_LOG_PLACES_H

#include "cli/command.h"
#include "contract/contract.h"

/* Sets the files and lines of the calls of broken contracts, and prepends them to the outcomes'
 * places, if the session's logs can be read again. A line is that on which the call returned, in
 * the unpacked file; for a binary log the offset is given. */
bool log_places_find(struct session *session, struct outcomes *outcomes, struct error *error);

#endif
