/* stacks: samples of a processor profile, as text. One form is output of `perf script` after perf
 * record -g:
 *
 *     java  1234/1240 [001] 12345.678901:     250000 cpu-clock:pppH:
 *             ffffffff8104f2ab do_work+0xb ([kernel.kallsyms])
 *                       7f1204 main+0x14 (/usr/bin/java)
 *
 * The innermost function comes first, and an empty line follows each sample. The other form is
 * folded stacks, as written by FlameGraph's stackcollapse-*.pl and --format folded. The outermost
 * function comes first:
 *
 *     main;do_work 17
 *
 * Sources: perf-script(1), builtin-script.c of Linux, FlameGraph.
 *
 * A sample becomes nested calls of its functions with duration 1; a folded stack, calls with its
 * count as duration. So times are counted in samples: a function's total is the number of samples
 * that contain it, its self time is the number of samples in which it is innermost. The real
 * durations of calls are unknown.
 *
 * Quirks: names of processes have blanks; symbols have any bytes. Without -g, the sampled function
 * follows the event on the same line. With several events, only samples of the first are imported,
 * as in FlameGraph. Functions with the same name are one function; those without a symbol are
 * distinguished by their files.
 *
 * Tables filled (through span.c): event (calls of functions); name (kind function; from perf also
 * component, the file of a function); actor (pid, tid, name). */
#include <string.h>

#include "ftrace_line.h"
#include "lines.h"

enum {
    FRAMES = 16384,
    PROCESS_NAME = 256, /* limit of bytes before a sample's PID; the kernel has 15 */
};

#define COUNT_MOST (INT64_C(1) << 40)
#define TIME_MOST  (INT64_C(1) << 62)

/* Reasons why records are rejected, ignored or merged, as report ledger prints them. */
static const char bad_line[] = "neither the head of a sample nor a function of its stack";
static const char bad_folded[] =
    "not a folded stack: functions separated by ;, and a count up to 2^40";
static const char too_deep[] = "a stack of more than 16384 functions";
static const char too_late[] = "more than 2^62 samples";
static const char other_event[] = "a sample of another event than the first one's";
static const char no_stack[] = "a sample without a stack";
static const char lost_mark[] = "a line that reports lost samples";
static const char lost_samples[] = "samples that the kernel had no room for";

/* --- lines of perf script --------------------------------------------------------------------- */

/* The first line of a sample. */
struct head {
    struct word process, event;
    int64_t pid, tid;
    struct word frame; /* function printed after the event; empty: the stack is in the next lines */
};

/* A function in the stack of a sample. */
struct frame {
    struct word name, file;
};

/* Returns the offset of a function's file in its line; 0: none. The file begins with "(/", "([",
 * "(i" (inlined) or "(b" (bpf_prog_…): symbols and other files may have parentheses, too. */
static size_t stacks_find_file(struct word rest) {
    for (size_t i = rest.length - 1; word_ends(rest, ")") && i > 0; i--) {
        if (rest.bytes[i] == '(' && word_is_blank(rest.bytes[i - 1]) &&
            memchr("/[ib", rest.bytes[i + 1], 4) != NULL) {
            return i;
        }
    }
    return 0;
}

/* Parses a line with a function: ADDRESS NAME+0xOFFSET (FILE). */
static bool parse_frame(struct word line, struct frame *frame) {
    struct word rest = word_trim(line), address = word_next(&rest);
    uint64_t number;
    size_t begin;

    rest = word_trim(rest);
    if (address.length == 0 || rest.length == 0 || !word_hex(address, UINT64_MAX, &number)) {
        return false;
    }
    begin = stacks_find_file(rest);
    if (begin == 0 && *line.bytes != '\t') { /* perf script -F with sym and without dso: no file */
        return false;
    }
    frame->file = begin == 0 ? (struct word){rest.bytes, 0}
                             : (struct word){rest.bytes + begin + 1, rest.length - begin - 2};
    begin = begin == 0 ? rest.length : begin;
    frame->name = word_trim((struct word){rest.bytes, begin});
    for (size_t i = frame->name.length; i > 3; i--) {
        if (memcmp(frame->name.bytes + i - 3, "+0x", 3) == 0) {
            frame->name.length = i - 3;
            break;
        }
    }
    return true;
}

