#include "import/span.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "import/metadata.h"
#include "import/context.h"
#include "import/emit.h"
#include "model/call_stacks.h"
#include "base/memory.h"

static const char too_many_open[] = "more than 1048576 calls open at once";

/* An open call. */
struct frame {
    int64_t serial; /* serial number of the call's row */
    struct span_times_row *function;
    int64_t time, cpu;
    /* sums of direct callees' durations, by wall clock and CPU clock */
    int64_t callees, cpu_callees;
    int64_t size;
    uint32_t outer; /* depth of the next outer open call of the same function; 0: none */
    bool has_arguments;
};

/* Idle processes (without open calls) are removed when the number of processes exceeds sweep_at by
 * this number. Processes are recorded because a process's open calls at the end of the log end at
 * the time of its last record. */
#define IDLE_PROCESSES 65536

struct process {
    int64_t pid;  /* pid of the process; 0: the log has only one process */
    int64_t time; /* time of the process's last record, or the end of a call by its printed duration
                     if that is later */
    bool open;    /* true: a thread of the process has an open call */
    UT_hash_handle hh;
};

/* A thread of the log. If an idle thread was removed, exits of its rejected entries are counted as
 * stray exits (of no known call). */
struct thread {
    struct call_thread stack; /* call stack, of struct frame */
    int64_t time, cpu;        /* times of the thread's last record */
    int64_t pid;              /* pid of the thread's process */
    uint32_t rejected;        /* number of rejected entries whose exits are still expected */
};

struct span_tracker {
    struct call_stacks stacks; /* call stacks, one struct thread each */
    struct process *processes; /* owned hash table */
    struct process *running;   /* process of the last record */
    size_t sweep_at; /* twice the number of processes that were left when those without open calls
                        were last removed */
    struct span_times times;
    size_t open;
    int64_t last_time; /* largest time of a record or of the end of a call so far */
    int64_t backwards, missing, strays;
    int64_t exits_lost, exceeded; /* exits_lost: calls with a lost exit; exceeded: calls shorter
                                     than their callees together */
    struct event counted[TALLY_AT_ONCE]; /* rows to be counted in tallies; only the fields that
                                            tallies group by are set */
    size_t counted_count;
};

struct span_tracker *span_tracker_new(void) {
    struct span_tracker *tracker = xcalloc(1, sizeof *tracker);

    tracker->stacks.thread_size = sizeof(struct thread);
    tracker->stacks.call_size = sizeof(struct frame);
    tracker->last_time = EVENT_NONE;
    return tracker;
}

static void span_remove_process(struct span_tracker *tracker, struct process *process) {
    HASH_DEL(tracker->processes, process);
    free(process);
}

void span_tracker_free(struct span_tracker *tracker) {
    if (tracker == NULL) {
        return;
    }
    call_stacks_free(&tracker->stacks);
    while (tracker->processes != NULL) {
        span_remove_process(tracker, tracker->processes);
    }
    span_times_free(&tracker->times);
    free(tracker);
}

struct span_times *span_tracker_times(struct span_tracker *tracker) {
    return &tracker->times;
}

/* --- threads -------------------------------------------------------------------------------- */

static struct thread *new_thread(struct span_tracker *tracker, uint32_t actor) {
    struct thread *thread = (void *)call_stacks_add(&tracker->stacks, actor);

    thread->time = thread->cpu = INT64_MIN;
    return thread;
}

/* Returns the thread's innermost open call; NULL if it has none. */
static struct frame *span_innermost(const struct span_tracker *tracker,
                                    const struct thread *thread) {
    return call_stacks_innermost(&tracker->stacks, &thread->stack);
}

void span_tracker_resume(struct span_tracker *tracker, uint32_t actor, int64_t time) {
    new_thread(tracker, actor)->time = time;
}

/* --- processes ------------------------------------------------------------------------------ */

static struct process *span_find_process(const struct span_tracker *tracker, int64_t pid) {
    struct process *process;

    HASH_FIND(hh, tracker->processes, &pid, sizeof pid, process);
    return process;
}

/* Removes processes without open calls. In a log in order of time their last times are not needed:
 * a later record of the process has a later time. */
