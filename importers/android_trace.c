/* Android method traces, written by Debug.startMethodTracing(), `am profile` and Android Studio,
 * and read by dmtracedump.
 *
 * A regular file is a key section in lines of text: `*version` with the version and key=value
 * lines, `*threads`, `*methods`, `*end`; and a binary part (little-endian): magic `SLOW`, version
 * (u16), offset of the records (u16), start of the trace (u64, microseconds since 1970), in version
 * 3 the record size (u16), zeros up to the offset. Then records: thread (u8 in version 1, else
 * u16), method and action (u32: the lowest two bits are 0 entry, 1 exit, 2 exit by exception), one
 * time or two (u32, microseconds). With two the first is the thread's CPU clock. In thread 1, the
 * entry of method 0x1008 after 60 µs of CPU, 230 of wall time:
 *
 *     01 00  08 10 00 00  3C 00 00 00  E6 00 00 00
 *
 * A streaming file begins with the binary part, its version plus 0xF0. Thread 0 announces a packet
 * among the records: kind (u8), then 1 method: length (u16), line; 2 thread: ID (u16), length
 * (u16), name; 3 summary: length (u32), key section. Nothing follows the summary.
 *
 * Quirks: the key section may be incomplete or wrong. Times wrap after 71 minutes. ART writes the
 * time since boot in place of the time since 1970. Text filters (LF became CR LF) corrupt the
 * records. In a streaming file, the packet with the name of a method comes after the records of
 * that method.
 *
 * Tables filled (through span.c): event (all columns of spans but size, value and arguments); name
 * (kinds method and class); actor (tid and name; pid only if the key section comes first). */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "android_trace_names.h"
#include "import/importer.h"
#include "input/bytes.h"
#include "input/word.h"
#include "perfetto.h"

/* --- other formats whose files are named `.trace`, which are refused by name ------------------ */

/* Returns a text for the error message after "FILE: ": the name of the other format that the file
 * has, and what to do with the file. NULL if its format is unknown. */
static const char *android_other_format(const uint8_t *bytes, size_t length) {
    struct word begin = {(const char *)bytes, length};

    if (word_begins(begin, "PERFILE2") || word_begins(begin, "PERFFILE")) {
        return "perf's perf.data, which is not read: perf script -i perf.data >log, and import "
               "that";
    }
    if (word_begins(begin, "SIMPLEPERF")) {
        return "a report of simpleperf, samples, which are not read: open it in Android Studio or "
               "report with simpleperf";
    }
    return NULL;
}

enum {
    STREAMING = 0xF0, /* added to the version in the header of a streaming file */
    HEADER = 16,      /* size of the header in all versions but 3, in bytes */
    LONG_HEADER = 18, /* size of the header in version 3, in bytes */
    WORD = 4,
    LEAST_SUSPICION = 16, /* after this many records past the first LF, check for inserted CRs */
};
/* Maximum microseconds since the start of the trace: 146 years. */
#define MICROSECONDS_LIMIT (INT64_MAX / 2 / 1000)
/* Largest number accepted in the key section, which is the text part of the file. */
#define KEY_LIMIT INT64_C(1000000000000000)
/* Microseconds from 1970 to 2000, and to 2100: the start of tracing must lie between. */
#define YEAR_2000 UINT64_C(946684800000000)
#define YEAR_2100 UINT64_C(4102444800000000)

/* Reasons (ledger.reason) for rejecting records. android_trace_names.h has those for lines that
 * define names. */
static const char bad_action[] = "action that is neither entry nor exit";
static const char far_time[] = "time too far from the start of the trace";
static const char cut_record[] = "record cut short by the end of the file";
static const char cut_packet[] = "packet cut short by the end of the file";
static const char bad_packet[] = "unknown packet";
static const char text_missing[] = "packet that does not hold text";
static const char after_summary[] = "bytes after the summary";

enum clock { CLOCK_NOT_SAID, CLOCK_THREAD_CPU, CLOCK_OTHER };

enum section { NO_SECTION, VERSION, THREADS, METHODS, OTHER_SECTION };

/* Contents of the key section, the text part of the file. */
struct keys {
    enum section section; /* section that the next line belongs to */
    enum clock clock;
    int64_t records, overhead; /* num-method-calls, clock-call-overhead-nsec; EVENT_NONE: missing */
    bool overflow;
    int64_t filtered_lines; /* number of lines that end in CR LF */
};

