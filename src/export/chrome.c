/* Chrome's Trace Event JSON, for Perfetto, chrome://tracing and speedscope.
 *
 *     {"displayTimeUnit":"ns","traceEvents":[
 *     {"name":"thread_name","ph":"M","pid":1,"tid":7,"args":{"name":"main"}},
 *     {"name":"draw()","cat":"function","ph":"X","ts":12.345,"dur":0.250,"pid":1,"tid":7,"args":{}}
 *     ]}
 *
 * One line per event: ts and dur are microseconds, integers with three decimals.
 *
 * - Calls are X events of their threads, with their duration. Calls open at the end of the log are
 *   B without E, and those without a duration are instants, i. Viewers drop an X that overlaps
 *   another of its thread without nesting: such a call is asynchronous, b and e.
 * - I/Os overlap: a block device is a process, its threads are lanes. Each I/O, from its queue
 * event to its completion, takes the first free lane. Without a completion it is an instant.
 *
 * Threads and processes have the numbers of the log. Missing numbers, and 0, which viewers do not
 * support, are replaced by numbers above the largest. A lane of overlapping spans, `NAME (2)`, also
 * gets such a number if a thread has the lane's number. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "export/export.h"
#include "model/event.h"
#include "model/partition.h"
#include "output/printer.h"
#include "base/memory.h"

static const char counter[] =
    "nanoseconds, since the trace has no real clock: one unit counts as one";
static const char too_deep[] = "I/Os beyond 4096 under way at once on a device";

/* A thread whose name was written to the file. */
struct announced {
    UT_hash_handle hh, by_place;
    int64_t actor;
    int64_t pid, tid; /* numbers of the process and of the thread in the file */
    bool is_lane;     /* true: the thread's name has the form `NAME (2)` of a lane */
    /* Owned; open calls in which later calls may be nested, outermost first. For spans, the index
     * is the depth. */
    struct export_slice *open;
    size_t depth, capacity;
};

struct chrome_state {
    struct text line;
    bool begun;     /* true: a line was written, so `origin` is set */
    int64_t origin; /* time of the trace that is written as 0 */
    /* Largest pid, thread number and smallest actor.id of the trace, to replace missing numbers. */
    int64_t most_pid, most_tid, least_actor;
    struct announced *threads; /* owned hash table by actor */
    struct announced *places;  /* hash table by pid and tid: the first thread that has both */
    /* What address, size and value of calls mean; NULL: the number is not written. */
    const struct catalog_meaning *address, *size, *value;
    bool has_text; /* true: arguments of calls are text */
};

/* Appends nanoseconds as microseconds with three decimals. */
static void chrome_append_time(struct text *line, const char *key, int64_t time) {
    int64_t parts = time % 1000;

    text_append_format(line, ",\"%s\":%s%lld.%03lld", key, time < 0 && time > -1000 ? "-" : "",
                       (long long)(time / 1000), (long long)(parts < 0 ? -parts : parts));
}

static void chrome_append_text(struct text *line, const char *key, const char *bytes,
                               size_t length) {
    text_append_format(line, "%s\"%s\":", line->bytes[line->length - 1] == '{' ? "" : ",", key);
    json_append_string(line, bytes, length);
}

static void chrome_append_number(struct text *line, const char *key, int64_t number) {
    text_append_format(line, "%s\"%s\":%lld", line->bytes[line->length - 1] == '{' ? "" : ",", key,
                       (long long)number);
}

/* Returns time + duration relative to `origin`, which is at most 0, limited to int64_t. */
static int64_t chrome_time_in_file(const struct chrome_state *state, int64_t time,
                                   int64_t duration) {
    add_saturated(&time, duration);
    add_saturated(&time, -state->origin);
    return time;
}

/* Begins a line: name, category and phase ("ph") of an event. */
static void begin_line(struct chrome_state *state, const char *name, size_t length,
                       const char *category, char phase) {
    text_append_string(&state->line, state->begun ? ",\n{" : "\n{");
    state->begun = true;
    chrome_append_text(&state->line, "name", name, length);
    if (category != NULL) {
        chrome_append_text(&state->line, "cat", category, strlen(category));
    }
    text_append_format(&state->line, ",\"ph\":\"%c\"", phase);
}

static void chrome_append_place(struct text *line, int64_t pid, int64_t tid) {
    chrome_append_number(line, "pid", pid);
    chrome_append_number(line, "tid", tid);
}

