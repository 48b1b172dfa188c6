/* Output of ltrace: calls of library functions, and with -S system calls, with any of the flags
 * -f, -t, -tt, -ttt, -r, -T, -S, -C, -l and -n, of ltrace 0.5 to 0.7.
 *
 *     [pid 4711] 23:48:26.834923 node->malloc(24)                 = 0x55d0 <0.000021>
 *     [pid 4711] 23:48:26.835001 qsort(0x7ffd, 2, 4, 0x4011 <unfinished ...>
 *     [pid 4711] 23:48:26.835020 strcmp("b", "a")                 = 1
 *     [pid 4711] 23:48:26.835100 <... qsort resumed> )            = <void>
 *     4712 SYS_brk(0) = 0x1f3c000
 *     +++ exited (status 0) +++
 *
 * The prefix of a line is the same as strace's (strace_line.h). Source: ltrace(1), output.c.
 *
 * Calls nest: those printed between the two halves of a call are its callees. The duration of a
 * call is that of -T, or else the time between its two halves; a call on one line has none without
 * -T. In a log with -T but without times, times are computed from the durations.
 *
 * Quirks: one half may name the caller (`node->`) and the other not. malloc@libc.so.6 has the
 * component libc.so.6, node->malloc the calling component; brk@SYS is SYS_brk.
 *
 * Tables filled: event (calls; arguments with the result); name (kind function, with component);
 * actor (pid). */
#include <string.h>

#include "base/hash.h"
#include "ftrace_graph.h"
#include "lines.h"
#include "model/call_stacks.h"
#include "strace_line.h"

/* Maximum time in a log that has only durations, 146 years in nanoseconds. */
#define TIME_MOST (INT64_C(1) << 62)

enum {
    LOOKED = 256, /* maximum open calls searched for the start of a call that ends */
    NAME_MOST = 4096,
};

/* Reasons (ledger.reason) for rejecting or ignoring lines, or splitting one into two events. */
static const char no_line[] = "not a line of ltrace";
static const char too_late[] = "durations add up to more than 146 years";
static const char both_ends[] = "a line with a result is both ends of a call";
static const char of_signal[] = "signals, and ends of processes";

/* --- parsing one line ------------------------------------------------------------------------- */

enum form { NOTHING, CALL, BEGIN, END, NOTE, OTHER };

struct ltrace_line {
    struct strace_prefix prefix;
    enum form form;
    struct word name, component; /* function and library; `component` may be empty */
    bool system;                 /* true: a system call, which ltrace prints as NAME@SYS */
    struct word text;            /* arguments and result of the call */
    int64_t duration; /* duration of the call, nanoseconds; EVENT_NONE: not in the line */
};

/* Splits the name of a call, CALLER->NAME@LIBRARY, into function and library. */
static void parse_name(struct word all, struct ltrace_line *line) {
    const char *arrow = memmem(all.bytes, all.length, "->", 2);
    const char *at;

    line->component = (struct word){all.bytes, 0};
    if (arrow != NULL && arrow > all.bytes) {
        line->component = word_between(all.bytes, arrow);
        all = word_between(arrow + 2, all.bytes + all.length);
    }
    at = memchr(all.bytes, '@', all.length);
    if (at != NULL && at > all.bytes) {
        line->component = word_between(at + 1, all.bytes + all.length);
        line->system = word_is(line->component, "SYS");
        line->component.length = line->system ? 0 : line->component.length;
        all = word_between(all.bytes, at);
    }
    line->name = all;
}

/* Removes <SECONDS> from the end of a text. Returns it in nanoseconds; EVENT_NONE: missing. */
static int64_t ltrace_cut_duration(struct word *text) {
    const char *begin = memrchr(text->bytes, '<', text->length);
    int64_t duration;

    if (!word_ends(*text, ">") || begin == NULL ||
        !word_seconds(word_between(begin + 1, text->bytes + text->length - 1), 1, 9, 1000000000,
                      &duration)) {
        return EVENT_NONE;
    }
    *text = word_trim(word_between(text->bytes, begin));
    return duration;
}

