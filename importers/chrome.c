/* chrome: Chrome's Trace Event JSON, written by viewers and many programs, like uftrace, PyTorch
 * and `export --as chrome`. The file is an array of events, or an object with that array as member
 * traceEvents.
 *
 *     {"traceEvents":[
 *     {"name":"draw","cat":"gfx","ph":"X","ts":12.345,"dur":0.25,"pid":1,"tid":7,"args":{"n":1}},
 *     {"name":"thread_name","ph":"M","pid":1,"tid":7,"args":{"name":"main"}}
 *     ]}
 *
 * ts and dur are microseconds. ph: X is a call with its duration; B and E start and end one in a
 * thread; b and e (S and F) in any thread, matched by cat and id. n (i, I, R) is an instant, C
 * counters, M names. Source: "Trace Event Format", a document of Chromium's.
 *
 * Quirks: the array need not be closed. Calls may be in the order of their ends, so events are
 * sorted. X of one thread may overlap without nesting; such calls get another lane, `TID (2)`.
 * Times written as a double are some hundred ns off, so an overlap of less than SLOP counts as
 * nested; the duration is not changed. Memory grows with the number of open calls, not with the
 * file.
 *
 * Tables filled in a trace of kind spans: event (calls, with their raw args; moments as data); name
 * (kinds function, with args.component or else cat as component, and mark: b, e); actor (pid, tid,
 * name). In one of kind samples: event (time, operation, actor, value); name (kind counter); actor
 * (pid, name of the process). */
#include <stdlib.h>

#include "base/memory.h"
#include "block_request.h"
#include "ftrace_marks.h"
#include "json.h"
#include "lines.h"
#include "model/call_stacks.h"

enum {
    LANES = 64,        /* maximum calls of a thread that overlap without nesting */
    HELD = 4096,       /* maximum complete events ("ph": "X") of equal time that are held */
    SLOP = 1000,       /* nanoseconds by which a nested call may end after its caller */
    ENDS_LOOKED = 256, /* maximum open calls searched for the begin (B) of an end (E) */
};

#define TIME_MOST  (INT64_C(4) * 1000000000 * 1000000000) /* ns since 1970: the year 2096 */
#define TIME_RANGE (BLOCK_IO_SECONDS * 1000000000)

/* Reasons (ledger.reason) for rejecting or ignoring events, or splitting one into two. */
static const char bad_event[] = "not an event: an object with ph and a name; or it is cut off";
static const char bad_time[] = "no time, or one beyond 63 years from the first";
static const char stray_end[] = "an end without a begin and without a name";
static const char too_many[] = "more than 64 calls overlap, or too many are open";
static const char not_read[] = "an event of another kind: a flow, sample, object or dump";
static const char both_ends[] = "an X is both ends of a call";
static const char metadata[] = "names and other metadata";

/* --- parsing one event ------------------------------------------------------------------------ */

/* An event, with the values of its members as they are in the file; empty: no such member. */
struct chrome_event {
    struct word name, cat, ts, dur, pid, tid, id, id2, scope, args;
    char ph;
    int64_t time, duration; /* ns; EVENT_NONE: none */
};

static bool chrome_parse_event(struct word record, struct chrome_event *event) {
    static const char *const keys[] = {"name", "cat", "ts",  "dur",   "pid",
                                       "tid",  "id",  "id2", "scope", "args"};
    struct word *const values[] = {&event->name,  &event->cat, &event->ts, &event->dur,
                                   &event->pid,   &event->tid, &event->id, &event->id2,
                                   &event->scope, &event->args};
    struct word rest, key, value;

    *event = (struct chrome_event){.time = EVENT_NONE, .duration = EVENT_NONE};
    json_object(record, &rest);
    while (json_member(&rest, &key, &value)) {
        if (word_is(key, "ph") && value.length == 3) {
            event->ph = value.bytes[1];
        }
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            if (word_is(key, keys[i])) {
                *values[i] = value;
            }
        }
    }
    if (!json_number(event->ts, 3, TIME_MOST, &event->time)) {
        event->time = EVENT_NONE;
    }
    if (!json_number(event->dur, 3, TIME_RANGE, &event->duration) || event->duration < 0) {
        event->duration = EVENT_NONE;
    }
    return event->ph > ' ';
}

/* --- reading the array of events -------------------------------------------------------------- */

enum place { AT_BEGIN, IN_OBJECT, IN_EVENTS, AT_END, AFTER };

