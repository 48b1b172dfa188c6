#include "ftrace_graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/saturate.h"

const struct event_meaning ftrace_graph_meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_ARGUMENTS, "", "text", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

/* A call that is open. */
struct frame {
    uint32_t operation, actor;
    int64_t process; /* that the thread is of; 0: not known */
    int64_t time;
    bool is_mark;
};

/* A thread; where the log does not tell tasks, a CPU stands for whatever it runs. */
struct ftrace_graph_thread {
    int64_t number;       /* below 0: of a CPU */
    int64_t last;         /* time of its last record */
    struct frame *frames; /* owned */
    size_t depth, capacity;
    size_t dropped[2]; /* functions, marks that are open beyond FTRACE_GRAPH_DEPTH: have no frame */
    bool cut;          /* events were lost: the indentation of the next line tells what is open */
    UT_hash_handle hh;
};

/* What a CPU runs, by the last line that said so. */
struct ftrace_graph_cpu {
    bool known;
    int64_t tid;
    char task[64];
    size_t task_length;
    int64_t time; /* of what is laid out on it */
};

bool ftrace_graph_begin(struct import *import, struct ftrace_graph *graph, struct error *error) {
    (void)import;
    return memo_init(&graph->functions, MEMO_ENTRIES, error) &&
           memo_init(&graph->components, MEMO_ENTRIES, error) &&
           memo_init(&graph->actors, MEMO_ENTRIES, error);
}

/* --- names
 * ----------------------------------------------------------------------------------------
 */

static uint32_t settle(struct memo_entry *entry, uint32_t id) {
    entry->values[0] = id;
    if (id == 0) {
        memo_forget(entry);
    }
    return id;
}

static uint32_t find_name(struct import *import, struct memo *memo, const char *kind,
                          struct word text, uint32_t component) {
    struct memo_key key = {{(intptr_t)kind, component}, text.bytes, text.length};
    bool known;
    struct memo_entry *entry = memo_find(memo, &key, &known);

    return known ? entry->values[0]
                 : settle(entry, import_name(import, &(struct name_entry){.kind = kind,
                                                                          .code = EVENT_NONE,
                                                                          .text = text.bytes,
                                                                          .length = text.length,
                                                                          .component = component}));
}

/* 0: stop. */
static uint32_t find_function(struct import *import, struct ftrace_graph *graph, const char *kind,
                              struct word name, struct word module) {
    uint32_t component = 0;

    if (module.length > 0) {
        component = find_name(import, &graph->components, "component", module, 0);
        if (component == 0) {
            return 0;
        }
    }
    return find_name(import, &graph->functions, kind, name, component);
}

/* A thread by its number and name; a CPU by its own. */
static uint32_t find_actor(struct import *import, struct ftrace_graph *graph, int64_t pid,
                           int64_t tid, struct word name) {
    struct memo_key key = {{pid, tid}, name.bytes, name.length};
    struct actor_entry actor = {.session = 1,
                                .pid = pid,
                                .tid = tid,
                                .code = EVENT_NONE,
                                .name = name.length > 0 ? name.bytes : NULL,
                                .length = name.length};
    bool known;
    struct memo_entry *entry = memo_find(&graph->actors, &key, &known);

    return known ? entry->values[0] : settle(entry, import_actor(import, &actor));
}

/* --- threads and CPUs
 * -----------------------------------------------------------------------------
 */

static struct ftrace_graph_cpu *find_cpu(struct ftrace_graph *graph, int64_t cpu) {
    if (graph->cpus == NULL) {
        graph->cpus = calloc(FTRACE_GRAPH_CPUS, sizeof *graph->cpus);
    }
    return graph->cpus == NULL ? NULL : &graph->cpus[cpu >= 0 && cpu < FTRACE_GRAPH_CPUS ? cpu : 0];
}

/* NULL: there is no room for another, or no memory. */
static struct ftrace_graph_thread *find_thread(struct ftrace_graph *graph, int64_t number) {
    struct ftrace_graph_thread *thread;

    HASH_FIND(hh, graph->threads, &number, sizeof number, thread);
    if (thread != NULL || HASH_COUNT(graph->threads) >= FTRACE_GRAPH_THREADS ||
        (thread = calloc(1, sizeof *thread)) == NULL) {
        return thread;
    }
    thread->number = number;
    thread->last = INT64_MIN;
    HASH_ADD(hh, graph->threads, number, sizeof thread->number, thread);
    if (!hash_added(thread)) {
        free(thread);
        return NULL;
    }
    return thread;
}

