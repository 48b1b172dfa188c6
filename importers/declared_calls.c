/* Importer of calls in declared formats; see declared.h.
 *
 * A line is a call. It has a duration if the format gives the duration or the end. With `time_of:
 * completion`, the time is that of the end.
 *
 * Quirks: times need not be in order. A call with an error number, or with a negative error number
 * as result, gets the result -1. A failed call moved no bytes.
 *
 * If a format has only processes, each is stored as one thread; if it has only threads, each is
 * stored as one process. A note says so.
 *
 * Tables filled: event (time, duration, operation, actor, object, address, size, value, error);
 * name (kinds syscall, error); actor (pid, tid and process); object (file and file type). */
#include "block_io.h"
#include "declared.h"
#include "ftrace_calls.h"
#include "syscalls.h"

/* Columns that identify the thread or process of a call. */
#define OF_ACTORS (OF(PID) | OF(TID) | OF(PROCESS))

struct declared_calls {
    const struct declaration *declaration;
    struct ftrace_calls calls;
    struct block_start start;
    int64_t hash, times; /* for --append: hash of the declaration; times: enum declared_times */
    int64_t last_time, back;
    int64_t days; /* in a log with times of day: number of the current day, from 1; 0: no line was
                     read */
};

/* Meanings of columns in a format with times to live of cached objects (ttl), stored as values. */
static const struct event_meaning ttl_meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},
    {EVENT_PLACE_ADDRESS, "", "offset", "bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {EVENT_PLACE_VALUE, "", "ttl", ""},
    {0},
};

static bool has_ttl(const struct declaration *declaration) {
    const struct declared_column *result = declared_find(declaration, OF(RESULT));

    return result != NULL && result->ttl;
}

bool declared_is_calls(const struct declaration *declaration) {
    return declaration->operation != NULL || declared_find(declaration, OF(OPERATION)) != NULL;
}

static void begin_calls(struct import *import, void *context) {
    struct declared_calls *state = context;

    state->declaration = import_declaration(import);
    declared_init_has_times(import, state->declaration, &state->times);
    state->start.undated = declared_find(state->declaration, OF(TIME))->epoch == DECLARED_FIRST;
    state->start.begun = state->times == DECLARED_TIMED;
    state->last_time = INT64_MIN;
    import_variant(import, "text");
    if (import_saved_state(import) != NULL && (uint64_t)state->hash != state->declaration->hash) {
        error_set(import_failure(import), declared_otherwise, state->declaration->name);
    }
    if (has_ttl(state->declaration)) {
        import_declare_facts_absent(import, FACT(RESULTS));
    }
    ftrace_calls_begin(import, &state->calls);
}

/* Sets the duration of a call, and its begin relative to the start of the trace. */
static void set_times(struct import *import, struct declared_calls *state,
                      const struct declared_line *line, struct ftrace_call *call) {
    const struct declared_column *time = declared_find(state->declaration, OF(TIME));
    int64_t begin = line->request.time;

    if (state->times == DECLARED_UNTIMED) {
        call->time = state->start.origin++;
        call->duration = line->has_response ? line->response : EVENT_NONE;
        return;
    }
    if (time->clock) {
        state->days += state->days == 0;
        begin += state->days * DAY;
        state->days += state->last_time != INT64_MIN && state->last_time - begin > DAY / 2;
        begin = line->request.time + state->days * DAY;
    }
    state->back += begin < state->last_time;
    state->last_time = begin;
    if (line->has_response) {
        call->duration = line->response;
        begin -= state->declaration->completions ? line->response : 0;
    } else if (line->call.end != EVENT_NONE) {
        call->duration = line->call.end - begin;
    }
    if (time->clock && !state->start.begun) {
        import_time_of_day(import, begin % DAY);
    }
    call->time =
        time->epoch == DECLARED_START ? begin : block_io_elapsed(import, &state->start, begin);
}

static void declared_calls_keep_call(struct import *import, struct declared_calls *state,
                                     const struct declared_line *line) {
    const struct block_request *request = &line->request;
    const struct declared_call *parsed = &line->call;
    struct ftrace_call call = ftrace_call_empty();

    set_times(import, state, line, &call);
    call.operation = import_simple_name(
        import, parsed->layer.length > 0 ? parsed->layer.bytes : "syscall",
        state->declaration->operation != NULL ? word_of(state->declaration->operation)
                                              : parsed->operation);
    if (declared_find(state->declaration, OF_ACTORS) != NULL) {
        call.actor = import_thread(import, request->pid, parsed->tid,
                                   (struct word){request->process, request->process_length});
    }
    if (request->file_length > 0) {
        call.object = ftrace_calls_file_id(
            import, &state->calls, (struct word){request->file, request->file_length}, EVENT_NONE);
    }
    if (parsed->error_name.length > 0) {
        call.value = -1;
        call.error = import_simple_name(import, "error", parsed->error_name);
    } else if (parsed->error > 0) {
        ftrace_calls_result(import, -parsed->error, &call);
    } else if (parsed->result != EVENT_NONE) {
        ftrace_calls_result(import, parsed->result, &call);
    }
    call.flags = parsed->nameless ? CALL_FLAG_NAMELESS : 0;
    call.address = parsed->offset;
    call.size = call.error == 0 ? parsed->bytes : EVENT_NONE;
    if (state->declaration->lost != NULL) {
        import_cpu_event(import, EVENT_NONE, call.time);
    }
    ftrace_calls_add(import, &call);
}

