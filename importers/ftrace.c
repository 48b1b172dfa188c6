/* ftrace: the Linux kernel's own tracer, as text.
 *
 * A line is an event; ftrace_line.h has the forms of /sys/kernel/tracing/trace and trace_pipe,
 * trace-cmd report, perf script and Android's atrace:
 *
 *     dd-3517    [001] d..1.  2720.475937: block_rq_issue: 7,0 W 4096 () 64 + 8 be,0,4 [dd]
 *
 * Comments (`# tracer: nop`) and the containers of ftrace_text.h surround them. Sources: the
 * kernel's kernel/trace/trace_output.c and include/trace/events, and recordings.
 *
 * Events that are read, and their results:
 *
 *     ftrace_block.h     block I/O: kind io, with blktrace's letters; and the owners of file
 *                        system blocks: the table `allocation`
 *     ftrace_device.h    device commands of UFS and SCSI drivers: kind io
 *     ftrace_calls.h     reads, writes and fsyncs of files, from events of ext4, f2fs and Android,
 *                        and commits of the journal: kind calls
 *     ftrace_syscalls.h  system calls: kind calls; with their files
 *     ftrace_graph.h     functions and Android's marks: kind spans
 *     ftrace_marks.h     marks of several threads: kind spans; counters: kind samples;
 *                        checkpoints and such of F2FS, states of UFS
 *     ftrace_states.h    switches, wakeups and interrupts: kind states
 *
 * All other events are ignored; a note lists their names. Events are reported as missing where the
 * log states a loss, and between two recordings in one file.
 *
 * Quirks: times count from boot, unless a marker of atrace gives the wall clock. Events of several
 * CPUs may be slightly out of order. Some clocks count units of unknown length.
 *
 * Tables filled in a trace of kind io: event (time, duration, operation, actor, object, flags,
 * address, size, value, issuer, response, depth, self, arguments); name (kind action); actor (pid
 * and process); object (device). In one of kind calls: event (time, duration, operation, actor,
 * object, address, size, value, source, source_address, arguments, error); name (kinds syscall,
 * android_fs, ext4, f2fs, jbd2, error); actor (pid, tid, name); object (file). In all: ledger (lost
 * events); loss. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "base/time_unit.h"
#include "ftrace_block.h"
#include "ftrace_calls.h"
#include "ftrace_device.h"
#include "ftrace_graph.h"
#include "ftrace_line.h"
#include "ftrace_marks.h"
#include "ftrace_states.h"
#include "ftrace_syscalls.h"
#include "ftrace_text.h"
#include "lines.h"
#include "perfetto.h"
#include "syscalls.h"

enum {
    GOOD_LINES = 3,        /* number of good lines that identify a log of ftrace */
    SYSTEM_CALLS = 1 << 8, /* bit in `layers`: the log has system calls */
    FUNCTIONS = 1 << 9,  /* bit in `layers`: the log has calls of the tracer `function`, which have
                            no results */
    UNREAD_NAMES = 1024, /* maximum names of unread events; further names count as `others` */
    UNREAD_LENGTH = 64,  /* maximum bytes of a name that are compared */
    UNREAD_LISTED = 10,
};

/* If the time steps back by at least this much, another recording begins in the same file. */
#define STEP_BACK SECOND

/* Reasons (ledger.reason) for rejecting, ignoring or merging lines, or counting events as lost. */
static const char bad_line[] = "not an event: task, CPU, time, name: fields";
static const char bad_event[] = "fields that trace-cmd could not read";
static const char other_clock[] = "time of another clock than that of the first event";
static const char stack[] = "line of a stack";
static const char record_of_perf[] = "record of perf, not an event of the kernel";
static const char unread_event[] = "event that is not read";
static const char nameless[] = "line without an event, a system call or a function and its caller";
static const char path_of_call[] = "path of a call, from a probe";
static const char other_mark[] = "mark of another type than call or counter";
static const char clock_mark[] = "mark of atrace with the clocks";
static const char bad_graph[] = "body is not that of a function graph";
static const char without_time[] = "event in a function graph without times";
static const char unread_packet[] = "Perfetto packet or event that is not read";
static const char bad_packet[] = "malformed Perfetto packet";
static const char lost_events[] = "events that the kernel had no room for";
static const char dropped_packets[] = "packets that Perfetto's producer or service dropped";
static const char small_buffer[] = "the kernel's buffer was too small";
static const char between[] = "events between two recordings in one file";

/* Advice printed if no event of the log can be read, but the log has block_io_done. */
static const char no_requests[] =
    "; block_io_done has no sectors: record block_rq_issue and block_rq_complete, too";

/* Advice printed if no event of the log can be read, but the log has samples of a CPU profile. */
static const char only_samples[] = "; -f stacks reads samples of perf";

/* Advice printed if no event of the log can be read, but eBPF programs have printed lines to it:
 * events bpf_trace_printk, or 0x00000001 in older kernels. */
static const char printed[] = "; declare the lines that your program prints: "
                              "tracetool help formats";

struct unread_name {
    char text[UNREAD_LENGTH];
    size_t length;
    int64_t count;
    UT_hash_handle hh;
};

/* Events that are not read: counts by name, for a remark. */
struct unread {
    struct unread_name *names; /* hash table; owned */
    int64_t total;
};