struct chrome_stream {
    enum place place;
    bool bare; /* true: the file is the array of events, not an object that has the array */
};

/* Returns the next byte other than a blank or comma; -1 at the end. */
static int next_byte(struct reader *reader) {
    const uint8_t *bytes;

    while (reader_need(reader, 1, &bytes)) {
        if (!word_is_blank((char)*bytes) && *bytes != '\n' && *bytes != ',') {
            return *bytes;
        }
        reader_take(reader, 1);
    }
    return -1;
}

/* Skips a value of the outer object, of any length; with `key`, the rest of a quoted key. */
static void skip_value(struct reader *reader, bool key) {
    struct json_scan scan = {.depth = 1, .objects = 1, .before = ':', .string = key};
    const uint8_t *bytes;

    while (reader_need(reader, 1, &bytes)) {
        bool last = scan.depth == 1 && !scan.string && (key || *bytes == ',' || *bytes == '}');

        scan.at = 0;
        if (last || json_scan(&scan, (const char *)bytes, 1) == JSON_BAD) {
            return;
        }
        reader_take(reader, 1);
    }
}

/* Moves the reader to the array of events, the value of the key traceEvents in the outer object. */
static void find_events(struct reader *reader, struct chrome_stream *state) {
    static const char wanted[] = "\"traceEvents\"";
    const uint8_t *bytes;
    bool found = false;

    while (state->place == IN_OBJECT) {
        int next = next_byte(reader);

        if (next == '[' && found) {
            state->place = IN_EVENTS;
            reader_take(reader, 1);
        } else if (next == '"') {
            found = reader_need(reader, sizeof wanted - 1, &bytes) &&
                    memcmp(bytes, wanted, sizeof wanted - 1) == 0;
            reader_skip(reader, found ? (int64_t)sizeof wanted - 1 : 1);
            if (!found) {
                skip_value(reader, true);
            }
        } else if (next == ':') {
            reader_take(reader, 1);
            if (!found) {
                skip_value(reader, false);
            }
        } else if (next == -1 || next == '}') {
            state->place = AT_END;
        } else {
            reader_take(reader, 1);
        }
    }
}

/* Reads an event. If there is none at the cursor, reads the bytes up to the next `{` or end of
 * line, as a damaged record. */
static void chrome_parse_value(struct reader *reader, struct stream_record *record) {
    struct json_scan scan = {0};
    size_t length = reader_fill(reader, READER_WINDOW / 4);
    enum json_state state = *reader_bytes(reader) == '{' ? JSON_MORE : JSON_BAD;

    while (state == JSON_BAD && scan.at < length && reader_bytes(reader)[scan.at] != '{' &&
           reader_bytes(reader)[scan.at] != '\n') {
        scan.at++;
    }
    while (state == JSON_MORE && length > scan.at) {
        state = json_scan(&scan, (const char *)reader_bytes(reader), length);
        if (state == JSON_MORE && scan.at < READER_WINDOW) {
            length = reader_fill(reader, scan.at + 1);
        }
    }
    record->offset = reader_offset(reader);
    record->bytes = state == JSON_END ? reader_bytes(reader) : NULL;
    record->length = scan.at + (state == JSON_BAD && scan.at == 0);
    record->size = (int64_t)record->length;
    reader_take(reader, record->length);
}

static bool read_next_json_event(struct stream *stream, struct stream_record *record) {
    struct chrome_stream *state = stream->state;
    int next;

    if (state->place == AT_BEGIN) {
        reader_skip_mark(stream->reader);
        next = next_byte(stream->reader);
        if (next != -1 && next != '[' && next != '{') { /* a line of other text before the log */
            return stream_next_line(stream, record);
        }
        state->bare = next == '[';
        state->place = state->bare ? IN_EVENTS : IN_OBJECT;
        reader_skip(stream->reader, next != -1);
    }
    find_events(stream->reader, state);
    next = next_byte(stream->reader);
    if (next == ']' && state->place == IN_EVENTS) {
        reader_take(stream->reader, 1);
        state->place = state->bare ? AFTER : IN_OBJECT;
        find_events(stream->reader, state);
        next = next_byte(stream->reader);
    }
    if (next == '}' && state->place == AT_END) {
        reader_take(stream->reader, 1);
        state->place = AFTER;
        next = next_byte(stream->reader);
    }
    if (next == -1) {
        return false;
    }
    if (state->place == AFTER) { /* a line of other text after the log */
        return stream_next_line(stream, record);
    }
    chrome_parse_value(stream->reader, record);
    return true;
}