static void declared_calls_take_call(struct import *import, void *state, struct stream *stream,
                                     const struct stream_record *record) {
    const struct line line = lines_of_record(record);
    struct declared_line *parsed = declared_accept_line(import, &line, record->parsed);
    struct declared_calls *calls = state;
    const char *damage;

    if (parsed == NULL) {
        return;
    }
    damage =
        declared_decide_has_times(import, calls->declaration, &calls->times, parsed->request.time);
    if (damage != NULL) {
        lines_reject(import, &line, damage);
    } else {
        declared_calls_keep_call(import, calls, parsed);
    }
}

/* Adds a remark if the format has no threads, so that each process is stored as one thread, or no
 * processes, so that each thread is stored as one process. */
static void remark_replaced_threads(struct import *import, const struct declaration *declaration) {
    if (declared_find(declaration, OF_ACTORS) == NULL) {
        return;
    }
    if (declared_find(declaration, OF(TID)) == NULL) {
        import_remark(import, "the log has no threads: each process counts as one");
    } else if (declared_find(declaration, OF(PID)) == NULL) {
        import_remark(import, "the log has no processes: each thread counts as one");
    }
}

static void declared_calls_end_calls(struct import *import, void *context, bool failed) {
    struct declared_calls *state = context;

    if (!failed) {
        state->hash = (int64_t)state->declaration->hash;
        declared_add_remark(import, state->declaration, state->times);
        remark_replaced_threads(import, state->declaration);
        import_remark_count(import, state->declaration->sorted ? state->back : 0, declared_earlier);
    }
    ftrace_calls_end(import, &state->calls, failed);
}

/* --- definition of the importer --------------------------------------------------------------- */

static unsigned declared_calls_columns_of(const struct declaration *declaration) {
    static const struct {
        unsigned of, sets;
    } columns[] = {
        {OF(DURATION) | OF(END), EVENT_DURATION},
        {OF(OFFSET), EVENT_ADDRESS},
        {OF(BYTES), EVENT_SIZE},
        {OF(RESULT) | OF(ERROR), EVENT_VALUE | EVENT_ERROR},
    };
    unsigned sum = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT |
                   (declaration->expression != NULL ? EVENT_FLAGS : 0);

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        sum |= declared_find(declaration, columns[i].of) != NULL ? columns[i].sets : 0;
    }
    return has_ttl(declaration) ? sum & ~(unsigned)EVENT_ERROR : sum;
}

static void dump_with_ttl(const struct dump_event *dump, struct text *out) {
    struct dump_event call = *dump;

    call.event.value = EVENT_NONE;
    ftrace_calls_dump(&call, out);
    if (dump->event.value != EVENT_NONE) {
        text_append_format(out, " ttl %lld", (long long)dump->event.value);
    }
}

static const struct resume_value resume[] = {
    {"declaration", offsetof(struct declared_calls, hash), 0, 0, true},
    {"begun", offsetof(struct declared_calls, times), 0, DECLARED_UNTIMED, false},
    {"origin", offsetof(struct declared_calls, start.origin), 0, INT64_MAX, false},
    {"days", offsetof(struct declared_calls, days), 0, 100000, false},
    {0},
};

void declared_calls_importer(struct importer *importer) {
    importer->kinds = 1u << TRACE_CALLS;
    importer->columns = declared_calls_columns_of(importer->declaration);
    importer->meanings[TRACE_IO] = NULL;
    importer->meanings[TRACE_CALLS] =
        has_ttl(importer->declaration) ? ttl_meanings : syscalls_meanings;
    importer->facts[TRACE_IO] = 0;
    bool files = declared_find(importer->declaration, OF(FILE)) != NULL;
    bool actors = declared_find(importer->declaration, OF_ACTORS) != NULL;

    importer->facts[TRACE_CALLS] =
        FACTS_OF_LOG((files ? FACT(FILES) : 0) | (actors ? FACT(PROCESSES) | FACT(THREADS) : 0));
    importer->takes_devices = false;
    importer->state_size = sizeof(struct declared_calls);
    importer->resume = resume;
    importer->resume_text = false;
    importer->begin = begin_calls;
    importer->take_record = declared_calls_take_call;
    importer->end = declared_calls_end_calls;
    importer->dump = has_ttl(importer->declaration) ? dump_with_ttl : ftrace_calls_dump;
}
