/* What file systems tell of files, as calls: which file was read, written and synchronized, by
 * whom, where, how much and for how long. */
#ifndef TRACETOOL_FTRACE_FILES_H
#define TRACETOOL_FTRACE_FILES_H

#include "ftrace_calls.h"

/* Takes a line. `*layers` gets the bit of its layer: of several, each tells the same bytes. */
enum ftrace_call_taken ftrace_files_take(struct import *import, struct ftrace_calls *calls,
                                         const struct ftrace_line *line, unsigned *layers);

#endif
