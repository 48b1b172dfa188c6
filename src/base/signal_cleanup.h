/* What is not to be left behind when a signal ends the program: files that are not whole, and
 * programs that it started.
 *
 * From the first duty on until the last is dropped, every signal that ends a program, but SIGKILL,
 * has the duties done, the latest first; then the program ends by the signal, as it would without
 * them. A signal that is ignored (nohup) stays so, and one that somebody else catches stays
 * theirs: a handler that ends the program, as that of a pager, calls signal_cleanup_run(). SIGPIPE
 * is ignored by the program: the failing write tells.
 */
#ifndef TRACETOOL_SIGNAL_CLEANUP_H
#define TRACETOOL_SIGNAL_CLEANUP_H

#include <signal.h>

/* Is where it is added until it is dropped. */
struct signal_cleanup_duty {
    void (*clean)(const void *context); /* calls only what is safe in a handler of signals */
    const void *context;                /* borrowed */
    struct signal_cleanup_duty *next;
};

/* Holds these signals until they are released: what a duty looks at is changed only then. `mask`:
 * what the thread held before. */
void signal_cleanup_hold(sigset_t *mask);
void signal_cleanup_release(const sigset_t *mask);

/* With the signals held, and by the first thread. Dropping what was not added does nothing. */
void signal_cleanup_add(struct signal_cleanup_duty *duty);
void signal_cleanup_drop(const struct signal_cleanup_duty *duty);

/* Has the duties done, from a handler of one of these signals that ends the program then. */
void signal_cleanup_run(void);

#endif
