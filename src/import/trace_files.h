/* Files that belong to one trace: one a CPU, by their names (NAME.blktrace.0, NAME.blktrace.1, …),
 * or one a thread (NAME.N, as strace -ff writes them). The latter names are common, so what the
 * files hold must fit, too. */
#ifndef TRACETOOL_TRACE_FILES_H
#define TRACETOOL_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct import_run;

/* The length of the path of the trace that a file of a CPU is of, by its name; 0: it is none. */
size_t cpu_file_stem(const char *path);

/* Whether both are files of one trace. */
bool cpu_files_of_one(const char *left, const char *right);

/* Remarks on files of CPUs that are missing from the import, or were left out of it. */
void cpu_files_remark(struct import_run *run);

/* How many of the paths from the first on are files of threads of one trace; 0: the first is none.
 * The files are opened, as far as their names fit. */
size_t thread_files_count(const struct config *config, char *const *paths, size_t count);

/* The length of a path without the number of its thread; 0: it has none. */
size_t thread_file_stem(const char *path);

#endif