/* Appends a line that names a process or thread. */
static void chrome_append_name(struct chrome_state *state, const char *what, int64_t pid,
                               int64_t tid, const char *name, size_t length) {
    begin_line(state, what, strlen(what), NULL, 'M');
    chrome_append_place(&state->line, pid, tid);
    text_append_string(&state->line, ",\"args\":{");
    chrome_append_text(&state->line, "name", name, length);
    text_append_string(&state->line, "}}");
}

/* Appends the beginning of an event without a duration. */
static void append_instant(struct chrome_state *state, const struct export_event *event,
                           int64_t pid, int64_t tid) {
    begin_line(state, event->action, event->action_length, event->category, 'i');
    chrome_append_time(&state->line, "ts", chrome_time_in_file(state, event->time, 0));
    chrome_append_place(&state->line, pid, tid);
    text_append_string(&state->line, ",\"s\":\"t\"");
}

static void append_slice(struct chrome_state *state, const struct export_event *event,
                         int64_t begin, int64_t duration, int64_t pid, int64_t tid) {
    begin_line(state, event->action, event->action_length, event->category, 'X');
    chrome_append_time(&state->line, "ts", chrome_time_in_file(state, begin, 0));
    chrome_append_time(&state->line, "dur", duration);
    chrome_append_place(&state->line, pid, tid);
}

/* Returns a process or thread number of the log; most + 1 if it is unknown, most + 2 if below 1. */
static int64_t chrome_number_of(int64_t number, int64_t most) {
    return number == EVENT_NONE ? most + 1 : number <= 0 ? most + 2 : number;
}

static bool names_lane(const char *name, size_t length) {
    const char *open = length == 0 || name[length - 1] != ')' ? NULL : memrchr(name, '(', length);

    return open != NULL && open - name > 1 && open[-1] == ' ' && open[1] != ')' &&
           open + 1 + strspn(open + 1, "0123456789") == name + length - 1;
}

/* Gives a thread the number `unused` if another thread has its number, and one of the two is a lane
 * of overlapping spans, `NAME (2)`. Otherwise, both are one thread that was renamed. */
static void chrome_separate_lanes(struct chrome_state *state, struct announced *thread,
                                  int64_t unused) {
    struct announced *first;

    HASH_FIND(by_place, state->places, &thread->pid, 2 * sizeof thread->pid, first);
    if (first != NULL && (first->is_lane || thread->is_lane)) {
        thread->tid = unused;
        first = NULL;
    }
    if (first == NULL) {
        HASH_ADD(by_place, state->places, pid, 2 * sizeof thread->pid, thread);
    }
}

/* Returns the thread of an event's actor. Writes its name if it is new. */
static struct announced *chrome_find_thread(struct export_run *run, struct chrome_state *state,
                                            const struct export_event *event) {
    const char *trace = run->trace_name;
    bool spans = run->trace->trace->kind == TRACE_SPANS; /* actors of spans have no tid */
    int64_t unused = state->most_tid + 3 + event->actor - state->least_actor;
    struct announced *thread;

    HASH_FIND(hh, state->threads, &event->actor, sizeof event->actor, thread);
    if (thread != NULL) {
        return thread;
    }
    thread = xmalloc(sizeof *thread);
    *thread = (struct announced){
        .actor = event->actor,
        .pid = chrome_number_of(event->pid, state->most_pid),
        .tid = event->tid == EVENT_NONE && (event->pid == EVENT_NONE || spans)
                   ? unused
                   : chrome_number_of(event->tid == EVENT_NONE ? event->pid : event->tid,
                                      state->most_tid),
        .is_lane =
            spans && event->process != NULL && names_lane(event->process, event->process_length),
    };
    chrome_separate_lanes(state, thread, unused);
    HASH_ADD(hh, state->threads, actor, sizeof thread->actor, thread);
    if (event->pid == EVENT_NONE || spans) {
        chrome_append_name(state, "process_name", thread->pid, thread->tid, trace, strlen(trace));
    } else if (event->process != NULL && (event->tid == EVENT_NONE || event->tid == event->pid)) {
        chrome_append_name(state, "process_name", thread->pid, thread->tid, event->process,
                           event->process_length);
    }
    if (event->process != NULL) {
        chrome_append_name(state, "thread_name", thread->pid, thread->tid, event->process,
                           event->process_length);
    }
    return thread;
}

static void append_meant(struct text *line, const struct catalog_meaning *meaning, int64_t number) {
    char key[64];

    if (meaning != NULL && number != EVENT_NONE) {
        snprintf(key, sizeof key, "%s%s", meaning->what,
                 strcmp(meaning->unit, "bytes") == 0 && strcmp(meaning->what, "offset") != 0
                     ? "_bytes"
                     : "");
        chrome_append_number(line, key, number);
    }
}

