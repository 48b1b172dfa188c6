/* States of threads, and their notation in all reports, plots, pages, dumps and exports.
 *
 * States are in traces of kind states: one event is the time that a thread spent in one state.
 *
 *     operation   the state: name.kind "state"; for a processor without a thread "processor"
 *     actor       the thread; for a processor the idle thread, `<idle>/N`
 *     duration    to the next state; none: the end is not in the log
 *     value       processor: of the run, of the last run, or of the next run (woken)
 *     self        running: duration without interrupts; none: no interrupts
 *
 * The kernel may log where a thread slept (sched_blocked_reason). Its state then has:
 *
 *     object      the function, by name
 *     flags       STATE_FLAG_IO_WAIT
 *
 * A thread is woken by another thread or in an interrupt. The event of the state `woken` has:
 *
 *     flags       STATE_CONTEXT: source of the wakeup; for a device also class and rwbs flags
 *     issuer      the waking thread; for a device: ksoftirqd, if it handled the completion
 *     object      the device, or the name of an interrupt
 *     address     sector of the request
 *     size        bytes of the request
 *     response    issue to completion of the request
 */
#ifndef TRACETOOL_THREAD_H
#define TRACETOOL_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum thread_state {
    STATE_RUNNING,
    STATE_PREEMPTED, /* the thread can run, but another one runs */
    STATE_WOKEN,     /* the thread can run, since it was woken or created */
    STATE_SLEEPING,
    STATE_UNINTERRUPTIBLE,
    STATE_IDLE, /* a kernel thread waiting for work */
    STATE_STOPPED,
    STATE_TRACED,
    STATE_PARKED,
    STATE_DEAD,
    STATE_UNKNOWN, /* unknown, since the log lacks events */
};
#define THREAD_STATES (STATE_UNKNOWN + 1)

/* name.kind of thread states and of processor states; name of the only processor state. */
#define STATE_NAME_KIND     "state"
#define PROCESSOR_NAME_KIND "processor"
#define PROCESSOR_IDLE      "processor idle"

/* Words for the states, by enum thread_state: "running", "preempted", … */
extern const char *const thread_state_words[THREAD_STATES];

/* What woke a thread: bits 3 to 5 of the flags. */
enum state_context {
    STATE_CONTEXT_NONE,      /* it is not known what woke the thread */
    STATE_CONTEXT_THREAD,    /* woken by another thread: column `issuer` */
    STATE_CONTEXT_DEVICE,    /* woken by a device that completed a request */
    STATE_CONTEXT_NETWORK,   /* woken by input from the network */
    STATE_CONTEXT_TIMER,     /* woken by a timer that expired */
    STATE_CONTEXT_INTERRUPT, /* woken by another interrupt: column `object` */
};
#define STATE_CONTEXTS      (STATE_CONTEXT_INTERRUPT + 1)
#define STATE_CONTEXT_SHIFT 3
#define STATE_CONTEXT_MASK  7u

enum state_flag {
    STATE_FLAG_FIRST = 1 << 12,    /* first state of a thread that existed before the log began */
    STATE_FLAG_MIGRATED = 1 << 13, /* the thread runs on another processor than the last time */
    STATE_FLAG_NEW = 1 << 14,      /* first wakeup of a new thread */
    STATE_FLAG_IO_WAIT = 1 << 15,  /* the thread sleeps until an I/O is complete */
};

static inline enum state_context state_context_of(uint32_t flags) {
    return (enum state_context)(flags >> STATE_CONTEXT_SHIFT & STATE_CONTEXT_MASK);
}

/* Returns whether a thread in this state can run, but waits for a processor. */
static inline bool thread_state_waits_for_processor(enum thread_state state) {
    return state == STATE_PREEMPTED || state == STATE_WOKEN;
}

/* Returns whether a thread in this state must be woken before it can run. */
static inline bool thread_state_is_asleep(enum thread_state state) {
    return state >= STATE_SLEEPING && state <= STATE_PARKED;
}

/* Appends a thread's label NAME/TID: git/100. If `pid` is neither EVENT_NONE nor `tid`, puts it in
 * front: 100:cc1/101; callers pass it only for traces with several processes. Omits unknown numbers
 * and an empty name: 101, 100:101, git. If the thread's number is unknown, uses that of the
 * process. Does not repeat a number that is part of the name, as in "thread 7" or (thread 0)
 * "swapper/1". `append`: text_append(), or a function that escapes. */
void thread_label_append(struct text *out, int64_t pid, int64_t tid, const char *name,
                         size_t length, void (*append)(struct text *, const char *, size_t));

#endif
