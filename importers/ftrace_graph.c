#include "ftrace_graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "base/memory.h"

const char ftrace_beginless_mark[] = "end of a mark or function without a begin in the log";
const char ftrace_both_ends[] = "a line is both ends of a call";
const char ftrace_too_deep[] = "more functions open than are followed";

const struct event_meaning ftrace_graph_meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_DURATION, "function", "printed", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_ARGUMENTS, "", "text", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

/* A call that has not ended. */
struct frame {
    uint32_t operation, actor;
    int64_t process; /* number of the thread's process; 0: unknown */
    int64_t time;
    int64_t cpu;   /* CPU of the call's first line */
    size_t indent; /* indentation of the line that starts the call */
};

/* Identifies a stack of calls: of a thread, or of a CPU if the log does not name tasks. */
struct thread_key {
    int64_t kind;   /* enum thread_kind: what is on the stack */
    int64_t number; /* number of a CPU, or key of a thread (ftrace_line_thread_key()) */
};

enum thread_kind { FUNCTIONS, MARKS, FUNCTIONS_OF_CPU };

/* A thread's stack of functions that were entered and not left yet, or of trace markers (B) without
 * their end (E). */
struct ftrace_graph_thread {
    struct thread_key key;
    int64_t last;         /* time of the thread's last record */
    struct frame *frames; /* owned */
    size_t depth, capacity;
    size_t dropped;  /* number of open calls beyond FTRACE_GRAPH_DEPTH, which have no frame */
    uint64_t losses; /* number of losses of events in the log, as of the thread's last line */
    UT_hash_handle hh;
};

/* The task that a CPU runs, according to the last line that named one. */
struct ftrace_graph_cpu {
    bool known;
    int64_t tid;
    char task[64];
    size_t task_length;
    int64_t time; /* end of the CPU's last line, in a log without times */
};

static uint32_t ftrace_graph_find_function(struct import *import, const char *kind,
                                           struct word name, struct word module) {
    uint32_t component = module.length == 0 ? 0 : import_simple_name(import, "component", module);

    return import_function(import, kind, name, component);
}

/* --- threads and CPUs ------------------------------------------------------------------------- */

static struct ftrace_graph_cpu *ftrace_graph_find_cpu(struct ftrace_graph *graph, int64_t cpu) {
    if (graph->cpus == NULL) {
        graph->cpus = xcalloc(FTRACE_GRAPH_CPUS, sizeof *graph->cpus);
    }
    return &graph->cpus[cpu >= 0 && cpu < FTRACE_GRAPH_CPUS ? cpu : 0];
}

/* Finds the stack of a thread, or adds it. NULL if there are too many. */
static struct ftrace_graph_thread *ftrace_graph_find_thread(struct ftrace_graph *graph,
                                                            const struct thread_key *key) {
    struct ftrace_graph_thread *thread;

    HASH_FIND(hh, graph->threads, key, sizeof *key, thread);
    if (thread != NULL || HASH_COUNT(graph->threads) >= FTRACE_GRAPH_THREADS) {
        return thread;
    }
    HASH_NEW(graph->threads, key, *key, thread);
    thread->last = INT64_MIN;
    thread->losses = graph->losses;
    return thread;
}

static struct thread_key ftrace_graph_key_of(const struct ftrace_line *head,
                                             enum thread_kind kind) {
    return (struct thread_key){kind,
                               kind == FUNCTIONS_OF_CPU ? head->cpu : ftrace_line_thread_key(head)};
}

static void set_running(struct ftrace_graph_cpu *cpu, const struct ftrace_line *head) {
    cpu->known = true;
    cpu->tid = head->tid;
    cpu->task_length = head->task.length < sizeof cpu->task ? head->task.length : sizeof cpu->task;
    memcpy(cpu->task, head->task.bytes, cpu->task_length);
}

void ftrace_graph_set_first_task(struct ftrace_graph *graph,
                                 const struct ftrace_graph_line *first) {
    struct ftrace_graph_cpu *cpu = ftrace_graph_find_cpu(graph, first->head.cpu);

    if (!cpu->known && first->before.tid != EVENT_NONE) {
        set_running(cpu, &first->before);
    }
}

/* At a task switch on a CPU whose task was unknown, assigns the CPU's open calls to the old task,
 * which the switch names: they end when that task runs again. Their events keep their actor. */