struct ftrace {
    struct ftrace_block block;
    struct ftrace_device device;
    struct ftrace_allocations allocations;
    struct ftrace_calls calls;
    struct ftrace_syscalls syscalls;
    struct ftrace_graph graph;
    struct ftrace_marks marks;
    struct ftrace_states states;
    /* Events not read, by name. `early`: events of the scheduler before the first switch of
     * threads; if the log has no switch, they are counted as not read, too. */
    struct unread unread, early;
    unsigned layers; /* bit set: layers of the kernel whose calls are in the log */
    bool begun;      /* true: an event was read */
    bool dated;      /* true: the device's wall clock is known */
    int64_t base;    /* time of the first event in the log, which is time 0 of the trace */
    int64_t clock;   /* clock of the first event: enum ftrace_clock */
    int64_t last;    /* time of the last event read */
    int64_t events, rejected, overwritten, steps_back;
    bool by_perf;             /* true: the log is from perf script */
    bool perf_told;           /* true: perf script has printed how many events were lost */
    int64_t kept, written;    /* numbers of events in the last header that shows a loss */
    const void *overrun_file; /* identifies the file of the last header that shows a loss; never
                                 dereferenced */
    int64_t samples;          /* number of unread events that are samples of a profile */
    const char *what;         /* kind of the log in words, for error messages */
};

static void ftrace_reject(struct import *import, struct ftrace *state, const struct line *at,
                          const char *reason) {
    state->rejected++;
    lines_reject(import, at, reason);
}

/* Rejects a line that cannot be read. It may be about owners of blocks, which are then unknown
 * until the next event. */
static void reject_unknown(struct import *import, struct ftrace *state, const struct line *at,
                           const char *reason) {
    ftrace_allocations_note_damage(&state->allocations);
    ftrace_reject(import, state, at, reason);
}

/* --- events that are not read ----------------------------------------------------------------- */

static void count_unread(struct unread *unread, struct word name, int64_t count) {
    struct unread_name *found;

    unread->total += count;
    name.length = name.length < UNREAD_LENGTH ? name.length : UNREAD_LENGTH;
    HASH_FIND(hh, unread->names, name.bytes, name.length, found);
    if (found == NULL && HASH_COUNT(unread->names) < UNREAD_NAMES) {
        found = xcalloc(1, sizeof *found);
        memcpy(found->text, name.bytes, name.length);
        found->length = name.length;
        HASH_ADD(hh, unread->names, text, found->length, found);
    }
    if (found != NULL) {
        found->count += count;
    }
}