static void append_call_details(struct chrome_state *state, const struct export_event *event) {
    struct text *line = &state->line;

    text_append_string(line, ",\"args\":{");
    if (event->component != NULL) {
        chrome_append_text(line, "component", event->component, event->component_length);
    }
    if (event->file != NULL) {
        chrome_append_text(line, "file", event->file, event->file_length);
    }
    append_meant(line, state->address, event->sector);
    append_meant(line, state->size, event->bytes);
    append_meant(line, state->value, event->value);
    if (state->has_text && event->arguments != NULL) {
        chrome_append_text(line, "arguments", event->arguments, event->arguments_length);
    }
    text_append_string(line, "}}");
}

/* Returns whether a call is nested in the open calls of its thread, or follows them. False if it
 * overlaps one of them, or is nested in more than EXPORT_NESTED calls. */
static bool chrome_lies_inside(struct announced *thread, int64_t begin, int64_t end) {
    while (thread->depth > 0 && thread->open[thread->depth - 1].end <= begin) {
        thread->depth--;
    }
    return thread->depth == 0 ||
           (thread->depth < EXPORT_NESTED && end <= thread->open[thread->depth - 1].end);
}

/* Adds an open call, in which later calls of the thread may be nested. */
static void chrome_push_call(struct announced *thread, struct export_slice call) {
    *ARRAY_NEW(thread->open, thread->depth, thread->capacity) = call;
}

/* Shifts a span (function call) to be within its caller, and stores it as a possible caller of
 * later spans. */
static void nest_span_in_caller(struct announced *thread, const struct export_event *event,
                                struct export_slice *slice) {
    size_t depth = event->depth < EXPORT_NESTED ? (size_t)event->depth : EXPORT_NESTED;

    if (depth > thread->depth || depth == EXPORT_NESTED) {
        return; /* the span's caller is not in the file */
    }
    if (depth > 0 && slice->end != INT64_MAX &&
        export_may_lie_in(event, &thread->open[depth - 1])) {
        export_shift_into_caller(slice, &thread->open[depth - 1],
                                 depth < thread->depth ? thread->open[depth].end : INT64_MIN);
    }
    thread->depth = depth;
    chrome_push_call(thread, *slice);
}

static void chrome_write_call(struct export_run *run, struct chrome_state *state,
                              const struct export_event *event) {
    struct announced *thread = chrome_find_thread(run, state, event);
    bool spans = run->trace->trace->kind == TRACE_SPANS;
    struct export_slice slice = {event->time, INT64_MAX, INT64_MAX, event->id};

    run->written++;
    if (event->duration != EVENT_NONE) {
        slice.end = event->time;
        add_saturated(&slice.end, event->duration);
        slice.log_end = slice.end;
    }
    if (spans && span_is_call(event->flags)) {
        nest_span_in_caller(thread, event, &slice);
    }
    if (spans && (event->flags & SPAN_OPEN) != 0) {
        begin_line(state, event->action, event->action_length, event->category, 'B');
        chrome_append_time(&state->line, "ts", chrome_time_in_file(state, event->time, 0));
        chrome_append_place(&state->line, thread->pid, thread->tid);
    } else if (event->duration == EVENT_NONE || (spans && !span_is_call(event->flags))) {
        append_instant(state, event, thread->pid, thread->tid);
    } else {
        if (!spans && !chrome_lies_inside(thread, slice.begin, slice.end)) {
            /* A call that is not nested properly is written as two asynchronous lines, begin and
             * end, with the same id. */
            for (int last = 0; last < 2; last++) {
                begin_line(state, event->action, event->action_length,
                           event->category == NULL ? "call" : event->category, last ? 'e' : 'b');
                chrome_append_time(
                    &state->line, "ts",
                    chrome_time_in_file(state, event->time, last ? event->duration : 0));
                chrome_append_number(&state->line, "id", run->written);
                chrome_append_place(&state->line, thread->pid, thread->tid);
                if (last) {
                    text_append_char(&state->line, '}');
                } else {
                    append_call_details(state, event);
                }
            }
            export_write_text(run, &state->line);
            return;
        }
        if (!spans) {
            chrome_push_call(thread, slice);
        }
        append_slice(state, event, slice.begin, event->duration, thread->pid, thread->tid);
    }
    append_call_details(state, event);
    export_write_text(run, &state->line);
}

