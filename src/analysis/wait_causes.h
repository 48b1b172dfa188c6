/* Causes: what woke a waiting thread, as a text: `device 254,0 write`, `lock`, `kernel: jbd2` …
 *
 * The first row that applies determines the cause:
 *
 *     device MAJ,MIN CLASS       woken in an interrupt in which a request completed; not from
 *                                futex, wait4 or nanosleep if the log lacks interrupts
 *     network, timer, interrupt  woken in another interrupt
 *     lock                       woken by a thread while waiting in futex, flock, semop, or in a
 *                                mark of Android's runtime that names a lock
 *     child                      the same, in wait4, waitid, vfork
 *     kernel: NAME               woken by a kernel thread; NAME is its name without numbers
 *     message                    woken by a thread in read, write, poll, select, epoll_wait, recv,
 *                                send, accept and the like
 *     thread                     woken by another thread
 *       … in FUNCTION            after thread and interrupt: the kernel function in which it slept
 *     unexplained                the log does not have the cause */
#ifndef TRACETOOL_WAIT_CAUSES_H
#define TRACETOOL_WAIT_CAUSES_H

#include "analysis/analysis.h"
#include "model/thread.h"
#include "scan/event_filter.h"
#include "store/column_reader.h"

/* Numbers of the texts that always exist; others follow as they appear. 0: no cause, empty text. */
enum {
    WAIT_CAUSE_NONE,
    WAIT_CAUSE_ON_PROCESSOR,
    WAIT_CAUSE_FOR_PROCESSOR,
    WAIT_CAUSE_UNEXPLAINED,
};

/* Bits for kinds of events that the log of the thread states lacks. WAIT_LACKS_DEVICES: completions
 * of requests. */
enum { WAIT_LACKS_WAKEUPS = 1, WAIT_LACKS_INTERRUPTS = 2, WAIT_LACKS_DEVICES = 4 };

struct wait_causes;

/* What woke a thread: text number of the cause, and of the waker's name; 0: unknown. */
struct wait_cause {
    uint32_t cause, waker;
};

/* Returns an empty object, owned by the caller. */
struct wait_causes *wait_causes_new(void);
void wait_causes_free(struct wait_causes *causes);

/* Finds the trace of thread states for the calls of the current pass: that of the same log, or the
 * trace called `with`. Sets `*pass` to read it, and `*shift` to the offset of its times from the
 * calls' times: by the wall clock, or `offset` (EVENT_NONE: not given). With `by_process`, wakers
 * are processes. Returns false with an error set if there is no trace or common clock. */
bool wait_causes_read(struct wait_causes *causes, struct analysis_context *context,
                      const char *with, int64_t offset, bool by_process, struct event_pass *pass,
                      int64_t *shift);

/* SQL condition that selects trace ?1 (function calls) and the system calls of the same log. */
#define WAIT_CAUSES_TRACES                                                                         \
    " IN (SELECT ?1 UNION SELECT c.id FROM main.trace AS s CROSS JOIN main.trace AS c"             \
    " ON c.log = s.log AND c.kind = 'calls' WHERE s.id = ?1)"

/* Sets `*pass` to read the system calls in the log of a function trace. Leaves it unchanged if
 * there are none, or `spans` is a trace of another kind. Failures set the context's error. */
bool wait_causes_find_system(struct wait_causes *causes, const struct catalog_trace *spans,
                             struct event_pass *pass);

/* Returns whether a call's operation shows what its thread waits for, such as a lock. */
bool wait_causes_explains_wait(const struct wait_causes *causes, uint32_t operation);

/* Sets `*state` to the thread state of an operation. Returns false if the operation is none. */
bool wait_causes_state(const struct wait_causes *causes, uint32_t operation,
                       enum thread_state *state);

/* Returns the thread id of an actor in the trace of thread states; EVENT_NONE: none. */
int64_t wait_causes_tid(const struct wait_causes *causes, uint32_t actor);

/* Returns the text number of an actor's thread name; names of kernel threads lack numbers. */
uint32_t wait_causes_thread_name(struct wait_causes *causes, uint32_t actor);

/* Returns the text number of the label of an actor's thread or, with `by_process`, its process. */
uint32_t wait_causes_waker_label(struct wait_causes *causes, uint32_t actor);

/* Returns the number of the text that names a call's operation. */
uint32_t wait_causes_call_name(struct wait_causes *causes, uint32_t operation);

/* Returns the number of the text for a cause with its waker: `lock (b)`. A cause that names a
 * kernel thread needs no waker and is returned unchanged. */
uint32_t wait_causes_cause_with_waker(struct wait_causes *causes, uint32_t cause, uint32_t waker);

/* Returns the device of an object in the trace of thread states; EVENT_NONE: it has none. */
int64_t wait_causes_device(const struct wait_causes *causes, uint32_t object);

/* Returns whether a device is a loop device and the log also has completions of other devices. */
bool wait_causes_is_loop(const struct wait_causes *causes, int64_t device);

/* Finds what woke a thread by event `i`, which is its state `woken`. The thread was in a call with
 * the operation `call`, and slept in the kernel function `function` (object.id; 0: unknown). */
struct wait_cause wait_causes_find(struct wait_causes *causes, uint32_t call, uint32_t function,
                                   const struct event_columns *columns, size_t i);

/* Returns the text that has this number. Valid until the next wait_causes_find(). */
const char *wait_cause_text(const struct wait_causes *causes, uint32_t number);

/* Returns whether a text is a possible cause: one of the list at the top of this file, with any
 * device or kernel thread, or a text for being on or waiting for a processor. Texts with a function
 * ("… in FUNCTION") are not. */
bool wait_cause_is_known(const char *name);

/* Returns a bit set of WAIT_LACKS_…: kinds of events that the log of the thread states lacks. */
int wait_causes_missing_events(const struct wait_causes *causes);

#endif
