#include "ftrace_states.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"

/* Reasons (ledger.reason) for events of the scheduler and of interrupts. */
const char ftrace_before_switch[] = "wakeup or interrupt before the first switch of a thread";
static const char bad_sched[] = "fields are not those of the event of the scheduler";
static const char other_state[] = "switch of a thread, which ends one state and begins two";
static const char seen_running[] = "line of a thread without a switch to it";
static const char woken_early[] = "wakeup before the first switch of a thread";
static const char woken_already[] = "wakeup of a thread that runs, or was woken before";
static const char part_of_running[] = "interrupt, counted in the thread that it interrupts";
static const char events_missing[] = "events that are missing, which make a state unknown";
static const char end_of_log[] = "end of the log, after which a state is unknown";
static const char of_wait[] = "function in which a thread slept, kept in its state";
static const char of_thread[] = "begin, program or end of a thread, kept in its states";

const struct event_meaning ftrace_states_meanings[] = {
    {EVENT_PLACE_DURATION, "", "state", "clock"},
    {EVENT_PLACE_SELF, "", "state", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_VALUE, "", "processor", ""},
    {EVENT_PLACE_ISSUER, "", "waker", ""},
    {EVENT_PLACE_OBJECT, "", "waker", ""},
    {EVENT_PLACE_FLAGS, "", "state", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "request", "bytes"},
    {EVENT_PLACE_RESPONSE, "", "request", "clock"},
    {0},
};

enum {
    NAME_BYTES = 15,    /* maximum bytes of a thread's name in the kernel */
    CPUS = 65536,       /* maximum CPUs; ftrace_line.c reads no higher number */
    LEAST_FLAGS = 4,    /* number of letters in the column of flags */
    HANDLER_BYTES = 40, /* maximum bytes stored of an interrupt's name */
    /* In logs without entries and exits of interrupts: if a wakeup follows a completion in an
       interrupt within so many ns, the completion is taken as its cause. */
    COMPLETION_REACH = 100000,
};

/* Kinds of interrupts whose entry and exit events ("brackets") are in a log. A line logged inside
 * an interrupt names the interrupted thread. If the log has no column of flags, such lines are only
 * recognised if it has the brackets of all kinds. */
enum { SHOWS_HANDLERS = 1, SHOWS_SOFTIRQS = 2, SHOWS_TIMERS = 4, SHOWS_ALL = 7 };

/* A state of a thread that has begun: values that are needed at its end. */
struct open_state {
    int64_t serial; /* serial number of the state's row in table event; -1: there is no row */
    int64_t time, value, size;
    uint32_t flags;
    uint32_t object;    /* id of the function in which the thread slept; 0: unknown */
    uint32_t operation; /* id of the state's name if that changed after its begin; otherwise 0 */
};

struct ftrace_state_thread {
    int64_t tid;
    int64_t pid;    /* number of the process; EVENT_NONE: unknown so far */
    int64_t cpu;    /* CPU on which the thread runs or last ran; EVENT_NONE: unknown */
    uint32_t actor; /* actor with the thread's name and numbers */
    char name[NAME_BYTES + 1];
    size_t length;
    bool guessed; /* true: the name is from a line's task column, which may be outdated */
    enum thread_state state;
    struct open_state open;
    struct open_state slept; /* sleep before STATE_WOKEN; its row ends when STATE_WOKEN ends */
    int64_t slept_until;     /* end of the last sleep; the function in which it slept is logged only
                                after the wakeup */
    int64_t made;  /* time of the thread's fork if it was not woken since; otherwise EVENT_NONE */
    int64_t woken; /* in STATE_PREEMPTED: time of the wakeup before its sleep; or EVENT_NONE */
    /* Neighbours in the list of its CPU. A loss on the CPU makes their states unknown. */
    struct ftrace_state_thread *prev, *next;
    UT_hash_handle hh;
};

/* Kinds of interrupts by their nesting. A handler or vector can interrupt a softirq, and a handler
 * may contain the events of an IPI (ARM), but no interrupt contains one of its own kind. If it
 * seems so in a log, an exit is missing. */
enum nesting { IN_SOFTIRQ, IN_HANDLER, IN_IPI, NESTED };

struct handler {
    enum nesting nesting;
    char name[HANDLER_BYTES];
    size_t length;
    enum state_context context;
};

struct completion {
    bool known; /* false: no request has completed in this interrupt, or outside of all */
    int64_t time, device, sector, bytes, issued_for;
    uint32_t flags;
};

struct ftrace_state_cpu {
    /* List of threads with a known state that run, or last ran, on this CPU. */
    struct ftrace_state_thread *threads;
    /* Thread that runs; NULL: the idle thread, or a thread that is no longer tracked. */
    struct ftrace_state_thread *thread;
    bool known;  /* true: it is known which thread runs */
    int64_t tid; /* number of the thread that runs; 0: the idle thread */
    /* Number of the thread that was last switched out; -1: none. Stored until a line that is no
     * wakeup, since a wakeup by an interrupt may still name that thread. */
    int64_t leaving;
    char name[NAME_BYTES]; /* name of the thread that runs, before the first switch of threads */
    size_t length;
    int64_t since, last;    /* times of the first and last line of the thread that runs */
    struct open_state idle; /* idle state of the CPU, if it is idle */
    struct handler nested[NESTED];
    size_t depth; /* number of open interrupts */
    /* entered: start of the outermost open interrupt; interrupts: ns in interrupts since the thread
     * began to run */
    int64_t entered, interrupts;
    /* Request completed last: outside of interrupts (index 0), and in each open interrupt. */
    struct completion completed[NESTED + 1];
};

/* A wakeup before the first switch of threads, with the data to find its cause. */
struct early_wakeup {
    int64_t tid;             /* woken thread */
    struct ftrace_line line; /* words in it, and `task.name`, point into `name`, `waker`, `flags` */
    struct sched_task task;
    int64_t target;
    bool is_new;
    struct ftrace_state_cpu cpu; /* copy of the CPU's data at the time of the line */
    char name[NAME_BYTES], waker[NAME_BYTES], flags[LEAST_FLAGS];
    UT_hash_handle hh;
};

/* --- threads and processors ------------------------------------------------------------------ */