/* Returns whether "<void>" or "<0.000021>" at the end lacks its ">": the line was wrapped. */
static bool is_cut(struct word text) {
    const char *begin = memrchr(text.bytes, '<', text.length);

    return begin != NULL && begin > text.bytes && begin[-1] == ' ' &&
           memchr(begin, '>', (size_t)(text.bytes + text.length - begin)) == NULL &&
           memchr(begin, ')', (size_t)(text.bytes + text.length - begin)) == NULL;
}

/* Parses the second half of a call: <... NAME resumed> and the text after it. */
static enum form parse_end(struct word body, struct ltrace_line *line) {
    struct word name;

    word_skip(&body, strlen("<... "));
    if (!word_cut_first(&body, " resumed>", &name)) {
        return OTHER;
    }
    parse_name(name, line);
    line->text = word_trim(body);
    line->duration = ltrace_cut_duration(&line->text);
    return END;
}

/* Returns whether a line number precedes the name: `7:` by grep -n, or `7` and a tab. */
static bool is_numbered(struct word name) {
    size_t digits = word_digits(name);

    return digits > 0 && digits < name.length &&
           (name.bytes[digits] == ':' || name.bytes[digits] == '\t');
}

static enum form ltrace_parse_body(struct word body, struct ltrace_line *line) {
    static const char unfinished[] = "<unfinished ...>", no_return[] = "<no return ...>";
    const char *bracket = memchr(body.bytes, '(', body.length);

    if (word_begins(body, "<... ")) {
        return parse_end(body, line);
    }
    if (word_begins(body, "--- ") || word_begins(body, "+++ ")) {
        return NOTE;
    }
    if (bracket == NULL || bracket == body.bytes || bracket - body.bytes > NAME_MOST ||
        memchr(body.bytes, ' ', (size_t)(bracket - body.bytes)) != NULL ||
        body.bytes[1] == '/' || /* a line of logcat: I/NAME( */
        is_numbered(word_between(body.bytes, bracket))) {
        return OTHER;
    }
    parse_name(word_between(body.bytes, bracket), line);
    line->text = word_trim(word_between(bracket, body.bytes + body.length));
    if (word_ends(line->text, unfinished) || word_ends(line->text, no_return)) {
        line->text.length -= strlen(word_ends(line->text, unfinished) ? unfinished : no_return);
        return BEGIN;
    }
    line->duration = ltrace_cut_duration(&line->text);
    return (word_has(line->text, " = ") || word_has(line->text, "= <")) && !is_cut(line->text)
               ? CALL
               : OTHER;
}

static void ltrace_parse_line(struct word text, struct ltrace_line *line) {
    *line = (struct ltrace_line){.duration = EVENT_NONE};
    strace_parse_prefix(&text, &line->prefix);
    text = word_trim(text);
    line->form = text.length == 0 ? NOTHING : ltrace_parse_body(text, line);
}

/* --- open calls ------------------------------------------------------------------------------- */

/* An open call: its return has not been read yet. */
struct open_call {
    uint64_t name; /* hash of the function's name, without the caller */
    uint32_t operation;
    int64_t begin;
};

struct ltrace {
    struct strace_times times;
    struct strace_days days;
    struct call_stacks open;
    struct text name;      /* owned */
    bool begun, durations; /* begun: a call was read; durations: the log has durations */
    int64_t now;           /* sum of durations so far: the time, in a log without times */
};

static void begin_ltrace(struct import *import, void *context) {
    struct ltrace *state = context;

    import_variant(import, "text");
    state->open.thread_size = sizeof(struct call_thread);
    state->open.call_size = sizeof(struct open_call);
}

static void end_ltrace(struct import *import, void *context, bool failed) {
    struct ltrace *state = context;

    call_stacks_free(&state->open);
    text_free(&state->name);
}

/* At the first call in the log, sets the clock of the trace: wall clock, time of day, or none. */
static void ltrace_begin_times(struct import *import, struct ltrace *state,
                               const struct strace_prefix *prefix) {
    static const struct import_clock places = {.unit = CLOCK_UNIT_RECORDS, .clocks = ""};

    if (state->begun) {
        return;
    }
    state->begun = true;
    strace_times_begin(&state->times, prefix->clock, prefix->time);
    if (prefix->clock == STRACE_NO_CLOCK && !state->durations) {
        import_clock(import, &places);
    } else if (prefix->clock == STRACE_EPOCH) {
        import_set_start_time(import, prefix->time);
    } else if (prefix->clock == STRACE_DAY) {
        import_time_of_day(import, prefix->time);
    }
}