/* Layout of the binary part of the file. */
struct layout {
    unsigned version, record_size, thread_size;
    bool streaming;
    bool dual; /* true: each record has two times, of CPU and wall clock */
};

/* Signs that a text filter damaged the file by inserting CRs. */
struct filter {
    bool seen_bare;       /* true: the file has an LF without CR, so no text filter damaged it */
    uint8_t last;         /* last byte read */
    int64_t lines;        /* number of LFs that follow a CR */
    int64_t after, wrong; /* after: records after the first LF; wrong: those of them with a bad
                             action or an unnamed method */
};

struct android_trace {
    bool begun;
    struct keys keys;
    struct layout layout;
    struct filter filter;
    int64_t wall; /* wall time of the last record, microseconds; -1: none yet */
    int64_t records, unnamed;
    bool derailed; /* true: a streaming file has bytes that are neither record nor packet */
    struct android_names names;
};

/* --- the key section, in lines of text -------------------------------------------------------- */

enum key_end { KEYS_ENDED, KEYS_CUT, KEYS_RUN_ON };

/* Parses the value of a key as a number; EVENT_NONE if it is not a number in range. */
static int64_t android_trace_parse_number(struct word digits) {
    int64_t number;

    return word_number(digits, KEY_LIMIT, &number) ? number : EVENT_NONE;
}

static void android_trace_read_key(struct android_trace *state, struct word line) {
    struct word value = line, name = word_field(&value, '=');

    if (name.length == line.length) {
        return;
    }
    if (word_is(name, "clock")) {
        state->keys.clock = word_is(value, "thread-cpu") ? CLOCK_THREAD_CPU : CLOCK_OTHER;
    } else if (word_is(name, "num-method-calls")) {
        state->keys.records = android_trace_parse_number(value);
    } else if (word_is(name, "clock-call-overhead-nsec")) {
        state->keys.overhead = android_trace_parse_number(value);
    } else if (word_is(name, "data-file-overflow")) {
        state->keys.overflow = word_is(value, "true");
    } else if (word_is(name, "pid")) {
        state->names.pid = android_trace_parse_number(value);
    }
}

/* Reads any line of the key section except `*end`. */
static void read_key_line(struct import *import, struct android_trace *state, const char *line,
                          size_t length, int64_t offset) {
    const char *reason = NULL;

    if (length == 0) {
        return;
    }
    if (line[0] == '*') {
        state->keys.section = word_is((struct word){line, length}, "*version")   ? VERSION
                              : word_is((struct word){line, length}, "*threads") ? THREADS
                              : word_is((struct word){line, length}, "*methods") ? METHODS
                                                                                 : OTHER_SECTION;
    } else if (state->keys.section == VERSION) {
        android_trace_read_key(state, (struct word){line, length});
    } else if (state->keys.section == THREADS) {
        reason = android_names_read_thread(&state->names, line, length);
    } else if (state->keys.section == METHODS) {
        reason = android_names_read_method(&state->names, line, length);
    }
    if (reason != NULL) {
        import_ignored(import, reason, offset);
    }
}

/* Returns whether the binary part begins at the cursor, although the key section has not ended. */
static bool is_binary(struct reader *reader) {
    const uint8_t *bytes;

    return reader_need(reader, 6, &bytes) && memcmp(bytes, "SLOW", 4) == 0 && bytes[4] >= 1 &&
           bytes[4] <= 3 && bytes[5] == 0;
}

/* Reads lines up to `*end`, or to the offset `limit`. The last line may exceed the limit. */
static enum key_end read_keys(struct import *import, struct android_trace *state,
                              struct reader *reader, int64_t limit) {
    const char *line;
    size_t length;
    int64_t offset;

    while (reader_offset(reader) < limit && !is_binary(reader)) {
        enum reader_line kind = reader_line(reader, &line, &length, &offset);
        int64_t ending = reader_offset(reader) - offset - (int64_t)length;

        if (kind == READER_END) {
            return KEYS_CUT;
        }
        if (reader_offset(reader) > limit && (int64_t)length > limit - offset) {
            length = (size_t)(limit - offset);
            ending = 0;
        }
        state->keys.filtered_lines += ending == 2;
        if (kind == READER_LINE && word_is((struct word){line, length}, "*end")) {
            return KEYS_ENDED;
        }
        if (ending == 0 && reader_offset(reader) < limit) {
            return KEYS_CUT; /* the bytes end in the middle of a line */
        }
        if (kind == READER_LONG_LINE) {
            import_ignored(import, android_long_line, offset);
        } else {
            read_key_line(import, state, line, length, offset);
        }
    }
    return KEYS_RUN_ON;
}