static struct ftrace_state_thread *ftrace_states_find_thread(const struct ftrace_states *states,
                                                             int64_t tid) {
    struct ftrace_state_thread *thread;

    HASH_FIND(hh, states->threads, &tid, sizeof tid, thread);
    return thread;
}

/* Finds the data of the CPU with a number, or adds it. NULL if the number is not that of a CPU. */
static struct ftrace_state_cpu *ftrace_states_find_cpu(struct ftrace_states *states,
                                                       int64_t number) {
    if (number < 0 || number >= CPUS) {
        return NULL;
    }
    if ((size_t)number >= states->cpu_count) {
        size_t count = (size_t)number + 1;

        states->cpus = xrealloc(states->cpus, count * sizeof *states->cpus);
        memset(states->cpus + states->cpu_count, 0,
               (count - states->cpu_count) * sizeof *states->cpus);
        for (; states->cpu_count < count; states->cpu_count++) {
            states->cpus[states->cpu_count].idle.serial = -1;
            states->cpus[states->cpu_count].leaving = -1;
        }
    }
    return &states->cpus[number];
}

/* With `known`, adds a thread to the list of the CPU on which it runs or last ran; otherwise
 * removes it from that list. The list has the threads whose state is known. */
static void list_thread(struct ftrace_states *states, struct ftrace_state_thread *thread,
                        bool known) {
    struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, thread->cpu);
    struct ftrace_state_thread **list = cpu == NULL ? &states->elsewhere : &cpu->threads;

    if (known && thread->prev == NULL) {
        DL_APPEND(*list, thread);
    } else if (!known && thread->prev != NULL) {
        DL_DELETE(*list, thread);
        thread->prev = NULL;
    }
}

static void end_row(struct import *import, struct open_state *open, int64_t time,
                    int64_t interrupts) {
    int64_t duration = time > open->time ? time - open->time : 0;

    if (open->serial < 0) {
        return;
    }
    import_complete_event(import, &(struct ending){
                                      .serial = open->serial,
                                      .duration = duration,
                                      .self = interrupts <= 0         ? EVENT_NONE
                                              : interrupts < duration ? duration - interrupts
                                                                      : 0,
                                      .cpu_duration = EVENT_NONE,
                                      .cpu_self = EVENT_NONE,
                                      .value = open->value,
                                      .size = open->size,
                                      .flags = open->flags,
                                      .object = open->object,
                                      .operation = open->operation,
                                  });
    open->serial = -1;
}

/* Sets the duration, in table event, of the sleep before STATE_WOKEN: it ended at `slept_until`. */
static void end_sleep_row(struct import *import, struct ftrace_state_thread *thread) {
    end_row(import, &thread->slept, thread->slept_until, 0);
}

static void ftrace_states_remove_thread(struct import *import, struct ftrace_states *states,
                                        struct ftrace_state_thread *thread) {
    struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, thread->cpu);

    end_sleep_row(import, thread);
    list_thread(states, thread, false);
    if (cpu != NULL && cpu->thread == thread) {
        cpu->thread = NULL;
    }
    HASH_DEL(states->threads, thread);
    free(thread);
}

/* Finds a thread by number, or adds it in an unknown state. */
static struct ftrace_state_thread *
ftrace_states_follow_thread(struct import *import, struct ftrace_states *states, int64_t tid) {
    struct ftrace_state_thread *thread = ftrace_states_find_thread(states, tid);

    if (thread != NULL) {
        return thread;
    }
    if (HASH_COUNT(states->threads) == FTRACE_STATES_THREADS) {
        states->forgotten++;
        ftrace_states_remove_thread(import, states, states->threads); /* the thread added first */
    }
    HASH_NEW(states->threads, tid, tid, thread);
    thread->pid = thread->cpu = thread->made = EVENT_NONE;
    thread->state = STATE_UNKNOWN;
    thread->open.serial = thread->slept.serial = -1;
    return thread;
}

/* Updates the actor of a thread whose name has changed. */
static void rename_thread(struct import *import, const struct ftrace_state_thread *thread) {
    import_rename_actor(import, thread->actor,
                        &(struct actor_entry){
                            .session = 1,
                            .pid = thread->pid == EVENT_NONE ? thread->tid : thread->pid,
                            .tid = thread->tid,
                            .code = EVENT_NONE,
                            .name = thread->name,
                            .length = thread->length,
                        });
}

/* Sets a new name of a thread, as after an exec; its next states have a new actor. A name from the
 * task column (`of_line`) is used only until a scheduler event gives one: the column may show an
 * outdated name, and some forms truncate it. */
static void ftrace_states_name_thread(struct import *import, struct ftrace_state_thread *thread,
                                      struct word name, bool of_line) {
    bool late = thread->actor != 0 && (thread->length == 0 || thread->guessed);

    name.length = name.length < NAME_BYTES ? name.length : NAME_BYTES;
    if (thread->actor != 0 && (name.length == 0 || (of_line && thread->length > 0))) {
        return;
    }
    thread->guessed = of_line;
    if (thread->actor != 0 && thread->length == name.length &&
        memcmp(thread->name, name.bytes, name.length) == 0) {
        return;
    }
    memcpy(thread->name, name.bytes, name.length);
    thread->length = name.length;
    if (late) {
        rename_thread(import, thread);
        return;
    }
    thread->actor = import_thread(import, thread->pid == EVENT_NONE ? thread->tid : thread->pid,
                                  thread->tid, name);
}

/* Sets a thread's process from a line that the thread itself logged: lines about other threads do
 * not state their processes. */
static void set_process(struct import *import, struct ftrace_state_thread *thread, int64_t pid) {
    bool renamed;

    if (pid == EVENT_NONE || thread->pid == pid) {
        return;
    }
    renamed = thread->pid == EVENT_NONE && thread->actor != 0 && pid != thread->tid;
    thread->pid = pid;
    if (renamed) {
        rename_thread(import, thread);
    }
}

/* --- rows of states --------------------------------------------------------------------------- */

/* Stores the values of a state that are needed at its end. */
static void open_row(struct import *import, const struct event *event, struct open_state *open) {
    *open = (struct open_state){
        import_event_serial(import), event->time, event->value, event->size, event->flags, 0, 0};
}