/* --- calls and their ends --------------------------------------------------------------------- */

static uint32_t ltrace_find_operation(struct import *import, struct ltrace *state,
                                      const struct ltrace_line *line) {
    uint32_t component = 0;
    struct word name = line->name;

    if (line->component.length > 0) {
        component = import_simple_name(import, "component", line->component);
    }
    if (line->system) {
        text_clear(&state->name);
        text_append_string(&state->name, "SYS_");
        text_append(&state->name, name.bytes, name.length);
        name = (struct word){text_string(&state->name), state->name.length};
    }
    return import_function_across_components(import, name, component, "several components");
}

/* Removes and returns the innermost open call of the function with hash `name`; NULL if there is
 * none. Also removes the calls inside it, which must have ended, too. */
static const struct open_call *close_call(struct ltrace *state, struct call_thread *thread,
                                          uint64_t name) {
    size_t least = thread->depth > LOOKED ? thread->depth - LOOKED : 0;

    for (size_t depth = thread->depth; depth > least; depth--) {
        const struct open_call *call = call_stacks_at(&state->open, thread, depth - 1);

        if (call->name == name) {
            thread->depth = depth - 1;
            return call;
        }
    }
    return NULL;
}

static void ltrace_handle_call(struct import *import, struct ltrace *state, const struct line *at,
                               const struct ltrace_line *line, int64_t time) {
    int64_t process = line->prefix.thread;
    uint32_t operation = ltrace_find_operation(import, state, line);
    uint32_t actor = import_thread(import, process, process, (struct word){"", 0});
    struct span_record record =
        span_record_of(operation, actor, process == EVENT_NONE ? 0 : process, time);
    struct call_thread *thread = call_stacks_find(&state->open, record.actor);
    struct open_call call = {.name = seeded_hash(line->name.bytes, line->name.length),
                             .operation = record.operation,
                             .begin = time};

    record.arguments = (const uint8_t *)line->text.bytes;
    record.arguments_size = (uint32_t)line->text.length;
    thread = thread == NULL ? call_stacks_add(&state->open, record.actor) : thread;
    if (line->form != END) {
        import_entry(import, &record, at->offset, at->bytes);
    }
    if (line->form == BEGIN) {
        *(struct open_call *)call_stacks_push(&state->open, thread) = call;
        return;
    }
    record.arguments_size = 0;
    record.has_duration = line->form == CALL || line->duration != EVENT_NONE;
    record.duration = line->duration;
    if (line->form == END) {
        const struct open_call *begun = close_call(state, thread, call.name);

        record.operation = begun == NULL ? record.operation : begun->operation;
        if (begun != NULL && line->duration != EVENT_NONE &&
            begun->begin + line->duration > state->now) {
            state->now = begun->begin + line->duration;
        }
    } else {
        import_count_extra_event(import, both_ends, at->offset);
    }
    import_exit(import, &record, at->offset, at->bytes);
}

/* Sets the time of a line; in a log without times, the sum of durations so far. Returns NULL, or
 * why the line is rejected. */
static const char *ltrace_time_of(struct ltrace *state, const struct ltrace_line *line,
                                  int64_t *time) {
    if (state->times.clock == STRACE_NO_CLOCK && state->durations) {
        *time = state->now;
        if (line->form == CALL && line->duration != EVENT_NONE) {
            state->now += line->duration;
        }
        return state->now < TIME_MOST ? NULL : too_late;
    }
    return strace_times_read(&state->times, &state->days, &line->prefix, time);
}

