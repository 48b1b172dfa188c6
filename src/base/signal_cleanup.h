/* Cleans up if a signal ends the program: removes files that are not complete, ends child programs.
 *
 * A duty is a function to run then. While there are duties, each signal that ends a program, except
 * SIGKILL, runs them all, the newest first; then the signal ends the program. A signal that is
 * ignored (nohup) stays ignored, one with another handler keeps that. A handler that ends the
 * program, such as the pager's, calls signal_cleanup_run(). The program ignores SIGPIPE: the write
 * that fails reports it. */
#ifndef TRACETOOL_SIGNAL_CLEANUP_H
#define TRACETOOL_SIGNAL_CLEANUP_H

#include <signal.h>

/* A duty: what to do if a signal ends the program. It must not move in memory between
 * signal_cleanup_add() and signal_cleanup_drop(). */
struct signal_cleanup_duty {
    void (*clean)(const void *context); /* async-signal-safe: it runs in a signal handler */
    const void *context;                /* borrowed */
    struct signal_cleanup_duty *next;
};

/* Blocks the signals that end a program, until signal_cleanup_release(). Only then may the data of
 * a duty be changed. `mask` gets the thread's signal mask from before. */
void signal_cleanup_hold(sigset_t *mask);
void signal_cleanup_release(const sigset_t *mask);

/* Add or drop a duty: on the first thread, with the signals blocked. A duty that was not added may
 * be dropped. */
void signal_cleanup_add(struct signal_cleanup_duty *duty);
void signal_cleanup_drop(const struct signal_cleanup_duty *duty);

/* Runs all duties; for a signal handler that then ends the program. */
void signal_cleanup_run(void);

#endif