static int64_t time_of_event(const struct stream *stream, const struct stream_record *record) {
    struct chrome_event event;

    return record->bytes != NULL &&
                   chrome_parse_event((struct word){(const char *)record->bytes, record->length},
                                      &event) &&
                   event.ph != 'M'
               ? event.time
               : EVENT_NONE;
}

/* --- open and held calls ---------------------------------------------------------------------- */

/* An open call. If an event B began it, its end is unknown. */
struct frame {
    int64_t begin, end; /* times of begin and end, ns since the first event; INT64_MAX: unknown */
    int64_t bound;      /* earliest end among the call and all its callers */
    uint32_t operation;
};

struct stack {
    struct call_thread calls; /* open calls, a stack of struct frame */
    int64_t process;
};

/* A complete event (X), held until all events with the same begin are read. The longest of them is
 * then the caller of the shorter ones. */
struct held {
    int64_t pid, tid, duration;
    size_t number, label, label_length, args, args_length; /* offsets and lengths in `texts` */
    uint32_t operation;
    int64_t offset, bytes;
};

struct chrome {
    int64_t begun, origin; /* begun: 1 after the first event; origin: its time in the log, ns */
    struct ftrace_marks marks;
    struct call_stacks stacks;
    struct held *held; /* owned */
    size_t held_count;
    int64_t held_time;
    struct text texts, text; /* owned */
    int64_t open, overlapping, rounded;
};

static const struct resume_value resume[] = {
    {"begun", offsetof(struct chrome, begun), 0, 1, false},
    {"origin", offsetof(struct chrome, origin), -TIME_MOST, TIME_MOST, false},
    {0},
};

static void begin_chrome(struct import *import, void *context) {
    struct chrome *state = context;

    import_variant(import, "json");
    state->stacks.thread_size = sizeof(struct stack);
    state->stacks.call_size = sizeof(struct frame);
    state->held = xcalloc(HELD, sizeof *state->held);
}

/* --- names of threads and functions ----------------------------------------------------------- */

/* Returns the text of a JSON value, valid until the next call. */
static struct word chrome_text_of(struct chrome *state, struct word value) {
    text_clear(&state->text);
    json_append_text(value, &state->text);
    return (struct word){text_string(&state->text), state->text.length};
}

/* Reads the IDs of process and thread. IDs that are not numbers are stored as text in `texts`,
 * joined by a blank, and the numbers become EVENT_NONE. */
static void read_place(struct chrome *state, const struct chrome_event *event, struct held *call) {
    struct word given[2] = {event->pid, event->tid};
    int64_t *numbers[2] = {&call->pid, &call->tid};

    call->label = state->texts.length;
    for (int i = 0; i < 2; i++) {
        if (!json_number(given[i], 0, INT64_MAX, numbers[i]) || *numbers[i] < 0) {
            *numbers[i] = EVENT_NONE;
            if (given[i].length > 0) {
                if (state->texts.length > call->label) {
                    text_append_char(&state->texts, ' ');
                }
                json_append_text(given[i], &state->texts);
            }
        }
    }
    call->label_length = state->texts.length - call->label;
}

/* Finds the actor for a call. Calls of a thread that overlap without nesting are distributed over
 * several actors, the thread's lanes; lane 0 is the thread itself. */
static uint32_t chrome_find_lane(struct import *spans, struct chrome *state,
                                 const struct held *call, unsigned lane) {
    text_clear(&state->text);
    text_append(&state->text, text_string(&state->texts) + call->label, call->label_length);
    if (lane > 0) {
        if (call->label_length == 0 && call->tid != EVENT_NONE) {
            text_append_integer(&state->text, call->tid);
        }
        text_append_format(&state->text, " (%u)", lane + 1);
    }
    return import_thread(spans, call->pid, call->tid,
                         (struct word){text_string(&state->text), state->text.length});
}