static bool android_trace_refuse(struct import *import, const struct android_trace *state,
                                 const char *what) {
    return import_fail_file(
        import, "%s%s", what,
        state->keys.filtered_lines > 0
            ? "; lines end in CR LF: it passed through a text filter, transfer it "
              "again as binary"
            : "");
}

/* Reads the key section of a regular file. */
static bool read_text_part(struct import *import, struct android_trace *state,
                           struct reader *reader) {
    switch (read_keys(import, state, reader, INT64_MAX)) {
    case KEYS_ENDED:
        break;
    case KEYS_RUN_ON:
        import_remark(import, "the key section does not end with *end: names may be missing");
        break;
    case KEYS_CUT:
        return !reader_failed(reader) &&
               android_trace_refuse(
                   import, state,
                   "an Android method trace that ends within its key section: there are no "
                   "records");
    }
    android_names_find_overloads(&state->names);
    return true;
}

/* --- the header of the binary part ------------------------------------------------------------ */

static void android_trace_find_layout(const uint8_t *bytes, size_t available,
                                      struct layout *layout) {
    unsigned version = bytes_u16_little(bytes + 4);

    layout->streaming = (version & ~15U) == STREAMING;
    layout->version = layout->streaming ? version & 15 : version;
    layout->thread_size = layout->version == 1 ? 1 : 2;
    layout->record_size = layout->thread_size + 2 * WORD;
    if (layout->version == 3) {
        layout->record_size = available < LONG_HEADER ? 0 : bytes_u16_little(bytes + HEADER);
        layout->dual = layout->record_size == 2 + 3 * WORD;
    }
}

static bool android_trace_check_layout(struct import *import, const struct android_trace *state,
                                       unsigned offset) {
    const struct layout *layout = &state->layout;
    const char *damage = NULL;

    if (layout->version < 1 || layout->version > 3) {
        return import_fail_file(
            import, "an Android method trace of version %u; versions 1 to 3 can be read",
            layout->version);
    }
    if (offset < (layout->version == 3 ? LONG_HEADER : HEADER)) {
        damage = "its records begin within its binary header: it is damaged";
    } else if (layout->record_size != layout->thread_size + 2 * WORD && !layout->dual) {
        damage = "its records are neither 10 nor 14 bytes long: its binary header is damaged";
    }
    return damage == NULL || android_trace_refuse(import, state, damage);
}

static void watch_filtered_bytes(struct filter *filter, const uint8_t *bytes, size_t length);

static bool android_trace_read_header(struct import *import, struct android_trace *state,
                                      struct reader *reader) {
    static const char cut[] = "an Android method trace that ends before its records";
    size_t available = reader_fill(reader, LONG_HEADER);
    const uint8_t *bytes = reader_bytes(reader);
    uint64_t start;
    unsigned offset;

    if (available < HEADER) {
        return !reader_failed(reader) && android_trace_refuse(import, state, cut);
    }
    if (memcmp(bytes, "SLOW", 4) != 0) {
        return android_trace_refuse(import, state,
                                    "its binary part does not begin with SLOW: it is damaged");
    }
    android_trace_find_layout(bytes, available, &state->layout);
    offset = bytes_u16_little(bytes + 6);
    start = bytes_u64_little(bytes + 8);
    if (!android_trace_check_layout(import, state, offset)) {
        return false;
    }
    if (reader_fill(reader, offset) < offset) {
        return !reader_failed(reader) && android_trace_refuse(import, state, cut);
    }
    watch_filtered_bytes(&state->filter, reader_bytes(reader), offset);
    reader_take(reader, offset);
    if (start >= YEAR_2000 && start < YEAR_2100) {
        import_set_start_time(import, (int64_t)start * 1000);
    } else if (start < YEAR_2000) {
        import_remark(import,
                      "it is not known when tracing began: the log says %" PRIu64
                      " microseconds, which is the time since the device was switched on",
                      start);
    } else {
        import_remark(import, "it is not known when tracing began: the log says after 2100");
    }
    return true;
}

