/* Finds the files of one trace: one file per CPU, recognised by name (NAME.blktrace.0,
 * NAME.blktrace.1, …), or one per thread (NAME.N, written by strace -ff). Names like NAME.N are
 * common, so there the content must match, too. */
#ifndef TRACETOOL_TRACE_FILES_H
#define TRACETOOL_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct import_run;

/* Returns the length of a CPU file's path without the end, such as ".blktrace.0"; 0: another file.
 */
size_t cpu_file_stem_length(const char *path);

/* Whether both paths are CPU files of one trace. */
bool cpu_files_are_of_one_trace(const char *left, const char *right);

/* Adds remarks on CPU files that are missing or were not given. */
void cpu_files_add_remarks(struct import_run *run);

/* Returns how many paths, from the first on, are files of threads of one trace. Returns 0 if the
 * first is no such file. Opens files whose names match. */
size_t thread_files_count(const struct config *config, char *const *paths, size_t count);

/* Returns the length of NAME in a path NAME.N, N being a thread number; 0 for other paths. */
size_t thread_file_stem(const char *path);

/* Whether both names are equal up to the number: files of two threads of one trace. */
bool thread_files_are_of_one_trace(const char *left, const char *right);

#endif