/* Sorts unread events: the most frequent first, equal ones by name. */
static int compare_unread(const struct unread_name *a, const struct unread_name *b) {
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order;

    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    order = memcmp(a->text, b->text, shorter);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Appends the most frequent unread events with their numbers: `sched_waking 1234, …`. */
static void list_unread(struct unread *unread, struct text *out) {
    int64_t listed = 0;
    int i = 0;

    HASH_SORT(unread->names, compare_unread);
    for (const struct unread_name *name = unread->names; name != NULL && i < UNREAD_LISTED;
         name = name->hh.next, i++) {
        text_append_string(out, i == 0 ? "" : ", ");
        text_append_escaped(out, name->text, name->length);
        text_append_char(out, ' ');
        text_append_integer(out, name->count);
        listed += name->count;
    }
    if (listed < unread->total) {
        text_append_string(out, ", others ");
        text_append_integer(out, unread->total - listed);
    }
}

static void free_unread(struct unread *unread) {
    while (unread->names != NULL) {
        struct unread_name *name = unread->names;

        HASH_DEL(unread->names, name);
        free(name);
    }
}

/* Sets the wall clock at time 0, from the first marker that gives it. */
static void set_wall_clock(struct import *import, struct ftrace *state, int64_t start) {
    if (!state->dated && state->clock == FTRACE_SECONDS) {
        state->dated = true;
        import_set_start_time(import, start);
    }
}

/* At the first event of any kind, declares the clock of the trace. */
static void begin_clock(struct import *import, struct ftrace *state, const struct ftrace_text *file,
                        const struct ftrace_line *line) {
    state->begun = true;
    state->base = state->last = line->time;
    state->clock = line->clock;
    if (line->clock == FTRACE_COUNTER) {
        import_clock(import, &(struct import_clock){CLOCK_UNIT_COUNTER, "wall", 0});
    } else if (file->realtime != EVENT_NONE && line->clock == FTRACE_SECONDS) {
        if (file->has_zone) {
            import_utc_offset(import, file->zone);
        }
        set_wall_clock(import, state, file->realtime - (file->told_at - line->time));
    }
}

/* Makes a line's time relative to the first event. Returns NULL, or why the line is rejected. */
static const char *ftrace_count_time(struct ftrace *state, struct ftrace_line *line) {
    if (line->clock != state->clock) {
        return other_clock;
    }
    if (line->time < state->last && state->last - line->time > STEP_BACK &&
        line->clock != FTRACE_COUNTER) {
        int64_t from = line->time < state->base ? 0 : line->time - state->base;

        /* Two recordings overlap in time: in this period, the owners of blocks are unknown. */
        ftrace_allocations_mark_unknown(&state->allocations, from, state->allocations.last);
        state->steps_back++;
    }
    state->last = line->time;
    line->time -= state->base;
    return NULL;
}

/* --- kinds of lines --------------------------------------------------------------------------- */

/* Returns whether a line is a comment, or a tool's message about the log, not an event; it may be
 * indented. The name of a task may begin with #, but no blank follows then. */
static bool is_heading(struct word line) {
    struct word text = line;
    const char first = word_peek(&text);

    return text.length == 0 ||
           (first == '#' &&
            (word_begins(line, "#") || word_begins(text, "# ") || word_is(word_trim(text), "#"))) ||
           (first == 'c' && word_begins(text, "cpus=")) ||
           (first == 'v' && word_begins(text, "version = ")) ||
           (first == 'W' && word_is(word_trim(text), "Warning:")) ||
           (first == 'C' && word_is(word_trim(text), "Check IO/CPU overload!")) ||
           (first == 'C' && word_begins(text, "CPU ") && word_ends(text, " is empty"));
}

/* Reads the number of overwritten events from the header. If each CPU has a file, each header has
 * the total of all CPUs, which is counted once. */
static void handle_overrun(struct import *import, struct ftrace *state, struct ftrace_text *file,
                           const struct line *at) {
    int64_t kept, written;

    if (!ftrace_loss_read_header(at->text, &kept, &written) || written <= kept) {
        return;
    }
    file->recording.overwritten = true;
    if (state->overrun_file != NULL && state->overrun_file != file && kept == state->kept &&
        written == state->written) {
        return;
    }
    state->kept = kept;
    state->written = written;
    state->overrun_file = file;
    add_saturated(&state->overwritten, written - kept);
    import_overrun(import, written - kept, small_buffer, at->offset);
}

/* Reads a header line. After events, `# tracer: nop`, or `cpus=2` of trace-cmd, begins another
 * recording. */
static void ftrace_handle_heading(struct import *import, struct ftrace *state,
                                  struct ftrace_text *file, const struct line *at) {
    struct word text = word_trim_left(at->text);

    if (file->has_lines && (word_begins(text, "# tracer: ") || word_begins(text, "cpus="))) {
        file->recording = (struct ftrace_recording){0};
        file->has_lines = false;
        import_cpu_lost(import, EVENT_NONE, EVENT_NONE, between, at->offset);
    }
    handle_overrun(import, state, file, at);
}

/* Handles a line that reports a loss: `lost` events of the CPU are missing after its last event.
 * `lost` EVENT_NONE: an unknown number; 0: none. */
static void handle_loss(struct import *import, struct ftrace *state, const struct line *at,
                        int64_t cpu, int64_t lost, const char *reason) {
    if (lost == 0) {
        return;
    }
    import_cpu_lost(import, cpu, lost, reason, at->offset);
    state->graph.losses++;
    ftrace_states_note_loss(import_of_kind(import, TRACE_STATES), &state->states, cpu);
    ftrace_allocations_note_loss(&state->allocations, cpu);
}

/* Returns whether a line is of a stack: perf's `\tffffffff81 func+0x12`, or ftrace's `=> func`. */
static bool is_stack(struct word line) {
    return word_begins(line, "\t") || word_begins(line, "=> ") || word_begins(line, " => ");
}

/* Counts a line in the ledger by its outcome. Returns false for FTRACE_OTHER. */
static bool ftrace_count(struct import *import, struct ftrace *state, const struct line *at,
                         struct ftrace_outcome outcome) {
    state->events += outcome.taken == FTRACE_TAKEN;
    if (outcome.taken == FTRACE_IGNORED) {
        import_ignored(import, outcome.reason, at->offset);
    } else if (outcome.taken == FTRACE_MERGED) {
        import_merged(import, outcome.reason, at->offset);
    } else if (outcome.taken == FTRACE_DAMAGED) {
        ftrace_reject(import, state, at, outcome.reason);
    }
    return outcome.taken != FTRACE_OTHER;
}

/* Imports a line of the tracer `function`, `vfs_read <-ksys_read`: a call without duration, with
 * the caller as argument. */
static void handle_function(struct import *calls, struct ftrace *state,
                            const struct ftrace_line *line) {
    struct ftrace_call call = ftrace_call_empty();
    struct word caller = line->fields, name = word_next(&caller);

    call.time = line->time;
    call.operation = import_simple_name(calls, "function", name);
    call.actor = ftrace_calls_thread(calls, line, EVENT_NONE, (struct word){line->task.bytes, 0});
    call.arguments = word_trim(caller);
    state->events++;
    state->layers |= FUNCTIONS;
    ftrace_calls_add(calls, &call);
}

static bool is_function(const struct ftrace_line *line) {
    struct word fields = line->fields;

    return line->event.length == 0 && word_has(fields, " <-");
}

/* Returns whether the event is a sample of perf. It is named after a clock or counter of the
 * processor, or only by modifiers (`ppp` of `cycles:ppp`). */
static bool is_sample(struct word event) {
    if (word_listed(event, "cpu-clock task-clock cycles instructions cpu-cycles")) {
        return true;
    }
    for (size_t i = 0; i < event.length; i++) {
        if (strchr("ukhGHpPSDWe", event.bytes[i]) == NULL) {
            return false;
        }
    }
    return event.length < 6;
}

/* Counts an event that no part of the importer reads, or rejects a damaged line. */
static void ftrace_pass_over(struct import *import, struct ftrace *state, const struct line *at,
                             const struct ftrace_line *line) {
    if (word_is(line->event, "Unknown") || word_begins(line->fields, "[FAILED TO PARSE]")) {
        reject_unknown(import, state, at, bad_event);
    } else if (line->event.length == 0) {
        /* may be an allocation event whose name is cut off */
        ftrace_allocations_note_damage(&state->allocations);
        import_ignored(import, nameless, at->offset);
    } else {
        count_unread(&state->unread, line->event, 1);
        state->samples += is_sample(line->event);
        import_ignored(import, unread_event, at->offset);
    }
}

/* Imports a line that a program wrote to trace_marker. It has the fields of ftrace_line_mark(). */
static void handle_mark(struct import *import, struct ftrace *state, const struct line *at,
                        const struct ftrace_line *mark) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);
    int64_t realtime;

    if (ftrace_count(spans, state, at,
                     ftrace_graph_read_mark(spans, &state->graph, mark, at->offset, at->bytes)) ||
        ftrace_count(spans, state, at,
                     ftrace_marks_handle(spans, &state->marks, mark, at->offset, at->bytes))) {
        return;
    }
    if (word_begins(mark->fields, "trace_event_clock_sync:")) {
        if (ftrace_text_read_wall_clock(mark, &realtime)) {
            set_wall_clock(import, state, realtime - mark->time);
        }
        import_ignored(spans, clock_mark, at->offset);
    } else if (ftrace_marks_read_counter(import_of_kind(import, TRACE_SAMPLES), mark)) {
        state->events++;
    } else {
        import_ignored(spans, other_mark, at->offset);
    }
}

