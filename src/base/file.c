#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/signal_cleanup.h"

struct registered_database {
    struct registered_database *next;
    size_t length; /* length of the database's path; `path` has room for a suffix after it */
    char path[];
};

static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
enum { ENDINGS = sizeof endings / sizeof endings[0], LONGEST_ENDING = 8 };

/* All open databases of the process; POSIX locks belong to the process. */
static struct registered_database *registrations;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct registered_database *file_register_database(const char *path) {
    size_t length = strlen(path);
    struct registered_database *registration =
        xmalloc(sizeof *registration + length + LONGEST_ENDING + 1);

    registration->length = length;
    memcpy(registration->path, path, length + 1);
    pthread_mutex_lock(&mutex);
    registration->next = registrations;
    registrations = registration;
    pthread_mutex_unlock(&mutex);
    return registration;
}

void file_unregister_database(struct registered_database *registration) {
    pthread_mutex_lock(&mutex);
    for (struct registered_database **at = &registrations; *at != NULL; at = &(*at)->next) {
        if (*at == registration) {
            *at = registration->next;
            break;
        }
    }
    pthread_mutex_unlock(&mutex);
    free(registration);
}

/* Identity of a file: device and inode; for a file that does not exist, its path. */
struct identity {
    bool exists;
    struct stat status;
    char *path; /* owned; symbolic links resolved; NULL if the directory does not exist either */
};

/* Returns a path with symbolic links resolved, except in its last component. */
static char *resolve_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *given = slash == NULL ? xstrdup(".") : xstrndup(path, (size_t)(slash - path) + 1);
    char *folder = realpath(given, NULL);
    char *resolved = folder == NULL ? NULL
                                    : xasprintf("%s%s%s", folder, folder[1] != '\0' ? "/" : "",
                                                slash == NULL ? path : slash + 1);

    free(folder);
    free(given);
    return resolved;
}

static bool is_file_of(struct registered_database *registration, const struct identity *identity) {
    bool same = false;

    for (size_t i = 0; i < ENDINGS && !same; i++) {
        struct stat status;

        memcpy(registration->path + registration->length, endings[i], strlen(endings[i]) + 1);
        same = identity->path != NULL && strcmp(identity->path, registration->path) == 0;
        if (!same && identity->exists && stat(registration->path, &status) == 0) {
            same = status.st_dev == identity->status.st_dev &&
                   status.st_ino == identity->status.st_ino;
        }
    }
    registration->path[registration->length] = '\0';
    return same;
}

static bool is_guarded(const struct identity *identity) {
    bool guarded = false;

    pthread_mutex_lock(&mutex);
    for (struct registered_database *registration = registrations; registration != NULL && !guarded;
         registration = registration->next) {
        guarded = is_file_of(registration, identity);
    }
    pthread_mutex_unlock(&mutex);
    return guarded;
}

bool file_is_open_database(const char *path) {
    struct identity identity = {0};
    bool guarded;

    identity.exists = stat(path, &identity.status) == 0;
    identity.path = resolve_folder(path);
    guarded = is_guarded(&identity);
    free(identity.path);
    return guarded;
}

bool file_descriptor_is_open_database(int descriptor) {
    struct identity identity = {.exists = true};

    return fstat(descriptor, &identity.status) == 0 && is_guarded(&identity);
}

bool file_is_special(const char *path) {
    struct stat status;

    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

int file_open(const char *path, int flags) {
    int descriptor;

    if (file_is_open_database(path)) {
        errno = FILE_OF_DATABASE;
        return -1;
    }
    descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0 || !file_descriptor_is_open_database(descriptor)) {
        return descriptor;
    }
    /* The path has just become a database's file. The descriptor stays open, because closing it
     * would drop the database's locks. */
    errno = FILE_OF_DATABASE;
    return -1;
}

FILE *file_open_stream(const char *path) {
    int descriptor = file_open(path, O_RDONLY);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");

    if (stream == NULL && descriptor >= 0) {
        int cause = errno;

        close(descriptor);
        errno = cause;
    }
    return stream;
}

void file_close(int descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
}

bool file_write_all(int descriptor, const void *bytes, size_t length) {
    const char *at = bytes;

    while (length > 0) {
        ssize_t written = write(descriptor, at, length);

        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written < 0 ? 0 : written;
        length -= written < 0 ? 0 : (size_t)written;
    }
    return true;
}

bool file_read_all(int descriptor, int64_t offset, void *bytes, size_t length) {
    char *at = bytes;

    while (length > 0) {
        ssize_t got = offset < 0 ? read(descriptor, at, length)
                                 : pread(descriptor, at, length, (off_t)offset);

        if (got == 0 || (got < 0 && errno != EINTR)) {
            errno = got == 0 ? 0 : errno;
            return false;
        }
        at += got < 0 ? 0 : got;
        offset += got < 0 || offset < 0 ? 0 : got;
        length -= got < 0 ? 0 : (size_t)got;
    }
    return true;
}

