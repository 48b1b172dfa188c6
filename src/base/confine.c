#include "base/confine.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/search.h"

/* AddressSanitizer reserves terabytes of addresses, so with it memory is not limited. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESSES_ARE_FREE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESSES_ARE_FREE
#endif
#endif

static void limit_resource(int resource, rlim_t most) {
    struct rlimit limit;

    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur =
            limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max ? most : limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

static int order_by_number(const void *left, const void *right) {
    const int *a = left, *b = right;

    return ORDER(*a, *b);
}

static void reset_signals(void) {
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    sigset_t none;

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        signal(signals[i], SIG_DFL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Unmaps writable shared memory, such as SQLite's index of the write-ahead log, so that a bug in
 * this process cannot overwrite it. */
static void unmap_shared(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long begin, end;
    char flags[5];

    while (maps != NULL && fscanf(maps, "%lx-%lx %4s%*[^\n]", &begin, &end, flags) == 3) {
        if (flags[1] == 'w' && flags[3] == 's') {
            munmap((void *)(uintptr_t)begin, end - begin);
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
}

void sandbox_process(int *kept_open, size_t count, size_t memory, unsigned seconds) {
    unsigned from = STDERR_FILENO + 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    reset_signals();
    unmap_shared();
    qsort(kept_open, count, sizeof *kept_open, order_by_number);
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)kept_open[i] > from) {
            close_range(from, (unsigned)kept_open[i] - 1, 0);
        }
        from = (unsigned)kept_open[i] >= from ? (unsigned)kept_open[i] + 1 : from;
    }
    close_range(from, ~0U, 0);
    limit_resource(RLIMIT_CORE, 0);
    limit_resource(RLIMIT_FSIZE, 0);
    limit_resource(RLIMIT_CPU, seconds);
#ifndef ADDRESSES_ARE_FREE
    limit_resource(RLIMIT_DATA, memory);
#endif
}

bool wait_sandboxed_process(pid_t process, int *status, struct error *error) {
    while (waitpid(process, status, 0) < 0) {
        if (errno != EINTR) {
            return error_set(error, "cannot wait for a process: %s", strerror(errno));
        }
    }
    return true;
}
