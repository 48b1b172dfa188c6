/* Functions for contracts that the other commands use. */
#ifndef TRACETOOL_ASSERT_H
#define TRACETOOL_ASSERT_H

#include <stdbool.h>

#include "cli/command.h"

/* Returns whether the word is a condition, not a log or trace: it contains a comparison, and no
 * file has that name. */
bool assert_is_condition(const char *word);

/* Returns whether the file is one that `tracetool baseline` wrote. */
bool assert_is_baseline(const char *path);

#endif