static void ftrace_graph_name_thread(struct ftrace_graph *graph,
                                     const struct ftrace_graph_line *line) {
    struct thread_key unnamed = ftrace_graph_key_of(&line->head, FUNCTIONS_OF_CPU);
    struct thread_key key = ftrace_graph_key_of(&line->before, FUNCTIONS);
    struct ftrace_graph_thread *thread, *named;

    HASH_FIND(hh, graph->threads, &unnamed, sizeof unnamed, thread);
    HASH_FIND(hh, graph->threads, &key, sizeof key, named);
    if (line->before.tid == EVENT_NONE || thread == NULL || named != NULL) {
        return;
    }
    HASH_DEL(graph->threads, thread);
    thread->key = key;
    HASH_ADD(hh, graph->threads, key, sizeof thread->key, thread);
}

/* --- stacks of calls -------------------------------------------------------------------------- */

/* Makes a record of the thread. Its time is at least that of the thread's last record. */
static struct span_record ftrace_graph_record_of(struct ftrace_graph_thread *thread,
                                                 const struct frame *frame, int64_t time,
                                                 struct word text) {
    thread->last = time > thread->last ? time : thread->last;
    return (struct span_record){
        .operation = frame->operation,
        .actor = frame->actor,
        .process = frame->process,
        .time = thread->last,
        .cpu = EVENT_NONE,
        .size = EVENT_NONE,
        .value = EVENT_NONE,
        .arguments = (const uint8_t *)text.bytes,
        .arguments_size = (uint32_t)text.length,
        .no_arguments = ' ',
    };
}

/* Pushes a call onto the thread's stack. False if the stack is full. */
static bool ftrace_graph_push(struct ftrace_graph_thread *thread, const struct frame *frame) {
    if (thread->depth == thread->capacity) {
        if (thread->depth == FTRACE_GRAPH_DEPTH) {
            return false;
        }
        thread->frames =
            array_grow(thread->frames, thread->depth, &thread->capacity, sizeof *thread->frames);
    }
    thread->frames[thread->depth++] = *frame;
    return true;
}

/* Returns the index plus 1 of the innermost open call of a function (0: of any function); 0 if
 * there is none. */
static size_t find_open(const struct ftrace_graph_thread *thread, uint32_t operation) {
    size_t at = thread->depth;

    while (at > 0 && operation != 0 && thread->frames[at - 1].operation != operation) {
        at--;
    }
    return at;
}

struct place {
    int64_t offset, bytes;
};

static struct ftrace_outcome ftrace_graph_enter(struct import *import,
                                                struct ftrace_graph_thread *thread,
                                                struct frame *frame, int64_t time, struct word text,
                                                struct place place) {
    struct span_record record = ftrace_graph_record_of(thread, frame, time, text);

    frame->time = record.time;
    if (!ftrace_graph_push(thread, frame)) {
        thread->dropped++;
        return ftrace_damaged(ftrace_too_deep);
    }
    import_entry(import, &record, place.offset, place.bytes);
    return ftrace_taken;
}

/* Returns whether an end belongs to a call that was not put on the stack, because that was full. */
static bool end_is_of_dropped_call(struct ftrace_graph_thread *thread) {
    if (thread->dropped == 0) {
        return false;
    }
    thread->dropped--;
    return true;
}

/* Ends the calls above `depth` on the stack: their exits were lost. */
static void end_calls_at_loss(struct import *import, struct ftrace_graph_thread *thread,
                              size_t depth) {
    while (thread->depth > depth) {
        import_end_call_without_exit(import, thread->frames[--thread->depth].actor);
        thread->dropped = 0;
    }
}

/* The end of a call, as a line states it. */
struct end {
    int64_t time;     /* ns; EVENT_NONE: unknown */
    int64_t duration; /* duration printed in the log; EVENT_NONE: none */
    bool unknown;     /* true: neither time nor duration of the end is in the log */
    struct word text;
};

/* Ends the call at an index of the stack. Its duration is the printed one, even if the log lacks
 * its start and some callees. */
