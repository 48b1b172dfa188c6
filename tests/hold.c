/* Suspends a program when it opens a file. Preloaded by tests/golden/copies-beside.test:
 *
 *     LD_PRELOAD=build/hold.so HOLD=x.db HOLD_AT=N HOLD_BY=name tracetool …
 *
 * The N-th open (from 1) of a file whose path ends with HOLD creates the file name.held, and
 * continues when a file name.go exists, or after 10 seconds. HOLD_NO_TIMES=1: stat() gives no times
 * of files, as if all of them changed in one second (tests/golden/ask.test). */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int opener(const char *path, int flags, ...);

/* Milliseconds between checks, and limit of checks. */
enum { PAUSE = 10, LOOKS = 1000 };

static int opens;

static int is_held(const char *path) {
    const char *held = getenv("HOLD"), *at = getenv("HOLD_AT");
    size_t length = strlen(path);

    return held != NULL && at != NULL && length >= strlen(held) &&
           strcmp(path + length - strlen(held), held) == 0 &&
           __atomic_add_fetch(&opens, 1, __ATOMIC_RELAXED) == atoi(at);
}

static void hold(opener *open_file) {
    const struct timespec pause = {.tv_nsec = PAUSE * 1000000L};
    char name[4096];

    snprintf(name, sizeof name, "%s.held", getenv("HOLD_BY"));
    close(open_file(name, O_WRONLY | O_CREAT, 0600));
    snprintf(name, sizeof name, "%s.go", getenv("HOLD_BY"));
    for (int i = 0; i < LOOKS && access(name, F_OK) != 0; i++) {
        nanosleep(&pause, NULL);
    }
}

static int open_held(const char *name, const char *path, int flags, int mode) {
    opener *open_file;

    *(void **)&open_file = dlsym(RTLD_NEXT, name);
    if (is_held(path)) {
        hold(open_file);
    }
    return open_file(path, flags, mode);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        int mode = 0;                                                                              \
                                                                                                   \
        va_start(rest, flags);                                                                     \
        if ((flags & O_CREAT) != 0) {                                                              \
            mode = va_arg(rest, int);                                                              \
        }                                                                                          \
        va_end(rest);                                                                              \
        return open_held(#name, path, flags, mode);                                                \
    }

OPEN(open)
OPEN(open64)

int stat(const char *path, struct stat *status) {
    int result, (*find)(const char *path, struct stat *status);

    *(void **)&find = dlsym(RTLD_NEXT, "stat");
    result = find(path, status);
    if (getenv("HOLD_NO_TIMES") != NULL) {
        status->st_mtim = status->st_ctim = (struct timespec){0};
    }
    return result;
}
