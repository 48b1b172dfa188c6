/* Names of open files in a strace log that may be directories of relative paths. */
#ifndef TRACETOOL_STRACE_DIRECTORIES_H
#define TRACETOOL_STRACE_DIRECTORIES_H

#include <stdint.h>

#include "input/word.h"

/* Most names kept. */
#define STRACE_DIRECTORIES (1 << 14)

struct strace_directory;

/* Initialise with zeros. */
struct strace_directories {
    struct strace_directory *all; /* hash table by object; owned */
    int64_t forgotten;            /* number of times that names were dropped */
};

/* Returns the name of an object used as the start of a path; length 0 if unknown. Borrowed until
 * the next call. */
struct word strace_directories_find(struct strace_directories *directories, uint32_t object);

/* Stores the name of an object that may start paths. At the limit, drops the names that may be
 * plain files, or all names if that frees less than half. */
void strace_directories_store(struct strace_directories *directories, uint32_t object,
                              struct word name);

void strace_directories_free(struct strace_directories *directories);

#endif
