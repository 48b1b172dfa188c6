/* Cleans up if a signal ends the program: removes incomplete files, ends child processes.
 *
 * A hook is a function to call in this case. While there are hooks, each signal that ends a
 * program, except SIGKILL, runs all of them, the newest first; then the signal ends the program. A
 * signal that is ignored (nohup) or has another handler keeps its action. A handler that ends the
 * program, such as the pager's, calls signal_cleanup_run(). The program ignores SIGPIPE; the
 * failing write reports the error. */
#ifndef TRACETOOL_SIGNAL_CLEANUP_H
#define TRACETOOL_SIGNAL_CLEANUP_H

#include <signal.h>

/* A function to call if a signal ends the program. It must stay at its address between
 * signal_cleanup_add() and signal_cleanup_remove(). */
struct signal_cleanup_hook {
    /* Must be async-signal-safe, because it is called in a signal handler. */
    void (*clean)(const void *context);
    const void *context; /* borrowed; argument of clean() */
    struct signal_cleanup_hook *next;
};

/* Blocks the signals that end a program, until signal_cleanup_unblock(). The data of a hook may be
 * changed only in between. `mask` gets the thread's previous signal mask. */
void signal_cleanup_block(sigset_t *mask);
void signal_cleanup_unblock(const sigset_t *mask);

/* Add or remove a hook. Call them on the first thread, with the signals blocked. Removing a hook
 * that was not added does nothing. */
void signal_cleanup_add(struct signal_cleanup_hook *hook);
void signal_cleanup_remove(const struct signal_cleanup_hook *hook);

/* Runs all hooks. For a signal handler that then ends the program. */
void signal_cleanup_run(void);

#endif
