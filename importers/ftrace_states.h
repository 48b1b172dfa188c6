/* States of threads from scheduler events: kind states (model/thread.h).
 *
 * A state begins at the event in this table, and ends when the thread's next state begins:
 *
 *     running     sched_switch to the thread, or its first line on a processor
 *     preempted   sched_switch from it in state R
 *     sleeping …  sched_switch from it in another state
 *     woken       the first sched_waking or sched_wakeup of a sleeping thread;
 *                 sched_wakeup_new
 *     unknown     events of the processor on which it runs or last ran are missing
 *
 * A wakeup logged in the name of a thread that was just switched out comes from an interrupt,
 * which came before the switch was complete.
 *
 * A forked thread, or one woken as new, is not the thread that had its number before. A thread
 * that gets the number of its process by exec ends under its own number.
 *
 * Interrupts are found by the entry and exit events of irq_handler, softirq and irq_vectors. In
 * logs without these, the letters h, H, s or z in the column of flags mark a line of an interrupt;
 * so does a line of the idle thread. */
#ifndef TRACETOOL_FTRACE_STATES_H
#define TRACETOOL_FTRACE_STATES_H

#include "block_request.h"
#include "ftrace_line.h"
#include "ftrace_text.h"
#include "import/importer.h"
#include "model/thread.h"
#include "pending.h"

/* Event of a line of a thread to which a processor has switched from an unknown one (perfetto.h).
 */
#define PERFETTO_FIRST_SWITCH "first_switch_of_a_processor"

#define FTRACE_STATES_THREADS (1 << 18) /* maximum tracked threads; the kernel allows 4 million */
#define FTRACE_STATES_ISSUED  65536     /* maximum block requests that wait for completion */
#define FTRACE_STATES_EARLY   1024      /* maximum wakeups stored before the first thread switch */

struct ftrace_state_thread;
struct ftrace_state_cpu;

/* State of the threads in a trace. Initialise it with zeros. */
struct ftrace_states {
    struct ftrace_state_thread *threads; /* hash table; owned */
    /* threads with a known state, but an unknown processor */
    struct ftrace_state_thread *elsewhere;
    struct ftrace_state_cpu *cpus; /* owned */
    size_t cpu_count;
    /* Owned hash table: the first wakeup of each thread before any switch of tasks. */
    struct early_wakeup *early;
    struct pending_table issued; /* owned: issued block requests */
    int64_t latest;              /* time of the state added last */
    bool active;                 /* true: a sched_switch has been read */
    unsigned interrupts; /* bit set: kinds of interrupts with entry and exit events in the log */
    int64_t wakeups;     /* number of wakeups */
    int64_t missed, forgotten; /* number of switches missing in the log; of threads dropped at
                                  FTRACE_STATES_THREADS */
};

/* Reads any line with a time: the thread that the line names is running on the line's CPU. */
void ftrace_states_note_running(struct import *import, struct ftrace_states *states,
                                const struct ftrace_line *line, int64_t offset);

/* Reads a line that may be an event of the scheduler or of an interrupt. Events before the log's
 * first switch of tasks are ignored with the reason ftrace_before_switch. In a log without
 * switches, all are counted as unread events. */
extern const char ftrace_before_switch[];
struct ftrace_outcome ftrace_states_handle(struct import *import, struct ftrace_states *states,
                                           const struct ftrace_line *line, int64_t offset);

/* Notes the issue or completion of a block request, from the line of its event: a completion may
 * have caused a thread's wakeup. */
void ftrace_states_follow_request(struct ftrace_states *states, const struct ftrace_line *line,
                                  const struct block_request *request);

/* At the end of a file that names processes: sets the processes of threads whose lines were before
 * that. Adds the first thread of a process that has only other threads in the log, since reports
 * call a process by its first thread. */
void ftrace_states_name_processes(struct import *import, struct ftrace_states *states,
                                  const struct ftrace_text *file);

/* Handles a loss of events on a processor; EVENT_NONE: on an unknown one, so on all. */
void ftrace_states_note_loss(struct import *import, struct ftrace_states *states, int64_t cpu);

/* Adds remarks unless `failed`, and frees the state. */
void ftrace_states_end(struct import *import, struct ftrace_states *states, bool failed);

extern const struct event_meaning ftrace_states_meanings[];

/* Implements dump(): [tid name] state, processor, cause of a wakeup <duration> */
void ftrace_states_dump(const struct dump_event *dump, struct text *out);

/* A thread named in an event of the scheduler. */
struct sched_task {
    struct word name;
    int64_t tid; /* number of the thread; 0: the idle thread */
};

struct sched_switch {
    struct sched_task from, to;
    enum thread_state state; /* new state of the thread `from`, which stopped running */
};

/* Parses the fields of a sched_switch. Returns false if they have another form. */
bool sched_parse_switch(struct word fields, struct sched_switch *found);

/* Parses the fields of sched_waking, sched_wakeup and sched_wakeup_new. `*cpu` is EVENT_NONE if the
 * fields lack it. */
bool sched_parse_wakeup(struct word fields, struct sched_task *task, int64_t *cpu);

/* Parses the child in sched_process_fork's `comm=bash pid=1 child_comm=bash child_pid=2`. */
bool sched_parse_fork(struct word fields, struct sched_task *child);

/* Parses the thread's old number in sched_process_exec's `filename=/bin/ls pid=1 old_pid=2`. */
bool sched_parse_exec(struct word fields, int64_t *old);

struct sched_blocked {
    int64_t tid;
    bool io_wait;
    struct word function; /* kernel function that waits, without offset; length 0: unknown */
};

/* Parses sched_blocked_reason's fields, `pid=8 iowait=1
 * caller=folio_wait_bit_common+0x13d/0x350`. */
bool sched_parse_blocked(struct word fields, struct sched_blocked *found);

#endif
