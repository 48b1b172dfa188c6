/* Cleans up when a signal ends the program: removes incomplete files and ends child programs.
 *
 * While duties are registered, every signal that ends a program, except SIGKILL, runs them, the
 * newest first. The program then ends by that signal. An ignored signal (nohup) stays ignored, and
 * one with another handler keeps it. A handler that ends the program, such as the pager's, calls
 * signal_cleanup_run(). The program ignores SIGPIPE: the failing write reports it.
 */
#ifndef TRACETOOL_SIGNAL_CLEANUP_H
#define TRACETOOL_SIGNAL_CLEANUP_H

#include <signal.h>

/* What to do when a signal ends the program. Its address must not change between
 * signal_cleanup_add() and signal_cleanup_drop(). */
struct signal_cleanup_duty {
    void (*clean)(const void *context); /* async-signal-safe */
    const void *context;                /* borrowed */
    struct signal_cleanup_duty *next;
};

/* Blocks the signals that end a program until signal_cleanup_release(). Change the data of a duty
 * only while they are blocked. `mask` receives the thread's previous mask. */
void signal_cleanup_hold(sigset_t *mask);
void signal_cleanup_release(const sigset_t *mask);

/* Call with the signals blocked, on the first thread. Dropping a duty that was not added does
 * nothing. */
void signal_cleanup_add(struct signal_cleanup_duty *duty);
void signal_cleanup_drop(const struct signal_cleanup_duty *duty);

/* Runs the duties, from a signal handler that then ends the program. */
void signal_cleanup_run(void);

#endif