/* The task of a line that does not tell it: what its CPU runs. */
static void follow_cpu(struct ftrace_graph_cpu *cpu, struct ftrace_graph_line *line) {
    struct ftrace_line *head = &line->head;

    if (line->has_task || line->kind == GRAPH_SWITCH) {
        cpu->known = true;
        cpu->tid = head->tid;
        cpu->task_length =
            head->task.length < sizeof cpu->task ? head->task.length : sizeof cpu->task;
        memcpy(cpu->task, head->task.bytes, cpu->task_length);
    } else if (cpu->known) {
        line->has_task = true;
        head->tid = cpu->tid;
        head->task = (struct word){cpu->task, cpu->task_length};
    }
}

/* --- calls
 * ----------------------------------------------------------------------------------------
 */

/* A record of the thread, not before its last one. */
static struct span_record record_of(struct ftrace_graph_thread *thread, const struct frame *frame,
                                    int64_t time, struct word text) {
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

/* Room for a call; false when it is too deep, or there is no memory. */
static bool push(struct ftrace_graph_thread *thread, const struct frame *frame) {
    if (thread->depth == thread->capacity) {
        size_t capacity = thread->capacity == 0 ? 16 : 2 * thread->capacity;
        struct frame *frames = capacity > FTRACE_GRAPH_DEPTH
                                   ? NULL
                                   : realloc(thread->frames, capacity * sizeof *frames);

        if (frames == NULL) {
            return false;
        }
        thread->frames = frames;
        thread->capacity = capacity;
    }
    thread->frames[thread->depth++] = *frame;
    return true;
}

/* The place of the innermost open call of a function, or of a mark; 0: there is none, else its
 * place and 1. */
static size_t find_open(const struct ftrace_graph_thread *thread, uint32_t operation,
                        bool is_mark) {
    for (size_t i = thread->depth; i > 0; i--) {
        const struct frame *frame = &thread->frames[i - 1];

        if (frame->is_mark == is_mark && (operation == 0 || frame->operation == operation)) {
            return i;
        }
    }
    return 0;
}

struct place {
    int64_t offset, bytes;
};

static enum ftrace_graph_taken enter(struct import *import, struct ftrace_graph_thread *thread,
                                     struct frame *frame, int64_t time, struct word text,
                                     struct place place) {
    struct span_record record = record_of(thread, frame, time, text);

    frame->time = record.time;
    if (!push(thread, frame)) {
        thread->dropped[frame->is_mark]++;
        return GRAPH_TOO_DEEP;
    }
    return import_entry(import, &record, place.offset, place.bytes) ? GRAPH_TAKEN : GRAPH_STOP;
}

/* Whether an end is that of a call, or mark, that had no room. */
static bool ends_dropped(struct ftrace_graph_thread *thread, bool is_mark) {
    if (thread->dropped[is_mark] == 0) {
        return false;
    }
    thread->dropped[is_mark]--;
    return true;
}

/* Ends the call at a place of the stack, and what it has called. Its end is where its duration
 * says, but not before that of what it called. */
static enum ftrace_graph_taken leave(struct import *import, struct ftrace_graph *graph,
                                     struct ftrace_graph_thread *thread, size_t at, int64_t time,
                                     int64_t duration, struct word text, struct place place) {
    struct frame frame = thread->frames[at - 1];
    int64_t end = time;
    struct span_record record;

    if (duration != EVENT_NONE) {
        end = frame.time;
        add_saturated(&end, duration);
    } else if (end == EVENT_NONE) {
        end = thread->last;
    }
    graph->stretched += duration != EVENT_NONE && end < thread->last;
    thread->depth = at - 1;
    thread->dropped[false] = thread->dropped[true] = 0;
    record = record_of(thread, &frame, end, text);
    return import_exit(import, &record, place.offset, place.bytes) ? GRAPH_TAKEN : GRAPH_STOP;
}

/* An exit whose entry is not in the log is a row of its own where its function is told. */
static enum ftrace_graph_taken stray(struct import *import, struct ftrace_graph_thread *thread,
                                     const struct frame *frame, int64_t time, struct word text,
                                     struct place place) {
    struct span_record record;

    if (frame->operation == 0) {
        return GRAPH_STRAY;
    }
    record = record_of(thread, frame, time, text);
    return import_exit(import, &record, place.offset, place.bytes) ? GRAPH_TAKEN : GRAPH_STOP;
}

/* --- lines
 * ----------------------------------------------------------------------------------------
 */

static enum ftrace_graph_taken take_exit(struct import *import, struct ftrace_graph *graph,
                                         struct ftrace_graph_thread *thread, struct frame *frame,
                                         const struct ftrace_graph_line *line, struct place place) {
    size_t at = find_open(thread, frame->operation, false);

    if (ends_dropped(thread, false)) {
        return GRAPH_TOO_DEEP;
    }
    graph->points += at == 0 && frame->operation != 0 && line->duration != EVENT_NONE;
    return at == 0 ? stray(import, thread, frame, line->head.time, line->text, place)
                   : leave(import, graph, thread, at, line->head.time, line->duration, line->text,
                           place);
}

static enum ftrace_graph_taken take_call(struct import *import, struct ftrace_graph *graph,
                                         struct ftrace_graph_thread *thread, struct frame *frame,
                                         const struct ftrace_graph_line *line, struct place place) {
    enum ftrace_graph_taken taken =
        enter(import, thread, frame, line->head.time, line->text, place);

    if (taken == GRAPH_TOO_DEEP && line->kind == GRAPH_LEAF) {
        ends_dropped(thread, false);
    }
    if (taken != GRAPH_TAKEN || line->kind == GRAPH_ENTRY) {
        return taken;
    }
    /* One line, two records. */
    return leave(import, graph, thread, thread->depth, EVENT_NONE, line->duration,
                 (struct word){"", 0}, place);
}

/* Where the log has no times, those of a CPU's lines follow one another: what is not a leaf takes
 * no time of its own. */
static void lay_out(struct ftrace_graph *graph, struct ftrace_graph_cpu *cpu,
                    const struct ftrace_graph_thread *thread, struct ftrace_graph_line *line) {
    if (line->head.time != EVENT_NONE) {
        return;
    }
    graph->laid_out++;
    line->head.time = cpu->time > thread->last ? cpu->time : thread->last;
}

/* Durations are microseconds, whatever the log's clock counts: with units of a counter they make no
 * end, and calls end with their exits. */
static void pass_duration(struct ftrace_graph *graph, struct ftrace_graph_line *line) {
    if (line->head.time != EVENT_NONE && line->head.clock == FTRACE_COUNTER &&
        line->duration != EVENT_NONE) {
        line->duration = EVENT_NONE;
        graph->passed += line->kind == GRAPH_LEAF;
    }
}

/* The thread of a line, by its task, or by its CPU where tasks are not told; NULL: no room. */
static struct ftrace_graph_thread *thread_of(struct ftrace_graph *graph,
                                             const struct ftrace_graph_line *line) {
    struct ftrace_graph_thread *thread =
        find_thread(graph, line->has_task                 ? line->head.tid
                           : line->head.cpu == EVENT_NONE ? -1
                                                          : -1 - line->head.cpu);

    if (thread != NULL && thread->cut) {
        thread->cut = false;
        thread->dropped[false] = thread->dropped[true] = 0;
        thread->depth = line->depth < thread->depth ? line->depth : thread->depth;
    }
    return thread;
}

/* What a line is of; false: stop. */
static bool find_frame(struct import *import, struct ftrace_graph *graph,
                       const struct ftrace_graph_line *line, struct frame *frame) {
    struct word name = line->head.task;
    int64_t tid = line->has_task ? line->head.tid : EVENT_NONE;
    char made[32];

    if (!line->has_task) {
        name.bytes = made;
        name.length =
            (size_t)snprintf(made, sizeof made, "CPU %lld",
                             (long long)(line->head.cpu == EVENT_NONE ? 0 : line->head.cpu));
    }
    *frame = (struct frame){.process = line->has_task ? tid : 0,
                            .actor = find_actor(import, graph, tid, tid, name)};
    if (line->name.length > 0) {
        frame->operation = find_function(import, graph, "function", line->name, line->component);
    }
    return frame->actor != 0 && (line->name.length == 0 || frame->operation != 0);
}

enum ftrace_graph_taken ftrace_graph_take(struct import *import, struct ftrace_graph *graph,
                                          struct ftrace_graph_line *line, int64_t offset,
                                          int64_t bytes) {
    struct place place = {offset, bytes};
    struct ftrace_graph_cpu *cpu = find_cpu(graph, line->head.cpu);
    struct ftrace_graph_thread *thread;
    struct frame frame;
    enum ftrace_graph_taken taken;

    if (cpu == NULL) {
        return GRAPH_TOO_DEEP;
    }
    follow_cpu(cpu, line);
    if (line->kind == GRAPH_SWITCH || line->kind == GRAPH_OTHER) {
        return GRAPH_TAKEN;
    }
    if ((thread = thread_of(graph, line)) == NULL) {
        return GRAPH_TOO_DEEP;
    }
    if (!find_frame(import, graph, line, &frame)) {
        return GRAPH_STOP;
    }
    pass_duration(graph, line);
    lay_out(graph, cpu, thread, line);
    taken = line->kind == GRAPH_EXIT ? take_exit(import, graph, thread, &frame, line, place)
                                     : take_call(import, graph, thread, &frame, line, place);
    cpu->time = thread->last > cpu->time ? thread->last : cpu->time;
    return taken;
}

/* --- marks
 * ----------------------------------------------------------------------------------------
 */

enum ftrace_graph_taken ftrace_graph_mark(struct import *import, struct ftrace_graph *graph,
                                          const struct ftrace_line *line, bool *is_mark,
                                          int64_t offset, int64_t bytes) {
    struct place place = {offset, bytes};
    struct word rest = line->fields, letter = word_field(&rest, '|'), pid = word_field(&rest, '|');
    struct ftrace_graph_thread *thread;
    struct frame frame = {.is_mark = true};
    int64_t process = 0;
    size_t at;

    /* A begin without a name has its end, too. */
    *is_mark =
        word_is(letter, "E") || (word_is(letter, "B") && word_number(pid, INT32_MAX, &process));
    if (!*is_mark) {
        return GRAPH_TAKEN;
    }
    thread = find_thread(graph, line->tid);
    if (thread == NULL) {
        return GRAPH_TOO_DEEP;
    }
    if (word_is(letter, "E")) {
        if (ends_dropped(thread, true)) {
            return GRAPH_TOO_DEEP;
        }
        at = find_open(thread, 0, true);
        return at == 0 ? GRAPH_STRAY
                       : leave(import, graph, thread, at, line->time, EVENT_NONE,
                               (struct word){"", 0}, place);
    }
    frame.process = process;
    frame.actor = find_actor(import, graph, process, line->tid, line->task);
    frame.operation = find_function(import, graph, "mark", rest, (struct word){"", 0});
    if (frame.actor == 0 || frame.operation == 0) {
        return GRAPH_STOP;
    }
    return enter(import, thread, &frame, line->time, (struct word){"", 0}, place);
}

/* --- the rest
 * -------------------------------------------------------------------------------------
 */

void ftrace_graph_lost(struct ftrace_graph *graph, int64_t cpu) {
    struct ftrace_graph_thread *thread;
    int64_t number = -1 - cpu;

    if (cpu >= 0 && cpu < FTRACE_GRAPH_CPUS && graph->cpus != NULL && graph->cpus[cpu].known) {
        number = graph->cpus[cpu].tid;
    }
    HASH_FIND(hh, graph->threads, &number, sizeof number, thread);
    if (thread != NULL) {
        thread->cut = true;
    }
}

void ftrace_graph_end(struct import *import, struct ftrace_graph *graph, bool failed) {
    struct ftrace_graph_thread *thread, *next;

    if (!failed && graph->laid_out > 0) {
        import_remark(import,
                      "the log has no times: each CPU's calls are laid out by their durations, one "
                      "after the other, and what was between them is not known");
    }
    if (!failed && graph->stretched > 0) {
        import_remark(
            import,
            "calls that took less than what they called, by rounding or for an interrupt, "
            "and end with that: %lld",
            (long long)graph->stretched);
    }
    if (!failed && graph->points > 0) {
        import_remark(import,
                      "functions whose begin is not in the log, as with tracing_thresh, are points "
                      "where they end, without the duration that the log tells: %lld",
                      (long long)graph->points);
    }
    if (!failed && graph->passed > 0) {
        import_remark(import,
                      "functions that called none have the duration 0, for the log has it in "
                      "microseconds, and times in units of a counter: %lld",
                      (long long)graph->passed);
    }
    HASH_ITER(hh, graph->threads, thread, next) {
        HASH_DEL(graph->threads, thread);
        free(thread->frames);
        free(thread);
    }
    free(graph->cpus);
    memo_free(&graph->functions);
    memo_free(&graph->components);
    memo_free(&graph->actors);
}

void ftrace_graph_dump(const struct dump_event *dump, enum dump_moment moment, struct text *out) {
    const char *bytes = (const char *)dump->event.arguments, *returned;
    struct word text = {bytes, bytes == NULL ? 0 : dump->arguments_size};

    if (text.length == 0) {
        return;
    }
    /* Older kernels write " = 0x0". */
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