static void remove_idle_processes(struct span_tracker *tracker) {
    struct process *process, *next;

    for (process = tracker->processes; process != NULL; process = process->hh.next) {
        process->open = false;
    }
    for (const struct call_thread *stack = tracker->stacks.threads; stack != NULL;
         stack = stack->hh.next) {
        process =
            stack->depth == 0
                ? NULL
                : span_find_process(tracker, ((const struct thread *)(const void *)stack)->pid);
        if (process != NULL) {
            process->open = true;
        }
    }
    for (process = tracker->processes; process != NULL; process = next) {
        next = process->hh.next;
        if (!process->open) {
            span_remove_process(tracker, process);
        }
    }
    tracker->sweep_at = 2 * (size_t)HASH_COUNT(tracker->processes);
}

static struct process *new_process(struct span_tracker *tracker, int64_t pid) {
    struct process *process;

    if (HASH_COUNT(tracker->processes) >= tracker->sweep_at + IDLE_PROCESSES) {
        remove_idle_processes(tracker);
    }
    process = xcalloc(1, sizeof *process);
    process->pid = pid;
    process->time = INT64_MIN;
    HASH_ADD(hh, tracker->processes, pid, sizeof pid, process);
    return process;
}

/* Sets the time of a process's last record to `time`, if that is later. */
static void extend_process(struct span_tracker *tracker, int64_t pid, int64_t time) {
    struct process *process = tracker->running;

    if (process == NULL || process->pid != pid) {
        process = span_find_process(tracker, pid);
        tracker->running = process = process == NULL ? new_process(tracker, pid) : process;
    }
    process->time = time > process->time ? time : process->time;
}

/* --- records -------------------------------------------------------------------------------- */

/* Returns the thread of a record. Raises the record's times to the last times of the thread if they
 * are earlier. */
static struct thread *span_follow_thread(struct import *import, struct span_record *record) {
    struct span_tracker *tracker = import->spans;
    struct thread *thread = (void *)call_stacks_find(&tracker->stacks, record->actor);

    if (thread == NULL) {
        thread = new_thread(tracker, record->actor);
    }
    if (record->time < thread->time || (record->cpu != EVENT_NONE && record->cpu < thread->cpu)) {
        tracker->backwards++;
    }
    thread->time = record->time = record->time < thread->time ? thread->time : record->time;
    if (record->time > tracker->last_time) {
        tracker->last_time = record->time;
    }
    thread->pid = record->process;
    extend_process(tracker, record->process, record->time);
    if (record->cpu != EVENT_NONE) {
        thread->cpu = record->cpu = record->cpu < thread->cpu ? thread->cpu : record->cpu;
    }
    return thread;
}

/* --- times summed by function ----------------------------------------------------------------- */

static struct span_times_row *span_find_function(struct import *import,
                                                 const struct span_record *record) {
    struct span_tracker *tracker = import->spans;

    if (tracker->times.count >= TALLY_ROWS + 2 * tracker->open) {
        /* Drops the rollup, because it has too many pairs of function and thread. Keeps only the
         * pairs of open calls, to which the stacks refer. */
        span_times_clear_closed(&tracker->times);
        import->spans_complete = false;
    }
    return span_times_row(&tracker->times, record->operation, record->actor);
}

/* --- rows of calls ---------------------------------------------------------------------------- */

static struct event *span_new_row(struct import *import, const struct thread *thread,
                                  const struct span_record *record, uint32_t flags) {
    const struct frame *caller = span_innermost(import->spans, thread);
    struct event *event = import_event(import);

    event->time = record->time;
    event->operation = record->operation;
    event->actor = record->actor;
    event->object = record->object;
    event->flags = flags;
    event->size = record->size;
    event->value = flags & SPAN_STRAY_EXIT ? record->value : EVENT_NONE;
    event->depth = (int32_t)thread->stack.depth;
    event->parent = caller == NULL ? EVENT_NONE : caller->serial;
    return event;
}

static void add_arguments(struct import *import, struct event *event,
                          const struct span_record *record) {
    if (record->arguments_size > 0) {
        import_arguments(import, event, record->arguments, record->arguments_size);
    }
}

/* --- counting calls in tallies ---------------------------------------------------------------- */

static void span_count_rows(struct import *import) {
    struct span_tracker *tracker = import->spans;
    size_t count = tracker->counted_count;

    tracker->counted_count = 0;
    emit_count(import, &import->tally_context, tracker->counted, count);
}

static void count_row(struct import *import, const struct event *row) {
    struct span_tracker *tracker = import->spans;

    tracker->counted[tracker->counted_count++] = *row;
    if (tracker->counted_count == TALLY_AT_ONCE) {
        span_count_rows(import);
    }
}

