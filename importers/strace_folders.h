/* Names of folders that are open: paths may begin in them. */
#ifndef TRACETOOL_STRACE_FOLDERS_H
#define TRACETOOL_STRACE_FOLDERS_H

#include "base/error.h"
#include "base/hash.h"
#include "input/word.h"

/* Folders whose names are remembered. Beyond, those go that may be files; then all. */
#define STRACE_FOLDERS (1 << 14)

struct strace_folder {
    UT_hash_handle hh;
    uint32_t object;
    bool sure; /* it is one: else it may be a file */
    size_t length;
    char name[]; /* length bytes */
};

/* Zeroed: none. */
struct strace_folders {
    struct strace_folder *folders; /* owned hash table */
};

/* The folder that an object is; NULL: its name is not known. Whoever asks uses it as one. */
const struct strace_folder *strace_folders_find(struct strace_folders *folders, uint32_t object);

/* Remembers the name of an object that paths may begin in; 0 and names that are empty or longer
 * than STRACE_PATH are not remembered. False without memory. */
bool strace_folders_keep(struct strace_folders *folders, uint32_t object, struct word name,
                         struct error *error);

/* Forgets all. */
void strace_folders_free(struct strace_folders *folders);

#endif
