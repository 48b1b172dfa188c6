/* Reference times that `accuracy` compares measured ones with. */
#ifndef TRACETOOL_REFERENCE_H
#define TRACETOOL_REFERENCE_H

#include "select/scratch.h"

/* Longest line and most lines of the file. */
#define REFERENCE_LINE  65536
#define REFERENCE_LINES 100000

/* Reads a file with a name, a TAB and a time a line into temp.reference (name, time). The time is
 * in nanoseconds, or a number with a unit (12.5ms). Blank lines and those that begin with # are
 * left out. */
bool reference_load(struct scratch *scratch, const char *path, struct error *error);

#endif
