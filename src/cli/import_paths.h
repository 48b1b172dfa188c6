/* Finds the files that words on the command line mean, and derives the names of traces. */
#ifndef TRACETOOL_IMPORT_PATHS_H
#define TRACETOOL_IMPORT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"
#include "input/input.h"

/* A list of files. Zeroed: empty. */
struct import_paths {
    char **paths; /* owned */
    size_t count;
};

/* Adds the files that a word means: for a directory, its files sorted by name; for NAME that is no
 * file, those of all processors (NAME.blktrace.0 …); otherwise the file itself. Returns false with
 * `error` set if a directory has none. import_paths_free() must be called even then. */
bool import_paths_add(struct import_paths *paths, const char *word, struct error *error);

/* Adds the files of an archive with several files, sorted by name, or the one file that
 * ARCHIVE/NAME names. Adds nothing for other words. The files can be read until members_free().
 * False with `error` set if the archive is damaged or lacks the file, or if `stop` is set. */
bool import_paths_unpack(struct import_paths *paths, const char *word, struct input_stop stop,
                         struct error *error);

/* Returns the length of ARCHIVE if the path is ARCHIVE/NAME: no file has the whole path, but
 * ARCHIVE is a regular file. Otherwise 0. */
size_t import_paths_archive(const char *path);

/* Adds the files of other processors (NAME.blktrace.1 next to NAME.blktrace.0) or threads (of
 * strace -ff) that belong to the same trace as the file `word`, but not `word` itself. Opens files
 * of threads to check their content. */
void import_paths_add_siblings(struct import_paths *paths, const char *word,
                               const struct config *config);

void import_paths_free(struct import_paths *paths);

/* Returns the trace's name, derived from the first `length` bytes of its first word (fewer than all
 * for a file of a thread): without directories, CPU number and compression suffix; "stdin" for -. A
 * file of an archive keeps the directories that not all files of the archive have in common. Owned
 * by the caller. */
char *import_trace_name(const char *word, size_t length);

#endif
