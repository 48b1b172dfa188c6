/* Scheduler events in ftrace logs.
 *
 *     sched_switch: prev_comm=cat prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=dd next_pid=8
 *         next_prio=120
 *     sched_switch: cat:9 [120] S ==> dd:8 [120]                      trace-cmd report
 *     sched_waking: comm=dd pid=8 prio=120 target_cpu=001
 *     sched_wakeup: dd:8 [120] CPU:001                                trace-cmd report
 *     sched_blocked_reason: pid=8 iowait=1 caller=folio_wait_bit_common+0x13d/0x350
 *
 * Names are truncated to 15 bytes and may contain anything, even these fields. Sources: the
 * kernel's include/trace/events/sched.h, trace-cmd's plugin_sched_switch.c, recordings.
 */
#ifndef TRACETOOL_FTRACE_SCHED_H
#define TRACETOOL_FTRACE_SCHED_H

#include "ftrace_line.h"
#include "model/thread_state.h"

/* A thread in an event. */
struct sched_task {
    struct word name;
    int64_t tid; /* 0: the idle thread */
};

struct sched_switch {
    struct sched_task from, to;
    enum thread_state state; /* new state of `from` */
};

/* Parses the fields of a sched_switch. False if they do not fit the event. */
bool sched_parse_switch(struct word fields, struct sched_switch *found);

/* Parses the fields of sched_waking, sched_wakeup and sched_wakeup_new. `cpu` EVENT_NONE: not
 * given. */
bool sched_parse_wakeup(struct word fields, struct sched_task *task, int64_t *cpu);

/* Parses `comm=bash pid=1 child_comm=bash child_pid=2` of sched_process_fork: the child. */
bool sched_parse_fork(struct word fields, struct sched_task *child);

/* Parses `filename=/bin/ls pid=1 old_pid=2` of sched_process_exec: the thread's previous number. */
bool sched_parse_exec(struct word fields, int64_t *old);

struct sched_blocked {
    int64_t tid;
    bool io_wait;
    struct word function; /* without its offset; length 0: unknown */
};

/* Parses `pid=8 iowait=1 caller=folio_wait_bit_common+0x13d/0x350` of sched_blocked_reason. */
bool sched_parse_blocked(struct word fields, struct sched_blocked *found);

#endif