const char *file_strerror(int cause) {
    return cause == FILE_OF_DATABASE
               ? "it is the open database itself or belongs to it; name another file"
               : strerror(cause);
}

/* Removes the last component of a path. Returns false if it is `..`, or there is none. */
static bool drop_last_component(struct text *path, size_t root) {
    size_t length = path->length;

    while (length > root && path->bytes[length - 1] != '/') {
        length--;
    }
    if (path->length == root ||
        (path->length - length == 2 && memcmp(path->bytes + length, "..", 2) == 0)) {
        return false;
    }
    path->length = length > root ? length - 1 : root;
    return true;
}

void path_normalise(struct text *path) {
    size_t end = path->length, root = end > 0 && path->bytes[0] == '/', at = root;

    /* writes over its input: the output is never longer than the input read so far */
    path->length = root;
    while (at < end) {
        const char *part = path->bytes + at;
        const char *slash = memchr(part, '/', end - at);
        size_t length = slash == NULL ? end - at : (size_t)(slash - part);

        at += length + 1;
        if (length == 0 || (length == 1 && *part == '.') ||
            (length == 2 && memcmp(part, "..", 2) == 0 &&
             (drop_last_component(path, root) || root == 1))) {
            continue;
        }
        if (path->length > root) {
            path->bytes[path->length++] = '/';
        }
        memmove(path->bytes + path->length, part, length);
        path->length += length;
    }
    if (path->length == 0) {
        text_append_char(path, '.');
    }
    path->bytes[path->length] = '\0';
}

/* Temporary files without a name. They are where SQLite puts its own: in the first usable directory
 * of $SQLITE_TMPDIR, $TMPDIR, /var/tmp, /usr/tmp, /tmp and the current directory. The kernel frees
 * them even if the program is killed. */

/* Creates a file without a name in a directory. Returns -1 and sets errno on failure. */
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

int temporary_file_create(char **folder, struct error *error) {
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
    /* if reading ends too early (errno 0), another program has shortened the file */
    return file_read_all(descriptor, offset, bytes, length) ||
           error_set(error, "cannot read a temporary file: %s",
                     errno != 0 ? strerror(errno) : "it is shorter than it was");
}

/* Writes a file atomically: a file without a name replaces the target when it is complete. Nobody
 * can read a partial file, and after a failure the old file is unchanged. */

static bool atomic_file_cannot_write(const char *path, struct error *error) {
    return error_set(error, "%s: cannot write: %s", path, strerror(errno));
}

/* Returns the directory of a file to write; owned by the caller. */
static char *directory_of_target(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash == NULL   ? xstrdup(".")
           : slash == path ? xstrdup("/")
                           : xstrndup(path, (size_t)(slash - path));
}

bool atomic_file_open(struct atomic_file *output_file, const char *path, struct error *error) {
    char *folder = directory_of_target(path);
    struct stat status;
    int descriptor;

    *output_file = (struct atomic_file){.path = xstrdup(path)};
    if (file_is_open_database(path)) {
        free(folder);
        return error_set(error, "%s: is a file of the database that is being read", path);
    }
    output_file->in_place = file_is_special(path);
    descriptor = output_file->in_place ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
                                       : open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (descriptor < 0) {
        return atomic_file_cannot_write(path, error);
    }
    if (!output_file->in_place && lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        fchmod(descriptor, status.st_mode & 0777); /* copies the permissions of the old file */
    }
    output_file->file = fdopen(descriptor, "wb");
    if (output_file->file == NULL) {
        close(descriptor);
        return atomic_file_cannot_write(path, error);
    }
    return true;
}

/* Gives the file a temporary name beside the target, because linkat() cannot replace a file. */
static bool link_temporary_name(const struct atomic_file *output_file, const char *partial) {
    char open_file[64];

    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", fileno(output_file->file));
    return linkat(AT_FDCWD, open_file, AT_FDCWD, partial, AT_SYMLINK_FOLLOW) == 0;
}

bool atomic_file_commit(struct atomic_file *output_file, struct error *error) {
    char *partial;
    sigset_t mask;
    bool done;

    if (output_file->in_place) {
        return fflush(output_file->file) == 0 || atomic_file_cannot_write(output_file->path, error);
    }
    partial = xasprintf("%s.%ld.partial", output_file->path, (long)getpid());
    done = fflush(output_file->file) == 0;
    signal_cleanup_block(&mask); /* a signal must not leave the temporary file behind */
    done = done && link_temporary_name(output_file, partial);
    if (done && rename(partial, output_file->path) != 0) {
        int cause = errno;

        unlink(partial);
        errno = cause;
        done = false;
    }
    signal_cleanup_unblock(&mask);
    free(partial);
    return done || atomic_file_cannot_write(output_file->path, error);
}

void atomic_file_close(struct atomic_file *output_file) {
    if (output_file->file != NULL) {
        fclose(output_file->file);
    }
    free(output_file->path);
    *output_file = (struct atomic_file){0};
}
