#include "base/signal_cleanup.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static const int endings[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGALRM, SIGUSR1,
                              SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF};
#define ENDINGS (sizeof endings / sizeof endings[0])

/* List of hooks, which the signal handler reads; changed only while the signals are blocked. */
static struct signal_cleanup_hook *hooks;
static pid_t owner; /* process that cleans up; a forked child does not remove its parent's files */
static struct sigaction before[ENDINGS];

void signal_cleanup_block(sigset_t *mask) {
    sigset_t held;

    sigemptyset(&held);
    for (size_t i = 0; i < ENDINGS; i++) {
        sigaddset(&held, endings[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, mask);
}

void signal_cleanup_unblock(const sigset_t *mask) {
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

void signal_cleanup_run(void) {
    if (getpid() == owner) {
        for (const struct signal_cleanup_hook *hook = hooks; hook != NULL; hook = hook->next) {
            hook->clean(hook->context);
        }
    }
}

static void signal_cleanup_clean_up(int signal_number) {
    const int cause = errno;

    signal_cleanup_run();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    errno = cause;
}

void signal_cleanup_add(struct signal_cleanup_hook *hook) {
    struct sigaction action = {.sa_handler = signal_cleanup_clean_up};

    for (size_t i = 0; hooks == NULL && i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before[i]);
        if (before[i].sa_handler == SIG_DFL) {
            sigaction(endings[i], &action, NULL);
        }
    }
    owner = getpid();
    hook->next = hooks;
    hooks = hook;
}

void signal_cleanup_remove(const struct signal_cleanup_hook *hook) {
    struct signal_cleanup_hook **at = &hooks;

    while (*at != NULL && *at != hook) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        return;
    }
    *at = hook->next;
    for (size_t i = 0; hooks == NULL && i < ENDINGS; i++) {
        struct sigaction now;

        sigaction(endings[i], NULL, &now);
        if (now.sa_handler == signal_cleanup_clean_up) {
            sigaction(endings[i], &before[i], NULL);
        }
    }
}
