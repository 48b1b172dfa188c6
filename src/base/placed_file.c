#include "base/placed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/signal_cleanup.h"
#include "base/file.h"
#include "base/memory.h"

static bool placed_file_cannot_write(const char *path, struct error *error) {
    return error_set(error, "%s: cannot write: %s", path, strerror(errno));
}

/* Returns the target's directory; owned by the caller. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash == NULL   ? xstrdup(".")
           : slash == path ? xstrdup("/")
                           : xstrndup(path, (size_t)(slash - path));
}

bool placed_file_open(struct placed_file *placed, const char *path, struct error *error) {
    char *folder = folder_of(path);
    int descriptor;

    *placed = (struct placed_file){.path = xstrdup(path)};
    if (file_is_guarded(path)) {
        free(folder);
        return error_set(error, "%s: belongs to the database that is read", path);
    }
    placed->in_place = file_is_special(path);
    descriptor = placed->in_place ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
                                  : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (descriptor < 0) {
        return placed_file_cannot_write(path, error);
    }
    placed->file = fdopen(descriptor, "wb");
    if (placed->file == NULL) {
        close(descriptor);
        return placed_file_cannot_write(path, error);
    }
    return true;
}

/* Links the file under a temporary name in the target's directory, because linkat() does not
 * replace a file. */
static bool link_beside(const struct placed_file *placed, const char *partial) {
    char open_file[64];

    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", fileno(placed->file));
    return linkat(AT_FDCWD, open_file, AT_FDCWD, partial, AT_SYMLINK_FOLLOW) == 0;
}

bool placed_file_commit(struct placed_file *placed, struct error *error) {
    char *partial;
    sigset_t mask;
    bool done;

    if (placed->in_place) {
        return fflush(placed->file) == 0 || placed_file_cannot_write(placed->path, error);
    }
    partial = xasprintf("%s.%ld.partial", placed->path, (long)getpid());
    done = fflush(placed->file) == 0;
    signal_cleanup_hold(&mask); /* so that a signal does not leave the temporary name */
    done = done && link_beside(placed, partial);
    if (done && rename(partial, placed->path) != 0) {
        int cause = errno;

        unlink(partial);
        errno = cause;
        done = false;
    }
    signal_cleanup_release(&mask);
    free(partial);
    return done || placed_file_cannot_write(placed->path, error);
}

void placed_file_close(struct placed_file *placed) {
    if (placed->file != NULL) {
        fclose(placed->file);
    }
    free(placed->path);
    *placed = (struct placed_file){0};
}