/* Finds a call's function. Its component is args.component, as in tracetool's exports, or `cat`. */
static uint32_t chrome_find_operation(struct import *spans, struct chrome *state,
                                      const struct chrome_event *event) {
    struct word inside, key, value, component = event->cat;
    uint32_t id = 0;

    json_object(event->args, &inside);
    while (json_member(&inside, &key, &value)) {
        component = word_is(key, "component") ? value : component;
    }
    if (event->name.length == 0) {
        return 0;
    }
    component = chrome_text_of(state, component);
    if (component.length > 0 && !word_listed(component, "function method probe mark call")) {
        id = import_simple_name(spans, "component", component);
    }
    return import_function_across_components(spans, chrome_text_of(state, event->name), id,
                                             "several components");
}

/* --- calls of a thread ------------------------------------------------------------------------ */

static struct stack *find_stack(struct chrome *state, uint32_t actor, int64_t pid) {
    struct call_thread *calls = call_stacks_find(&state->stacks, actor);
    struct stack *stack = (void *)(calls == NULL ? call_stacks_add(&state->stacks, actor) : calls);

    stack->process = pid == EVENT_NONE ? 0 : pid;
    return stack;
}

static struct frame *chrome_innermost(struct chrome *state, struct stack *stack) {
    return call_stacks_innermost(&state->stacks, &stack->calls);
}

/* Ends the innermost call, at its own end if that is known, otherwise at its caller's end. */
static void chrome_end_innermost(struct import *spans, struct chrome *state, struct stack *stack) {
    const struct frame *frame = call_stacks_pop(&state->stacks, &stack->calls);

    state->open--;
    if (frame->end != INT64_MAX) {
        struct span_record record =
            span_record_of(frame->operation, stack->calls.actor, stack->process, frame->bound);

        record.has_duration = true;
        record.duration = frame->end - frame->begin;
        import_exit(spans, &record, 0, 0);
    }
}

/* Ends the calls that are over at the time `time`. */
static void chrome_end(struct import *spans, struct chrome *state, struct stack *stack,
                       int64_t time) {
    const struct frame *frame;

    while ((frame = chrome_innermost(state, stack)) != NULL && frame->bound <= time) {
        chrome_end_innermost(spans, state, stack);
    }
}

/* Returns whether a call can be nested in the open ones; first ends the calls that are over. */
static bool chrome_fits(struct import *spans, struct chrome *state, struct stack *stack,
                        int64_t begin, int64_t end) {
    const struct frame *frame;

    chrome_end(spans, state, stack, begin);
    frame = chrome_innermost(state, stack);
    if (frame != NULL && end > frame->bound && end - frame->bound > SLOP &&
        frame->bound - begin <= SLOP) {
        chrome_end(spans, state, stack, frame->bound);
        frame = chrome_innermost(state, stack);
    }
    return frame == NULL || end == INT64_MAX || end <= frame->bound || end - frame->bound <= SLOP;
}

static void chrome_enter(struct import *spans, struct chrome *state, struct stack *stack,
                         const struct held *call, int64_t time, int64_t end) {
    const struct frame *caller = chrome_innermost(state, stack);
    struct frame frame = {.begin = time, .end = end, .bound = end, .operation = call->operation};
    struct span_record record =
        span_record_of(call->operation, stack->calls.actor, stack->process, time);

    if (caller != NULL && caller->bound < end) {
        frame.bound = caller->bound;
    }
    record.arguments = (const uint8_t *)text_string(&state->texts) + call->args;
    record.arguments_size = (uint32_t)call->args_length;
    import_entry(spans, &record, call->offset, call->bytes);
    *(struct frame *)call_stacks_push(&state->stacks, &stack->calls) = frame;
    state->open++;
}

/* Begins a call. `end` is INT64_MAX if another event ends the call. */
static void chrome_begin_call(struct import *spans, struct chrome *state, const struct held *call,
                              int64_t time, int64_t end) {
    for (unsigned lane = 0; lane < LANES && state->open < SPAN_OPEN_LIMIT; lane++) {
        struct stack *stack =
            find_stack(state, chrome_find_lane(spans, state, call, lane), call->pid);

        if (chrome_fits(spans, state, stack, time, end)) {
            state->overlapping += lane > 0;
            if (end != INT64_MAX) {
                import_count_extra_event(spans, both_ends, call->offset);
            }
            chrome_enter(spans, state, stack, call, time, end);
            return;
        }
    }
    import_rejected(spans, too_many, call->offset, call->bytes);
}

static int chrome_compare_held(const void *left, const void *right) {
    const struct held *a = left, *b = right;

    return a->duration != b->duration ? (a->duration < b->duration ? 1 : -1)
                                      : (a->number > b->number) - (a->number < b->number);
}

