/* MobiGen: file system calls of an Android application. MobiGen, one of the AndroStep tools, makes
 * such logs from strace's output, for replay by Mobibench.
 *
 * One call per line, words separated by blanks; times are microseconds since the first call:
 *
 *     1 1724 open "/data/data/com.example/a.db" O_RDWR|O_CREAT 35
 *     1 1791 pwrite 35 4096 1024
 *     1 1850 access "/data/data/com.example/a b.xml" -1
 *
 * Columns: thread, time, call, arguments, result (a descriptor, the bytes written, an error).
 *
 * Quirks: the file is grouped by thread, so times jump back, but descriptors are shared by all
 * threads. So calls are buffered and sorted by time before their descriptors are looked up. A path
 * is quoted like strace's, or is a bare word. MobiGen writes `/data/data`, `data/data` and the
 * like for unknown paths, and cuts the start off others (`dev/fimg2d"`). For a read or write,
 * MobiGen writes only the number of bytes transferred, not the number requested.
 *
 * Tables filled: event (time, operation, actor, object, address, size, value, arguments); name
 * (kind syscall); actor (thread); object (file and file type). `address` is the offset of pread
 * and pwrite in bytes; `arguments` is the text between call and result, without path and offset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "descriptors.h"
#include "lines.h"
#include "model/file_type.h"
#include "syscalls.h"

/* Maximum microseconds, 63 years: even twice the time fits into 63 bits as nanoseconds. */
#define MICROSECONDS_LIMIT INT64_C(2000000000000000)
#define NUMBER_LIMIT       (INT64_MAX / 2)

enum {
    CALLS_HELD = 1 << 20,        /* maximum calls sorted at once: 56 MiB */
    TEXT_HELD = 8 * 1024 * 1024, /* maximum bytes of flags and arguments of calls sorted at once */
    TRANSFER_LIMIT = INT32_MAX,  /* maximum bytes of a read or write */
    THREAD_LIMIT = INT32_MAX,
    RECENT_TEXTS = 8, /* number of latest texts that are reused: opens have few sets of flags */
    NO_DESCRIPTOR = INT32_MIN,
};

/* Reasons (ledger.reason) for rejecting records; report ledger prints them. */
static const char bad_line[] = "not a call: thread, microseconds, name, arguments, result";
static const char bad_time[] = "time beyond 63 years";
static const char bad_arguments[] = "arguments are not those of the call";
static const char bad_path[] = "path without closing quote mark, or with an unknown escape";
static const char bad_number[] = "descriptor, offset or bytes transferred is not a number in range";
static const char bad_result[] = "result is not a number";

/* Form of a system call: its arguments in order, and what the result is. */
enum shape {
    SHAPE_OTHER,    /* an unknown system call: any arguments */
    SHAPE_OPEN,     /* path and flags; the result is a descriptor */
    SHAPE_CLOSE,    /* only a descriptor, which the call closes */
    SHAPE_FILE,     /* only a descriptor */
    SHAPE_TRANSFER, /* only a descriptor; the result is a number of bytes */
    SHAPE_AT,       /* descriptor and offset; the result is a number of bytes */
    SHAPE_PATH,     /* a path only */
};

static const struct known_call {
    const char *name;
    enum shape shape;
} known_calls[] = {
    {"write", SHAPE_TRANSFER}, {"read", SHAPE_TRANSFER}, {"pread", SHAPE_AT},
    {"pwrite", SHAPE_AT},      {"close", SHAPE_CLOSE},   {"fstat64", SHAPE_FILE},
    {"stat64", SHAPE_PATH},    {"access", SHAPE_PATH},   {"fsync", SHAPE_FILE},
    {"open", SHAPE_OPEN},      {"unlink", SHAPE_PATH},   {"lstat64", SHAPE_PATH},
    {"fdatasync", SHAPE_FILE}, {"pread64", SHAPE_AT},    {"pwrite64", SHAPE_AT},
    {"fstat", SHAPE_FILE},     {"stat", SHAPE_PATH},     {"lstat", SHAPE_PATH},
};
enum { KNOWN_CALLS = sizeof known_calls / sizeof known_calls[0] };

