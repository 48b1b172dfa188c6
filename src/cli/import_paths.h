/* The files that words of the command line stand for, and the name of the trace that they make. */
#ifndef TRACETOOL_IMPORT_PATHS_H
#define TRACETOOL_IMPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"

/* Zeroed: none. */
struct import_paths {
    char **paths; /* owned */
    size_t count;
};

/* Adds a word's files: those of a folder, in order of name; of NAME, which is no file itself, its
 * files of all CPUs (NAME.blktrace.0 …); else the file. False with `error` set when there are none
 * in a folder; on failure, too, import_paths_free() frees what is there. */
bool import_paths_add(struct import_paths *paths, const char *word, struct error *error);

/* Adds the files of the other CPUs (NAME.blktrace.1 beside NAME.blktrace.0) or threads (of strace
 * -ff) of the trace that the file `word` is of, but not the file itself. Files of threads are
 * opened to see what they hold. */
void import_paths_add_beside(struct import_paths *paths, const char *word,
                             const struct config *config);

void import_paths_free(struct import_paths *paths);

/* The name of a trace by its first word: without folders, and what tells a CPU or a packing;
 * "stdin" for -. Owned by the caller. */
char *import_trace_name(const char *word);

#endif