/* Ends the thread's state and begins another. The event is valid until the next import_…() call. */
static struct event *begin_state(struct import *import, struct ftrace_states *states,
                                 struct ftrace_state_thread *thread, enum thread_state state,
                                 int64_t time) {
    bool first = thread->open.serial < 0 && thread->state == STATE_UNKNOWN && thread->made < 0;
    bool later = thread->open.serial >= 0 && thread->open.time > time;
    int64_t since = later ? thread->open.time : time;
    uint32_t name = import_simple_name(import, STATE_NAME_KIND, word_of(thread_state_words[state]));
    struct event *event;

    end_sleep_row(import, thread);
    if (state == STATE_WOKEN && thread_state_is_asleep(thread->state)) {
        thread->slept = thread->open;
        thread->slept_until = time;
    } else {
        end_row(import, &thread->open, time, 0);
    }
    if (state == STATE_UNKNOWN && time < states->latest) {
        time = states->latest; /* rows with later times, of other CPUs, were already added */
    }
    states->latest = time > states->latest ? time : states->latest;
    list_thread(states, thread, state != STATE_UNKNOWN);
    event = import_event(import);
    event->time = time;
    event->operation = name;
    event->actor = thread->actor;
    event->value = thread->cpu;
    event->flags = first ? STATE_FLAG_FIRST : 0;
    event->response = time > since ? time - since : EVENT_NONE;
    thread->state = state;
    thread->woken = EVENT_NONE;
    thread->made = EVENT_NONE;
    open_row(import, event, &thread->open);
    return event;
}

static void ftrace_states_begin_idle(struct import *import, struct ftrace_states *states,
                                     int64_t number, struct ftrace_state_cpu *cpu, int64_t time) {
    const struct ftrace_line idle = {.task = word_of("<idle>"), .cpu = number};
    char made[FTRACE_IDLE_NAME];
    uint32_t actor = import_thread(import, 0, 0, ftrace_line_thread_name(&idle, made));
    uint32_t name = import_simple_name(import, PROCESSOR_NAME_KIND, word_of(PROCESSOR_IDLE));
    struct event *event;

    event = import_event(import);
    event->time = time;
    event->operation = name;
    event->actor = actor;
    event->value = number;
    event->flags = 0;
    states->latest = time > states->latest ? time : states->latest;
    open_row(import, event, &cpu->idle);
}

/* --- running threads -------------------------------------------------------------------------- */

/* Changes the present state of a thread to unknown: events since that state began are missing. */
static void make_unknown(struct import *import, struct ftrace_state_thread *thread) {
    thread->open.operation =
        import_simple_name(import, STATE_NAME_KIND, word_of(thread_state_words[STATE_UNKNOWN]));
}

/* Marks a thread as running on a CPU from `time` on. `switched` false: no switch to the thread was
 * logged, so it may have run earlier, and the end of its last state is unknown. */
static void ftrace_states_run(struct import *import, struct ftrace_states *states,
                              const struct ftrace_line *line, struct ftrace_state_cpu *cpu,
                              const struct sched_task *task, int64_t time, bool switched) {
    struct ftrace_state_thread *thread;
    struct ftrace_state_cpu *before;
    struct event *event;
    bool migrated;

    cpu->known = true;
    cpu->tid = task->tid;
    cpu->thread = NULL;
    cpu->interrupts = 0;
    cpu->entered = time;
    if (task->tid == 0) {
        ftrace_states_begin_idle(import, states, line->cpu, cpu, time);
        return;
    }
    thread = ftrace_states_follow_thread(import, states, task->tid);
    ftrace_states_name_thread(import, thread, task->name, false);
    if (thread->made >= 0) { /* the log has the fork, but not sched_wakeup_new */
        import_count_extra_event(import, other_state, 0);
        event = begin_state(import, states, thread, STATE_WOKEN, thread->made);
        event->flags |= STATE_FLAG_NEW;
        thread->open.flags = event->flags;
    }
    list_thread(states, thread, false);
    migrated = thread->cpu != EVENT_NONE && thread->cpu != line->cpu;
    before = ftrace_states_find_cpu(states, thread->cpu);
    if (before != NULL && before->thread == thread) {
        before->thread = NULL; /* the thread left that CPU; its switch is logged later or missing */
    }
    thread->cpu = line->cpu;
    cpu->thread = thread;
    if (!switched && thread->state != STATE_RUNNING) {
        make_unknown(import, thread);
    }
    event = begin_state(import, states, thread, STATE_RUNNING, time);
    event->flags |= migrated ? STATE_FLAG_MIGRATED : 0;
    thread->open.flags = event->flags;
}

/* Returns the time in interrupts since the CPU's thread began to run. */
static int64_t time_in_interrupts(const struct ftrace_state_cpu *cpu, int64_t time) {
    int64_t present = cpu->depth > 0 && time > cpu->entered ? time - cpu->entered : 0;

    return cpu->interrupts + present;
}

/* Ends the running state of a CPU's thread, and begins the state `state`. */
static void ftrace_states_stop(struct import *import, struct ftrace_states *states,
                               struct ftrace_state_cpu *cpu, enum thread_state state,
                               int64_t time) {
    struct ftrace_state_thread *thread = cpu->thread;

    cpu->thread = NULL;
    if (thread == NULL) { /* the idle thread, or one that is no longer tracked */
        end_row(import, &cpu->idle, time, time_in_interrupts(cpu, time));
        return;
    }
    end_row(import, &thread->open, time, time_in_interrupts(cpu, time));
    begin_state(import, states, thread, state, time);
    if (state == STATE_DEAD) {
        ftrace_states_remove_thread(import, states, thread);
    }
}

/* Before the first switch of threads, notes which thread a CPU's lines name, and since when. */
static void note_line(struct ftrace_state_cpu *cpu, const struct ftrace_line *line) {
    if (cpu->known && cpu->tid == line->tid) {
        return;
    }
    cpu->known = true;
    cpu->tid = line->tid;
    cpu->since = cpu->entered = line->time;
    cpu->interrupts = 0;
    cpu->length = line->task.length < NAME_BYTES ? line->task.length : NAME_BYTES;
    memcpy(cpu->name, line->task.bytes, cpu->length);
}