static void ftrace_graph_end_call(struct import *import, struct ftrace_graph_thread *thread,
                                  size_t at, const struct end *how, struct place place) {
    struct frame frame = thread->frames[at - 1];
    int64_t end = how->time;
    struct span_record record;

    end_calls_at_loss(import, thread, at);
    if (how->duration != EVENT_NONE) {
        end = frame.time;
        add_saturated(&end, how->duration);
    } else if (end == EVENT_NONE) {
        end = thread->last;
    }
    thread->depth = at - 1;
    thread->dropped = 0;
    record = ftrace_graph_record_of(thread, &frame, end, how->text);
    record.has_duration = how->unknown || how->duration != EVENT_NONE;
    record.duration = how->duration;
    import_exit(import, &record, place.offset, place.bytes);
}

/* Handles an exit whose entry is not in the log: adds its event if the function is known. */
static struct ftrace_outcome handle_exit_without_entry(struct import *import,
                                                       struct ftrace_graph_thread *thread,
                                                       const struct frame *frame, int64_t time,
                                                       struct word text, struct place place) {
    struct span_record record;

    if (frame->operation == 0) {
        return ftrace_ignored(ftrace_beginless_mark);
    }
    record = ftrace_graph_record_of(thread, frame, time, text);
    import_exit(import, &record, place.offset, place.bytes);
    return ftrace_taken;
}

/* --- lines of function graphs ----------------------------------------------------------------- */

static struct end ftrace_graph_end_of(const struct ftrace_graph_line *line) {
    bool leaf = line->kind == GRAPH_LEAF;

    return (struct end){
        .time = leaf ? EVENT_NONE : line->head.time,
        .duration = line->duration,
        .unknown = line->duration == EVENT_NONE && (leaf || line->head.time == EVENT_NONE) &&
                   line->head.clock != FTRACE_COUNTER,
        .text = leaf ? (struct word){"", 0} : line->text,
    };
}

static struct ftrace_outcome handle_exit(struct import *import, struct ftrace_graph *graph,
                                         struct ftrace_graph_thread *thread, struct frame *frame,
                                         const struct ftrace_graph_line *line, struct place place) {
    const struct end how = ftrace_graph_end_of(line);
    size_t at;

    if (end_is_of_dropped_call(thread)) {
        return ftrace_damaged(ftrace_too_deep);
    }
    at = find_open(thread, frame->operation);
    graph->points += at == 0 && frame->operation != 0 && line->duration != EVENT_NONE;
    if (at == 0) {
        return handle_exit_without_entry(import, thread, frame, line->head.time, line->text, place);
    }
    ftrace_graph_end_call(import, thread, at, &how, place);
    return ftrace_taken;
}

static struct ftrace_outcome ftrace_graph_handle_call(struct import *import,
                                                      struct ftrace_graph_thread *thread,
                                                      struct frame *frame,
                                                      const struct ftrace_graph_line *line,
                                                      struct place place) {
    const struct end how = ftrace_graph_end_of(line);
    struct ftrace_outcome taken =
        ftrace_graph_enter(import, thread, frame, line->head.time, line->text, place);

    if (line->kind == GRAPH_LEAF && taken.taken == FTRACE_DAMAGED) {
        end_is_of_dropped_call(thread);
    } else if (line->kind == GRAPH_LEAF) {
        import_count_extra_event(import, ftrace_both_ends, place.offset);
        ftrace_graph_end_call(import, thread, thread->depth, &how, place);
    }
    return taken;
}

/* Computes the time of a line in a log without times. Each line of a CPU begins where the line
 * before it ends, and only leaf calls take time. If the thread's calls began on another CPU, the
 * line begins at the end of the thread's last line. */
static void ftrace_graph_lay_out(struct ftrace_graph *graph, const struct ftrace_graph_cpu *cpu,
                                 const struct ftrace_graph_thread *thread,
                                 struct ftrace_graph_line *line) {
    if (line->head.time != EVENT_NONE) {
        return;
    }
    graph->laid_out++;
    line->head.time = thread->last;
    if (cpu->time > thread->last &&
        (thread->depth == 0 || thread->frames[0].cpu == line->head.cpu)) {
        line->head.time = cpu->time;
    }
}

/* Corrects a thread's stack after a loss of events: the line's indentation shows which open calls
 * contain it, or which it ends. Returns false for the exit of a call that is not on the stack. */
