/* A program whose threads have known states, which it prints. testdata/ftrace/README.md describes
 * how its recording was made; tests/golden/states.test compares the two.
 *
 * A line per thread: name, number, ns on a processor (CLOCK_THREAD_CPUTIME_ID), number of sleeps
 * and of preemptions (getrusage), all until the end of its work.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SLEEPS = 10, SLEEP = 3 * MS, SPIN = 20 * MS, BYTES = 5, HELD = 15 * MS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t locked;
static int ends[2];

static struct account {
    char name[16];
    long tid, ran, slept, preempted;
} accounts[8];

static void pause_for(long nanoseconds) {
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static long processor_time(void) {
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1000000000 * time.tv_sec + time.tv_nsec;
}

static void spin(long nanoseconds) {
    while (processor_time() < nanoseconds) {
    }
}

static void *sleeper(void *unused) {
    for (int i = 0; i < SLEEPS; i++) {
        pause_for(SLEEP);
    }
    return unused;
}

static void *spinner(void *unused) {
    spin(SPIN);
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < BYTES; i++) {
        pause_for(SLEEP);
        if (write(ends[1], "", 1) != 1) {
            perror("write");
        }
    }
    return unused;
}

static void *reader(void *unused) {
    char byte;

    for (int i = 0; i < BYTES; i++) {
        if (read(ends[0], &byte, 1) != 1) {
            perror("read");
        }
    }
    return unused;
}

static void *holder(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_barrier_wait(&locked);
    pause_for(HELD);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *locker(void *unused) {
    pthread_barrier_wait(&locked);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *parent(void *unused) {
    if (fork() == 0) {
        prctl(PR_SET_NAME, "child");
        spin(SPIN);
        _exit(0);
    }
    wait(NULL);
    return unused;
}

#define WORK(name)                                                                                 \
    { #name, name }

static const struct work {
    const char *name;
    void *(*run)(void *);
} works[] = {WORK(sleeper), WORK(spinner), WORK(writer), WORK(reader),
             WORK(holder),  WORK(locker),  WORK(parent)};

enum { WORKS = sizeof works / sizeof works[0] };

static void *run(void *account_of) {
    struct account *account = account_of;
    struct rusage usage;

    prctl(PR_SET_NAME, works[account - accounts].name);
    works[account - accounts].run(NULL);
    account->tid = syscall(SYS_gettid);
    account->ran = processor_time();
    getrusage(RUSAGE_THREAD, &usage);
    account->slept = usage.ru_nvcsw;
    account->preempted = usage.ru_nivcsw;
    return NULL;
}

int main(void) {
    pthread_t threads[WORKS];

    pthread_barrier_init(&locked, NULL, 2);
    if (pipe(ends) != 0) {
        return 1;
    }
    for (int i = 0; i < WORKS; i++) {
        pthread_create(&threads[i], NULL, run, &accounts[i]);
    }
    for (int i = 0; i < WORKS; i++) {
        pthread_join(threads[i], NULL);
        printf("%s\t%ld\t%ld\t%ld\t%ld\n", works[i].name, accounts[i].tid, accounts[i].ran,
               accounts[i].slept, accounts[i].preempted);
    }
    return 0;
}
