/* Functions of `tracetool assert` that other commands use. */
#ifndef TRACETOOL_ASSERT_H
#define TRACETOOL_ASSERT_H

#include <stdbool.h>

#include "cli/command.h"

/* Returns whether a word is a condition rather than a log or trace: it contains a comparison
 * operator, and no file has that name. */
bool assert_is_condition(const char *word);

/* Returns whether the file was written by `tracetool baseline`. */
bool assert_is_baseline(const char *path);

#endif
