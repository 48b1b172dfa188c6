/* blkparse: block I/O in the default output of blktrace's blkparse, and of the kernel's blk tracer
 * (`echo blk > current_tracer`, option blk_classic).
 *
 * One event per line, padded with blanks; the kernel omits the sequence number:
 *
 *       8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]
 *       7,0    1  4291.947653681 32519  D  RM 64 + 8 [python3]
 *
 * device as major,minor; CPU; sequence number; seconds.nanoseconds; pid; action (blktrace's
 * letters); rwbs; and a tail, with sectors and lengths in units of 512 bytes:
 *
 *     Q  WS 123 + 8 [process]           an I/O
 *     Q FWS [process]                   no sectors: the first part of a flush
 *     C  WS 123 + 8 [0]                 completed (or requeued: R): error number
 *     C WSM 123 [0]                     completed, without a length
 *     C  WS 123 + 8 (   54321) [0]      blkparse -t: time since the issue, ignored
 *     D   R 36 (12 00 00 ..) [process]  SCSI command: length in bytes, command
 *     A  WS 123 + 8 <- (8,1) 99         remapped from this device and sector
 *     X   W 123 / 131 [process]         split: start, and start of the second part
 *     P   N [process]                   plugged
 *     U   N [process] 3                 unplugged, with the number of requests; UT: by a timer
 *     m   N cfq workload slice:100      message
 *
 * The kernel's lines follow a header of lines with `#`. When its buffer was full, there are lines
 * `CPU:1 [LOST 25 EVENTS]` (ftrace_line.h). blkparse ends with summary tables. `Skips: 2 forward
 * (25 -   0.1%)` counts the sequence numbers missing from its input. Sources: blkparse_fmt.c and
 * blkparse.c of blktrace, kernel/trace/blktrace.c of Linux.
 *
 * Quirks: an error number is printed as its lower 16 bits, so EIO is 65531. The pid of a completion
 * is that of the interrupted process. Asker and issuer are tracked through the earlier lines
 * (block_trace.h). The kernel's times count from boot. A process name may contain blanks and
 * brackets. If lines were filtered out, their sequence numbers are missing, although `Skips` may
 * count none.
 *
 * Tables filled: event (time, duration, operation, actor, object, flags, address, size, value,
 * issuer, response); name (kind action); actor (pid and process); object (device); ledger (lost
 * events); loss. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "block_trace.h"
#include "ftrace_line.h"
#include "lines.h"

enum {
    FILTERED = 5, /* lines were removed if numbers are missing before more than one line in 5 */
};

/* Maximum number of missing records that is accepted from a line `Skips:` of the summary. */
#define SKIPS_LIMIT (INT64_C(1) << 40)

/* Reasons (ledger.reason) for rejecting or ignoring records, or counting them as lost. */
static const char bad_line[] = "not a line of blkparse";
static const char bad_begin[] = "device, CPU or sequence number is damaged";
static const char bad_time[] = "time is not seconds.nanoseconds";
static const char bad_pid[] = "process ID is not a number";
static const char message[] = "message (action m)";
static const char summary[] = "summary of blkparse";
static const char lost_mark[] = "mark of lost events";
static const char lost_events[] = "events that the kernel had no room for";
static const char small_buffer[] = "the kernel's buffer was too small";
static const char between[] = "events between two recordings in one file";
static const char missing[] = "missing by their sequence numbers";

/* --- sequence numbers ------------------------------------------------------------------------- */

/* Checks sequence numbers of block I/O. The tracer numbers the records of each device on each CPU,
 * from 1 on, so a missing number means a missing record. blkparse prints these numbers. But a remap
 * may be printed with its target device, and other programs number all devices of a CPU together.
 * So numbers count as missing only if the record's number is not the successor of any device's last
 * number on that CPU. */

/* Maximum CPUs whose sequence numbers are checked, and maximum devices of each. */
#define BLOCK_SEQUENCE_CPUS    4096
#define BLOCK_SEQUENCE_DEVICES 1024

struct block_sequence_device {
    int64_t device, last; /* its number, and its last sequence number on the CPU */
};