static bool follow_callers_after_loss(struct import *import, struct ftrace_graph *graph,
                                      struct ftrace_graph_thread *thread, uint32_t operation,
                                      const struct ftrace_graph_line *line) {
    size_t depth = thread->depth;
    bool ends = true;

    if (thread->losses == graph->losses) {
        return true;
    }
    thread->losses = graph->losses;
    while (depth > 0 && thread->frames[depth - 1].indent >= line->depth) {
        depth--;
    }
    if (depth == thread->depth && thread->dropped > 0) {
        size_t open = line->depth - thread->frames[depth - 1].indent - (line->kind != GRAPH_EXIT);

        thread->dropped = open < thread->dropped ? open : thread->dropped;
        return true;
    }
    if (line->kind == GRAPH_EXIT) {
        ends = depth < thread->depth && thread->frames[depth].indent == line->depth &&
               (operation == 0 || thread->frames[depth].operation == operation);
        depth += ends;
    }
    end_calls_at_loss(import, thread, depth);
    return ends;
}

/* Sets function and thread of a line. If the stack has open calls, uses their thread, as the name
 * in the line may have changed. */
static void find_frame(struct import *import, const struct ftrace_graph_thread *thread,
                       const struct ftrace_graph_line *line, struct frame *frame) {
    struct word name = line->head.task;
    int64_t tid = line->has_task ? line->head.tid : EVENT_NONE;
    char made[FTRACE_IDLE_NAME];

    *frame = (struct frame){
        .process = line->has_task ? tid : 0, .cpu = line->head.cpu, .indent = line->depth};
    if (thread->depth > 0) {
        frame->actor = thread->frames[0].actor;
        frame->process = thread->frames[0].process;
    } else if (line->has_task) {
        name = ftrace_line_thread_name(&line->head, made);
        frame->actor = import_thread(import, tid, tid, name);
    } else {
        name.bytes = made;
        name.length =
            (size_t)snprintf(made, sizeof made, "CPU %lld",
                             (long long)(line->head.cpu == EVENT_NONE ? 0 : line->head.cpu));
        frame->actor = import_thread(import, EVENT_NONE, EVENT_NONE, name);
    }
    if (line->name.length > 0) {
        frame->operation =
            ftrace_graph_find_function(import, "function", line->name, line->component);
    }
}

struct ftrace_outcome ftrace_graph_handle(struct import *import, struct ftrace_graph *graph,
                                          struct ftrace_graph_line *line, int64_t offset,
                                          int64_t bytes) {
    struct place place = {offset, bytes};
    struct ftrace_graph_cpu *cpu = ftrace_graph_find_cpu(graph, line->head.cpu);
    struct ftrace_graph_thread *thread;
    struct thread_key key;
    struct frame frame;
    struct ftrace_outcome taken;

    /* A line without a task belongs to the task that its CPU runs. */
    if (line->kind == GRAPH_SWITCH && !cpu->known) {
        ftrace_graph_name_thread(graph, line);
    }
    if (line->has_task || line->kind == GRAPH_SWITCH) {
        set_running(cpu, &line->head);
    } else if (cpu->known) {
        line->has_task = true;
        line->head.tid = cpu->tid;
        line->head.task = (struct word){cpu->task, cpu->task_length};
    }
    if (line->kind == GRAPH_SWITCH || line->kind == GRAPH_OTHER) {
        return ftrace_taken;
    }
    key = ftrace_graph_key_of(&line->head, line->has_task ? FUNCTIONS : FUNCTIONS_OF_CPU);
    if ((thread = ftrace_graph_find_thread(graph, &key)) == NULL) {
        return ftrace_damaged(ftrace_too_deep);
    }
    /* If the clock is a counter, ignore durations, which are in microseconds. Calls then end when
     * their exits were logged. */
    if (line->head.time != EVENT_NONE && line->head.clock == FTRACE_COUNTER &&
        line->duration != EVENT_NONE) {
        line->duration = EVENT_NONE;
        graph->passed += line->kind == GRAPH_LEAF;
    }
    ftrace_graph_lay_out(graph, cpu, thread, line);
    find_frame(import, thread, line, &frame);
    taken =
        !follow_callers_after_loss(import, graph, thread, frame.operation, line)
            ? handle_exit_without_entry(import, thread, &frame, line->head.time, line->text, place)
        : line->kind == GRAPH_EXIT ? handle_exit(import, graph, thread, &frame, line, place)
                                   : ftrace_graph_handle_call(import, thread, &frame, line, place);
    cpu->time = thread->last > cpu->time ? thread->last : cpu->time;
    return taken;
}

