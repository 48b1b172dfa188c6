/* Expands words of the command line to files, and derives the trace's name. */
#ifndef TRACETOOL_IMPORT_PATHS_H
#define TRACETOOL_IMPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"
#include "input/input.h"

/* List of files; zeroed: empty. */
struct import_paths {
    char **paths; /* owned */
    size_t count;
};

/* Adds a word's files: the files of a directory, sorted by name; for NAME that is not a file, its
 * per-CPU files (NAME.blktrace.0 …); else the file itself. False with `error` set if a directory
 * has none. Call import_paths_free() on failure, too. */
bool import_paths_add(struct import_paths *paths, const char *word, struct error *error);

/* Adds the files of an archive that holds several, sorted by name, or the one that ARCHIVE/NAME
 * names; nothing for anything else. They can be read until members_free(). False with `error` set
 * if it is damaged or has no such file, or `stop` cancels. */
bool import_paths_unpack(struct import_paths *paths, const char *word, struct input_stop stop,
                         struct error *error);

/* Returns the length of the archive's path in ARCHIVE/NAME: the part of a missing file's path that
 * is a regular file. 0: none. */
size_t import_paths_archive(const char *path);

/* Adds the files of the other CPUs (NAME.blktrace.1 next to NAME.blktrace.0) or threads (of strace
 * -ff) of the same trace as the file `word`, but not that file. Files of threads are opened to
 * check their content. */
void import_paths_add_beside(struct import_paths *paths, const char *word,
                             const struct config *config);

void import_paths_free(struct import_paths *paths);

/* Returns the trace's name, derived from the first `length` bytes of its first word (all, or less
 * for a file of a thread): without directories, CPU number and
 * compression suffix; "stdin" for -. A file of an archive keeps the directories below those that
 * all files of the archive share. Owned by the caller. */
char *import_trace_name(const char *word, size_t length);

#endif