/* Adds an ended call to the tallies. Its size, from which bytes are counted, is known only now. */
static void span_count_call(struct import *import, const struct frame *frame, uint32_t flags,
                            size_t depth) {
    const struct event row = {
        .time = frame->time,
        .operation = frame->function->key.operation,
        .actor = frame->function->key.actor,
        .flags = flags,
        .size = frame->size,
        .depth = (int32_t)depth,
    };

    count_row(import, &row);
}

/* --- entry of a call -------------------------------------------------------------------------- */

static void span_push(struct import *import, struct thread *thread, const struct frame *frame) {
    struct frame *innermost = call_stacks_push(&import->spans->stacks, &thread->stack);

    *innermost = *frame;
    frame->function->open = (uint32_t)thread->stack.depth;
    import->spans->open++;
}

void import_entry(struct import *import, const struct span_record *given, int64_t offset,
                  int64_t bytes) {
    struct span_record record = *given;
    struct thread *thread = span_follow_thread(import, &record);
    struct frame frame;
    struct event *event;

    if (import->spans->open == SPAN_OPEN_LIMIT || thread->rejected > 0) {
        import_rejected(import, too_many_open, offset, bytes);
        thread->rejected++;
        return;
    }
    frame = (struct frame){
        .function = span_find_function(import, &record),
        .time = record.time,
        .cpu = record.cpu,
        .size = record.size,
        .has_arguments = record.arguments_size > 0,
    };
    frame.outer = frame.function->open;
    frame.function->calls++;
    /* The row is marked as open until the call's exit is read. */
    event =
        span_new_row(import, thread, &record, SPAN_OPEN | (frame.outer > 0 ? SPAN_RECURSIVE : 0));
    add_arguments(import, event, &record);
    frame.serial = import->rows - 1;
    span_push(import, thread, &frame);
}

/* --- exit of a call --------------------------------------------------------------------------- */

/* Returns the self time of a call; EVENT_NONE if callees took no time: then it equals the duration.
 */
static int64_t self_time_of_call(int64_t duration, int64_t callees) {
    return callees == 0 ? EVENT_NONE : duration < callees ? 0 : duration - callees;
}

static void span_add_time(struct span_times_row *function, enum span_clock clock, int64_t duration,
                          int64_t self, bool outermost) {
    span_times_add(&function->clocks[clock], duration, self == EVENT_NONE ? duration : self,
                   outermost);
}

/* Returns what the end of a call sets in its row. `record` NULL: the call's exit was lost. */
static struct ending make_ending(const struct import *import, const struct frame *frame,
                                 const struct span_record *record, uint32_t flags) {
    struct ending ending = {
        .serial = frame->serial,
        .duration = EVENT_NONE,
        .self = EVENT_NONE,
        .cpu_duration = EVENT_NONE,
        .cpu_self = EVENT_NONE,
        .value = EVENT_NONE,
        .size = frame->size,
        .flags = flags | (frame->outer > 0 ? SPAN_RECURSIVE : 0),
        .open = (flags & SPAN_OPEN) != 0,
    };

    if (record == NULL) {
        return ending;
    }
    if (import->run->clock.clocks[0] != '\0') {
        ending.duration = !record->has_duration ? subtract_saturated(record->time, frame->time)
                          : (flags & SPAN_EXIT_MISSING) == 0 ? record->duration
                                                             : EVENT_NONE;
    }
    if (ending.duration != EVENT_NONE) {
        ending.self = self_time_of_call(ending.duration, frame->callees);
    }
    if (frame->cpu != EVENT_NONE && record->cpu != EVENT_NONE) {
        ending.cpu_duration = subtract_saturated(record->cpu, frame->cpu);
        ending.cpu_self = self_time_of_call(ending.cpu_duration, frame->cpu_callees);
    }
    return ending;
}

/* Adds the exit's argument bytes to the ending, after `no_arguments` if the entry had none. */
static void ending_arguments(struct batch *batch, const struct frame *frame,
                             const struct span_record *record, struct ending *ending) {
    size_t before = frame->has_arguments ? 0 : 1;
    uint8_t *memory;

    if (record->arguments_size == 0) {
        return;
    }
    memory = batch_memory(batch, before + record->arguments_size);
    memory[0] = record->no_arguments;
    memcpy(memory + before, record->arguments, record->arguments_size);
    ending->arguments = memory;
    ending->arguments_size = (uint32_t)before + record->arguments_size;
}