struct ftrace_outcome ftrace_graph_read_mark(struct import *import, struct ftrace_graph *graph,
                                             const struct ftrace_line *line, int64_t offset,
                                             int64_t bytes) {
    struct place place = {offset, bytes};
    struct word rest = line->fields, letter = word_field(&rest, '|'), pid = word_field(&rest, '|');
    struct thread_key key = ftrace_graph_key_of(line, MARKS);
    const struct end how = {.time = line->time, .duration = EVENT_NONE, .text = {"", 0}};
    struct ftrace_graph_thread *thread;
    struct ftrace_outcome taken;
    struct frame frame = {0};
    int64_t process = 0;
    char made[FTRACE_IDLE_NAME];

    /* Accept a mark B without a name: the log has its end mark E, too. */
    if (!word_is(letter, "E") && ((!word_is(letter, "B") && !word_is(letter, "I")) ||
                                  !word_number(pid, INT32_MAX, &process))) {
        return ftrace_other;
    }
    thread = ftrace_graph_find_thread(graph, &key);
    if (thread == NULL) {
        return ftrace_damaged(ftrace_too_deep);
    }
    if (word_is(letter, "E")) {
        if (end_is_of_dropped_call(thread)) {
            return ftrace_damaged(ftrace_too_deep);
        }
        if (thread->depth == 0) {
            return ftrace_ignored(ftrace_beginless_mark);
        }
        ftrace_graph_end_call(import, thread, thread->depth, &how, place);
        return ftrace_taken;
    }
    frame.process = process;
    frame.actor = import_thread(import, process, line->tid, ftrace_line_thread_name(line, made));
    frame.operation = ftrace_graph_find_function(import, "mark", rest, (struct word){"", 0});
    taken = ftrace_graph_enter(import, thread, &frame, line->time, (struct word){"", 0}, place);
    if (word_is(letter, "I") &&
        !(taken.taken == FTRACE_DAMAGED && end_is_of_dropped_call(thread))) {
        import_count_extra_event(import, ftrace_both_ends, place.offset);
        ftrace_graph_end_call(import, thread, thread->depth, &how, place);
    }
    return taken;
}

/* --- end of an import ------------------------------------------------------------------------- */

void ftrace_graph_end(struct import *import, struct ftrace_graph *graph, bool failed) {
    struct ftrace_graph_thread *thread, *next;

    if (!failed && graph->laid_out > 0) {
        import_remark(import, "the log has no times: the calls of each CPU are placed one after "
                              "the other by duration; gaps between them are unknown");
    }
    if (!failed) {
        import_remark_count(import, graph->points,
                            "functions without a begin in the log (tracing_thresh): %lld; each is "
                            "a point at its end, without its duration");
        import_remark_count(import, graph->passed,
                            "functions without callees have the duration 0, because the log has "
                            "durations in microseconds, but times in counter units: %lld");
    }
    HASH_ITER(hh, graph->threads, thread, next) {
        HASH_DEL(graph->threads, thread);
        free(thread->frames);
        free(thread);
    }
    free(graph->cpus);
}

void ftrace_graph_dump(const struct dump_event *dump, enum dump_moment moment, struct text *out) {
    const char *bytes = (const char *)dump->event.arguments, *returned;
    struct word text = {bytes, bytes == NULL ? 0 : dump->arguments_size};

    if (text.length == 0) {
        return;
    }
    /* Older kernels print " = 0x0" in place of " ret=0x0". */
    returned = memmem(text.bytes, text.length, " ret=", 5);
    returned = returned != NULL ? returned : memmem(text.bytes, text.length, " = ", 3);
    if (moment == DUMP_ENTRY && returned != NULL) {
        text.length = (size_t)(returned - text.bytes);
    } else if (moment == DUMP_EXIT) {
        word_skip(&text, returned == NULL ? text.length : (size_t)(returned - text.bytes));
    }
    text = word_trim(text);
    text_append_string(out, text.length > 0 ? " " : "");
    text_append_escaped(out, text.bytes, text.length);
}
