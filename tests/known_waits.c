/* Makes calls that wait for known causes, and prints the times that the kernel accounts for them.
 *
 *     known_waits FOLDER
 *
 * Each step is a thread that makes CALLS calls of one kind. Prints a line per step: thread, call,
 * cause of the waits, number of calls, and three sums over these calls in nanoseconds: elapsed
 * time, time on a processor, and time runnable without one (/proc/thread-self/schedstat). The
 * remaining time is the wait. testdata/ftrace/known/record records the program with ftrace. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS   5
#define WAIT_MS 20

struct account {
    long long clock, running, runnable; /* nanoseconds */
};

struct step {
    const char *call, *cause;
    void (*prepare)(void); /* starts what the call waits for; NULL: nothing */
    void (*call_it)(void);
    void (*finish)(void); /* NULL: nothing */
};

static pthread_t helper;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2], file, zero;
static pid_t child;
static char *block;
enum { BLOCK = 1 << 20, BLOCKS = 32 }; /* of a file: enough for milliseconds on a fast device */

static void check(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(1);
    }
}

static long long now(clockid_t clock) {
    struct timespec time;

    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
}

static void burn(int milliseconds) {
    long long end = now(CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1000000LL;

    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

static void start(void *(*run)(void *)) {
    check(pthread_create(&helper, NULL, run, NULL) == 0, "pthread_create");
}

static void join(void) {
    pthread_join(helper, NULL);
}

/* --- a lock that another thread holds ----------------------------------------------------------
 */

static int held[2];

static void *hold(void *none) {
    prctl(PR_SET_NAME, "holder");
    pthread_mutex_lock(&lock);
    check(write(held[1], "", 1) == 1, "write");
    nap();
    pthread_mutex_unlock(&lock);
    return none;
}

static void start_holder(void) {
    char byte;

    start(hold);
    check(read(held[0], &byte, 1) == 1, "read");
}

static void take_lock(void) {
    pthread_mutex_lock(&lock);
}

static void give_lock(void) {
    pthread_mutex_unlock(&lock);
    join();
}

/* --- a pipe with a slow writer -----------------------------------------------------------------
 */

static void *feed(void *none) {
    prctl(PR_SET_NAME, "feeder");
    nap();
    check(write(pipes[1], "", 1) == 1, "write");
    return none;
}

static void start_feeder(void) {
    start(feed);
}

static void read_pipe(void) {
    char byte;

    check(read(pipes[0], &byte, 1) == 1, "read");
}

/* --- a child -----------------------------------------------------------------------------------
 */

static void start_child(void) {
    child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        burn(WAIT_MS);
        _exit(0);
    }
}

static void wait_child(void) {
    check(waitpid(child, NULL, 0) == child, "waitpid");
}

/* --- a processor that another thread uses, too -------------------------------------------------
 */

static void pin(void) {
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(0, &set);
    check(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

static void *rival(void *none) {
    prctl(PR_SET_NAME, "rival");
    burn(WAIT_MS / 4); /* ends before the call does */
    return none;
}

static void start_rival(void) {
    pin(); /* the rival inherits it */
    start(rival);
}

static void copy_much(void) {
    static struct iovec vectors[IOV_MAX];

    for (int i = 0; i < IOV_MAX; i++) {
        vectors[i] = (struct iovec){block, BLOCK};
    }
    check(readv(zero, vectors, IOV_MAX) == (ssize_t)IOV_MAX * BLOCK, "readv");
}

/* --- a device ----------------------------------------------------------------------------------
 */

static void sync_file(void) {
    check(fdatasync(file) == 0, "fdatasync");
}

static void dirty(void) {
    for (off_t i = 0; i < BLOCKS; i++) {
        check(pwrite(file, block, BLOCK, i * BLOCK) == BLOCK, "pwrite");
    }
}

static const struct step steps[] = {
    {"futex", "lock", start_holder, take_lock, give_lock},
    {"read", "message", start_feeder, read_pipe, join},
    {"clock_nanosleep", "timer", NULL, nap, NULL},
    {"wait4", "child", start_child, wait_child, NULL},
    {"readv", "waits for a processor", start_rival, copy_much, join},
    {"fdatasync", "device", dirty, sync_file, NULL},
};

/* The time on a processor in schedstat is as old as the last tick, so that of the clock is used. */
static long long runnable(int schedstat) {
    char text[100] = "";
    long long time = 0;

    check(pread(schedstat, text, sizeof text - 1, 0) > 0, "schedstat");
    sscanf(text, "%*d %lld", &time);
    return time;
}

/* Reads the three times, again where the thread lost the processor in between. */
static struct account account(int schedstat) {
    struct account found;

    do {
        found = (struct account){now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID),
                                 runnable(schedstat)};
    } while (found.runnable != runnable(schedstat) || now(CLOCK_MONOTONIC) - found.clock > 1000000);
    return found;
}

static void *make_calls(void *argument) {
    const struct step *step = argument;
    struct account sum = {0};
    int schedstat = open("/proc/thread-self/schedstat", O_RDONLY);

    for (int i = 0; i < CALLS; i++) {
        struct account before, after;

        if (step->prepare != NULL) {
            step->prepare();
        }
        prctl(PR_SET_NAME, "known-call"); /* the recorder keeps only calls under this name */
        before = account(schedstat);
        step->call_it();
        after = account(schedstat);
        prctl(PR_SET_NAME, "known");
        sum.clock += after.clock - before.clock;
        sum.running += after.running - before.running;
        sum.runnable += after.runnable - before.runnable;
        if (step->finish != NULL) {
            step->finish();
        }
    }
    printf("%d\t%s\t%s\t%d\t%lld\t%lld\t%lld\n", gettid(), step->call, step->cause, CALLS,
           sum.clock, sum.running, sum.runnable);
    return NULL;
}

int main(int count, char **words) {
    check(count == 2 && chdir(words[1]) == 0, "known_waits FOLDER");
    prctl(PR_SET_NAME, "known");
    block = malloc(BLOCK);
    memset(block, 1, BLOCK);
    zero = open("/dev/zero", O_RDONLY);
    file = open("known-waits", O_CREAT | O_TRUNC | O_RDWR, 0600);
    check(pipe(pipes) == 0 && pipe(held) == 0 && file >= 0 && unlink("known-waits") == 0, "files");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        pthread_t thread;

        check(pthread_create(&thread, NULL, make_calls, (void *)&steps[i]) == 0, "pthread_create");
        pthread_join(thread, NULL);
    }
    return 0;
}