/* --- damage by text filters ------------------------------------------------------------------- */

static void watch_filtered_bytes(struct filter *filter, const uint8_t *bytes, size_t length) {
    if (filter->seen_bare || length == 0) {
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            filter->seen_bare = (i == 0 ? filter->last : bytes[i - 1]) != '\r';
            if (filter->seen_bare) {
                return;
            }
            filter->lines++;
        }
    }
    filter->last = bytes[length - 1];
}

/* Returns whether a text filter has corrupted the file. A filter puts a CR before every LF, which
 * shifts the bytes after it. Such a filter is assumed if every LF has a CR and one of these is
 * true: the key section has CR LF; as many bytes are left after the last record as a filter would
 * have inserted; most records look wrong. */
static bool android_trace_is_filtered(const struct android_trace *state, int64_t left) {
    const struct filter *filter = &state->filter;
    int64_t moved = filter->lines % state->layout.record_size;

    return !filter->seen_bare && filter->lines > 0 &&
           (state->keys.filtered_lines > 0 || (moved > 0 && left == moved) ||
            2 * filter->wrong > filter->after);
}

static void refuse_filtered(struct import *import) {
    import_fail_file(import,
                     "every LF of the binary part has a CR before it: the file passed through a "
                     "text filter and its records are damaged; transfer it again as binary");
}

/* --- records of the binary part --------------------------------------------------------------- */

/* Returns the time nearest to `last` that has the lower 32 bits `time`. */
static int64_t android_trace_extend(int64_t last, uint32_t time) {
    int64_t extended = last < 0 ? time : last + (int32_t)(time - (uint32_t)last);

    return extended < 0 ? extended + (INT64_C(1) << 32) : extended;
}

/* Computes the full times of a record from their lower 32 bits. All threads share the wall clock,
 * so a thread without records does not miss a wrap. False if a time is too far from the start. */
static bool find_times(struct android_trace *state, uint32_t thread, const uint8_t *words,
                       struct span_record *span) {
    int64_t *cpu = &state->names.threads[thread].cpu, *only = &state->wall;
    int64_t time, other = *cpu;

    if (state->layout.dual) {
        other = android_trace_extend(*cpu, bytes_u32_little(words));
        words += WORD;
        span->cpu = other * 1000;
    } else if (state->keys.clock == CLOCK_THREAD_CPU) {
        only = cpu;
    }
    time = android_trace_extend(*only, bytes_u32_little(words));
    if (time > MICROSECONDS_LIMIT || other > MICROSECONDS_LIMIT) {
        return false;
    }
    *cpu = other;
    *only = time;
    span->time = time * 1000;
    return true;
}

static void android_trace_add_record(struct import *import, struct android_trace *state,
                                     const uint8_t *bytes, int64_t offset) {
    const struct layout *layout = &state->layout;
    struct span_record span = {.cpu = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE};
    uint32_t thread = layout->thread_size == 1 ? bytes[0] : bytes_u16_little(bytes);
    uint32_t word = bytes_u32_little(bytes + layout->thread_size);
    unsigned action = word & 3;
    bool named = false;

    state->filter.after += state->filter.lines > 0;
    if (action == 3) {
        state->filter.wrong += state->filter.lines > 0;
        state->derailed = true;
        import_rejected(import, bad_action, offset, layout->record_size);
        return;
    }
    if (!find_times(state, thread, bytes + layout->thread_size + WORD, &span)) {
        import_rejected(import, far_time, offset, layout->record_size);
        return;
    }
    span.operation = android_names_operation_id(import, &state->names, word - action, &named);
    span.actor = android_names_thread_id(import, &state->names, thread);
    state->records++;
    state->unnamed += !named;
    state->filter.wrong += state->filter.lines > 0 && !named;
    if (action == 0) {
        import_entry(import, &span, offset, layout->record_size);
        return;
    }
    span.flags = action == 2 ? SPAN_EXCEPTION : 0;
    import_exit(import, &span, offset, layout->record_size);
}