/* Forgets the open interrupts of a CPU, whose exits are not in the log. */
static void ftrace_states_leave(struct ftrace_state_cpu *cpu) {
    cpu->depth = 0;
    cpu->completed[0].known = false;
}

/* Returns whether a line shows that the CPU's thread has got another number: that of its process,
 * by an exec in a thread that is not the process's first. */
static bool is_renumbered(const struct ftrace_state_cpu *cpu, const struct ftrace_line *line) {
    int64_t old;

    return cpu->thread != NULL && word_is(line->event, "sched_process_exec") &&
           sched_parse_exec(line->fields, &old) && old == cpu->tid;
}

/* Marks the thread that a line names as running, although no switch from another was logged. */
static void mark_thread_running(struct import *import, struct ftrace_states *states,
                                const struct ftrace_line *line, struct ftrace_state_cpu *cpu,
                                int64_t offset) {
    const struct sched_task task = {{line->task.bytes, 0}, line->tid};
    bool is_renamed = is_renumbered(cpu, line);

    import_count_extra_event(import, seen_running, offset);
    if (is_renamed) {
        import_count_extra_event(import, seen_running, offset);
        ftrace_states_stop(import, states, cpu, STATE_DEAD, line->time);
    } else if (cpu->known) {
        states->missed++;
        if (cpu->thread != NULL) {
            import_count_extra_event(import, seen_running, offset);
        }
        ftrace_states_stop(import, states, cpu, STATE_UNKNOWN, cpu->last);
    }
    ftrace_states_leave(cpu);
    ftrace_states_run(import, states, line, cpu, &task, line->time,
                      is_renamed || word_is(line->event, PERFETTO_FIRST_SWITCH));
}

/* Returns whether the flags of a line show an interrupt; false without the column of flags. */
static bool is_of_interrupt(const struct ftrace_line *line) {
    return line->flags.length > 2 && memchr("hHszZ", line->flags.bytes[2], 5) != NULL;
}

/* Returns whether a line is a wakeup by an interrupt that came between the event of a switch and
 * the switch itself, so that it names the old thread. If the line's flags show no interrupt, the
 * old thread does run again: the switch back to it is missing in the log. */
static bool is_leaving(const struct ftrace_state_cpu *cpu, const struct ftrace_line *line) {
    return cpu->leaving == line->tid && word_begins(line->event, "sched_wak") &&
           (line->flags.length < LEAST_FLAGS || is_of_interrupt(line));
}

void ftrace_states_note_running(struct import *import, struct ftrace_states *states,
                                const struct ftrace_line *line, int64_t offset) {
    struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, line->cpu);

    if (cpu == NULL || is_leaving(cpu, line)) {
        return;
    }
    if (line->tid == EVENT_NONE) { /* the line names no thread: it is about the running one */
        cpu->last = line->time;
        return;
    }
    cpu->leaving = -1;
    if (cpu->depth > 0 && word_begins(line->event, "sys_")) {
        ftrace_states_leave(cpu);
    }
    if (!states->active) {
        note_line(cpu, line);
    } else if (!cpu->known || cpu->tid != line->tid) {
        mark_thread_running(import, states, line, cpu, offset);
    }
    cpu->last = line->time;
    states->interrupts |= line->flags.length >= LEAST_FLAGS ? SHOWS_ALL : 0;
    if (cpu->thread != NULL) {
        set_process(import, cpu->thread, line->pid);
        ftrace_states_name_thread(import, cpu->thread, line->task, true);
    }
}

/* --- interrupts ------------------------------------------------------------------------------- */

static bool has_timer(struct word name) {
    return word_has(name, "timer");
}

static struct word text_after(struct word rest, const char *key) {
    return word_cut_first(&rest, key, NULL) ? rest : (struct word){"", 0};
}

/* Describes an interrupt by `irq=24 name=virtio0-req.0`, `vec=3 [action=NET_RX]`, or for
 * irq_vectors by the event's name. Returns the bits SHOWS_… that the line sets. */
static unsigned ftrace_states_describe(const struct ftrace_line *line, struct handler *handler) {
    struct word name = line->event;
    const char *prefix = "";
    unsigned shown = 0;

    handler->context = STATE_CONTEXT_INTERRUPT;
    if (word_begins(name, "irq_handler_")) {
        prefix = "irq ";
        shown = SHOWS_HANDLERS;
        name = text_after(line->fields, "name=");
        handler->context = has_timer(name) ? STATE_CONTEXT_TIMER : handler->context;
    } else if (word_begins(name, "softirq_")) {
        prefix = "softirq ";
        shown = SHOWS_SOFTIRQS;
        name = text_after(line->fields, "action=");
        name.length -= word_ends(name, "]");
        handler->context = word_is(name, "TIMER") || word_is(name, "HRTIMER") ? STATE_CONTEXT_TIMER
                           : word_begins(name, "NET_") ? STATE_CONTEXT_NETWORK
                                                       : handler->context;
    } else {
        name.length -= strlen("_entry");
        handler->context = has_timer(name) ? STATE_CONTEXT_TIMER : handler->context;
    }
    handler->length = strlen(prefix);
    memcpy(handler->name, prefix, handler->length);
    name.length = name.length < HANDLER_BYTES - handler->length ? name.length
                                                                : HANDLER_BYTES - handler->length;
    memcpy(handler->name + handler->length, name.bytes, name.length);
    handler->length += name.length;
    return shown |
           (handler->context == STATE_CONTEXT_TIMER && shown != SHOWS_SOFTIRQS ? SHOWS_TIMERS : 0);
}

static enum nesting nesting_of(struct word event) {
    return word_begins(event, "softirq_") ? IN_SOFTIRQ
           : word_begins(event, "ipi_")   ? IN_IPI
                                          : IN_HANDLER;
}

static void ftrace_states_enter(struct ftrace_states *states, const struct ftrace_line *line,
                                struct ftrace_state_cpu *cpu) {
    enum nesting nesting = nesting_of(line->event);

    while (cpu->depth > 0 && cpu->nested[cpu->depth - 1].nesting >= nesting) {
        cpu->depth--;
    }
    if (cpu->depth == 0) {
        cpu->entered = line->time;
        cpu->completed[0].known = false;
    }
    cpu->completed[cpu->depth + 1].known = false;
    cpu->nested[cpu->depth].nesting = nesting;
    states->interrupts |= ftrace_states_describe(line, &cpu->nested[cpu->depth++]);
}