struct block_sequence_cpu {
    struct block_sequence_device *devices; /* owned; sorted by device */
    size_t count, capacity;
    int64_t last;        /* last sequence number on the CPU, of any device */
    int64_t last_device; /* the device with this number */
    /* True: a sequence number did not exceed the one before on its CPU, so each device has its own
     * sequence. */
    bool by_device;
};

/* Sequence numbers of a log, by CPU. Initialise with zeros. */
struct block_sequence {
    struct block_sequence_cpu *cpus; /* owned; indexed by number of the CPU */
    size_t capacity;
    int64_t unchecked; /* number of lines with further devices of a CPU */
};

/* Forgets all sequence numbers. */
static void sequence_free(struct block_sequence *sequence) {
    for (size_t i = 0; i < sequence->capacity; i++) {
        free(sequence->cpus[i].devices);
    }
    free(sequence->cpus);
    sequence->cpus = NULL;
    sequence->capacity = 0;
}

/* Returns the sequence numbers of a CPU; NULL if the CPU's number is out of range. */
static struct block_sequence_cpu *blkparse_find_cpu(struct block_sequence *sequence, int64_t cpu) {
    size_t more = sequence->capacity == 0 ? 4 : sequence->capacity;

    if (cpu < 0 || cpu >= BLOCK_SEQUENCE_CPUS) {
        return NULL;
    }
    if ((size_t)cpu < sequence->capacity) {
        return &sequence->cpus[cpu];
    }
    while (more <= (size_t)cpu) {
        more *= 2;
    }
    sequence->cpus = xrealloc(sequence->cpus, more * sizeof *sequence->cpus);
    memset(sequence->cpus + sequence->capacity, 0,
           (more - sequence->capacity) * sizeof *sequence->cpus);
    sequence->capacity = more;
    return &sequence->cpus[cpu];
}

/* Returns the device's place among the devices of a CPU. A new device is added, if there is room,
 * with the last number 0. NULL: it is not there. */
static struct block_sequence_device *blkparse_place_of(struct block_sequence_cpu *at,
                                                       int64_t device, bool add) {
    size_t low = 0, high = at->count;

    SEARCH(low, high, middle, at->devices[middle].device < device);
    if (low < at->count && at->devices[low].device == device) {
        return &at->devices[low];
    }
    if (!add || at->count == BLOCK_SEQUENCE_DEVICES) {
        return NULL;
    }
    at->devices = array_grow(at->devices, at->count, &at->capacity, sizeof *at->devices);
    memmove(at->devices + low + 1, at->devices + low, (at->count - low) * sizeof *at->devices);
    at->devices[low] = (struct block_sequence_device){device, 0};
    at->count++;
    return &at->devices[low];
}

/* Finds the device whose last sequence number is `number` - 1: `own`, or another one of the CPU.
 * NULL: there is none. */
static struct block_sequence_device *blkparse_find_device(struct block_sequence_cpu *at,
                                                          struct block_sequence_device *own,
                                                          int64_t number) {
    if (own != NULL && own->last == number - 1) {
        return own;
    }
    if (at->count > 0 && at->last == number - 1) {
        return blkparse_place_of(at, at->last_device, false);
    }
    for (size_t i = 0; i < at->count; i++) {
        if (at->devices[i].last == number - 1) {
            return &at->devices[i];
        }
    }
    return NULL;
}

static void blkparse_set_last(struct block_sequence_cpu *at, struct block_sequence_device *device,
                              int64_t number) {
    device->last = at->last = number;
    at->last_device = device->device;
}

/* Notes the sequence number printed in the line of a message. The tracer does not number messages,
 * so that number is used only if it is the next one of some device. */
static void follow_message_sequence(struct block_sequence *sequence, int64_t cpu, int64_t device,
                                    int64_t number) {
    struct block_sequence_cpu *at = number == 0 ? NULL : blkparse_find_cpu(sequence, cpu);
    struct block_sequence_device *follows =
        at == NULL ? NULL : blkparse_find_device(at, blkparse_place_of(at, device, false), number);

    if (follows != NULL) {
        blkparse_set_last(at, follows, number);
    }
}

/* Returns how many records are missing on the CPU before the record with sequence number `number`.
 * Number 0: the record has none. */