/* Sets the end of a call in its row, which is still in `batch`. */
static void complete_row_in_batch(struct batch *batch, struct event *event,
                                  const struct ending *ending) {
    event->duration = ending->duration;
    event->self = ending->self;
    event->cpu_duration = ending->cpu_duration;
    event->cpu_self = ending->cpu_self;
    event->value = ending->value;
    event->size = ending->size;
    event->flags = ending->flags;
    if (ending->arguments_size > 0) {
        uint8_t *both = batch_memory(batch, (size_t)event->arguments_size + ending->arguments_size);

        if (event->arguments_size > 0) {
            memcpy(both, event->arguments, event->arguments_size);
        }
        memcpy(both + event->arguments_size, ending->arguments, ending->arguments_size);
        event->arguments = both;
        event->arguments_size += ending->arguments_size;
    }
}

static void write_ending(struct import *import, const struct frame *frame,
                         const struct span_record *record, struct ending *ending) {
    struct batch *batch;
    struct event *event = emit_row(import, frame->serial, &batch);

    batch = event == NULL ? emit_batch(import) : batch;
    ending_arguments(batch, frame, record, ending);
    if (event != NULL) {
        complete_row_in_batch(batch, event, ending);
    } else {
        batch_add_ending(batch, ending);
    }
}

/* Adds the duration of a call to the callees' time of its caller. If the duration is unknown, adds
 * the time of the call's own callees, which is not the caller's self time either. */
static void add_to_caller(struct frame *caller, const struct frame *called,
                          const struct ending *ending) {
    if (caller != NULL) {
        add_saturated(&caller->callees,
                      ending->duration != EVENT_NONE ? ending->duration : called->callees);
    }
    if (caller != NULL && ending->cpu_duration != EVENT_NONE) {
        add_saturated(&caller->cpu_callees, ending->cpu_duration);
    }
}

/* Raises the last time of the process and of the log to a call's end: a duration printed in the log
 * may reach beyond the last record. */
static void extend_end(struct span_tracker *tracker, const struct thread *thread,
                       const struct frame *frame, int64_t duration) {
    int64_t end = frame->time;

    add_saturated(&end, duration);
    extend_process(tracker, thread->pid, end);
    tracker->last_time = end > tracker->last_time ? end : tracker->last_time;
}

/* Ends the innermost call. `own`: the exit in `record` is that of this call. `record` NULL: the
 * call's exit was lost. */
static void span_pop(struct import *import, struct thread *thread, const struct span_record *record,
                     bool own) {
    static const struct span_record nothing = {.value = EVENT_NONE};
    const struct call_stacks *stacks = &import->spans->stacks;
    const struct span_record *exit_record = own ? record : &nothing;
    struct frame frame = *(struct frame *)call_stacks_pop(stacks, &thread->stack);
    struct ending ending =
        make_ending(import, &frame, record, own ? exit_record->flags : SPAN_EXIT_MISSING);

    import->spans->open--;
    import->spans->exceeded += ending.duration != EVENT_NONE && frame.callees > ending.duration;
    frame.function->open = frame.outer;
    if (own) {
        ending.value = exit_record->value;
        if (exit_record->size != EVENT_NONE) {
            ending.size =
                frame.size == EVENT_NONE ? exit_record->size : frame.size + exit_record->size;
        }
    }
    frame.size = ending.size;
    if (ending.duration != EVENT_NONE) {
        span_add_time(frame.function, SPAN_WALL, ending.duration, ending.self, frame.outer == 0);
        extend_end(import->spans, thread, &frame, ending.duration);
    }
    if (ending.cpu_duration != EVENT_NONE) {
        span_add_time(frame.function, SPAN_CPU, ending.cpu_duration, ending.cpu_self,
                      frame.outer == 0);
    }
    add_to_caller(span_innermost(import->spans, thread), &frame, &ending);
    span_count_call(import, &frame, ending.flags, thread->stack.depth);
    write_ending(import, &frame, exit_record, &ending);
}

void import_end_call_without_exit(struct import *import, uint32_t actor) {
    struct span_tracker *tracker = import->spans;
    struct thread *thread = (void *)call_stacks_find(&tracker->stacks, actor);

    if (thread != NULL && thread->rejected > 0) {
        thread->rejected--;
    } else if (thread != NULL && span_innermost(tracker, thread) != NULL) {
        tracker->exits_lost++;
        span_pop(import, thread, NULL, false);
    }
}