/* Imports the held complete events (X), all with the same begin, the longest first. */
static void chrome_release(struct import *spans, struct chrome *state) {
    if (state->held_count > 1) {
        qsort(state->held, state->held_count, sizeof *state->held, chrome_compare_held);
    }
    for (size_t i = 0; i < state->held_count; i++) {
        chrome_begin_call(spans, state, &state->held[i], state->held_time,
                          state->held_time + state->held[i].duration);
    }
    state->held_count = 0;
    text_clear(&state->texts);
}

/* Handles an end event (E). It ends the innermost call that a B began, or, if the event has a name,
 * the innermost such call of that name. */
static void chrome_end_call(struct import *spans, struct chrome *state,
                            const struct chrome_event *event, const struct held *call) {
    struct stack *stack = find_stack(state, chrome_find_lane(spans, state, call, 0), call->pid);
    size_t depth, least;
    struct span_record record;

    chrome_end(spans, state, stack, event->time - SLOP - 1);
    depth = stack->calls.depth;
    least = depth > ENDS_LOOKED ? depth - ENDS_LOOKED : 0;
    while (depth > least) {
        const struct frame *frame = call_stacks_at(&state->stacks, &stack->calls, depth - 1);

        if (frame->end == INT64_MAX &&
            (call->operation == 0 || frame->operation == call->operation)) {
            break;
        }
        depth--;
    }
    record = span_record_of(call->operation, stack->calls.actor, stack->process, event->time);
    if (depth > least) {
        while (stack->calls.depth > depth) {
            chrome_end_innermost(spans, state, stack);
        }
        record.operation = chrome_innermost(state, stack)->operation;
        call_stacks_pop(&state->stacks, &stack->calls);
        state->open--;
    } else if (call->operation == 0) {
        import_rejected(spans, stray_end, call->offset, call->bytes);
        return;
    }
    import_exit(spans, &record, call->offset, call->bytes);
}

/* --- other kinds of events -------------------------------------------------------------------- */

/* Handles an event of an asynchronous call, which may begin and end in any threads. Begin and end
 * have the same process, category and id. */
static void handle_asynchronous(struct import *spans, struct chrome *state,
                                const struct chrome_event *event, const struct held *call) {
    struct ftrace_mark mark = {
        .letter = strchr("bS", event->ph) != NULL ? 'b'
                  : event->ph == 'n'              ? 'N'
                                                  : 'e',
        .pid = call->pid,
        .kind = "mark",
    };
    enum ftrace_taken taken;

    text_clear(&state->text);
    text_append(&state->text, event->cat.bytes, event->cat.length);
    text_append(&state->text, event->scope.bytes, event->scope.length);
    text_append(&state->text, event->id.bytes, event->id.length);
    text_append(&state->text, event->id2.bytes, event->id2.length);
    text_append(&state->text, event->pid.bytes, event->pid.length);
    mark.cookie = (int64_t)seeded_hash(text_string(&state->text), state->text.length);
    mark.track = mark.name = chrome_text_of(state, event->name);
    taken =
        ftrace_marks_add(spans, &state->marks, &mark, event->time, call->offset, call->bytes).taken;
    if (taken != FTRACE_TAKEN) {
        import_rejected(spans, taken == FTRACE_IGNORED ? stray_end : too_many, call->offset,
                        call->bytes);
    }
}

/* Adds a counter for each number in the arguments: `NAME`, or `NAME KEY` if there are several. */
static void handle_counters(struct import *import, struct chrome *state,
                            const struct chrome_event *event, const struct held *call) {
    struct import *samples = import_of_kind(import, TRACE_SAMPLES);
    struct word inside, rest, key, value;
    size_t count = 0;

    json_object(event->args, &inside);
    for (rest = inside; json_member(&rest, &key, &value); count++) {
    }
    for (rest = inside; json_member(&rest, &key, &value);) {
        int64_t number, precise;

        if (!json_number(value, 0, INT64_MAX / 2, &number)) {
            continue;
        }
        state->rounded += !json_number(value, 6, INT64_MAX, &precise) || precise % 1000000 != 0;
        chrome_text_of(state, event->name);
        if (count > 1) {
            text_append_char(&state->text, ' ');
            text_append(&state->text, key.bytes, key.length);
        }
        ftrace_marks_add_value(samples, call->pid, EVENT_NONE, (struct word){"", 0},
                               (struct word){text_string(&state->text), state->text.length},
                               event->time, number);
    }
}