static int64_t count_missing_records(struct block_sequence *sequence, int64_t cpu, int64_t device,
                                     int64_t number) {
    struct block_sequence_cpu *at = number == 0 ? NULL : blkparse_find_cpu(sequence, cpu);
    struct block_sequence_device *own, *follows;
    int64_t before;

    if (at == NULL) {
        return 0;
    }
    own = blkparse_place_of(at, device, false);
    follows = blkparse_find_device(at, own, number);
    at->by_device |= number <= at->last;
    if (follows != NULL || own == NULL) {
        follows = follows != NULL ? follows : blkparse_place_of(at, device, true);
        if (follows == NULL) {
            sequence->unchecked++;
        } else {
            blkparse_set_last(at, follows, number);
        }
        return 0;
    }
    before = at->by_device ? own->last : at->last;
    blkparse_set_last(at, own, number);
    return number <= before ? 0 : number - before - 1;
}

struct parsed {
    struct block_request request; /* request of the line; its time is by the log's clock, ns */
    int64_t cpu, number;          /* CPU and sequence number; number 0: the line has none */
    bool is_message;
};

/* Parses a line up to and including its time. */
static const char *parse_begin(struct word *rest, struct parsed *parsed) {
    struct block_request *request = &parsed->request;
    struct word word, cpu;

    parsed->number = 0;
    if (!block_text_parse_device(rest, &request->device)) {
        return bad_begin;
    }
    cpu = word_next(rest);
    word = word_next(rest);
    if (!word_number(cpu, UINT32_MAX, &parsed->cpu)) {
        return bad_begin;
    }
    if (memchr(word.bytes, '.', word.length) == NULL) {
        /* Read a sequence number, which only blkparse prints. */
        if (!word_number(word, UINT32_MAX, &parsed->number)) {
            return bad_begin;
        }
        word = word_next(rest);
    }
    return word_seconds(word, 9, 9, BLOCK_IO_SECONDS, &request->time) ? NULL : bad_time;
}

/* Parses a line with an event. Returns NULL, or why the line is bad. */
static const char *blkparse_parse_line(struct word rest, struct parsed *parsed) {
    const char *damage;

    *parsed = (struct parsed){.request = block_request_empty};
    if ((damage = parse_begin(&rest, parsed)) != NULL) {
        return damage;
    }
    if (!word_number(word_next(&rest), UINT32_MAX, &parsed->request.pid)) {
        return bad_pid;
    }
    return block_text_parse_action(&rest, &parsed->request, &parsed->is_message);
}

enum line_kind {
    LINE_EMPTY, /* a blank line, or a header line (#) of the kernel's tracer */
    LINE_EVENT,
    LINE_LOST,    /* the kernel's mark of lost events: its buffer was full */
    LINE_SUMMARY, /* other text of blkparse and blktrace, before and after the events */
    LINE_OTHER,
};

/* Beginnings of the lines in blkparse's summary, after blanks. */
static const char *const summary_begins[] = {
    "CPU",
    "Total (",
    "Throughput (",
    "Events (",
    "Skips:",
    "Input file ",
    "Device:",
    "Reads Queued:",
    "Read Dispatches:",
    "Reads Requeued:",
    "Reads Completed:",
    "Read Merges:",
    "Read depth:",
    "PC Read",
    "IO unplugs:",
    "Allocation wait:",
    "Dispatch wait:",
    "Completion wait:",
};

/* Returns whether `process (pid)` or `process (pid, ...)` begins a table of blkparse -s. */
static bool is_process_heading(struct word rest) {
    const char *open;
    int64_t pid;

    if (rest.length < 4 || !word_ends(rest, ")") || word_is_blank(*rest.bytes)) {
        return false;
    }
    open = memrchr(rest.bytes, '(', rest.length);
    if (open == NULL || open == rest.bytes || open[-1] != ' ') {
        return false;
    }
    word_skip(&rest, (size_t)(open - rest.bytes) + 1);
    return word_next_number(&rest, UINT32_MAX, &pid) &&
           (word_accept(&rest, ", ...)") || word_accept(&rest, ")"));
}

/* Returns the kind of a line. For LINE_LOST, sets `cpu` and `lost` like ftrace_loss_read_mark(). */
static enum line_kind blkparse_kind_of(struct word rest, int64_t *cpu, int64_t *lost) {
    struct word whole = rest;
    char first = word_peek(&rest);

