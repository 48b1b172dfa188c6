/* What woke a thread that waited, in words: `device 254,0 write`, `lock`, `kernel: jbd2`, …
 *
 * The first that holds:
 *
 *     device MAJ,MIN CLASS   woken in an interrupt in which a request completed
 *     network, timer, interrupt   woken in another interrupt
 *     lock       woken by a thread, and waited in futex, flock, semop
 *     child      likewise, in wait4, waitid, vfork
 *     kernel: NAME   by a thread of the kernel, whose name is cut before its numbers
 *     message    likewise, in read, write, poll, select, epoll_wait, recv, send, accept and their
 * like thread     by another thread unexplained   the log does not tell
 */
#ifndef TRACETOOL_WAIT_CAUSES_H
#define TRACETOOL_WAIT_CAUSES_H

#include "analysis/analysis.h"
#include "model/thread_state.h"
#include "scan/id_values.h"
#include "store/column_reader.h"

/* Causes are numbered as they occur; these are always there. 0 is no cause, with an empty text. */
enum {
    WAIT_CAUSE_NONE,
    WAIT_CAUSE_ON_PROCESSOR,
    WAIT_CAUSE_FOR_PROCESSOR,
    WAIT_CAUSE_UNEXPLAINED,
};

/* What the log of the states does not tell. */
enum { WAIT_LACKS_WAKEUPS = 1, WAIT_LACKS_INTERRUPTS = 2 };

struct wait_causes;

/* A cause, and who woke the thread: numbers of texts; 0: not known. */
struct wait_cause {
    uint32_t cause, waker;
};

/* Owned by the caller. */
struct wait_causes *wait_causes_new(void);
void wait_causes_free(struct wait_causes *causes);

/* Finds the trace of kind states that goes with the calls that are passed over: that of the same
 * log, or the one called `with`. Sets `*pass` to what reads it, and `*shift` to what its times are
 * later than those of the calls: by the wall clock, or `offset` (EVENT_NONE: not given). False with
 * the context's error set: there is none, or no clock in common. */
bool wait_causes_read(struct wait_causes *causes, struct analysis_context *context,
                      const char *with, int64_t offset, struct event_pass *pass, int64_t *shift);

/* The state that an operation of that trace is; false: it is none of a thread. */
bool wait_causes_state(const struct wait_causes *causes, uint32_t operation,
                       enum thread_state *state);

/* The number of the thread that an actor of that trace is; EVENT_NONE: none. */
int64_t wait_causes_tid(const struct wait_causes *causes, uint32_t actor);

/* The name of the thread that an actor of that trace is, among the texts of causes: of one of the
 * kernel without its numbers. */
uint32_t wait_causes_thread(struct wait_causes *causes, uint32_t actor);

/* The name of a call with that operation, among the texts of causes. */
uint32_t wait_causes_call(struct wait_causes *causes, uint32_t operation);

/* A cause with who ended the wait, among the texts of causes: `lock (b)`; of the kernel's threads,
 * whose causes have their names, the cause. */
uint32_t wait_causes_by(struct wait_causes *causes, uint32_t cause, uint32_t waker);

/* The device that an object of that trace is; EVENT_NONE: none. */
int64_t wait_causes_device(const struct wait_causes *causes, uint32_t object);

/* What woke a thread, by the event of its state `woken`, while it was in a call with that
 * operation. */
struct wait_cause wait_causes_find(struct wait_causes *causes, uint32_t call,
                                   const struct event_columns *columns, size_t i);

/* The text of a cause or waker by its number; valid until the next wait_causes_find(). */
const char *wait_cause_text(const struct wait_causes *causes, uint32_t number);

/* Bit set of WAIT_LACKS_…. */
int wait_causes_lack(const struct wait_causes *causes);

#endif