/* Imports lines of trace_marker, and of a function graph by trace-cmd. Returns false for others. */
static bool handle_span(struct import *import, struct ftrace *state, const struct line *at,
                        const struct ftrace_line *line) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);
    struct ftrace_graph_line graph;
    struct ftrace_line mark = *line;

    if (ftrace_line_mark(line, &mark.fields)) {
        handle_mark(import, state, at, &mark);
        return true;
    }
    if (!word_begins(line->event, "funcgraph_e")) {
        return false;
    }
    ftrace_graph_parse(line->fields, line, &graph);
    if (graph.kind == GRAPH_NONE || graph.kind == GRAPH_EVENT) {
        ftrace_reject(spans, state, at, bad_graph);
    } else {
        ftrace_count(spans, state, at,
                     ftrace_graph_handle(spans, &state->graph, &graph, at->offset, at->bytes));
    }
    return true;
}

static void ftrace_handle_call(struct import *import, struct ftrace *state, const struct line *at,
                               const struct ftrace_line *line) {
    struct import *calls = import_of_kind(import, TRACE_CALLS);
    struct ftrace_outcome taken = ftrace_files_handle(calls, &state->calls, line, &state->layers);

    if (taken.taken == FTRACE_OTHER) {
        taken = ftrace_syscalls_handle(calls, &state->calls, &state->syscalls, line);
        state->layers |= taken.taken == FTRACE_OTHER ? 0 : SYSTEM_CALLS;
    }
    if (ftrace_count(calls, state, at, taken)) {
        return;
    }
    if (handle_span(import, state, at, line)) {
        return;
    } else if (ftrace_marks_read_cpu_counter(import_of_kind(import, TRACE_SAMPLES), line)) {
        state->events++;
    } else if (is_function(line)) {
        handle_function(calls, state, line);
    } else if (ftrace_descriptors_read(calls, &state->syscalls.descriptors, &state->calls, line)) {
        import_ignored(calls, path_of_call, at->offset);
    } else {
        ftrace_pass_over(import, state, at, line);
    }
}

/* Imports an event of the scheduler, or of an interrupt. False for another event. */
static bool ftrace_handle_state(struct import *import, struct ftrace *state, const struct line *at,
                                const struct ftrace_line *line) {
    struct import *states = import_of_kind(import, TRACE_STATES);
    struct ftrace_outcome outcome = ftrace_states_handle(states, &state->states, line, at->offset);

    if (outcome.reason == ftrace_before_switch) {
        count_unread(&state->early, line->event, 1);
    }
    return ftrace_count(states, state, at, outcome);
}