static void handle_moment(struct import *spans, struct chrome *state,
                          const struct chrome_event *event, const struct held *call) {
    uint32_t actor = chrome_find_lane(spans, state, call, 0);
    struct stack *stack = find_stack(state, actor, call->pid);
    struct span_record record = span_record_of(call->operation, actor, stack->process, event->time);

    chrome_end(spans, state, stack, event->time);
    record.arguments = (const uint8_t *)text_string(&state->texts) + call->args;
    record.arguments_size = (uint32_t)call->args_length;
    import_data(spans, &record, call->offset);
}

/* Reads the name of a thread, or the name of a process for its counters. */
static void handle_metadata(struct import *import, struct chrome *state,
                            const struct chrome_event *event, struct held *call) {
    struct import *spans = import_of_kind(import, TRACE_SPANS),
                  *samples = import_of_kind(import, TRACE_SAMPLES);
    bool thread = word_is(event->name, "\"thread_name\"");
    struct actor_entry entry = {.session = 1, .pid = call->pid, .code = EVENT_NONE};
    struct word inside, key, value, name = {0};

    json_object(event->args, &inside);
    while (json_member(&inside, &key, &value)) {
        name = word_is(key, "name") ? value : name;
    }
    if (name.length > 0 && (thread || word_is(event->name, "\"process_name\""))) {
        uint32_t actor = thread
                             ? chrome_find_lane(spans, state, call, 0)
                             : import_thread(samples, call->pid, EVENT_NONE, (struct word){"", 0});

        name = chrome_text_of(state, name);
        entry.tid = thread ? call->tid : EVENT_NONE;
        entry.name = name.bytes;
        entry.length = name.length;
        import_rename_actor(thread ? spans : samples, actor, &entry);
    }
    import_ignored(spans, metadata, call->offset);
}

/* --- handling events in order of time --------------------------------------------------------- */

/* Handles an event of a call (B, E, X). An X is held until all events of the same time are read. */
static void chrome_handle_call(struct import *spans, struct chrome *state,
                               const struct chrome_event *event, struct held *call) {
    if (event->ph == 'E') {
        chrome_end_call(spans, state, event, call);
    } else if (call->operation == 0) {
        import_rejected(spans, bad_event, call->offset, call->bytes);
    } else if (event->ph != 'X' && event->ph != 'B') {
        handle_moment(spans, state, event, call);
    } else if (event->duration == EVENT_NONE || event->ph == 'B') {
        chrome_begin_call(spans, state, call, event->time, INT64_MAX);
    } else {
        state->held_time = event->time;
        call->duration = event->duration;
        call->number = state->held_count;
        state->held[state->held_count++] = *call;
    }
}

static void handle_timed(struct import *import, struct chrome *state,
                         const struct chrome_event *event, struct held *call) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);

    if (strchr("XBEiIR", event->ph) != NULL) {
        struct word inside;

        call->operation = chrome_find_operation(spans, state, event);
        call->args = state->texts.length;
        call->args_length =
            json_object(event->args, &inside) && inside.length == 0 ? 0 : event->args.length;
        text_append(&state->texts, event->args.bytes, event->args.length);
        chrome_handle_call(spans, state, event, call);
    } else if (strchr("beSFn", event->ph) != NULL) {
        handle_asynchronous(spans, state, event, call);
    } else {
        handle_counters(import, state, event, call);
    }
}

/* Sets an event's time relative to the first event. False if the time is missing or too far from
 * that of the first event. */
static bool place_in_time(struct chrome *state, struct chrome_event *event) {
    if (event->time == EVENT_NONE) {
        return false;
    }
    if (!state->begun) {
        state->begun = 1;
        state->origin = event->time;
    }
    event->time -= state->origin;
    return event->time <= TIME_RANGE && event->time >= -TIME_RANGE;
}