void import_exit(struct import *import, const struct span_record *given, int64_t offset,
                 int64_t bytes) {
    struct span_record record = *given;
    struct thread *thread = span_follow_thread(import, &record);
    const struct span_times_row *function;
    const struct frame *called;
    size_t open;

    if (thread->rejected > 0) {
        import_rejected(import, too_many_open, offset, bytes);
        thread->rejected--;
        return;
    }
    /* Usually an exit belongs to the innermost call. */
    called = span_innermost(import->spans, thread);
    if (called != NULL && called->function->key.operation == record.operation) {
        import->events++;
        span_pop(import, thread, &record, true);
        return;
    }
    function = span_find_function(import, &record);
    open = function->open;
    if (open == 0) {
        struct event *event = span_new_row(import, thread, &record, SPAN_STRAY_EXIT | record.flags);
        struct span_record arguments = record;

        import->spans->strays++;
        import_count_non_call(import, "an exit without an entry", offset);
        count_row(import, event);
        add_arguments(import, event, &arguments);
        return;
    }
    while (thread->stack.depth > open) {
        import->spans->missing++;
        span_pop(import, thread, &record, false);
    }
    import->events++;
    span_pop(import, thread, &record, true);
}

/* --- data, and end of the log ----------------------------------------------------------------- */

void import_data(struct import *import, const struct span_record *given, int64_t offset) {
    struct span_record record = *given;
    const struct thread *thread = span_follow_thread(import, &record);
    struct event *event = span_new_row(import, thread, &record, SPAN_DATA);

    import_count_non_call(import, "data, no call", offset);
    count_row(import, event);
    add_arguments(import, event, &record);
}

/* Returns the record that ends the calls of a thread that are open at the end of the log. On a wall
 * clock, its time is the last time of the process. On a CPU clock, which each thread has for
 * itself, it is the last time of the thread. */
static struct span_record last_record(const struct import *import, const struct thread *thread) {
    const struct process *process = span_find_process(import->spans, thread->pid);
    bool shared = strncmp(import->run->clock.clocks, "wall", strlen("wall")) == 0;

    return (struct span_record){
        .time = shared && process != NULL ? process->time : thread->time,
        .cpu = thread->cpu == INT64_MIN ? EVENT_NONE : thread->cpu,
    };
}

/* Ends a call open at the end of the log. Its row stays marked open; its times are written to the
 * table open_call. */
static void span_end_open_call(struct import *import, struct thread *thread,
                               const struct span_record *last) {
    const struct call_stacks *stacks = &import->spans->stacks;
    const struct frame *frame = call_stacks_pop(stacks, &thread->stack);
    struct ending ending = make_ending(import, frame, last, SPAN_OPEN);

    span_count_call(import, frame, ending.flags, thread->stack.depth);
    add_to_caller(span_innermost(import->spans, thread), frame, &ending);
    if (ending.duration != EVENT_NONE) {
        batch_add_ending(emit_batch(import), &ending);
    }
}

/* Ends all open calls, callees before callers, since self times exclude callees' times. */
static void end_open_calls(struct import *import) {
    for (struct call_thread *stack = import->spans->stacks.threads; stack != NULL;
         stack = stack->hh.next) {
        struct thread *thread = (void *)stack;
        const struct span_record last = last_record(import, thread);

        while (stack->depth > 0) {
            span_end_open_call(import, thread, &last);
        }
    }
}

void span_tracker_finish(struct import *import) {
    const struct span_tracker *tracker = import->spans;

    end_open_calls(import);
    span_count_rows(import);
    import->last_time = tracker->last_time;
    import_remark_count(import, tracker->backwards,
                        "earlier than the previous record of the same thread, and so set to the "
                        "time of that: %lld record{s}");
    import_remark_count(import, tracker->missing,
                        "no exit in the log, ended with their callers: %lld call{s}");
    import_remark_count(import, tracker->exits_lost,
                        "no exit in the log, counted without a duration: %lld call{s}");
    import_remark_count(import, tracker->exceeded,
                        "shorter than the calls inside them (rounding, or an interrupt), and so "
                        "without self time: %lld call{s}");
    import_remark_count(
        import, tracker->strays,
        "exits without an entry in the log, kept but not counted as calls: %lld exit{s}");
    import_remark_count(import, (int64_t)tracker->open,
                        import->run->clock.clocks[0] == '\0'
                            ? "open at the end of the log, counted without a duration: %lld call{s}"
                            : "open at the end of the log, ended there: %lld call{s}");
}
