#include "strace_folders.h"

#include <stdlib.h>

#include "strace_threads.h"
#include "base/memory.h"

static void forget(struct strace_folders *folders, bool sure) {
    struct strace_folder *folder = NULL, *next = NULL;

    HASH_ITER(hh, folders->folders, folder, next) {
        if (sure || !folder->sure) {
            HASH_DEL(folders->folders, folder);
            free(folder);
        }
    }
}

/* Room for one more: what may be files goes first, unless that leaves little room. */
static void make_room(struct strace_folders *folders) {
    if (HASH_COUNT(folders->folders) >= STRACE_FOLDERS) {
        forget(folders, false);
        if (HASH_COUNT(folders->folders) > STRACE_FOLDERS / 2) {
            forget(folders, true);
        }
    }
}

const struct strace_folder *strace_folders_find(struct strace_folders *folders, uint32_t object) {
    struct strace_folder *folder;

    HASH_FIND(hh, folders->folders, &object, sizeof object, folder);
    if (folder != NULL) {
        folder->sure = true;
    }
    return folder;
}

bool strace_folders_keep(struct strace_folders *folders, uint32_t object, struct word name,
                         struct error *error) {
    struct strace_folder *folder;

    HASH_FIND(hh, folders->folders, &object, sizeof object, folder);
    if (folder != NULL || object == 0 || name.length == 0 || name.length > STRACE_PATH) {
        return true;
    }
    make_room(folders);
    folder = xmalloc(sizeof *folder + name.length);
    folder->object = object;
    folder->sure = false;
    folder->length = name.length;
    memcpy(folder->name, name.bytes, name.length);
    HASH_ADD(hh, folders->folders, object, sizeof folder->object, folder);
    return true;
}

void strace_folders_free(struct strace_folders *folders) {
    forget(folders, true);
}
