/* Names of the open files of a strace log that may be directories in which paths begin. */
#ifndef TRACETOOL_STRACE_DIRECTORIES_H
#define TRACETOOL_STRACE_DIRECTORIES_H

#include <stdint.h>

#include "input/word.h"

/* Names that are remembered. */
#define STRACE_DIRECTORIES (1 << 14)

struct strace_directory;

/* A zeroed one is ready. */
struct strace_directories {
    struct strace_directory *all; /* owned hash table by object */
    int64_t forgotten;            /* how many times some of them were */
};

/* The name of an object that a path begins in; of length 0: it is not known. Borrowed, until the
 * next call. */
struct word strace_directories_find(struct strace_directories *directories, uint32_t object);

/* Remembers the name of an object that paths may begin in. At the limit, what may be a file is
 * forgotten, or everything if that frees less than half. */
void strace_directories_keep(struct strace_directories *directories, uint32_t object,
                             struct word name);

void strace_directories_free(struct strace_directories *directories);

#endif