/* Imports an event whose time is valid. */
static void ftrace_handle_event(struct import *import, struct ftrace *state,
                                struct ftrace_text *file, const struct line *at,
                                const struct ftrace_line *line) {
    struct import *io = import_of_kind(import, TRACE_IO),
                  *spans = import_of_kind(import, TRACE_SPANS);
    struct block_request request;
    struct ftrace_outcome outcome;

    ftrace_allocations_note_time(&state->allocations, &file->recording, line);
    ftrace_states_note_running(import_of_kind(import, TRACE_STATES), &state->states, line,
                               at->offset);
    outcome = ftrace_block_parse(&state->block, line, file->has_events, &request);
    if (outcome.taken == FTRACE_TAKEN) {
        struct event *event;

        state->events++;
        ftrace_states_follow_request(&state->states, line, &request);
        event = block_trace_add(io, &state->block.trace, &request);
        ftrace_device_follow_request(&state->device, &request, event);
    } else if (!ftrace_count(io, state, at, outcome) &&
               !ftrace_count(io, state, at,
                             ftrace_device_handle(io, &state->device, &state->block.trace, line)) &&
               !ftrace_count(spans, state, at,
                             ftrace_storage_handle(spans, import_of_kind(import, TRACE_SAMPLES),
                                                   &state->marks, line, at->offset, at->bytes)) &&
               !ftrace_count(io, state, at,
                             ftrace_block_allocations_handle(io, &state->allocations, line)) &&
               !ftrace_handle_state(import, state, at, line)) {
        ftrace_handle_call(import, state, at, line);
    }
}

/* Imports an event that a function graph prints as a comment. */
static void handle_inner_event(struct import *import, struct ftrace *state,
                               struct ftrace_text *file, const struct line *at,
                               struct ftrace_graph_line *graph) {
    if (graph->head.time == EVENT_NONE || !graph->has_task) {
        import_ignored(import, without_time, at->offset);
        return;
    }
    ftrace_line_parse_event(graph->event, &graph->head);
    ftrace_handle_event(import, state, file, at, &graph->head);
}

/* Imports a line of a function graph. Rejects a line of no known form. */
static void handle_graph(struct import *import, struct ftrace *state, struct ftrace_text *file,
                         const struct line *at) {
    struct import *spans = import_of_kind(import, TRACE_SPANS);
    struct ftrace_graph_line graph;
    const char *damage = NULL;

    ftrace_graph_parse(at->text, NULL, &graph);
    if (graph.kind == GRAPH_NONE) {
        reject_unknown(import, state, at, bad_line);
        return;
    }
    if (!state->begun && graph.kind != GRAPH_SWITCH && graph.kind != GRAPH_OTHER) {
        struct ftrace_line first = graph.head;

        first.time = first.time == EVENT_NONE ? 0 : first.time;
        begin_clock(import, state, file, &first);
    }
    if (graph.head.time != EVENT_NONE) {
        damage = ftrace_count_time(state, &graph.head);
    }
    if (damage != NULL) {
        reject_unknown(spans, state, at, damage);
        return;
    }
    if (graph.kind == GRAPH_SWITCH || graph.kind == GRAPH_OTHER) {
        ftrace_graph_handle(spans, &state->graph, &graph, at->offset, at->bytes);
        return;
    }
    file->has_lines = true;
    if (graph.head.time != EVENT_NONE) {
        import_cpu_event(import, graph.head.cpu, graph.head.time);
    }
    if (graph.kind == GRAPH_EVENT) {
        handle_inner_event(import, state, file, at, &graph);
    } else {
        ftrace_count(spans, state, at,
                     ftrace_graph_handle(spans, &state->graph, &graph, at->offset, at->bytes));
    }
}

struct ftrace_parsed {
    enum { FTRACE_HEADING, FTRACE_LOSS, FTRACE_STACK, FTRACE_EVENT, FTRACE_GRAPH } kind;
    int64_t cpu, lost;       /* FTRACE_LOSS: results of ftrace_loss_read_mark() */
    struct ftrace_line line; /* the line, if `kind` is FTRACE_EVENT */
};

static void parse_line(struct word text, struct ftrace_parsed *parsed) {
    if (text.bytes == NULL || is_heading(text)) {
        parsed->kind = FTRACE_HEADING;
    } else if (ftrace_loss_read_mark(text, &parsed->cpu, &parsed->lost)) {
        parsed->kind = FTRACE_LOSS;
    } else if (is_stack(text)) {
        parsed->kind = FTRACE_STACK;
    } else if (ftrace_line_parse(text, &parsed->line)) {
        parsed->kind = FTRACE_EVENT;
    } else {
        parsed->kind = FTRACE_GRAPH; /* a line of a function graph, or of no known form */
    }
}

/* Returns whether perf script printed a record of perf itself (--show-task-events), not an event.
 * perf makes such records for threads that exist when it starts; their time is 0, or before the
 * first event. */
static bool is_record_of_perf(const struct ftrace_line *line) {
    return word_begins(line->event.length > 0 ? line->event : line->fields, "PERF_RECORD_") &&
           !ftrace_loss_read_record(line, &(int64_t){0});
}

/* Returns whether the line heads a stack, which follows in the next lines and belongs to the event
 * before. After a switch, this line still names the old thread, but that thread does not run. */
static bool heads_stack(const struct ftrace_line *line) {
    return word_is(line->event, "kernel_stack") || word_is(line->event, "user_stack") ||
           (line->event.length == 0 && (word_is(line->fields, "<stack trace>") ||
                                        word_is(line->fields, "<user stack trace>")));
}

