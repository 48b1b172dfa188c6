/* Traces that have a file a thread, NAME.N, as strace -ff writes them. Such names are common, so
 * what the files hold must fit, too. */
#ifndef TRACETOOL_THREAD_FILES_H
#define TRACETOOL_THREAD_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

/* How many of the paths from the first on are files of threads of one trace; 0: the first is none.
 * The files are opened, as far as their names fit. */
size_t thread_files_count(const struct config *config, char *const *paths, size_t count);

/* The length of a path without the number of its thread; 0: it has none. */
size_t thread_file_stem(const char *path);

#endif