    if (rest.length == 0 || first == '#') {
        return LINE_EMPTY;
    }
    if (word_is_digit(first)) {
        return LINE_EVENT;
    }
    if (word_accept(&rest, "CPU:")) {
        return ftrace_loss_read_mark(whole, cpu, lost) ? LINE_LOST : LINE_OTHER;
    }
    for (size_t i = 0; i < sizeof summary_begins / sizeof summary_begins[0]; i++) {
        if (word_accept(&rest, summary_begins[i])) {
            return LINE_SUMMARY;
        }
    }
    return is_process_heading(whole) ? LINE_SUMMARY : LINE_OTHER;
}

struct blkparse {
    struct block_trace trace;
    bool begun;   /* true: an event was read */
    int64_t base; /* time of the first event in the log, ns: the trace's time 0 */
    int64_t lost; /* number of events lost because the kernel's buffer was full */
    struct block_sequence sequence;
    int64_t queued, issued; /* numbers of lines with action Q, and with action D */
    int64_t lines;          /* number of lines with a sequence number */
    int64_t gaps;           /* number of places where sequence numbers are missing */
    int64_t missing;        /* number of missing sequence numbers */
    int64_t gap_offset;     /* byte offset of the line after the first gap in sequence numbers */
    size_t gap_source;      /* index of the file with the first gap */
    bool has_skips; /* true: the log has lines `Skips:`; their sum and place are the next fields */
    int64_t skips, skips_offset;
    size_t skips_source;
    bool has_lines; /* true: an event was read since the header of the current recording */
};

/* --- lost records ----------------------------------------------------------------------------- */

/* Parses a number with thousands separators of any locale. */
static bool parse_grouped_number(struct word *rest, int64_t *number) {
    bool some = false;

    *number = 0;
    while (rest->length > 0 && (word_is_digit(*rest->bytes) || memchr("',.", *rest->bytes, 3))) {
        if (word_is_digit(*rest->bytes)) {
            if (*number > SKIPS_LIMIT / 10) {
                return false;
            }
            *number = *number * 10 + (*rest->bytes - '0');
            some = true;
        }
        word_skip(rest, 1);
    }
    return some;
}

/* Reads a device's `Skips: 7 forward (1'234 - 0.1%)`: 1,234 numbers are missing, in 7 places. */
static void handle_skips(struct import *import, struct blkparse *state, const struct line *line) {
    struct word rest = word_trim(line->text);
    int64_t places, count;

    if (!word_accept(&rest, "Skips:")) {
        return;
    }
    rest = word_trim(rest);
    if (!parse_grouped_number(&rest, &places) || !word_accept(&rest, "forward") ||
        !word_accept(&rest, "(") || !parse_grouped_number(&rest, &count)) {
        return;
    }
    if (!state->has_skips || (state->skips == 0 && count > 0)) {
        state->skips_offset = line->offset;
        state->skips_source = import_source_number(import);
    }
    state->has_skips = true;
    add_saturated(&state->skips, count);
}

/* Reads a header line of the kernel. After events, `# tracer: blk` starts another recording. */
static void blkparse_handle_heading(struct import *import, struct blkparse *state,
                                    const struct line *line) {
    int64_t kept, written;

    if (state->has_lines && word_begins(line->text, "# tracer: ")) {
        state->has_lines = false;
        import_cpu_lost(import, EVENT_NONE, EVENT_NONE, between, line->offset);
    } else if (ftrace_loss_read_header(line->text, &kept, &written) && written > kept) {
        import_overrun(import, written - kept, small_buffer, line->offset);
    }
}

/* Rejects a line. Forgets sequence numbers: records lost by the damage do not count as missing. */
static void blkparse_reject(struct import *import, struct blkparse *state, const struct line *line,
                            const char *reason) {
    sequence_free(&state->sequence);
    lines_reject(import, line, reason);
}

