/* States of threads, as traces of kind states have them: one event is the time that a thread was in
 * one state.
 *
 *     operation   the state: name.kind "state"; of a processor without a thread "processor"
 *     actor       the thread; of a processor the idle thread, `<idle>/N`
 *     duration    to the next state; none: the end is not in the log
 *     value       the processor: where it runs, ran last, or is to run (woken)
 *     self        of running: duration without interrupts; none: there were none
 *
 * A thread is woken by another, or in an interrupt. The event of the state `woken` tells:
 *
 *     flags       STATE_CONTEXT: what woke it; of a device also class and letters of the request
 *     issuer      the thread that woke it
 *     object      the device, or an interrupt by its name
 *     address     sector of the request
 *     size        its bytes
 *     response    from its issue to its completion
 */
#ifndef TRACETOOL_THREAD_STATE_H
#define TRACETOOL_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum thread_state {
    STATE_RUNNING,
    STATE_PREEMPTED, /* could run; others do */
    STATE_WOKEN,     /* could run, since it was woken or made */
    STATE_SLEEPING,
    STATE_UNINTERRUPTIBLE,
    STATE_IDLE, /* of kernel threads: waits for work */
    STATE_STOPPED,
    STATE_TRACED,
    STATE_PARKED,
    STATE_DEAD,
    STATE_UNKNOWN, /* events are missing */
};
#define THREAD_STATES (STATE_UNKNOWN + 1)

/* name.kind of states, and of what a processor does without a thread; and the name of the latter.
 */
#define STATE_NAME_KIND     "state"
#define PROCESSOR_NAME_KIND "processor"
#define PROCESSOR_IDLE      "processor idle"

/* "running", "preempted", … */
extern const char *const thread_state_words[THREAD_STATES];

/* What woke a thread: three bits of the flags, from bit 3. */
enum state_context {
    STATE_CONTEXT_NONE,      /* not told */
    STATE_CONTEXT_THREAD,    /* the issuer */
    STATE_CONTEXT_DEVICE,    /* the completion of a request */
    STATE_CONTEXT_NETWORK,   /* what came by network */
    STATE_CONTEXT_TIMER,     /* a timer that ran out */
    STATE_CONTEXT_INTERRUPT, /* another interrupt; object: which */
};
#define STATE_CONTEXTS      (STATE_CONTEXT_INTERRUPT + 1)
#define STATE_CONTEXT_SHIFT 3
#define STATE_CONTEXT_MASK  7u

enum state_flag {
    STATE_FLAG_FIRST = 1 << 12,    /* the thread was there before; what it did is unknown */
    STATE_FLAG_MIGRATED = 1 << 13, /* runs on another processor than it did last */
    STATE_FLAG_NEW = 1 << 14,      /* woken for the first time: the thread was made */
};

static inline enum state_context state_context_of(uint32_t flags) {
    return (enum state_context)(flags >> STATE_CONTEXT_SHIFT & STATE_CONTEXT_MASK);
}

/* Whether a thread in that state waits for a processor. */
static inline bool thread_state_waits_for_processor(enum thread_state state) {
    return state == STATE_PREEMPTED || state == STATE_WOKEN;
}

/* Whether a thread in that state goes on only when it is woken. */
static inline bool thread_state_is_asleep(enum thread_state state) {
    return state >= STATE_SLEEPING && state <= STATE_PARKED;
}

#endif
