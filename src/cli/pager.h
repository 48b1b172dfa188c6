/* The program that shows output which is longer than the screen, page by page: `$TRACETOOL_PAGER`,
 * `$PAGER`, else less. It is the user's own command and run by sh; nothing else comes into it. */
#ifndef TRACETOOL_PAGER_H
#define TRACETOOL_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct pager {
    const char *command; /* borrowed */
    pid_t process;
    int input; /* write here; pager_wait() closes it */
};

/* The pager's command; NULL: none, since the user wants none (an empty variable, or `cat`), or
 * names none and there is no less. Borrowed. Sets LESS and LV, for pagers, where the user has not:
 * to be called before there are threads. */
const char *pager_command(void);

/* Starts it. From now on a signal that ends the program waits for the pager to end, which would
 * be left alone with the terminal; and Ctrl-C ends the program as if the pager had been left: by
 * SIGPIPE. There is one pager at a time. False with `error` set when it cannot be started. */
bool pager_start(struct pager *pager, const char *command, struct error *error);

/* Tells the pager that this was all, and waits until it is left. False with `error` set when it
 * failed. */
bool pager_wait(struct pager *pager, struct error *error);

#endif