static void handle_event_line(struct import *import, struct ftrace *state, struct ftrace_text *file,
                              const struct line *at, struct ftrace_line *line) {
    const char *damage;
    int64_t lost;

    if (is_record_of_perf(line)) {
        import_ignored(import, record_of_perf, at->offset);
        return;
    }
    if (file->complete != NULL) {
        file->complete(file, line);
    }
    if (!state->begun) {
        begin_clock(import, state, file, line);
    }
    if ((damage = ftrace_count_time(state, line)) != NULL) {
        reject_unknown(import, state, at, damage);
        return;
    }
    if (ftrace_loss_read_record(line, &lost)) {
        state->perf_told = true;
        handle_loss(import, state, at, line->cpu, lost, lost_events);
        return;
    }
    file->has_lines = true;
    state->by_perf |= line->has_system;
    import_cpu_event(import, line->cpu, line->time);
    if (heads_stack(line)) {
        import_ignored(import, stack, at->offset);
    } else {
        ftrace_handle_event(import, state, file, at, line);
    }
}

static void ftrace_handle_line(struct import *import, struct ftrace *state,
                               struct ftrace_text *file, const struct line *at,
                               struct ftrace_parsed *parsed) {
    switch (parsed->kind) {
    case FTRACE_HEADING:
        ftrace_handle_heading(import, state, file, at);
        ftrace_syscalls_read_arch(&state->syscalls, at->text);
        break;
    case FTRACE_LOSS:
        state->perf_told |= parsed->cpu == EVENT_NONE && parsed->lost != EVENT_NONE;
        if (parsed->cpu != EVENT_NONE || parsed->lost != EVENT_NONE || !state->perf_told) {
            handle_loss(import, state, at, parsed->cpu, parsed->lost, lost_events);
        }
        break;
    case FTRACE_STACK:
        import_ignored(import, stack, at->offset);
        break;
    case FTRACE_EVENT:
        handle_event_line(import, state, file, at, &parsed->line);
        break;
    case FTRACE_GRAPH:
        handle_graph(import, state, file, at);
        break;
    }
}

/* Sets the task that each CPU runs at first, from the first lines of a file. */
static void find_first_tasks(struct ftrace *state, struct ftrace_text *file) {
    struct word rest = {text_string(&file->switches), file->switches.length};
    struct ftrace_graph_line line;

    while (rest.length > 0) {
        ftrace_graph_parse(word_field(&rest, '\n'), NULL, &line);
        ftrace_graph_set_first_task(&state->graph, &line);
    }
    text_clear(&file->switches);
}

static void handle_ftrace(struct import *import, void *state, struct stream *stream,
                          const struct stream_record *record) {
    struct line line = lines_of_record(record);

    if (line.text.bytes == NULL) {
        reject_unknown(import, state, &line, lines_too_long);
        return;
    }
    find_first_tasks(state, stream->state);
    ftrace_handle_line(import, state, stream->state, &line, record->parsed);
}

/* Imports a record of a Perfetto trace: a line of ftrace made from it, or a line of another kind
 * (perfetto.h). */
static void handle_perfetto(struct import *import, void *context, struct stream *stream,
                            const struct stream_record *record) {
    struct ftrace *state = context;
    struct line line = lines_of_record(record);
    struct ftrace_parsed *parsed = record->parsed;
    struct ftrace_line event;
    bool dropped;

    if (line.text.length == 0) {
        if (line.text.bytes == NULL) { /* the line is too long */
            ftrace_handle_line(import, state, stream->state, &line, parsed);
        } /* an empty record, during which the import can be interrupted */
        return;
    }
    dropped = word_begins(line.text, PERFETTO_DROPPED);
    if ((dropped || word_begins(line.text, PERFETTO_LOST)) &&
        ftrace_line_parse_head(line.text, &(struct word){0}, &event)) {
        handle_loss(import, state, &line, event.cpu, EVENT_NONE,
                    dropped ? dropped_packets : lost_events);
    } else if (word_begins(line.text, PERFETTO_PROCESSOR)) {
        ftrace_syscalls_read_arch(&state->syscalls, line.text);
    } else if (word_begins(line.text, PERFETTO_END)) {
        ftrace_states_name_processes(import_of_kind(import, TRACE_STATES), &state->states,
                                     stream->state);
    } else if (!word_accept(&line.text, "#")) {
        ftrace_handle_line(import, state, stream->state, &line, parsed);
    } else if (line.text.length == 0) {
        reject_unknown(import, state, &line, bad_packet);
    } else {
        count_unread(&state->unread, line.text, 1);
        import_ignored(import, unread_packet, line.offset);
    }
}

static void parse_ftrace(const struct stream *stream, struct stream_record *record) {
    (void)stream;
    parse_line((struct word){(const char *)record->bytes, record->length}, record->parsed);
}

/* Returns the time of a line, by which files are merged; EVENT_NONE if its clock is not the file's,
 * since such times cannot be compared. */
static int64_t time_of_ftrace(const struct stream *stream, const struct stream_record *record) {
    const struct ftrace_text *file = stream->state;
    const struct ftrace_parsed *parsed = record->parsed;
    struct word text = {(const char *)record->bytes, record->length};
    struct ftrace_parsed own;

    if (parsed == NULL) {
        parse_line(text, &own);
        parsed = &own;
    }
    if (parsed->kind == FTRACE_GRAPH) {
        struct ftrace_graph_line graph;

        ftrace_graph_parse(text, NULL, &graph);
        return graph.kind == GRAPH_NONE ? EVENT_NONE : graph.head.time;
    }
    return parsed->kind == FTRACE_EVENT && (!file->has_clock || file->clock == parsed->line.clock)
               ? parsed->line.time
               : EVENT_NONE;
}