struct call {
    int64_t thread, time; /* thread of the call, and its time in microseconds */
    struct word name;
    size_t known; /* index in known_calls; KNOWN_CALLS: the call is unknown */
    enum shape shape;
    struct word path;   /* path as in the line, without quotes; bytes NULL: the call has no path */
    bool quoted;        /* true: the path is quoted in the line, so it may have escapes */
    struct word text;   /* flags of an open, or all arguments of an unknown call */
    int64_t descriptor; /* descriptor; NO_DESCRIPTOR: the call has none */
    int64_t offset;     /* offset in the file; EVENT_NONE: the call has none */
    int64_t result;
};

/* Position and length of a string in mobigen.text, in bytes. */
struct held_text {
    uint32_t at, length;
};

/* A parsed call in compact form, buffered until the calls are sorted by time. */
struct held_call {
    int64_t time, offset, result;
    uint32_t operation, actor, object; /* ids in tables name, actor and object */
    int32_t descriptor;
    uint32_t sequence; /* index of the call among the buffered calls, in the order of the log */
    uint32_t file;     /* number of the log file that has the call (import_source_number()) */
    struct held_text text;
    enum shape shape;
};

struct mobigen {
    struct file_types types;
    struct text path;       /* memory for a path with its escapes decoded */
    struct held_call *held; /* owned; calls that wait to be sorted */
    size_t held_count, held_capacity;
    bool sorted;      /* true: `held` is still in order of time */
    struct text text; /* flags of opens, and arguments of unknown calls, of the calls in `held` */
    struct held_text recent[RECENT_TEXTS];
    size_t next_recent;
    struct descriptors *descriptors; /* owned; all threads share them, as process 0 */
    int64_t thread;                  /* thread of the call parsed last */
    uint32_t actor;                  /* id of `thread` in table actor; 0: not looked up yet */
    int64_t base, last;              /* microseconds: start of the current file; latest call */
    int64_t line_thread, line_time;  /* last valid line in any file; thread -1: none */
    int64_t on_descriptors, without_file;
    int64_t unknown_paths; /* opens of paths that MobiGen did not know */
    int64_t recordings;    /* number of files, after the first, that start a new recording */
    bool in_parts;         /* true: a file had more calls than can be sorted at once */
};

/* Consumes a path, quoted or bare. A bare path may end in a quotation mark, which is removed:
 * MobiGen cut off the start of a quoted path. */
static const char *cut_quoted_path(struct word *rest, struct call *call) {
    bool has_nul;

    call->quoted = word_peek(rest) == '"';
    if (call->quoted) {
        return syscalls_cut_quoted(rest, &call->path, &has_nul) && !has_nul &&
                       (rest->length == 0 || word_is_blank(*rest->bytes))
                   ? NULL
                   : bad_path;
    }
    call->path = word_next(rest);
    if (memchr(call->path.bytes, '\0', call->path.length) != NULL) {
        return bad_path;
    }
    if (call->path.length > 1 && call->path.bytes[call->path.length - 1] == '"') {
        call->path.length--;
    }
    return call->path.length > 0 ? NULL : bad_arguments;
}

/* --- parsing one line ------------------------------------------------------------------------- */

static bool mobigen_is_name(struct word word) {
    for (size_t i = 0; i < word.length; i++) {
        char byte = word.bytes[i];

        if (byte != '_' && !(byte >= 'a' && byte <= 'z') &&
            !(i > 0 && byte >= '0' && byte <= '9')) {
            return false;
        }
    }
    return word.length > 0;
}