/* Parses PID or PID/TID. */
static bool parse_pid(struct word word, struct head *head) {
    struct word pid = word_field(&word, '/');

    if (!word_number(pid, INT32_MAX, &head->pid)) {
        return false;
    }
    head->tid = head->pid;
    return word.length == 0 || word_number(word, INT32_MAX, &head->tid);
}

/* Returns whether a word may stand between pid and event: CPU, time or period. */
static bool is_between(struct word word) {
    size_t digits;

    if (word.length > 2 && *word.bytes == '[' && word_ends(word, "]")) {
        return word_digits((struct word){word.bytes + 1, word.length - 2}) == word.length - 2;
    }
    digits = word_digits(word);
    if (digits > 0 && digits < word.length && word.bytes[digits] == '.') {
        word_skip(&word, digits + 1);
        digits = word_digits(word);
        return digits > 0 && digits + 1 == word.length && word.bytes[digits] == ':';
    }
    return digits > 0 && digits == word.length;
}

/* Parses a sample's first line after the pid: [CPU] TIME: PERIOD EVENT: and perhaps a function. */
static bool stacks_parse_event(struct word rest, struct head *head) {
    struct word word = word_next(&rest);
    struct frame frame;

    while (word.length > 0 && is_between(word)) {
        word = word_next(&rest);
    }
    head->event = word;
    head->frame = word_trim(rest);
    return word.length > 1 && word_ends(word, ":") && !word_is_digit(*word.bytes) &&
           (head->frame.length == 0 || parse_frame(head->frame, &frame));
}

/* Parses the first line of a sample. The process name, which may have blanks, ends before the first
 * PID after which the rest of the line is valid. Looks for PIDs only near the begin of the line:
 * for each, the rest of the line is read. */
static bool stacks_parse_head(struct word line, struct head *head) {
    struct word all = word_trim(line), rest = all, word = word_next(&rest);
    bool found = false;

    *head = (struct head){.pid = EVENT_NONE};
    while (!found && word.length > 0 && word.bytes - all.bytes < PROCESS_NAME) {
        word = word_next(&rest);
        found = parse_pid(word, head) && stacks_parse_event(rest, head);
    }
    if (found) {
        head->process = word_trim(word_between(all.bytes, word.bytes));
    }
    /* Refuses a process name with a TAB: `cat -n` has put a number and a TAB before the line. */
    return found && memchr(head->process.bytes, '\t', head->process.length) == NULL;
}

/* --- lines with folded stacks ----------------------------------------------------------------- */

/* Parses a folded stack with its count: A;B;C COUNT. */
static bool parse_folded(struct word line, struct word *stack, int64_t *count) {
    struct word rest = word_trim(line), last = word_last(&rest);

    *stack = word_trim(rest);
    return word_number(last, COUNT_MOST, count) && *count > 0 && stack->length > 0 &&
           *stack->bytes != ';' && *stack->bytes != '#';
}

/* --- state while reading ---------------------------------------------------------------------- */

struct stacks {
    int64_t time; /* number of samples before the current one */
    bool folded;
    /* The sample being read. `wanted`: it is imported. `functions`: the innermost first. */
    bool open, wanted;
    uint32_t functions[FRAMES], actor;
    size_t depth;
    int64_t pid, offset, bytes;
    struct text event; /* owned: event of the first sample; samples of other events are ignored */
    struct text text;  /* owned: temporary text */
};

static const struct resume_value resume[] = {
    {"samples", offsetof(struct stacks, time), 0, TIME_MOST, false},
    {0},
};

static void begin_stacks(struct import *import, void *context) {
    static const struct import_clock clock = {"samples", "wall", 0};

    import_clock(import, &clock);
}

/* Adds the functions of a stack as nested calls of duration `count`. */
static void stacks_add(struct import *import, struct stacks *state, int64_t count) {
    struct span_record record = span_record_of(0, state->actor, state->pid, state->time);

    if (state->depth == 0 || state->depth > FRAMES || state->time > TIME_MOST - count) {
        import_rejected(import,
                        state->depth == 0       ? no_stack
                        : state->depth > FRAMES ? too_deep
                                                : too_late,
                        state->offset, state->bytes);
        return;
    }
    for (size_t i = state->depth; i > 0; i--) {
        record.operation = state->functions[i - 1];
        import_entry(import, &record, state->offset, state->bytes);
    }
    state->time += count;
    record.time = state->time;
    for (size_t i = 0; i < state->depth; i++) {
        record.operation = state->functions[i];
        import_exit(import, &record, state->offset, state->bytes);
    }
}