/* --- begin and end of an import --------------------------------------------------------------- */

static void ftrace_begin(struct import *import, struct ftrace *state, const char *variant,
                         const char *what) {
    import_variant(import, variant);
    state->what = what;
    block_trace_begin(import_of_kind(import, TRACE_IO), &state->block.trace);
    ftrace_calls_begin(import_of_kind(import, TRACE_CALLS), &state->calls);
}

static void begin_ftrace(struct import *import, void *state) {
    ftrace_begin(import, state, "text", "an ftrace log");
}

static void begin_perfetto(struct import *import, void *state) {
    ftrace_begin(import, state, "protobuf", "a Perfetto trace");
}

static void ftrace_remark(struct import *import, struct ftrace *state) {
    struct text list = {0};

    ftrace_block_add_remarks(import_of_kind(import, TRACE_IO), &state->block);
    ftrace_syscalls_add_remark(import_of_kind(import, TRACE_CALLS), &state->syscalls);
    if ((state->layers & (state->layers - 1)) != 0) {
        import_remark(import_of_kind(import, TRACE_CALLS),
                      "the log has calls of several layers, such as system calls and a file "
                      "system: each read or write counts once in every layer");
    }
    if (state->unread.total > 0) {
        list_unread(&state->unread, &list);
        import_remark(import, "events that tracetool does not read: %s", text_string(&list));
    }
    import_remark_count(
        import, state->overwritten,
        "%lld event{s} {was|were} overwritten in the kernel's buffer before the log was "
        "read");
    if (state->by_perf && !state->perf_told) {
        import_remark(
            import, "no lost events are in the log: none were lost, or perf script was run without "
                    "--show-lost-events");
    }
    import_remark_count(import, state->steps_back,
                        "time goes back by more than a second, %lld time{s}: the log may consist "
                        "of several recordings");
    text_free(&list);
}

/* Refuses a log if none of its events could be read; the error message lists the events. */
static bool has_something(struct import *import, struct ftrace *state) {
    struct text list = {0};
    struct word names;

    if (state->events > 0 || state->rejected > 0) {
        return true;
    }
    list_unread(&state->unread, &list);
    names = (struct word){text_string(&list), list.length};
    import_fail_file(
        import, "%s without a known event%s%s%s%s", state->what, list.length > 0 ? ": " : "",
        text_string(&list), state->block.accounted == 0 ? "" : no_requests,
        2 * state->samples > state->unread.total ? only_samples
        : word_begins(names, "bpf_trace_printk ") || word_begins(names, "0x00000001 ") ? printed
                                                                                       : "");
    text_free(&list);
    return false;
}

static void end_ftrace(struct import *import, void *context, bool failed) {
    struct ftrace *state = context;

    for (const struct unread_name *name = state->early.names; name != NULL && !state->states.active;
         name = name->hh.next) {
        count_unread(&state->unread, (struct word){name->text, name->length}, name->count);
    }
    failed = failed || !has_something(import, state);
    if (!failed) {
        ftrace_allocations_end(import_of_kind(import, TRACE_IO), &state->allocations);
        ftrace_remark(import, state);
    }
    if (state->layers == FUNCTIONS) {
        import_declare_column_absent(import_of_kind(import, TRACE_CALLS), EVENT_PLACE_VALUE);
    }
    ftrace_descriptors_end(&state->syscalls.descriptors);
    ftrace_calls_end(import_of_kind(import, TRACE_CALLS), &state->calls, failed);
    ftrace_graph_end(import_of_kind(import, TRACE_SPANS), &state->graph, failed);
    ftrace_marks_end(&state->marks);
    ftrace_states_end(import_of_kind(import, TRACE_STATES), &state->states, failed);
    ftrace_device_end(import_of_kind(import, TRACE_IO), &state->device, failed);
    block_trace_end(import_of_kind(import, TRACE_IO), &state->block.trace, failed);
    free_unread(&state->unread);
    free_unread(&state->early);
}

/* --- detection of the format ------------------------------------------------------------------ */

struct first_events {
    int good, bad;
    bool leads; /* true: the first line is an event */
};

static enum line_verdict ftrace_judge(void *context, struct word line) {
    struct first_events *events = context;
    struct ftrace_line parsed;
    struct ftrace_graph_line graph;
    int64_t cpu, lost;

    if (is_heading(line) || is_stack(line) || ftrace_loss_read_mark(line, &cpu, &lost)) {
        return LINE_NOTHING;
    }
    if (!ftrace_line_parse(line, &parsed)) {
        ftrace_graph_parse(line, NULL, &graph);
        if (graph.kind == GRAPH_NONE || graph.kind == GRAPH_OTHER) {
            events->bad += graph.kind == GRAPH_NONE;
            return graph.kind == GRAPH_NONE ? LINE_BAD : LINE_NOTHING;
        }
    }
    events->leads |= events->good + events->bad == 0;
    events->good++;
    return LINE_GOOD;
}