/* Rejects the rest of the file, from the cursor on. */
static void reject_rest(struct import *import, struct reader *reader, const char *reason,
                        int64_t offset) {
    reader_skip(reader, INT64_MAX);
    import_rejected(import, reason, offset, reader_offset(reader) - offset);
}

static void android_trace_read_records(struct import *import, struct android_trace *state,
                                       struct reader *reader) {
    size_t size = state->layout.record_size, left;
    const uint8_t *bytes;

    while (reader_need(reader, size, &bytes)) {
        watch_filtered_bytes(&state->filter, bytes, size);
        android_trace_add_record(import, state, bytes, reader_offset(reader));
        reader_take(reader, size);
        /* When the number of records reaches a power of two, check for inserted CRs: a long
         * corrupted file need not be read to its end. */
        if (!state->filter.seen_bare && state->filter.after >= LEAST_SUSPICION &&
            (state->filter.after & (state->filter.after - 1)) == 0 &&
            android_trace_is_filtered(state, 0)) {
            refuse_filtered(import);
            return;
        }
    }
    left = reader_fill(reader, size);
    watch_filtered_bytes(&state->filter, reader_bytes(reader), left);
    if (android_trace_is_filtered(state, (int64_t)left)) {
        refuse_filtered(import);
    } else if (left > 0) {
        reject_rest(import, reader, cut_record, reader_offset(reader));
    }
}

/* --- packets of a streaming file -------------------------------------------------------------- */

enum packet { METHOD_PACKET = 1, THREAD_PACKET = 2, SUMMARY_PACKET = 3 };

/* Rejects the rest of a streaming file. Always returns false, which tells the caller that nothing
 * more of the file can be read. */

static bool end_packets(struct import *import, struct android_trace *state, struct reader *reader,
                        const char *reason, int64_t offset) {
    state->derailed = true;
    reject_rest(import, reader, reason, offset);
    return false;
}

/* Reads a packet with a name. `head`: number of bytes before the text; the last two of them hold
 * its length. */
static bool read_name_packet(struct import *import, struct android_trace *state,
                             struct reader *reader, size_t head, enum packet kind) {
    int64_t offset = reader_offset(reader);
    const char *reason, *text;
    const uint8_t *bytes;
    size_t length;

    if (!reader_need(reader, head, &bytes) ||
        !reader_need(reader, head + bytes_u16_little(bytes + head - 2), &bytes)) {
        return end_packets(import, state, reader, cut_packet, offset);
    }
    length = bytes_u16_little(bytes + head - 2);
    text = (const char *)bytes + head;
    /* A NUL shows that the length is wrong: it reaches into the records after the name. */
    if (memchr(text, '\0', length) != NULL) {
        return end_packets(import, state, reader, text_missing, offset);
    }
    watch_filtered_bytes(&state->filter, bytes, head + length);
    if (kind == THREAD_PACKET) {
        reason = android_names_add_thread(&state->names, bytes_u16_little(bytes + head - 4), text,
                                          length);
    } else {
        length -= length > 0 && text[length - 1] == '\n';
        reason = android_names_read_method(&state->names, text, length);
    }
    if (reason != NULL) {
        import_ignored(import, reason, offset);
    }
    reader_take(reader, head + bytes_u16_little(bytes + head - 2));
    return true;
}

static bool read_summary(struct import *import, struct android_trace *state, struct reader *reader,
                         size_t head) {
    int64_t offset = reader_offset(reader), end;
    const uint8_t *bytes;

    if (!reader_need(reader, head, &bytes)) {
        return end_packets(import, state, reader, cut_packet, offset);
    }
    end = offset + (int64_t)head + bytes_u32_little(bytes + head - WORD);
    reader_take(reader, head);
    read_keys(import, state, reader, end);
    if (reader_offset(reader) < end) {
        reader_skip(reader, end - reader_offset(reader));
    }
    if (reader_offset(reader) < end) {
        return end_packets(import, state, reader, cut_packet, offset);
    }
    if (reader_offset(reader) > end || reader_fill(reader, 1) > 0) {
        return end_packets(import, state, reader, after_summary, end);
    }
    return false;
}