/* Adds the sample being read: its stack has ended. */
static void close_sample(struct import *import, struct stacks *state) {
    if (state->open && state->wanted) {
        stacks_add(import, state, 1);
    } else if (state->open) {
        import_ignored(import, other_event, state->offset);
    }
    state->open = false;
}

static void stacks_add_function(struct import *import, struct stacks *state,
                                const struct frame *frame) {
    struct word name = frame->name;
    uint32_t file = 0;

    if (state->depth < FRAMES && state->wanted) {
        if (frame->file.length > 0 && !word_is(frame->file, "inlined")) {
            file = import_simple_name(import, "component", frame->file);
        }
        if (word_is(name, "[unknown]") && frame->file.length > 0 &&
            !word_is(frame->file, "[unknown]")) {
            text_clear(&state->text);
            text_append_string(&state->text, "[unknown] (");
            text_append(&state->text, frame->file.bytes, frame->file.length);
            text_append_string(&state->text, ")");
            name = (struct word){text_string(&state->text), state->text.length};
        }
        state->functions[state->depth] =
            import_function_across_components(import, name, file, "several files");
    }
    state->depth++;
}

static void open_sample(struct import *import, struct stacks *state, const struct line *line,
                        const struct head *head) {
    struct frame frame;

    if (state->event.length == 0) {
        text_append(&state->event, head->event.bytes, head->event.length);
    }
    state->open = true;
    state->wanted = word_is(head->event, text_string(&state->event));
    state->depth = 0;
    state->pid = head->pid;
    state->offset = line->offset;
    state->bytes = line->bytes;
    state->actor = import_thread(import, head->pid, head->tid, head->process);
    if (head->frame.length > 0 && parse_frame(head->frame, &frame)) {
        stacks_add_function(import, state, &frame);
    }
}

/* Parses a line of perf script --show-lost-events: `dd 10 [001] 2.5: PERF_RECORD_LOST lost 97`. */
static bool parse_loss(struct word line, int64_t *lost) {
    static const char record[] = ": PERF_RECORD_LOST lost ";
    const char *at = memmem(line.bytes, line.length, record, strlen(record));
    int64_t cpu;

    return at != NULL &&
           ftrace_loss_read_mark(word_between(at + 2, line.bytes + line.length), &cpu, lost) &&
           *lost > 0;
}

static void handle_perf(struct import *import, struct stacks *state, const struct line *line) {
    struct head head;
    struct frame frame;
    int64_t lost;

    if (word_trim(line->text).length == 0) {
        close_sample(import, state);
    } else if (stacks_parse_head(line->text, &head)) {
        close_sample(import, state);
        open_sample(import, state, line, &head);
    } else if (state->open && parse_frame(line->text, &frame)) {
        stacks_add_function(import, state, &frame);
        state->bytes = line->offset + line->bytes - state->offset;
    } else if (parse_loss(line->text, &lost)) {
        import_ignored(import, lost_mark, line->offset);
        import_cpu_lost(import, EVENT_NONE, lost, lost_samples, line->offset);
    } else if (*line->text.bytes != '#') {
        lines_reject(import, line, bad_line);
    }
}

static void handle_folded(struct import *import, struct stacks *state, const struct line *line) {
    struct word stack;
    int64_t count;

    if (lines_is_blank_or_comment(line->text)) {
        return;
    }
    if (!parse_folded(line->text, &stack, &count)) {
        lines_reject(import, line, bad_folded);
        return;
    }
    state->depth = 0;
    state->offset = line->offset;
    state->bytes = line->bytes;
    state->actor = import_thread(import, EVENT_NONE, EVENT_NONE, (struct word){"", 0});
    while (stack.length > 0) {
        struct word name = word_field(&stack, ';');

        name = name.length == 0 ? word_of("[unknown]") : name;
        if (state->depth < FRAMES) {
            /* in the line's order, outermost first; reversed below */
            state->functions[state->depth] = import_simple_name(import, "function", name);
        }
        state->depth++;
    }
    for (size_t i = 0; state->depth <= FRAMES && i < state->depth / 2; i++) {
        uint32_t other = state->functions[state->depth - 1 - i];

        state->functions[state->depth - 1 - i] = state->functions[i];
        state->functions[i] = other;
    }
    stacks_add(import, state, count);
}