static void ltrace_handle_line(struct import *import, struct ltrace *state, const struct line *at) {
    struct ltrace_line line;
    const char *damage;
    int64_t time;

    ltrace_parse_line(at->text, &line);
    if (line.form == NOTHING) {
        return;
    }
    if (line.form == NOTE) {
        import_ignored(import, of_signal, at->offset);
        return;
    }
    if (line.form == OTHER) {
        lines_reject(import, at, no_line);
        return;
    }
    ltrace_begin_times(import, state, &line.prefix);
    damage = ltrace_time_of(state, &line, &time);
    if (damage != NULL) {
        lines_reject(import, at, damage);
        return;
    }
    ltrace_handle_call(import, state, at, &line, time);
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Returns whether the line has marks of ltrace that strace does not print. */
static bool is_library(const struct ltrace_line *line) {
    static const char names[] =
        "malloc free calloc realloc strlen strcmp strcpy strchr memcpy memset printf puts "
        "fopen fprintf __libc_start_main setlocale getenv";

    return line->component.length > 0 || line->system || word_listed(line->name, names) ||
           word_ends(line->text, "= <void>") ||
           (word_begins(line->name, "SYS_") && line->name.length > 4 &&
            !word_is_digit(line->name.bytes[4]));
}

struct judged {
    int library, durations;
};

static enum line_verdict ltrace_judge(void *context, struct word text) {
    struct judged *judged = context;
    struct ltrace_line line;

    ltrace_parse_line(text, &line);
    if (line.form == NOTHING) {
        return LINE_NOTHING;
    }
    if (line.form == NOTE) {
        judged->library += word_has(text, "+++ exited (status ");
        return LINE_NOTHING;
    }
    if (line.form == OTHER) {
        return LINE_BAD;
    }
    judged->library += is_library(&line);
    judged->durations += line.duration != EVENT_NONE;
    return LINE_GOOD;
}

static enum sniff_score sniff_ltrace(const struct sniff *sniff) {
    struct judged judged = {0};

    return lines_sniff(sniff, ltrace_judge, &judged) != SNIFF_NO && judged.library > 0 ? SNIFF_SURE
                                                                                       : SNIFF_NO;
}

/* Returns NULL if the line was printed by ltrace, otherwise why not. If the log has durations, a
 * call without one is incomplete. */
static const char *why_not_ltrace(const struct sniff *sniff, struct word line) {
    struct judged judged = {0};
    struct ltrace_line parsed;

    lines_judge(sniff->bytes, sniff->length, sniff->whole, ltrace_judge, &judged);
    ltrace_parse_line(line, &parsed);
    return (parsed.form == CALL && (judged.durations == 0 || parsed.duration != EVENT_NONE)) ||
                   parsed.form == BEGIN || parsed.form == END || parsed.form == NOTE
               ? NULL
               : no_line;
}

/* Returns whether any call in the text has a duration. Other text may come first. */
static bool any_duration(struct word text) {
    while (text.length > 0) {
        struct ltrace_line line;

        ltrace_parse_line(word_field(&text, '\n'), &line);
        if (line.form != OTHER && line.duration != EVENT_NONE) {
            return true;
        }
    }
    return false;
}

static void read_ltrace(struct import *import, void *context, struct reader *reader) {
    struct ltrace *state = context;
    struct line line;

    reader_skip_mark(reader);
    if (!state->begun) {
        size_t length = reader_fill(reader, SNIFF_LENGTH);

        state->durations = any_duration((struct word){(const char *)reader_bytes(reader), length});
    }
    while (lines_next(import, reader, lines_too_long, &line)) {
        ltrace_handle_line(import, state, &line);
    }
}

static void ltrace_dump_span(const struct dump_event *dump, enum dump_moment moment,
                             struct text *out) {
    if (moment == DUMP_ENTRY) {
        text_append_escaped(out, (const char *)dump->event.arguments, dump->arguments_size);
    }
}

const struct importer ltrace_importer = {
    .name = "ltrace",
    .description = "calls of library functions as ltrace prints them",
    .line = "12:00:00.000001 malloc(24)   = 0x55d0 <0.000021>",
    .made_of = "lines of name(arguments) = result",
    .variants = "text",
    .kinds = 1u << TRACE_SPANS,
    .meanings = {[TRACE_SPANS] = ftrace_graph_meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_ARGUMENTS |
               EVENT_PARENT | EVENT_DEPTH | EVENT_SELF,
    .state_size = sizeof(struct ltrace),
    .sniff = sniff_ltrace,
    .why_not = why_not_ltrace,
    .begin = begin_ltrace,
    .read = read_ltrace,
    .end = end_ltrace,
    .dump_span = ltrace_dump_span,
};