static void end_cpu_stay(const struct ftrace_line *line, struct ftrace_state_cpu *cpu) {
    enum nesting nesting = nesting_of(line->event);
    size_t depth = cpu->depth;

    while (depth > 0 && cpu->nested[depth - 1].nesting > nesting) {
        depth--;
    }
    if (depth == 0 || cpu->nested[depth - 1].nesting < nesting) {
        return; /* the log does not have the interrupt's entry */
    }
    cpu->depth = depth - 1;
    if (cpu->depth == 0) {
        cpu->interrupts += line->time > cpu->entered ? line->time - cpu->entered : 0;
    }
}

/* Returns whether an event is the entry or exit of an interrupt: NAME_entry, NAME_exit. */
static bool is_bracket(struct word event) {
    static const char *const names[] = {
        "irq_handler_", "softirq_",          "local_timer_",
        "reschedule_",  "call_function_",    "call_function_single_",
        "irq_work_",    "x86_platform_ipi_", "thermal_apic_",
        "ipi_",
    };

    event.length -= word_ends(event, "entry") ? 5 : word_ends(event, "exit") ? 4 : event.length;
    return word_among(event, names, sizeof names / sizeof names[0]) != NULL;
}

/* --- block requests that threads wait for ----------------------------------------------------- */

/* An issued block request. A completion takes the newest request at its sectors, since completions
 * of older ones may be missing. Older requests stay until the next issue at the sectors, since
 * several may be in flight. */
struct issued {
    struct pending pending;
    int64_t time;
    bool passed; /* true: a newer request at these sectors has completed */
};

void ftrace_states_follow_request(struct ftrace_states *states, const struct ftrace_line *line,
                                  const struct block_request *request) {
    const struct pending_key key = {.device = request->device, .sector = request->sector};
    struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, line->cpu);
    struct issued *issued;

    if (block_has_action(request, 'D')) {
        const struct issued added = {.time = line->time};

        issued = (struct issued *)pending_find(&states->issued, &key, PENDING_LAST);
        for (bool passed = issued != NULL && issued->passed; passed && issued != NULL;) {
            pending_remove(&states->issued, &issued->pending);
            issued = (struct issued *)pending_find(&states->issued, &key, PENDING_LAST);
        }
        states->issued.size = sizeof added;
        if (states->issued.count == FTRACE_STATES_ISSUED) {
            pending_remove(&states->issued, states->issued.oldest);
        }
        pending_add(&states->issued, &key, PENDING_LAST, &added.pending);
    } else if (block_has_action(request, 'C') && cpu != NULL) {
        issued = (struct issued *)pending_find(&states->issued, &key, PENDING_LAST);
        cpu->completed[cpu->depth] = (struct completion){
            .known = true,
            .time = line->time,
            .device = request->device,
            .sector = request->sector,
            .bytes = request->blocks == EVENT_NONE ? EVENT_NONE : SECTOR_SIZE * request->blocks,
            .issued_for = issued == NULL ? EVENT_NONE : line->time - issued->time,
            .flags = block_stored_flags(request),
        };
        if (issued != NULL) {
            pending_remove(&states->issued, &issued->pending);
            issued = (struct issued *)pending_find(&states->issued, &key, PENDING_LAST);
        }
        if (issued != NULL) {
            issued->passed = true;
        }
    }
}

/* --- wakeups ---------------------------------------------------------------------------------- */

struct cause {
    enum state_context context;
    uint32_t issuer, object, flags;
    /* completed I/O that caused the wakeup; NULL: another cause */
    const struct completion *completion;
};

/* Returns the id of an object with the name of an interrupt or a function. */
static uint32_t name_object(struct import *import, struct word name) {
    return import_object(
        import,
        &(struct object_entry){.name = name.bytes, .length = name.length, .device = EVENT_NONE});
}

/* Sets the cause of a wakeup to the innermost interrupt around it. */
static void find_handler(struct import *import, const struct ftrace_state_cpu *cpu,
                         struct cause *cause) {
    const struct handler *handler = &cpu->nested[cpu->depth - 1];

    cause->context = handler->context;
    if (cause->context == STATE_CONTEXT_INTERRUPT) {
        cause->object = name_object(import, (struct word){handler->name, handler->length});
    }
}

/* Finds the cause of a wakeup: a thread, an interrupt or a completed request. */
static struct cause find_cause(struct import *import, const struct ftrace_states *states,
                               const struct ftrace_line *line, const struct ftrace_state_cpu *cpu) {
    struct ftrace_state_thread *waker = line->tid == EVENT_NONE ? cpu == NULL ? NULL : cpu->thread
                                        : line->tid == 0
                                            ? NULL
                                            : ftrace_states_find_thread(states, line->tid);
    /* Trust the flags of the line more than entries of interrupts, whose exit may be missing. */
    bool in_brackets = cpu != NULL && cpu->depth > 0 &&
                       (line->flags.length < LEAST_FLAGS || is_of_interrupt(line));
    bool in_interrupt = in_brackets || is_of_interrupt(line) || line->tid == 0 ||
                        (cpu != NULL && is_leaving(cpu, line));
    /* The flags show a hard interrupt inside a softirq, but its entry event is not in the log. */
    bool is_hidden = in_brackets && is_of_interrupt(line) && line->flags.bytes[2] != 's' &&
                     cpu->nested[cpu->depth - 1].nesting == IN_SOFTIRQ;
    bool in_softirq_thread =
        waker != NULL && word_begins((struct word){waker->name, waker->length}, "ksoftirqd/");
    const struct completion *done = cpu == NULL ? NULL : &cpu->completed[cpu->depth];
    struct cause cause = {.context = STATE_CONTEXT_NONE};

    if (in_interrupt && !is_hidden && done != NULL && done->known &&
        (in_brackets || line->time - done->time <= COMPLETION_REACH)) {
        cause.context = STATE_CONTEXT_DEVICE;
        cause.flags = done->flags & IO_RWBS_FLAGS;
        cause.object = import_object(import, &(struct object_entry){.device = done->device});
        cause.issuer = in_softirq_thread ? waker->actor : 0;
        cause.completion = done;
    } else if (in_interrupt && !(in_softirq_thread && !in_brackets)) {
        cause.context = STATE_CONTEXT_INTERRUPT;
        if (in_brackets && !is_hidden) {
            find_handler(import, cpu, &cause);
        }
    } else if (waker != NULL) {
        cause.context = STATE_CONTEXT_THREAD;
        cause.issuer = waker->actor;
    }
    return cause;
}