static void blkparse_follow_sequence(struct import *import, struct blkparse *state,
                                     const struct parsed *parsed, int64_t offset) {
    int64_t lost = count_missing_records(&state->sequence, parsed->cpu, parsed->request.device,
                                         parsed->number);

    state->lines += parsed->number != 0;
    state->queued += block_has_action(&parsed->request, 'Q');
    state->issued += block_has_action(&parsed->request, 'D');
    if (lost == 0) {
        return;
    }
    if (state->gaps++ == 0) {
        state->gap_offset = offset;
        state->gap_source = import_source_number(import);
    }
    state->missing += lost;
    import_cpu_missing(import, parsed->cpu, lost);
}

/* Returns whether lines were removed from the log. If the log has blkparse's summary: it counts
 * fewer missing sequence numbers than were found. Otherwise: sequence numbers are missing before
 * many lines, or a log without Q lacks at least as many as it has issues (D). */
static bool blkparse_is_filtered(const struct blkparse *state) {
    return state->has_skips ? state->skips < state->missing
                            : state->gaps > state->lines / FILTERED ||
                                  (state->queued == 0 && state->missing >= state->issued);
}

/* Reports missing sequence numbers as lost records, or says that the log was filtered. Call it
 * after the last line of the log. */
static void report_missing(struct import *import, struct blkparse *state) {
    if (state->missing > 0 && blkparse_is_filtered(state)) {
        import_remark(import,
                      "sequence numbers are missing before %lld of %lld lines: the log was "
                      "filtered, so lost events are unknown",
                      (long long)state->gaps, (long long)state->lines);
        import_clear_losses(import);
        state->missing = 0;
    }
    if (state->missing > 0) {
        import_switch_source(import, state->gap_source);
        import_lost(import, missing, state->gap_offset, state->missing);
    }
    if (state->skips > state->missing) {
        import_switch_source(import, state->skips_source);
        import_cpu_lost(import, EVENT_NONE, state->skips - state->missing, missing,
                        state->skips_offset);
    }
}

/* --- adding events ---------------------------------------------------------------------------- */

static void blkparse_add(struct import *import, struct blkparse *state, struct parsed *parsed,
                         int64_t offset) {
    struct block_request *request = &parsed->request;

    if (!state->begun) {
        state->begun = true;
        state->base = request->time;
    }
    request->time -= state->base; /* may be negative: appended files may be earlier */
    state->has_lines = true;
    blkparse_follow_sequence(import, state, parsed, offset);
    import_cpu_event(import, parsed->cpu, request->time);
    block_trace_add(import, &state->trace, request);
}

struct blkparse_line {
    enum line_kind kind;
    int64_t cpu, lost; /* for LINE_LOST: CPU and number of lost records */
    /* For LINE_EVENT: the parsed event; and why the line is rejected, NULL if it is valid. */
    const char *damage;
    struct parsed event;
};

static void parse_blkparse(const struct stream *stream, struct stream_record *record) {
    const struct word text = lines_of_record(record).text;
    struct blkparse_line *parsed = record->parsed;

    if (text.bytes != NULL) {
        parsed->kind = blkparse_kind_of(text, &parsed->cpu, &parsed->lost);
        if (parsed->kind == LINE_EVENT) {
            parsed->damage = blkparse_parse_line(text, &parsed->event);
        }
    }
}

static void blkparse_read_line(struct import *import, struct blkparse *state,
                               const struct line *line, struct blkparse_line *parsed) {
    switch (parsed->kind) {
    case LINE_EMPTY:
        blkparse_handle_heading(import, state, line);
        break;
    case LINE_LOST:
        import_ignored(import, lost_mark, line->offset);
        if (parsed->lost != 0) {
            state->lost += parsed->lost == EVENT_NONE ? 0 : parsed->lost;
            import_cpu_lost(import, parsed->cpu, parsed->lost, lost_events, line->offset);
        }
        break;
    case LINE_SUMMARY:
        handle_skips(import, state, line);
        import_ignored(import, summary, line->offset);
        break;
    case LINE_OTHER:
        blkparse_reject(import, state, line, bad_line);
        break;
    case LINE_EVENT:
        if (parsed->damage != NULL) {
            blkparse_reject(import, state, line, parsed->damage);
        } else if (parsed->event.is_message) {
            follow_message_sequence(&state->sequence, parsed->event.cpu,
                                    parsed->event.request.device, parsed->event.number);
            import_ignored(import, message, line->offset);
        } else {
            blkparse_add(import, state, &parsed->event, line->offset);
        }
        break;
    }
}