static void chrome_handle_event(struct import *import, void *context, struct stream *stream,
                                const struct stream_record *record) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);
    struct chrome *state = context;
    struct chrome_event event;
    struct held call = {.offset = record->offset, .bytes = record->size};

    if (record->bytes == NULL ||
        !chrome_parse_event((struct word){(const char *)record->bytes, record->length}, &event)) {
        import_rejected(spans, bad_event, record->offset, record->size);
        return;
    }
    if (event.ph != 'M' && strchr("XBEiIRbeSFnC", event.ph) == NULL) {
        import_ignored(spans, not_read, record->offset);
        return;
    }
    if (event.ph != 'M' && !place_in_time(state, &event)) {
        import_rejected(spans, bad_time, record->offset, record->size);
        return;
    }
    if (state->held_count == HELD ||
        (state->held_count > 0 && (event.ph != 'X' || event.time != state->held_time))) {
        chrome_release(spans, state);
    }
    if (state->held_count == 0) {
        text_clear(&state->texts);
    }
    read_place(state, &event, &call);
    if (event.ph == 'M') {
        handle_metadata(import, state, &event, &call);
    } else {
        handle_timed(import, state, &event, &call);
    }
}

static void end_chrome(struct import *import, void *context, bool failed) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);
    struct chrome *state = context;

    if (!failed && !state->begun) {
        import_fail_file(import, "not Chrome's Trace Event JSON: no event has a time");
        failed = true;
    }
    if (!failed) {
        chrome_release(spans, state);
        for (struct call_thread *calls = state->stacks.threads; calls != NULL;
             calls = calls->hh.next) {
            chrome_end(spans, state, (struct stack *)(void *)calls, INT64_MAX - 1);
        }
        import_remark_count(spans, state->overlapping,
                            "%lld call{s} {overlaps|overlap} others of {its|their} thread and "
                            "{is|are} in {an extra row|extra rows}, `TID (2)` and so on");
        import_remark_count(import_of_kind(import, TRACE_SAMPLES), state->rounded,
                            "%lld value{s} of counters {is|are} rounded to integers");
    }
    ftrace_marks_end(&state->marks);
    call_stacks_free(&state->stacks);
    free(state->held);
    text_free(&state->texts);
    text_free(&state->text);
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Consumes blanks and ends of lines. Returns the next byte; 0 at the end. */
static char peek_visible(struct word *rest) {
    while (word_peek(rest) == '\n') {
        word_skip(rest, 1);
    }
    return word_peek(rest);
}

/* Accepts a file with the key "ph" in an array of objects, or after the key "traceEvents" of an
 * object. Lines of other text may come first. */
static enum sniff_score sniff_chrome(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length}, inside;
    enum sniff_score score = SNIFF_SURE;

    while (peek_visible(&rest) != '\0' && *rest.bytes != '{' && *rest.bytes != '[') {
        word_field(&rest, '\n');
        score = SNIFF_GREEDY;
    }
    inside = rest;
    word_skip(&inside, rest.length > 0);
    word_accept(&inside, ","); /* some programs print a comma before each event */
    if (word_peek(&rest) == '{') {
        if (!word_cut_first(&rest, "\"traceEvents\"", NULL)) {
            return SNIFF_NO;
        }
    } else if (peek_visible(&inside) != '{') {
        return SNIFF_NO;
    }
    while (word_cut_first(&rest, "\"ph\"", NULL)) {
        if (word_accept(&rest, ":") && word_peek(&rest) == '"') {
            return score;
        }
    }
    return SNIFF_NO;
}

static void chrome_dump_span(const struct dump_event *dump, enum dump_moment moment,
                             struct text *out) {
    if (moment != DUMP_EXIT && dump->arguments_size > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, (const char *)dump->event.arguments, dump->arguments_size);
    }
}

const struct importer chrome_importer = {
    .name = "chrome",
    .description = "Chrome's Trace Event JSON: calls, moments and counters of programs",
    .line = NULL,
    .made_of = "an array of JSON objects with ph, ts, pid and tid",
    .variants = "json",
    .kinds = 1u << TRACE_SPANS | 1u << TRACE_SAMPLES,
    .meanings = {[TRACE_SPANS] = ftrace_graph_meanings, [TRACE_SAMPLES] = ftrace_marks_meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL, [TRACE_SAMPLES] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_VALUE |
               EVENT_ARGUMENTS | EVENT_PARENT | EVENT_DEPTH | EVENT_SELF,
    .state_size = sizeof(struct chrome),
    .resume = resume,
    .sniff = sniff_chrome,
    .begin = begin_chrome,
    .stream_state_size = sizeof(struct chrome_stream),
    .next_record = read_next_json_event,
    .record_time = time_of_event,
    .take_record = chrome_handle_event,
    .tells_earlier = true,
    .sorts = true,
    .end = end_chrome,
    .dump = ftrace_marks_dump,
    .dump_span = chrome_dump_span,
};