static void append_io_details(struct text *line, const struct export_event *event) {
    text_append_string(line, ",\"args\":{");
    if (event->sector != EVENT_NONE) {
        chrome_append_number(line, "sector", event->sector);
    }
    if (event->bytes != EVENT_NONE) {
        chrome_append_number(line, "transfer_bytes", event->bytes);
    }
    if (event->duration != EVENT_NONE) {
        chrome_append_number(line, "latency_ns", event->duration);
    }
    if (event->process != NULL) {
        chrome_append_text(line, "process", event->process, event->process_length);
    }
    if (event->pid != EVENT_NONE) {
        chrome_append_number(line, "process_pid", event->pid);
    }
    if (event->file != NULL) {
        chrome_append_text(line, "file", event->file, event->file_length);
    }
    text_append_string(line, "}}");
}

static void chrome_name_device(struct chrome_state *state, const struct export_event *event,
                               int64_t pid) {
    char name[64] = "block device";

    if (event->device != EVENT_NONE && event->device >= 0) {
        snprintf(name, sizeof name, "block device %d:%d", device_major(event->device),
                 device_minor(event->device));
    }
    chrome_append_name(state, "process_name", pid, 1, name, strlen(name));
}

/* Finds a lane, without overlaps, for an I/O; writes the lane's name if it is new. Returns false if
 * all are in use. */
static bool chrome_find_lane(struct chrome_state *state, const struct export_event *event,
                             struct export_device *device, size_t *lane) {
    bool is_new, found = lanes_choose(&device->lanes, event->arrival, event->time, lane, &is_new);
    char name[32];

    if (found && is_new) {
        int length = snprintf(name, sizeof name, "lane %zu", *lane + 1);

        chrome_append_name(state, "thread_name", (int64_t)device->index + 1, (int64_t)*lane + 1,
                           name, (size_t)length);
    }
    return found;
}

static void chrome_write_io(struct export_run *run, struct chrome_state *state,
                            const struct export_event *event) {
    struct export_event named = *event;
    struct export_device *device = export_find_device(run, event->device);
    int64_t pid = (int64_t)device->index + 1;
    size_t lane;

    /* The I/O's name is its class, which is more useful than its action (always the same). */
    named.action = event->category;
    named.action_length = strlen(event->category);
    named.category = "io";
    if (device->is_new) {
        chrome_name_device(state, event, pid);
    }
    if (event->response == EVENT_NONE || event->response < 0) {
        append_instant(state, &named, pid, 1);
    } else {
        if (!chrome_find_lane(state, event, device, &lane)) {
            export_exclude(run, too_deep);
            export_write_text(run, &state->line);
            return;
        }
        append_slice(state, &named, event->arrival, event->response, pid, (int64_t)lane + 1);
    }
    run->written++;
    append_io_details(&state->line, event);
    export_write_text(run, &state->line);
}

static void chrome_begin(struct export_run *run, void *context) {
    const struct catalog_trace *trace = run->trace->trace;
    struct chrome_state *state = context;

    state->address = catalog_meaning(trace, "address", NULL);
    state->size = catalog_meaning(trace, "size", NULL);
    state->value = catalog_meaning(trace, "value", NULL);
    state->has_text = catalog_meaning(trace, "arguments", "text") != NULL;
    if (!catalog_has_real_clock(trace)) {
        export_exclude(run, counter);
    }
    state->most_pid = export_query_number(run, "SELECT max(pid) FROM main.actor WHERE trace = ?1");
    state->most_tid = export_query_number(
        run, "SELECT max(ifnull(max(tid), 0), ifnull(max(pid), 0)) FROM main.actor"
             " WHERE trace = ?1");
    state->least_actor =
        export_query_number(run, "SELECT min(id) FROM main.actor WHERE trace = ?1");
    export_print(run, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

static void chrome_write(struct export_run *run, void *context, const struct export_event *event) {
    struct chrome_state *state = context;

    /* Shifts times so that none is negative: viewers would drop such events. */
    if (!state->begun && event->arrival < 0) {
        state->origin = event->arrival;
    }
    (run->trace->trace->kind == TRACE_IO ? chrome_write_io : chrome_write_call)(run, state, event);
}

static void chrome_end(struct export_run *run, void *context) {
    export_print(run, "\n]}\n");
}

static void chrome_free_state(void *context) {
    struct chrome_state *state = context;
    struct announced *thread, *next;

    HASH_CLEAR(by_place, state->places);
    HASH_ITER(hh, state->threads, thread, next) {
        HASH_DEL(state->threads, thread);
        free(thread->open);
        free(thread);
    }
    text_free(&state->line);
}

const struct exporter chrome_exporter = {
    .name = "chrome",
    .description = "Chrome's Trace Event JSON, for Perfetto and chrome://tracing",
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS,
    .state_size = sizeof(struct chrome_state),
    .begin = chrome_begin,
    .take = chrome_write,
    .end = chrome_end,
    .free = chrome_free_state,
};