static void handle_blkparse(struct import *import, void *state, struct stream *stream,
                            const struct stream_record *record) {
    const struct line line = lines_of_record(record);

    if (line.text.bytes == NULL) {
        blkparse_reject(import, state, &line, lines_too_long);
    } else {
        blkparse_read_line(import, state, &line, record->parsed);
    }
}

/* Returns the time of an event line; EVENT_NONE for other lines. Times of all files of a trace
 * count from the same moment. */
static int64_t time_of_blkparse(const struct stream *stream, const struct stream_record *record) {
    const char *line = (const char *)record->bytes;
    struct parsed parsed = {.request = {.time = EVENT_NONE}};
    struct word rest;

    if (line == NULL) {
        return EVENT_NONE;
    }
    rest = (struct word){line, record->length};
    return word_is_digit(word_peek(&rest)) && parse_begin(&rest, &parsed) == NULL
               ? parsed.request.time
               : EVENT_NONE;
}

static void begin_blkparse(struct import *import, void *state) {
    import_variant(import, "text");
    block_trace_begin(import, &((struct blkparse *)state)->trace);
}

static void end_blkparse(struct import *import, void *state, bool failed) {
    struct blkparse *blkparse = state;

    if (!failed) {
        import_remark_count(import, blkparse->lost, "%lld event{s} {was|were} lost while tracing");
        report_missing(import, blkparse);
        import_remark_count(import, blkparse->sequence.unchecked,
                            "sequence numbers of %lld line{s} are not checked for losses: a CPU "
                            "has more than 1024 devices");
    }
    sequence_free(&blkparse->sequence);
    block_trace_end(import, &blkparse->trace, failed);
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Decides for one line whether it is an event. A file has the format if most of its first lines are
 * events; headers and other text of blkparse are not counted. */
static enum line_verdict blkparse_judge(void *context, struct word line) {
    struct parsed parsed;
    int64_t cpu, lost;

    switch (blkparse_kind_of(line, &cpu, &lost)) {
    case LINE_EVENT:
        return blkparse_parse_line(line, &parsed) == NULL ? LINE_GOOD : LINE_BAD;
    case LINE_OTHER:
        return LINE_BAD;
    default:
        return LINE_NOTHING;
    }
}

static enum sniff_score sniff_blkparse(const struct sniff *sniff) {
    return lines_sniff(sniff, blkparse_judge, NULL);
}

/* Returns why sniff_blkparse() refuses lines as of blkparse: fewer decimals could be any unit. */
static const char *refuses_blkparse(const struct sniff *sniff, struct word line) {
    struct parsed parsed;

    (void)sniff;
    return blkparse_parse_line(line, &parsed) == bad_time ? "times need nine decimals" : NULL;
}

/* State stored for --append: files appended to the trace use the time 0 of its first file. */
static const struct resume_value resume[] = {
    {"base", offsetof(struct blkparse, base), 0, INT64_MAX, false},
    {0},
};

const struct importer blkparse_importer = {
    .name = "blkparse",
    .description = "block I/O as blkparse or the kernel's blk tracer prints it",
    .line = "  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]",
    .made_of = "lines of device, CPU, number, time, pid, action, RWBS, sector + sectors [process]",
    .variants = "text",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_trace_meanings},
    .facts = {[TRACE_IO] = FACTS_OF_BLOCK_LAYER},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE | EVENT_ISSUER | EVENT_RESPONSE,
    .state_size = sizeof(struct blkparse),
    .resume = resume,
    .resume_begun = offsetof(struct blkparse, begun),
    .sniff = sniff_blkparse,
    .refuses = refuses_blkparse,
    .begin = begin_blkparse,
    .next_record = stream_next_line,
    .record_time = time_of_blkparse,
    .parse_record = parse_blkparse,
    .parsed_size = sizeof(struct blkparse_line),
    .reads_ahead = true,
    .take_record = handle_blkparse,
    .tells_earlier = true,
    .sorts = true,
    .end = end_blkparse,
    .dump = block_trace_dump,
};