/* Returns whether a woken thread was not runnable before, so that the wakeup changes its state. */
static bool is_asleep(const struct ftrace_states *states, const struct sched_task *task) {
    const struct ftrace_state_thread *thread = ftrace_states_find_thread(states, task->tid);

    return task->tid != 0 &&
           (thread == NULL || (thread->state != STATE_RUNNING && thread->state != STATE_PREEMPTED &&
                               thread->state != STATE_WOKEN));
}

/* Returns whether a runnable thread is woken again. The kernel logs that only if the thread ran and
 * slept in between, so its switches are missing in the log. A thread that is preempted just before
 * its sleep is woken once without that; perf may repeat the line. */
static bool is_woken_again(const struct ftrace_line *line, struct ftrace_state_thread *thread) {
    bool again;

    if (thread == NULL || thread->open.time >= line->time ||
        !word_is(line->event, "sched_waking")) {
        return false;
    }
    again =
        thread->state == STATE_WOKEN || (thread->state == STATE_PREEMPTED &&
                                         thread->woken != EVENT_NONE && thread->woken < line->time);
    thread->woken = line->time;
    return again;
}

/* Sets the CPU of a woken thread. sched_waking names the CPU on which the thread ran last; the
 * kernel chooses its next CPU afterwards. The sched_wakeup that follows names the chosen CPU. */
static void move_woken(const struct ftrace_line *line, struct ftrace_state_thread *thread,
                       int64_t target) {
    if (thread != NULL && thread->state == STATE_WOKEN && target != EVENT_NONE &&
        word_is(line->event, "sched_wakeup")) {
        thread->open.value = target;
    }
}

/* Returns whether a thread was forked and has had no event since. */
static bool is_forked(const struct ftrace_states *states, int64_t tid) {
    const struct ftrace_state_thread *thread = ftrace_states_find_thread(states, tid);

    return thread != NULL && thread->made >= 0;
}

/* Handles a wakeup: the thread becomes runnable. `cpu` is the CPU of the line; NULL: unknown. */
static void wake_thread(struct import *import, struct ftrace_states *states,
                        const struct ftrace_line *line, const struct ftrace_state_cpu *cpu,
                        const struct sched_task *task, int64_t target, bool is_new) {
    struct ftrace_state_thread *thread = ftrace_states_follow_thread(import, states, task->tid);
    struct cause cause;
    struct event *event;

    ftrace_states_name_thread(import, thread, task->name, false);
    if (is_new && thread->made < 0) {
        thread->made = line->time;
    }
    cause = find_cause(import, states, line, cpu);
    event = begin_state(import, states, thread, STATE_WOKEN, line->time);
    event->flags |= (is_new ? STATE_FLAG_NEW : 0) | cause.flags |
                    (uint32_t)cause.context << STATE_CONTEXT_SHIFT;
    event->value = target != EVENT_NONE ? target : event->value;
    event->issuer = cause.issuer;
    event->object = cause.object;
    if (cause.completion != NULL) {
        event->address = cause.completion->sector;
        event->size = cause.completion->bytes;
        event->response = cause.completion->issued_for;
    }
    thread->open.flags = event->flags;
    thread->open.value = event->value;
    thread->open.size = event->size;
}

/* --- before the first switch of threads ------------------------------------------------------- */

static struct word copy_word_to(char *bytes, size_t size, struct word word) {
    word.length = word.length < size ? word.length : size;
    for (size_t i = 0; i < word.length; i++) {
        bytes[i] = word.bytes[i];
    }
    return (struct word){bytes, word.length};
}

/* Stores the first wakeup of a thread. Before the first switch, a woken thread does not run, so
 * later wakeups change only its CPU. */
static void store_early_wakeup(struct ftrace_states *states, const struct ftrace_line *line,
                               const struct sched_task *task, int64_t target, bool is_new) {
    const struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, line->cpu);
    struct early_wakeup *early;

    HASH_FIND(hh, states->early, &task->tid, sizeof task->tid, early);
    if (early != NULL && target != EVENT_NONE && word_is(line->event, "sched_wakeup")) {
        early->target = target; /* CPU that was chosen for the woken thread */
    }
    if (early != NULL || HASH_COUNT(states->early) == FTRACE_STATES_EARLY) {
        return;
    }
    early = xcalloc(1, sizeof *early);
    early->tid = task->tid;
    early->line = *line;
    early->line.task = copy_word_to(early->waker, sizeof early->waker, line->task);
    early->line.flags = copy_word_to(early->flags, sizeof early->flags, line->flags);
    early->task = *task;
    early->task.name = copy_word_to(early->name, sizeof early->name, task->name);
    early->target = target;
    early->is_new = is_new;
    early->cpu.leaving = -1;
    if (cpu != NULL) {
        early->cpu = *cpu;
    }
    HASH_ADD(hh, states->early, tid, sizeof early->tid, early);
}

/* Compares CPUs by the time of their first line, so that states are added in order of time. Sorting
 * an unordered trace as a whole would take longer than reading it. */
static int compare_since(const void *left, const void *right) {
    const struct ftrace_state_cpu *a = *(struct ftrace_state_cpu *const *)left,
                                  *b = *(struct ftrace_state_cpu *const *)right;

    return a->since != b->since ? ORDER(a->since, b->since) : ORDER(a, b);
}

/* Begins the running state of the thread that a CPU's lines named before the first switch, and
 * restores the time in interrupts so far. */
