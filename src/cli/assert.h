/* What the rest of the command line knows of contracts. */
#ifndef TRACETOOL_ASSERT_H
#define TRACETOOL_ASSERT_H

#include <stdbool.h>

#include "cli/command.h"

/* Whether the word is a condition, and no log or trace: it has a comparison in it, and no file is
 * called so. */
bool assert_is_condition(const char *word);

/* Of assert alone, 1 is the status where contracts are broken, and 2 that of all else that fails.
 */
void assert_settle_status(const struct command *command, struct error *error);

#endif