static bool mobigen_is_flags(struct word word) {
    for (size_t i = 0; i < word.length; i++) {
        char byte = word.bytes[i];

        if (byte != '_' && byte != '|' && !(byte >= '0' && byte <= '9') &&
            !((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z')) {
            return false;
        }
    }
    return word.length > 0;
}

static void mobigen_find_known(struct call *call) {
    call->known = 0;
    while (call->known < KNOWN_CALLS && !word_is(call->name, known_calls[call->known].name)) {
        call->known++;
    }
    call->shape = call->known < KNOWN_CALLS ? known_calls[call->known].shape : SHAPE_OTHER;
}

static const char *parse_open(struct word *rest, struct call *call) {
    const char *damage = cut_quoted_path(rest, call);

    if (damage != NULL) {
        return damage;
    }
    call->text = word_next(rest);
    if (!mobigen_is_flags(call->text) || rest->length > 0) {
        return bad_arguments;
    }
    return call->result < DESCRIPTORS_LIMIT ? NULL : bad_number;
}

/* Parses a descriptor; a negative one is the result of a failed open, used without a check. */
static const char *parse_descriptor(struct word *rest, struct call *call) {
    struct word descriptor = word_next(rest), offset = {NULL, 0};
    bool transfers = call->shape == SHAPE_TRANSFER || call->shape == SHAPE_AT;

    if (call->shape == SHAPE_AT) {
        offset = word_next(rest);
    }
    if (descriptor.length == 0 || rest->length > 0 ||
        (call->shape == SHAPE_AT && offset.length == 0)) {
        return bad_arguments;
    }
    if (!word_signed(descriptor, -INT32_MAX, DESCRIPTORS_LIMIT - 1, &call->descriptor) ||
        (call->shape == SHAPE_AT &&
         !word_signed(offset, -NUMBER_LIMIT, NUMBER_LIMIT, &call->offset)) ||
        (transfers && call->result > TRANSFER_LIMIT)) {
        return bad_number;
    }
    return NULL;
}

static const char *mobigen_parse_arguments(struct word *rest, struct call *call) {
    const char *damage;

    switch (call->shape) {
    case SHAPE_OPEN:
        return parse_open(rest, call);
    case SHAPE_PATH:
        damage = cut_quoted_path(rest, call);
        return damage == NULL && rest->length > 0 ? bad_arguments : damage;
    case SHAPE_CLOSE:
    case SHAPE_FILE:
    case SHAPE_TRANSFER:
    case SHAPE_AT:
        return parse_descriptor(rest, call);
    case SHAPE_OTHER:
        break;
    }
    /* An unknown call whose arguments begin with a quoted path is taken as a call on that file. */
    call->text = *rest;
    return rest->length > 0 && rest->bytes[0] == '"' ? cut_quoted_path(rest, call) : NULL;
}

/* Parses a line. Returns NULL, or why the line is rejected. */
static const char *mobigen_parse_line(struct word line, struct call *call) {
    struct word rest = word_trim(line), thread, time, result;

    *call = (struct call){.descriptor = NO_DESCRIPTOR, .offset = EVENT_NONE};
    thread = word_next(&rest);
    time = word_next(&rest);
    call->name = word_next(&rest);
    if (!word_number(thread, THREAD_LIMIT, &call->thread) ||
        !word_number(time, NUMBER_LIMIT, &call->time) || !mobigen_is_name(call->name) ||
        rest.length == 0) {
        return bad_line;
    }
    if (call->time > MICROSECONDS_LIMIT) {
        return bad_time;
    }
    mobigen_find_known(call);
    result = word_last(&rest);
    return !word_signed(result, -NUMBER_LIMIT, NUMBER_LIMIT, &call->result)
               ? bad_result
               : mobigen_parse_arguments(&rest, call);
}

/* --- events in order of time ------------------------------------------------------------------ */

static int mobigen_compare_held(const void *left, const void *right) {
    const struct held_call *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : 1;
}

/* Finds the file of a call. A close removes the descriptor even if the close fails, as in Linux. */
static uint32_t mobigen_find_file(struct mobigen *mobigen, const struct held_call *call) {
    const struct open_file *file;
    uint32_t object;

    if (call->descriptor == NO_DESCRIPTOR) {
        return call->object;
    }
    file = descriptors_find(mobigen->descriptors, 0, call->descriptor);
    object = file == NULL ? 0 : file->object;
    if (call->shape == SHAPE_CLOSE) {
        descriptors_close(mobigen->descriptors, 0, call->descriptor);
    }
    mobigen->on_descriptors++;
    mobigen->without_file += object == 0;
    return object;
}

static void attach_held_text(struct import *import, const struct mobigen *mobigen,
                             struct event *event, const struct held_call *call) {
    char descriptor[16];
    const char *text = text_string(&mobigen->text) + call->text.at;
    size_t length = call->text.length;

    if (call->descriptor != NO_DESCRIPTOR) {
        length = (size_t)snprintf(descriptor, sizeof descriptor, "%d", (int)call->descriptor);
        text = descriptor;
    }
    if (length > 0) {
        import_arguments(import, event, (const uint8_t *)text, (uint32_t)length);
    }
}

static void mobigen_add_call(struct import *import, struct mobigen *mobigen,
                             const struct held_call *call) {
    uint32_t object = mobigen_find_file(mobigen, call);
    struct event *event = import_event(import);

    event->time = call->time * 1000;
    event->operation = call->operation;
    event->actor = call->actor;
    event->object = object;
    event->address = call->offset;
    event->value = call->result;
    if ((call->shape == SHAPE_TRANSFER || call->shape == SHAPE_AT) && call->result >= 0) {
        event->size = call->result;
    }
    attach_held_text(import, mobigen, event, call);
}

static void mobigen_release(struct import *import, struct mobigen *mobigen) {
    size_t file = import_source_number(import);

    if (!mobigen->sorted) {
        sort_items(mobigen->held, mobigen->held_count, sizeof *mobigen->held, mobigen_compare_held);
    }
    for (size_t i = 0; i < mobigen->held_count; i++) {
        const struct held_call *call = &mobigen->held[i];

        import_switch_source(import, call->file);
        if (call->shape == SHAPE_OPEN) {
            descriptors_open(mobigen->descriptors, 0, call->result,
                             (struct open_file){.object = call->object}, false);
        }
        mobigen_add_call(import, mobigen, call);
    }
    import_switch_source(import, file);
    mobigen->held_count = 0;
    text_clear(&mobigen->text);
    memset(mobigen->recent, 0, sizeof mobigen->recent);
}

/* --- calls held to be sorted ------------------------------------------------------------------ */

static uint32_t mobigen_find_actor(struct import *import, struct mobigen *mobigen, int64_t thread) {
    char name[32];

    if (mobigen->actor == 0 || mobigen->thread != thread) {
        snprintf(name, sizeof name, "thread %lld", (long long)thread);
        mobigen->thread = thread;
        mobigen->actor = import_thread(import, EVENT_NONE, thread, word_of(name));
    }
    return mobigen->actor;
}

/* Returns whether MobiGen did not know the path of an open, or cut its beginning off: the files of
 * such a path may be many. */
static bool mobigen_opens_unknown(const struct call *call) {
    return call->shape == SHAPE_OPEN && !call->quoted &&
           (call->path.bytes[0] != '/' || word_is(call->path, "/data/data"));
}

/* Returns the id of a call's path in table object; 0 if the call has no path. */
static uint32_t mobigen_find_object(struct import *import, struct mobigen *mobigen,
                                    const struct call *call) {
    struct object_entry entry = {.device = EVENT_NONE};

    if (call->path.length == 0) {
        return 0;
    }
    text_clear(&mobigen->path);
    if (call->quoted) {
        syscalls_unquote(call->path, &mobigen->path);
    } else {
        text_append(&mobigen->path, call->path.bytes, call->path.length);
    }
    entry.name = mobigen->path.bytes;
    entry.length = mobigen->path.length;
    entry.type = file_types_find(&mobigen->types, entry.name, entry.length);
    return import_object(import, &entry);
}

/* Stores a text, or returns the position of an equal one among the last RECENT_TEXTS. */
static struct held_text store_call_text(struct mobigen *mobigen, struct word word) {
    struct held_text text = {(uint32_t)mobigen->text.length, (uint32_t)word.length};

    for (size_t i = 0; i < RECENT_TEXTS; i++) {
        struct held_text recent = mobigen->recent[i];

        if (recent.length == word.length &&
            (word.length == 0 ||
             memcmp(mobigen->text.bytes + recent.at, word.bytes, word.length) == 0)) {
            return recent;
        }
    }
    text_append(&mobigen->text, word.bytes, word.length);
    mobigen->recent[mobigen->next_recent++ % RECENT_TEXTS] = text;
    return text;
}

/* Buffers a call. If the buffer is full, first adds the events of the buffered calls. */
static void store_pending_call(struct import *import, struct mobigen *mobigen,
                               const struct call *call) {
    struct held_call held = {
        .time = mobigen->base + call->time,
        .offset = call->offset,
        .result = call->result,
        .operation = import_simple_name(import, "syscall", call->name),
        .actor = mobigen_find_actor(import, mobigen, call->thread),
        .object = mobigen_find_object(import, mobigen, call),
        .descriptor = (int32_t)call->descriptor,
        .shape = call->shape,
        .file = (uint32_t)import_source_number(import),
    };
    struct held_call *room;

    if (mobigen->held_count == CALLS_HELD || mobigen->text.length + call->text.length > TEXT_HELD) {
        mobigen->in_parts = true;
        mobigen_release(import, mobigen);
    }
    held.sequence = (uint32_t)mobigen->held_count;
    held.text = store_call_text(mobigen, call->text);
    mobigen->held = array_grow(mobigen->held, mobigen->held_count, &mobigen->held_capacity,
                               sizeof *mobigen->held);
    room = &mobigen->held[mobigen->held_count];
    mobigen->sorted = mobigen->held_count == 0 || (mobigen->sorted && room[-1].time <= held.time);
    *room = held;
    mobigen->held_count++;
    mobigen->last = held.time > mobigen->last ? held.time : mobigen->last;
}

/* --- detection, and reading a file ------------------------------------------------------------ */

/* Judges a line: a file has the format if most of its first lines are known system calls. Unknown
 * calls do not count, as any line may look like one. */
static enum line_verdict mobigen_judge(void *context, struct word line) {
    struct call call;

    if (word_trim(line).length == 0) {
        return LINE_NOTHING;
    }
    if (mobigen_parse_line(line, &call) != NULL) {
        return LINE_BAD;
    }
    return call.known < KNOWN_CALLS ? LINE_GOOD : LINE_NOTHING;
}

static enum sniff_score sniff_mobigen(const struct sniff *sniff) {
    return lines_sniff(sniff, mobigen_judge, NULL);
}

static void begin_mobigen(struct import *import, void *state) {
    struct mobigen *mobigen = state;

    import_variant(import, "text");
    mobigen->line_thread = -1;
    mobigen->descriptors = descriptors_new();
    import_file_types(import, &mobigen->types);
}

/* Returns whether a file that begins with this call continues the previous file. MobiGen groups
 * calls by thread: so this call's thread has a higher number than the last call's thread, or is the
 * same one at no earlier time. */
static bool mobigen_goes_on(const struct mobigen *mobigen, const struct call *call) {
    return mobigen->line_thread >= 0 &&
           (call->thread == mobigen->line_thread ? call->time >= mobigen->line_time
                                                 : call->thread > mobigen->line_thread);
}

/* Begins a file. If it continues the previous file, as a piece of a split log does, nothing
 * changes. Otherwise it is a new recording: its time 0 is that of the last call so far, and no
 * descriptor is open. */
static void mobigen_begin_file(struct import *import, struct mobigen *mobigen,
                               const struct call *call) {
    if (mobigen_goes_on(mobigen, call)) {
        return;
    }
    mobigen->recordings += mobigen->line_thread >= 0;
    mobigen_release(import, mobigen);
    mobigen->base = mobigen->last;
    descriptors_drop_all(mobigen->descriptors);
}

static void mobigen_read_call(struct import *import, struct mobigen *mobigen,
                              const struct line *line, bool *begun) {
    struct call call;
    const char *damage = mobigen_parse_line(line->text, &call);

    if (damage == NULL && !*begun) {
        *begun = true;
        mobigen_begin_file(import, mobigen, &call);
    }
    if (damage == NULL && call.time > MICROSECONDS_LIMIT - mobigen->base) {
        damage = bad_time;
    }
    if (damage != NULL) {
        lines_reject(import, line, damage);
        return;
    }
    mobigen->line_thread = call.thread;
    mobigen->line_time = call.time;
    mobigen->unknown_paths += mobigen_opens_unknown(&call);
    store_pending_call(import, mobigen, &call);
}

static void read_mobigen(struct import *import, void *state, struct reader *reader) {
    bool begun = false;
    struct line line;

    reader_skip_mark(reader);
    while (lines_next(import, reader, lines_too_long, &line)) {
        if (word_trim(line.text).length > 0) {
            mobigen_read_call(import, state, &line, &begun);
        }
    }
}

static void report_missing(struct import *import, const struct mobigen *mobigen) {
    if (mobigen->without_file > 0) {
        import_remark(
            import, "%lld of %lld calls on a descriptor have no file: the trace has no open of it",
            (long long)mobigen->without_file, (long long)mobigen->on_descriptors);
    }
    import_remark_count(import, mobigen->unknown_paths,
                        "opens of paths that MobiGen did not know, such as /data/data, each of "
                        "which may be many files: %lld");
    import_remark_count(import, mobigen->recordings,
                        "files whose times begin again near 0, each taken as a recording that "
                        "follows the previous file: %lld");
    if (mobigen->in_parts) {
        import_remark(import,
                      "too many calls to sort them all: descriptors are followed in order of time "
                      "within parts of at most %d calls, and from part to part in order of the "
                      "file",
                      CALLS_HELD);
    }
}

static void end_mobigen(struct import *import, void *state, bool failed) {
    struct mobigen *mobigen = state;

    if (!failed) {
        mobigen_release(import, mobigen);
        report_missing(import, mobigen);
    }
    file_types_free(&mobigen->types);
    text_free(&mobigen->path);
    text_free(&mobigen->text);
    free(mobigen->held);
    descriptors_free(mobigen->descriptors);
}

/* --- dump of an event ------------------------------------------------------------------------- */

static enum shape call_shape_of_name(const char *name) {
    struct call call = {.name = {name, strlen(name)}};

    mobigen_find_known(&call);
    return call.shape;
}

/* Implements dump(): shows a call much as strace does, with the file after the descriptor. */
static void dump_mobigen(const struct dump_event *dump, struct text *out) {
    enum shape shape = call_shape_of_name(dump->operation);
    struct word object = {dump->object, dump->object_length};
    const char *arguments = (const char *)dump->event.arguments;
    size_t size = arguments == NULL ? 0 : dump->arguments_size;

    dump_call(out, dump);
    if (shape == SHAPE_OPEN || shape == SHAPE_PATH) {
        syscalls_append_quoted(out, object);
        text_append_string(out, size > 0 ? ", " : "");
    }
    dump_bytes(out, "", arguments, size);
    if (shape != SHAPE_OPEN && shape != SHAPE_PATH && shape != SHAPE_OTHER && object.length > 0) {
        text_append_char(out, ' ');
        syscalls_append_quoted(out, object);
    }
    dump_number(out, ", ", dump->event.address);
    text_append_char(out, ')');
    dump_number(out, " = ", dump->event.value);
}

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},
    {EVENT_PLACE_ADDRESS, "", "offset", "bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {EVENT_PLACE_VALUE, "", "result", ""},
    {EVENT_PLACE_ARGUMENTS, "", "text", ""},
    {0},
};

static const struct resume_value resume[] = {
    {"last", offsetof(struct mobigen, last), 0, MICROSECONDS_LIMIT, false},
    {0},
};

const struct importer mobigen_importer = {
    .name = "mobigen",
    .description = "file system calls of an Android application, made by MobiGen for Mobibench",
    .line = "0 500 pwrite 10 4096 1024",
    .made_of = "lines of thread, microseconds, system call, arguments and result",
    .variants = "text",
    .kinds = 1u << TRACE_CALLS,
    .meanings = {[TRACE_CALLS] = meanings},
    .facts = {[TRACE_CALLS] = FACTS_ALL},
    .columns = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE |
               EVENT_VALUE | EVENT_ARGUMENTS,
    .state_size = sizeof(struct mobigen),
    .resume = resume,
    .sniff = sniff_mobigen,
    .begin = begin_mobigen,
    .read = read_mobigen,
    .end = end_mobigen,
    .dump = dump_mobigen,
};
