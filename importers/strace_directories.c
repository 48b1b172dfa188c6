/* Names of open files in a strace log that may be directories of relative paths. */
#include "strace_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "strace_threads.h"

/* A file that was opened as directories are. Relative paths of openat() may start in it. */
struct strace_directory {
    UT_hash_handle hh;
    uint32_t object;
    bool sure; /* true: a relative path has started in it, so it must be a directory */
    size_t length;
    char name[]; /* name, `length` bytes without a NUL */
};

static void strace_directories_remove(struct strace_directories *directories, bool all) {
    struct strace_directory *directory = NULL, *next = NULL;

    directories->forgotten++;
    HASH_ITER(hh, directories->all, directory, next) {
        if (all || !directory->sure) {
            HASH_DEL(directories->all, directory);
            free(directory);
        }
    }
}

struct word strace_directories_find(struct strace_directories *directories, uint32_t object) {
    struct strace_directory *directory;

    HASH_FIND(hh, directories->all, &object, sizeof object, directory);
    if (directory == NULL) {
        return (struct word){"", 0};
    }
    directory->sure = true;
    return (struct word){directory->name, directory->length};
}

void strace_directories_store(struct strace_directories *directories, uint32_t object,
                              struct word name) {
    struct strace_directory *directory;

    HASH_FIND(hh, directories->all, &object, sizeof object, directory);
    if (directory != NULL || object == 0 || name.length == 0 || name.length > STRACE_PATH) {
        return;
    }
    if (HASH_COUNT(directories->all) >= STRACE_DIRECTORIES) {
        strace_directories_remove(directories, false);
        if (HASH_COUNT(directories->all) > STRACE_DIRECTORIES / 2) {
            strace_directories_remove(directories, true);
        }
    }
    directory = xmalloc(sizeof *directory + name.length);
    directory->object = object;
    directory->sure = false;
    directory->length = name.length;
    memcpy(directory->name, name.bytes, name.length);
    HASH_ADD(hh, directories->all, object, sizeof directory->object, directory);
}

void strace_directories_free(struct strace_directories *directories) {
    strace_directories_remove(directories, true);
}