/* Reads a packet; the cursor is at the thread number 0 that announces it. */
static bool read_packet(struct import *import, struct android_trace *state, struct reader *reader) {
    size_t head = state->layout.thread_size + 1U;
    const uint8_t *bytes;

    if (!reader_need(reader, head, &bytes)) {
        return end_packets(import, state, reader, cut_packet, reader_offset(reader));
    }
    switch (bytes[head - 1]) {
    case METHOD_PACKET:
        return read_name_packet(import, state, reader, head + 2, METHOD_PACKET);
    case THREAD_PACKET:
        return read_name_packet(import, state, reader, head + 4, THREAD_PACKET);
    case SUMMARY_PACKET:
        return read_summary(import, state, reader, head + WORD);
    default:
        return end_packets(import, state, reader, bad_packet, reader_offset(reader));
    }
}

/* Reads the record or packet at the cursor, where at least one byte is available. */
static bool read_piece(struct import *import, struct android_trace *state, struct reader *reader) {
    size_t size = state->layout.record_size;
    const uint8_t *bytes;

    if (reader_need(reader, state->layout.thread_size, &bytes) && bytes[0] == 0 &&
        bytes[state->layout.thread_size - 1] == 0) {
        return read_packet(import, state, reader);
    }
    if (!reader_need(reader, size, &bytes)) {
        return end_packets(import, state, reader, cut_record, reader_offset(reader));
    }
    watch_filtered_bytes(&state->filter, bytes, size);
    android_trace_add_record(import, state, bytes, reader_offset(reader));
    reader_take(reader, size);
    return true;
}

static void android_trace_report_clock(struct import *import, const struct android_trace *state) {
    static const char *const clocks[] = {"wall", "cpu", "wall cpu"};
    static const char *const names[] = {"wall", "thread-cpu", "dual"};
    int which = state->layout.dual ? 2 : state->keys.clock == CLOCK_THREAD_CPU ? 1 : 0;
    char variant[32];

    import_clock(import, &(struct import_clock){"ns", clocks[which], 0});
    if (state->layout.streaming) {
        snprintf(variant, sizeof variant, "streaming %s", names[which]);
    } else {
        snprintf(variant, sizeof variant, "version %u %s", state->layout.version, names[which]);
    }
    import_variant(import, variant);
}

static void report_keys(struct import *import, const struct android_trace *state) {
    const struct keys *keys = &state->keys;

    if (keys->overflow) {
        import_remark(import, "the log overflowed: its end is lost (data-file-overflow=true)");
    }
    if (keys->records != EVENT_NONE && keys->records != state->records) {
        import_remark(import,
                      "the key section says %" PRId64 " records (num-method-calls), %" PRId64
                      " were read",
                      keys->records, state->records);
    } else if (keys->records == EVENT_NONE && !state->layout.streaming) {
        import_remark(import,
                      "the key section does not say how many records there are "
                      "(num-method-calls): %" PRId64 " were read",
                      state->records);
    }
    /* In a streaming file, the name of a method may come after its first record, so records that
     * seem to lack a name are no reason for a remark. */
    if (2 * state->unnamed > state->records && !state->layout.streaming) {
        import_remark(
            import, "%" PRId64 " of %" PRId64 " records are of methods that the log does not name",
            state->unnamed, state->records);
    }
    /* A call has two records, and each reads the clock, so double the overhead. */
    if (keys->overhead >= 0 && keys->overhead <= INT64_C(1000000000)) {
        import_call_overhead(import, 2 * keys->overhead);
    }
}

/* --- reading a file --------------------------------------------------------------------------- */

static bool is_version_line(const uint8_t *bytes, size_t length) {
    struct word begin = {(const char *)bytes, length};

    return (length > 9 && word_begins(begin, "*version\n")) ||
           (length > 10 && word_begins(begin, "*version\r\n"));
}

static void begin_android(struct import *import, void *context) {
    struct android_trace *state = context;

    if (import_saved_state(import) != NULL) {
        error_set(import_failure(import),
                  "an Android method trace is one file: nothing can be appended to it");
    }
    state->wall = -1;
    state->keys.records = state->keys.overhead = EVENT_NONE;
    android_names_init(&state->names);
}

