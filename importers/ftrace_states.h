/* States of threads out of the scheduler's events: kind states (model/thread_state.h).
 *
 * A state begins as this table says, and ends where the thread's next one begins:
 *
 *     running     sched_switch to the thread, or the first line that it wrote on a processor
 *     preempted   sched_switch from it in state R
 *     sleeping …  sched_switch from it in another state
 *     woken       the first sched_waking or sched_wakeup of a thread that sleeps;
 *                 sched_wakeup_new
 *     unknown     events of the processor are missing, where it runs or ran last
 *
 * A wakeup in the name of a thread that has just been switched out is one of an interrupt that came
 * before it was gone.
 *
 * A thread that is forked, or woken as a new one, is not the one that had its number. A thread that
 * gets the number of its process by exec is dead under its own.
 *
 * Interrupts are the brackets of irq_handler, softirq and irq_vectors. In logs without them, the
 * letter h, H, s or z in the column of flags tells a line of an interrupt, and a line of the idle
 * thread is one.
 */
#ifndef TRACETOOL_FTRACE_STATES_H
#define TRACETOOL_FTRACE_STATES_H

#include "block_request.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "import/lookup_cache.h"
#include "model/thread_state.h"
#include "pending.h"

#define FTRACE_STATES_THREADS (1 << 18) /* that are followed at once; the kernel has 4 million */
#define FTRACE_STATES_ISSUED  65536     /* requests of which the completion is waited for */
#define FTRACE_STATES_EARLY   1024      /* wakeups before the first switch that are kept */

struct ftrace_state_thread;
struct ftrace_state_cpu;

/* State of a trace; a zeroed one is ready for ftrace_states_begin(). */
struct ftrace_states {
    struct lookup_cache actors, objects;
    uint32_t names[THREAD_STATES], processor_idle; /* ids; 0: not used yet */
    struct ftrace_state_thread *threads;           /* owned hash table */
    struct ftrace_state_thread *elsewhere;         /* those whose processor is not known */
    struct ftrace_state_cpu *cpus;                 /* owned */
    size_t cpu_count;
    struct early_wakeup *early;  /* owned hash table: the first of each thread before any switch */
    struct pending_table issued; /* owned: requests that were issued */
    int64_t latest;              /* time of the last state */
    bool active;                 /* a sched_switch has been read */
    bool interrupts;             /* the log tells what is done in interrupts */
    int64_t wakeups;             /* read */
    int64_t missed, forgotten;   /* for remarks */
};

enum ftrace_states_taken {
    FTRACE_STATES_OTHER, /* it is no event of the scheduler, nor of an interrupt */
    FTRACE_STATES_TAKEN,
    FTRACE_STATES_KEPT, /* till the first switch; without one it is an event that is not read */
    FTRACE_STATES_DAMAGED,
};

void ftrace_states_begin(struct ftrace_states *states);

/* Any line with a time: the thread that wrote it runs. */
void ftrace_states_see(struct import *import, struct ftrace_states *states,
                       const struct ftrace_line *line, int64_t offset);

/* A line that may be an event of the scheduler or an interrupt. What becomes of it stands in the
 * ledger, unless it is another event, kept, or damaged. */
enum ftrace_states_taken ftrace_states_take(struct import *import, struct ftrace_states *states,
                                            const struct ftrace_line *line, int64_t offset);

/* A request of block I/O, by the line of its event: what completes may wake who waits for it. */
void ftrace_states_request(struct ftrace_states *states, const struct ftrace_line *line,
                           const struct block_request *request);

/* Events of a processor are missing (EVENT_NONE: of any). */
void ftrace_states_lost(struct import *import, struct ftrace_states *states, int64_t cpu);

/* Remarks unless `failed`, and frees the state. */
void ftrace_states_end(struct import *import, struct ftrace_states *states, bool failed);

extern const struct event_meaning ftrace_states_meanings[];

/* dump(): [tid name] state, the processor, what woke it <duration> */
void ftrace_states_dump(const struct dump_event *dump, struct text *out);

#endif
