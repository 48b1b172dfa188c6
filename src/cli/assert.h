/* Functions for contracts that the other commands use. */
#ifndef TRACETOOL_ASSERT_H
#define TRACETOOL_ASSERT_H

#include <stdbool.h>

#include "cli/command.h"

/* Returns whether the word is a condition, not a log or trace: it contains a comparison, and no
 * file has that name. */
bool assert_is_condition(const char *word);

/* Sets the exit status of a failure. Only for assert, 1 means broken contracts and 2 any other
 * failure. */
void set_exit_status(const struct command *command, struct error *error);

#endif