static void run_early(struct import *import, struct ftrace_states *states,
                      struct ftrace_state_cpu *cpu, int64_t offset) {
    const struct ftrace_line line = {.cpu = cpu - states->cpus};
    const struct sched_task task = {{cpu->name, 0}, cpu->tid};
    int64_t interrupts = cpu->interrupts, entered = cpu->entered;

    import_count_extra_event(import, seen_running, offset);
    ftrace_states_run(import, states, &line, cpu, &task, cpu->since, false);
    if (cpu->thread != NULL) {
        ftrace_states_name_thread(import, cpu->thread, (struct word){cpu->name, cpu->length}, true);
    }
    cpu->interrupts = interrupts;
    cpu->entered = entered;
}

static void wake_early_thread(struct import *import, struct ftrace_states *states,
                              struct early_wakeup *early, int64_t offset) {
    if (early->line.tid > 0) {
        ftrace_states_name_thread(import,
                                  ftrace_states_follow_thread(import, states, early->line.tid),
                                  early->line.task, true);
    }
    if (is_asleep(states, &early->task)) {
        import_count_extra_event(import, woken_early, offset);
        wake_thread(import, states, &early->line, &early->cpu, &early->task, early->target,
                    early->is_new);
    }
}

static void remove_early(struct ftrace_states *states) {
    while (states->early != NULL) {
        struct early_wakeup *early = states->early;

        HASH_DEL(states->early, early);
        free(early);
    }
}

/* At the first switch in the log, begins the states of the threads that ran or woke before. */
static void begin_early_threads(struct import *import, struct ftrace_states *states,
                                int64_t offset) {
    struct ftrace_state_cpu **known = xcalloc(states->cpu_count + 1, sizeof *known);
    struct early_wakeup *early = states->early;
    size_t count = 0;

    states->active = true;
    for (size_t i = 0; i < states->cpu_count; i++) {
        if (states->cpus[i].known) {
            known[count++] = &states->cpus[i];
        }
    }
    qsort(known, count, sizeof *known, compare_since);
    for (size_t i = 0; i < count || early != NULL;) {
        if (early == NULL || (i < count && known[i]->since <= early->line.time)) {
            run_early(import, states, known[i++], offset);
        } else {
            wake_early_thread(import, states, early, offset);
            early = early->hh.next;
        }
    }
    remove_early(states);
    free(known);
}

/* Removes a thread whose number a new thread has got; the log lacks the old thread's end. */
static void remove_earlier(struct import *import, struct ftrace_states *states, int64_t tid) {
    struct ftrace_state_thread *thread = ftrace_states_find_thread(states, tid);

    if (thread != NULL) {
        ftrace_states_remove_thread(import, states, thread);
    }
}

/* --- events of the scheduler ------------------------------------------------------------------ */

static struct ftrace_outcome handle_switch(struct import *import, struct ftrace_states *states,
                                           const struct ftrace_line *line, int64_t offset) {
    struct ftrace_state_cpu *cpu = ftrace_states_find_cpu(states, line->cpu);
    struct sched_switch found;

    if (cpu == NULL || !sched_parse_switch(line->fields, &found)) {
        return ftrace_damaged(bad_sched);
    }
    if (!states->active) {
        begin_early_threads(import, states, offset);
    }
    if (cpu->thread != NULL) {
        import_count_extra_event(import, other_state, offset);
        if (cpu->tid == found.from.tid) {
            ftrace_states_name_thread(import, cpu->thread, found.from.name, false);
        }
    }
    ftrace_states_leave(cpu); /* a switch cannot happen in an interrupt */
    ftrace_states_stop(import, states, cpu,
                       cpu->tid == found.from.tid ? found.state : STATE_UNKNOWN, line->time);
    ftrace_states_run(import, states, line, cpu, &found.to, line->time, true);
    cpu->leaving = found.from.tid;
    return ftrace_taken;
}

static struct ftrace_outcome handle_wakeup(struct import *import, struct ftrace_states *states,
                                           const struct ftrace_line *line, int64_t offset) {
    bool is_new = word_is(line->event, "sched_wakeup_new");
    struct ftrace_state_thread *thread;
    struct sched_task task;
    int64_t target;

    if (!sched_parse_wakeup(line->fields, &task, &target)) {
        return states->active ? ftrace_damaged(bad_sched) : ftrace_other;
    }
    states->wakeups++;
    if (!states->active) {
        store_early_wakeup(states, line, &task, target, is_new);
        return ftrace_ignored(ftrace_before_switch);
    }
    if (is_new && !is_forked(states, task.tid)) {
        remove_earlier(import, states, task.tid);
    }
    thread = ftrace_states_find_thread(states, task.tid);
    if (is_woken_again(line, thread)) {
        states->missed++;
        make_unknown(import, thread);
    } else if (!is_asleep(states, &task)) {
        move_woken(line, thread, target);
        import_ignored(import, woken_already, offset);
        return ftrace_taken;
    }
    wake_thread(import, states, line, ftrace_states_find_cpu(states, line->cpu), &task, target,
                is_new);
    return ftrace_taken;
}

static struct ftrace_outcome handle_fork(struct import *import, struct ftrace_states *states,
                                         const struct ftrace_line *line, int64_t offset) {
    struct ftrace_state_thread *thread;
    struct sched_task child;

    if (!sched_parse_fork(line->fields, &child)) {
        return ftrace_damaged(bad_sched);
    }
    remove_earlier(import, states, child.tid);
    thread = ftrace_states_follow_thread(import, states, child.tid);
    thread->made = line->time;
    ftrace_states_name_thread(import, thread, child.name, false);
    import_ignored(import, of_thread, offset);
    return ftrace_taken;
}

/* Stores the function in which a thread slept; the kernel logs it between sched_waking and
 * sched_wakeup. */
static struct ftrace_outcome handle_blocked(struct import *import, struct ftrace_states *states,
                                            const struct ftrace_line *line, int64_t offset) {
    struct ftrace_state_thread *thread;
    struct sched_blocked found;
    struct open_state *sleep;

    if (!sched_parse_blocked(line->fields, &found)) {
        return ftrace_damaged(bad_sched);
    }
    thread = ftrace_states_find_thread(states, found.tid);
    if (thread != NULL) {
        sleep = thread->state == STATE_WOKEN ? &thread->slept : &thread->open;
        if (sleep == &thread->slept || thread_state_is_asleep(thread->state)) {
            if (found.function.length > 0) {
                sleep->object = name_object(import, found.function);
            }
            sleep->flags |= found.io_wait ? STATE_FLAG_IO_WAIT : 0;
        }
    }
    import_ignored(import, of_wait, offset);
    return ftrace_taken;
}