static const char *why_not_ftrace(const struct sniff *sniff, struct word line) {
    struct first_events events = {0};
    struct ftrace_graph_line graph;
    struct ftrace_line parsed;

    (void)sniff;
    if (ftrace_line_parse(line, &parsed) && word_begins(parsed.event, "funcgraph_e")) {
        ftrace_graph_parse(parsed.fields, &parsed, &graph);
        return graph.kind == GRAPH_ENTRY || graph.kind == GRAPH_LEAF || graph.kind == GRAPH_EXIT
                   ? NULL
                   : bad_line;
    }
    return ftrace_judge(&events, line) == LINE_GOOD ? NULL : bad_line;
}

/* Accepts a file with three events if they outnumber other lines, or with one after a header. */
static enum sniff_score sniff_ftrace(const struct sniff *sniff) {
    struct word trace = ftrace_text_skip_messages(sniff->bytes, sniff->length);
    bool headed = word_begins(trace, "# tracer: ") || word_begins(trace, "cpus=");
    struct first_events events = {0};

    if (ftrace_text_sniff(sniff)) {
        return SNIFF_LIKELY;
    }
    if (!lines_judge(trace.bytes, trace.length, sniff->whole, ftrace_judge, &events) &&
        !(headed && events.leads)) {
        return SNIFF_NO;
    }
    return events.good < GOOD_LINES && !headed ? SNIFF_NO
           : ftrace_text_has_prefixes(trace)   ? SNIFF_GREEDY
                                               : SNIFF_LIKELY;
}

static void dump_ftrace(const struct dump_event *dump, struct text *out) {
    bool is_io = dump->operation_kind != NULL && strcmp(dump->operation_kind, "action") == 0;

    if (dump->operation_kind != NULL && (strcmp(dump->operation_kind, STATE_NAME_KIND) == 0 ||
                                         strcmp(dump->operation_kind, PROCESSOR_NAME_KIND) == 0)) {
        ftrace_states_dump(dump, out);
    } else if (dump->operation_kind != NULL &&
               strcmp(dump->operation_kind, COUNTER_NAME_KIND) == 0) {
        ftrace_marks_dump(dump, out);
    } else {
        (is_io ? block_trace_dump : ftrace_calls_dump)(dump, out);
    }
}

/* Members that both importers, ftrace and perfetto, have in common. */
#define FTRACE_IMPORTER                                                                            \
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS | 1u << TRACE_SAMPLES |        \
             1u << TRACE_STATES,                                                                   \
    .meanings = {[TRACE_CALLS] = syscalls_meanings,                                                \
                 [TRACE_IO] = block_trace_meanings,                                                \
                 [TRACE_SPANS] = ftrace_graph_meanings,                                            \
                 [TRACE_SAMPLES] = ftrace_marks_meanings,                                          \
                 [TRACE_STATES] = ftrace_states_meanings},                                         \
    .facts = {[TRACE_CALLS] = FACTS_ALL,                                                           \
              [TRACE_IO] = FACTS_OF_BLOCK_LAYER,                                                   \
              [TRACE_SPANS] = FACTS_ALL,                                                           \
              [TRACE_SAMPLES] = FACTS_ALL,                                                         \
              [TRACE_STATES] = FACTS_ALL},                                                         \
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |       \
               EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE | EVENT_ISSUER | EVENT_RESPONSE |          \
               EVENT_ARGUMENTS | EVENT_ERROR | EVENT_PARENT | EVENT_DEPTH | EVENT_SELF |           \
               EVENT_SOURCE | EVENT_SOURCE_ADDRESS,                                                \
    .state_size = sizeof(struct ftrace), .record_time = time_of_ftrace, .sorts_alone = true,       \
    .parse_record = parse_ftrace, .parsed_size = sizeof(struct ftrace_parsed), .end = end_ftrace,  \
    .dump = dump_ftrace, .dump_span = ftrace_graph_dump

extern const struct importer ftrace_importer, perfetto_importer;

const struct importer ftrace_importer = {
    .name = "ftrace",
    .description = "the Linux kernel's trace as text: ftrace, trace-cmd, perf script, atrace",
    .line = "      dd-3517    [001] d..1.  2720.475937: block_rq_issue: 7,0 W 4096 () 64 + 8 [dd]",
    .made_of = "lines of task-pid, [CPU], flags, time, event: fields",
    .variants = "text",
    FTRACE_IMPORTER,
    .sniff = sniff_ftrace,
    .why_not = why_not_ftrace,
    .begin = begin_ftrace,
    .stream_state_size = sizeof(struct ftrace_text),
    .open_stream = ftrace_text_open,
    .close_stream = ftrace_text_close,
    .next_record = ftrace_text_next,
    .take_record = handle_ftrace,
    .reads_ahead = true,
    .tells_earlier = true,
};

const struct importer perfetto_importer = {
    .name = "perfetto",
    .description = "Perfetto's traces: ftrace's events in protobuf",
    .made_of = "packets of protobuf",
    .variants = "protobuf",
    FTRACE_IMPORTER,
    .sniff = perfetto_sniff,
    .begin = begin_perfetto,
    .stream_state_size = sizeof(struct perfetto),
    .open_stream = perfetto_open,
    .close_stream = perfetto_close,
    .next_record = perfetto_next,
    .take_record = handle_perfetto,
    .sorts = true,
};