/* Recognises the variant of the file, and reads its key section if that comes first. */
static bool android_trace_begin_file(struct import *import, struct android_trace *state,
                                     struct reader *reader) {
    const uint8_t *bytes;
    const char *other;
    size_t available;

    reader_skip_mark(reader);
    available = reader_fill(reader, SNIFF_LENGTH);
    bytes = reader_bytes(reader);
    if (state->begun) {
        return import_fail_file(import, "an Android method trace is one file: import it alone");
    }
    state->begun = true;
    if (is_version_line(bytes, available)) {
        return read_text_part(import, state, reader);
    }
    other = android_other_format(bytes, available);
    if (other != NULL) {
        return import_fail_file(import, "%s", other);
    }
    if (perfetto_sniff(&(struct sniff){.bytes = bytes, .length = available}) != SNIFF_NO) {
        return import_fail_file(import, "a Perfetto trace, which is not an Android method trace: "
                                        "leave out -f");
    }
    if (available < 6 || memcmp(bytes, "SLOW", 4) != 0) {
        return !reader_failed(reader) &&
               import_fail_file(import,
                                "not an Android method trace: it begins neither with *version "
                                "and a number nor with SLOW");
    }
    return (bytes_u16_little(bytes + 4) & ~15U) == STREAMING ||
           import_fail_file(import, "an Android method trace without its key section");
}

static void read_android(struct import *import, void *context, struct reader *reader) {
    struct android_trace *state = context;

    if (!android_trace_begin_file(import, state, reader) ||
        !android_trace_read_header(import, state, reader)) {
        return;
    }
    if (state->layout.streaming) {
        while (reader_fill(reader, 1) > 0 && read_piece(import, state, reader)) {
        }
        /* A packet with a method ends in LF, so an intact streaming file has an LF without a CR. If
         * every LF has a CR, a text filter inserted the CRs. */
        if (state->derailed && !state->filter.seen_bare && state->filter.lines > 0) {
            refuse_filtered(import);
        }
        /* Only the summary at the end of the file names the clock. Until then, the only time of a
         * record is taken as wall time. */
        android_trace_report_clock(import, state);
        android_names_find_overloads(&state->names);
        android_names_rename(import, &state->names);
    } else {
        android_trace_report_clock(import, state);
        android_trace_read_records(import, state, reader);
    }
    report_keys(import, state);
}

static void end_android(struct import *import, void *context, bool failed) {
    struct android_trace *state = context;

    android_names_free(&state->names);
    import_save_state(import, "whole");
}

/* Also accepts other formats with the same file name: read() refuses them and names the format. */
static enum sniff_score sniff_android(const struct sniff *sniff) {
    const uint8_t *bytes = sniff->bytes;
    unsigned version;

    if (is_version_line(bytes, sniff->length)) {
        uint8_t digit = bytes[bytes[8] == '\r' ? 10 : 9];

        return digit >= '0' && digit <= '9' ? SNIFF_MAGIC : SNIFF_NO;
    }
    if (sniff->length >= 6 && memcmp(bytes, "SLOW", 4) == 0) {
        version = bytes_u16_little(bytes + 4);
        return (version & ~15U) == STREAMING || (version >= 1 && version <= 3) ? SNIFF_MAGIC
                                                                               : SNIFF_NO;
    }
    return android_other_format(bytes, sniff->length) != NULL ? SNIFF_MAGIC : SNIFF_NO;
}

/* --- definition of the importer --------------------------------------------------------------- */

extern const struct importer android_trace_importer;

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

const struct importer android_trace_importer = {
    .name = "android-trace",
    .description = "method traces of Android (Debug.startMethodTracing, Android Studio)",
    .line = NULL,
    .made_of = "a line *version, or SLOW",
    .variants = "version 1, 2, 3 or streaming, then thread-cpu, wall or dual",
    .kinds = 1u << TRACE_SPANS,
    .meanings = {[TRACE_SPANS] = meanings},
    .facts = {[TRACE_SPANS] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_PARENT |
               EVENT_DEPTH | EVENT_SELF | EVENT_CPU,
    .state_size = sizeof(struct android_trace),
    .sniff = sniff_android,
    .resume_text = true,
    .begin = begin_android,
    .read = read_android,
    .end = end_android,
};