/* --- detection of the format ------------------------------------------------------------------ */

struct judged {
    int heads, frames, nested;
};

static enum line_verdict judge_perf(void *context, struct word line) {
    struct judged *judged = context;
    struct head head;
    struct frame frame;

    if (lines_is_blank_or_comment(line)) {
        return LINE_NOTHING;
    }
    if (stacks_parse_head(line, &head)) {
        judged->heads++;
        judged->frames += head.frame.length > 0;
        return LINE_GOOD;
    }
    if (!parse_frame(line, &frame)) {
        return parse_loss(line, &(int64_t){0}) ? LINE_NOTHING : LINE_BAD;
    }
    judged->frames++;
    return LINE_GOOD;
}

static enum line_verdict judge_folded(void *context, struct word line) {
    struct judged *judged = context;
    struct word stack;
    int64_t count;

    if (lines_is_blank_or_comment(line)) {
        return LINE_NOTHING;
    }
    if (!parse_folded(line, &stack, &count)) {
        return LINE_BAD;
    }
    judged->heads++;
    judged->nested += memchr(stack.bytes, ';', stack.length) != NULL;
    return LINE_GOOD;
}

static bool is_perf(const void *bytes, size_t length, bool whole) {
    struct judged judged = {0};

    return lines_judge(bytes, length, whole, judge_perf, &judged) && judged.heads > 0 &&
           judged.frames > 0;
}

static const char *why_not_stacks(const struct sniff *sniff, struct word line) {
    struct judged judged = {0};

    return (is_perf(sniff->bytes, sniff->length, sniff->whole) ? judge_perf : judge_folded)(
               &judged, line) == LINE_GOOD
               ? NULL
               : bad_line;
}

static bool is_folded(const void *bytes, size_t length, bool whole) {
    struct judged judged = {0};

    return lines_judge(bytes, length, whole, judge_folded, &judged) &&
           2 * judged.nested > judged.heads;
}

/* Scores samples of perf high, folded stacks low unless the file name fits, since many formats have
 * lines of words and a count. */
static enum sniff_score sniff_stacks(const struct sniff *sniff) {
    struct word name = word_of(sniff->name);

    if (is_perf(sniff->bytes, sniff->length, sniff->whole)) {
        return SNIFF_SURE;
    }
    return !is_folded(sniff->bytes, sniff->length, sniff->whole)         ? SNIFF_NO
           : word_ends(name, ".folded") || word_ends(name, ".collapsed") ? SNIFF_LIKELY
                                                                         : SNIFF_GREEDY;
}

static void read_stacks(struct import *import, void *context, struct reader *reader) {
    struct stacks *state = context;
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    bool whole = length < SNIFF_LENGTH;
    size_t first = whole ? length : SNIFF_LENGTH;
    struct line line;

    reader_skip_mark(reader);
    state->folded = true;
    /* Samples may begin after other text: test the first bytes from later positions, too. */
    for (size_t at = 0; state->folded && at + 1 < first; at += (first - at) / 2) {
        state->folded = !is_perf(reader_bytes(reader) + at, first - at, whole);
    }
    import_variant(import, state->folded ? "folded" : "perf script");
    while (lines_next(import, reader, lines_too_long, &line)) {
        (state->folded ? handle_folded : handle_perf)(import, state, &line);
    }
    close_sample(import, state);
}

static void end_stacks(struct import *import, void *context, bool failed) {
    struct stacks *state = context;

    text_free(&state->event);
    text_free(&state->text);
}

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

const struct importer stacks_importer = {
    .name = "stacks",
    .description = "samples of a profile: what perf script prints of perf record -g, folded stacks",
    .line = NULL,
    .made_of = "samples with stacks of addresses, names and files, or lines of functions and a "
               "count",
    .variants = "perf script, folded",
    .kinds = 1u << TRACE_SPANS,
    .meanings = {[TRACE_SPANS] = meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_PARENT |
               EVENT_DEPTH | EVENT_SELF,
    .state_size = sizeof(struct stacks),
    .resume = resume,
    .sniff = sniff_stacks,
    .why_not = why_not_stacks,
    .begin = begin_stacks,
    .read = read_stacks,
    .end = end_stacks,
};
