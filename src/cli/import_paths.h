/* Expands words of the command line to files, and derives the trace's name. */
#ifndef TRACETOOL_IMPORT_PATHS_H
#define TRACETOOL_IMPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"

/* List of files; zeroed: empty. */
struct import_paths {
    char **paths; /* owned */
    size_t count;
};

/* Adds a word's files: the files of a directory, sorted by name; for NAME that is not a file, its
 * per-CPU files (NAME.blktrace.0 …); else the file itself. False with `error` set if a directory
 * has none. Call import_paths_free() on failure, too. */
bool import_paths_add(struct import_paths *paths, const char *word, struct error *error);

/* Adds the files of the other CPUs (NAME.blktrace.1 next to NAME.blktrace.0) or threads (of strace
 * -ff) of the same trace as the file `word`, but not that file. Files of threads are opened to
 * check their content. */
void import_paths_add_beside(struct import_paths *paths, const char *word,
                             const struct config *config);

void import_paths_free(struct import_paths *paths);

/* Returns the trace's name, derived from its first word: without directories, CPU number and
 * compression suffix; "stdin" for -. Owned by the caller. */
char *import_trace_name(const char *word);

#endif
