/* Ctrl-C, SIGTERM and SIGHUP of commands that write: they end with everything as it was before. */
#ifndef TRACETOOL_INTERRUPTION_H
#define TRACETOOL_INTERRUPTION_H

#include <signal.h>

#include "cli/command.h"

/* From now on these signals set interruption_flag() instead of ending the program, and whoever
 * waits for the database waits no longer. */
void interruption_catch(struct session *session);

/* Not 0 behind such a signal; for whole runs of the program. */
const volatile sig_atomic_t *interruption_flag(void);

/* They end the statements of this database, too, which stays open until it is NULL. */
void interruption_watch(const struct database *database);

#endif