/* --- choosing the function for a line --------------------------------------------------------- */

struct ftrace_outcome ftrace_states_handle(struct import *import, struct ftrace_states *states,
                                           const struct ftrace_line *line, int64_t offset) {
    struct ftrace_state_cpu *cpu;

    if (word_is(line->event, "sched_switch") && line->cpu == EVENT_NONE) {
        return ftrace_ignored("sched_switch in a line without a processor");
    }
    if (word_is(line->event, "sched_switch")) {
        return handle_switch(import, states, line, offset);
    }
    if (is_bracket(line->event)) {
        if ((cpu = ftrace_states_find_cpu(states, line->cpu)) != NULL) {
            if (word_ends(line->event, "_entry")) {
                ftrace_states_enter(states, line, cpu);
            } else {
                end_cpu_stay(line, cpu);
            }
        }
        if (!states->active) {
            return ftrace_ignored(ftrace_before_switch);
        }
        import_ignored(import, part_of_running, offset);
        return ftrace_taken;
    }
    if (!word_begins(line->event, "sched_")) {
        return ftrace_other;
    }
    if (word_is(line->event, "sched_waking") || word_is(line->event, "sched_wakeup") ||
        word_is(line->event, "sched_wakeup_new")) {
        return handle_wakeup(import, states, line, offset);
    }
    if (!states->active) {
        return ftrace_other;
    }
    if (word_is(line->event, "sched_process_fork")) {
        return handle_fork(import, states, line, offset);
    }
    if (word_is(line->event, "sched_blocked_reason")) {
        return handle_blocked(import, states, line, offset);
    }
    if (word_is(line->event, "sched_process_exec") || word_is(line->event, "sched_process_exit") ||
        word_is(line->event, "sched_migrate_task")) {
        import_ignored(import, of_thread, offset);
        return ftrace_taken;
    }
    return ftrace_other;
}

/* Begins STATE_UNKNOWN of all threads in a list at `time`, since events were lost. */
static void make_states_unknown(struct import *import, struct ftrace_states *states,
                                struct ftrace_state_thread **list, int64_t time) {
    while (*list != NULL) {
        import_count_extra_event(import, events_missing, 0);
        begin_state(import, states, *list, STATE_UNKNOWN, time);
    }
}

void ftrace_states_note_loss(struct import *import, struct ftrace_states *states, int64_t number) {
    remove_early(states);
    for (size_t i = 0; i < states->cpu_count; i++) {
        struct ftrace_state_cpu *cpu = &states->cpus[i];

        if (number == EVENT_NONE || (size_t)number == i) {
            if (cpu->known && states->active) {
                if (cpu->thread != NULL) {
                    import_count_extra_event(import, events_missing, 0);
                }
                ftrace_states_stop(import, states, cpu, STATE_UNKNOWN, cpu->last);
            }
            make_states_unknown(import, states, &cpu->threads, cpu->last);
            cpu->known = cpu->completed[0].known = false;
            cpu->leaving = -1;
            cpu->depth = 0;
        }
    }
    if (number == EVENT_NONE && states->cpu_count > 0) {
        make_states_unknown(import, states, &states->elsewhere, states->cpus[0].last);
    }
}

void ftrace_states_name_processes(struct import *import, struct ftrace_states *states,
                                  const struct ftrace_text *file) {
    for (struct ftrace_state_thread *thread = states->threads; thread != NULL;
         thread = thread->hh.next) {
        struct ftrace_line own = {.tid = thread->tid, .pid = thread->pid}, first = {0};

        file->complete(file, &own);
        set_process(import, thread, own.pid);
        first.tid = first.pid = thread->pid;
        if (thread->pid > 0 && ftrace_states_find_thread(states, thread->pid) == NULL) {
            file->complete(file, &first);
            if (first.task.length > 0) {
                import_thread(import, thread->pid, thread->pid, first.task);
            }
        }
    }
}

void ftrace_states_end(struct import *import, struct ftrace_states *states, bool failed) {
    for (size_t i = 0; !failed && states->active && i < states->cpu_count; i++) {
        if (states->cpus[i].thread != NULL) {
            import_count_extra_event(import, end_of_log, 0);
        }
        if (states->cpus[i].known) {
            ftrace_states_stop(import, states, &states->cpus[i], STATE_UNKNOWN,
                               states->cpus[i].last);
        }
    }
    if (!failed && states->active) {
        if (states->wakeups == 0) {
            import_declare_facts_absent(import, FACT(WAKEUPS));
        }
        if (states->interrupts != SHOWS_ALL) {
            import_declare_facts_absent(import, FACT(INTERRUPTS));
        }
        import_remark_count(
            import, states->missed,
            "threads run without a switch to them: %lld time{s}; their states before are unknown");
        import_remark_count(import, states->forgotten,
                            "threads beyond 262144 at once were forgotten: %lld");
    }
    while (states->threads != NULL) {
        if (failed) {
            states->threads->slept.serial = -1;
        }
        ftrace_states_remove_thread(import, states, states->threads);
    }
    remove_early(states);
    free(states->cpus);
    pending_free(&states->issued);
}

void ftrace_states_dump(const struct dump_event *dump, struct text *out) {
    static const char *const contexts[STATE_CONTEXTS] = {
        "", " by", " by device", " by network", " by timer", " by interrupt"};
    enum state_context context = state_context_of(dump->event.flags);

    text_append_format(out, "[%lld ", (long long)dump->tid);
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_escaped(out, dump->operation, dump->operation_length);
    if (dump->event.value != EVENT_NONE) {
        text_append_format(out, " cpu %lld", (long long)dump->event.value);
    }
    text_append_string(out, context < STATE_CONTEXTS ? contexts[context] : "");
    if (dump->event.issuer != 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->issuer, dump->issuer_length);
    }
    if (dump->object_length > 0) {
        text_append_string(out, context == STATE_CONTEXT_NONE ? " in " : " ");
        text_append_escaped(out, dump->object, dump->object_length);
    }
    if (dump->event.duration != EVENT_NONE) {
        text_append_format(out, " <%lld>", (long long)dump->event.duration);
    }
}
