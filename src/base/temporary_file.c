#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* Creates a file and unlinks it; -1 with errno if the directory does not allow it. */
static int make_file(const char *folder) {
    char *path = xasprintf("%s/tracetool-XXXXXX", folder);
    int descriptor, cause;

    descriptor = mkostemp(path, O_CLOEXEC);
    cause = errno;
    if (descriptor >= 0) {
        unlink(path);
    }
    free(path);
    errno = cause;
    return descriptor;
}

int temporary_file_make(char **folder, struct error *error) {
    const char *const folders[] = {
        getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp", ".",
    };

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        int descriptor = folders[i] == NULL || folders[i][0] == '\0' ? -1 : make_file(folders[i]);

        if (descriptor >= 0) {
            if (folder != NULL) {
                *folder = xstrdup(folders[i]);
            }
            return descriptor;
        }
    }
    error_set(error, "cannot make a temporary file: %s; set TMPDIR to another folder",
              strerror(errno));
    return -1;
}

bool temporary_file_write(int descriptor, const void *bytes, size_t length, struct error *error) {
    return file_write_all(descriptor, bytes, length) ||
           error_set(error, "cannot write a temporary file: %s", strerror(errno));
}

bool temporary_file_read(int descriptor, int64_t offset, void *bytes, size_t length,
                         struct error *error) {
    /* A short read means that the file was changed. */
    return file_read_all(descriptor, offset, bytes, length) ||
           error_set(error, "cannot read a temporary file: %s",
                     errno != 0 ? strerror(errno) : "it is shorter than it was");
}
