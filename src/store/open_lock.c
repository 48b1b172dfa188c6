#include "store/open_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often a file may be deleted by others while it is being opened. */
enum { REOPENINGS = 100 };

enum {
    PRESENCE_BYTE = 0x40001000,
    FILLING_BYTE, /* see open_lock_fill() */
};

/* SQLite's permissions for the files that it makes. */
enum { PERMISSIONS = 0644 };

static struct flock range_of(short type, off_t byte) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
}

/* False when another one has a lock that does not go with it. */
static bool lock(int descriptor, short type, int command) {
    struct flock range = range_of(type, PRESENCE_BYTE);
    int status;

    do {
        status = fcntl(descriptor, command, &range);
    } while (status != 0 && errno == EINTR);
    return status == 0 || (errno != EAGAIN && errno != EACCES);
}

/* A lock for writing needs a descriptor for writing; who may only read does without. */
static int open_file(const char *path, bool making, bool *made) {
    int descriptor = open(path, (making ? O_RDWR : O_RDONLY) | O_CLOEXEC);

    *made = false;
    if (descriptor < 0 && making && errno == ENOENT) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, PERMISSIONS);
        *made = descriptor >= 0;
    } else if (descriptor < 0 && making) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    }
    return descriptor;
}

/* stdin, stdout and stderr may be closed: what goes there must not end up in a database. */
static int avoid_standard(int descriptor) {
    int other;

    if (descriptor < 0 || descriptor > STDERR_FILENO) {
        return descriptor;
    }
    other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return other;
}

bool open_lock_is_of(int descriptor, const char *path) {
    struct stat open_one, named;

    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

int open_lock_open(const char *path, bool making, bool *made) {
    for (int i = 0; i < REOPENINGS; i++) {
        int descriptor = avoid_standard(open_file(path, making, made));

        if (descriptor < 0) {
            return -1;
        }
        lock(descriptor, F_RDLCK, F_OFD_SETLKW);
        if (open_lock_is_of(descriptor, path)) {
            return descriptor;
        }
        close(descriptor);
    }
    errno = ESTALE;
    return -1;
}

int open_lock_make(const char *path) {
    int descriptor =
        avoid_standard(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PERMISSIONS));

    if (descriptor >= 0) {
        lock(descriptor, F_RDLCK, F_OFD_SETLKW);
    }
    return descriptor;
}

bool open_lock_is_left(const char *path) {
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    bool left = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                open_lock_become_alone(descriptor);

    if (descriptor >= 0) {
        close(descriptor);
    }
    return left;
}

bool open_lock_become_alone(int descriptor) {
    return lock(descriptor, F_WRLCK, F_OFD_SETLK);
}

bool open_lock_fill(int descriptor) {
    struct flock range = range_of(F_WRLCK, FILLING_BYTE);

    return fcntl(descriptor, F_OFD_SETLK, &range) == 0;
}

void open_lock_filled(int descriptor) {
    struct flock range = range_of(F_UNLCK, FILLING_BYTE);

    fcntl(descriptor, F_OFD_SETLK, &range);
}

bool open_lock_is_filled(int descriptor) {
    struct flock range = range_of(F_RDLCK, FILLING_BYTE);

    return fcntl(descriptor, F_OFD_GETLK, &range) != 0 || range.l_type == F_UNLCK;
}
