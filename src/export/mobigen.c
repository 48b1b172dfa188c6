/* Scripts as MobiGen creates from strace logs, for Mobibench to replay (mobibench -g SCRIPT -p
 * FOLDER).
 *
 *     0 0 open replay.3 O_RDWR|O_CREAT 1
 *     0 120 pwrite 1 4096 1024
 *     0 180 fdatasync 1 0
 *     1 95 read 2 64
 *
 * A line has thread, microseconds since the start of the trace, call, arguments and result.
 * Requirements of Mobibench: consecutive threads from 0, one after the other, each with its calls
 * in order of time; lines of at most 1023 bytes; paths of at most 255 bytes without blanks, offsets
 * and lengths below 2^31. Mobibench knows only the calls in the tables `words` below, and replays
 * only successful ones. Descriptors are above 0, and none may be open twice at a time.
 *
 * Mobibench opens a bare name as a temporary file of its own, and creates and truncates quoted
 * files. So names of opened files are bare. Names of files that are looked up or removed are
 * quoted, in a directory that does not exist, so that no real file is destroyed. With --real-paths,
 * all names are quoted, and are those of the log.
 *
 * A thread is replayed on its own, with its own descriptors. A descriptor opened before the log
 * began, or in another thread, is opened at time 0. Since such lines come first, all lines are
 * buffered in a table. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "export/export.h"
#include "export/file_calls.h"
#include "model/event.h"
#include "base/memory.h"

enum {
    DESCRIPTORS = (1 << 20) - 1, /* maximum descriptors in Linux */
    FLAGS = 400, /* maximum bytes of an open's flags, so that a line has less than 1023 */
};

/* Limit of offsets and lengths: Mobibench reads them with 32 bits. */
#define NUMBER_LIMIT (INT64_C(1) << 31)

static const char no_word[] = "calls that the format has no word for";
static const char no_file[] = "calls on sockets, pipes and devices";
static const char no_path[] = "calls on a path that the log does not have";
static const char streams[] = "calls on standard input, output and error";
static const char closed[] = "closes of descriptors that the thread neither opened nor used";
static const char opened[] =
    "opens of descriptors from before the log or of another thread: added at time 0";
static const char no_flags[] = "flags of opens, which the log does not have";
static const char too_many[] = "calls on more than 1048575 descriptors";

/* A file descriptor of the log that is open in the current thread. */
struct descriptor {
    UT_hash_handle hh;
    int64_t key; /* number of the descriptor in the log; if unknown: -1 - object */
    int64_t object;
    int64_t number;  /* number of the descriptor in the script */
    bool reads_only; /* true: opened read-only at time 0, as the log has no open() of it */
};

struct mobigen_state {
    struct text path, line;
    bool begun;
    int64_t thread;          /* index of the thread in the trace */
    int64_t script_thread;   /* index of the thread in the script; -1: before the first one */
    bool in_script;          /* true: the script has lines of this thread */
    struct descriptor *open; /* owned hash table by key: the thread's open descriptors */
    int64_t *free_numbers;   /* owned; script descriptors that the thread has closed, for reuse */
    size_t free_count, free_capacity;
    int64_t last_number;  /* last new descriptor number in the script, in any thread */
    sqlite3_stmt *insert; /* owned */
};

static bool is_digit_or_letter(char byte) {
    return word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Returns the digits, letters and underscores at the beginning of the text. */
static struct word leading_word(struct word text) {
    size_t length = 0;

    while (length < text.length &&
           (is_digit_or_letter(text.bytes[length]) || text.bytes[length] == '_')) {
        length++;
    }
    return (struct word){text.bytes, length};
}

/* Returns the number of the first argument: 3 or 0x3, also after its name, fd=3 or fd: 3. */
static struct word first_number(const struct export_event *event) {
    struct word rest = {event->arguments, event->arguments_length}, word;

    if (event->arguments == NULL) {
        return (struct word){"", 0};
    }
    word = leading_word(rest);
    word_skip(&rest, word.length);
    return word.length > 0 && (word_accept(&rest, "=") || word_accept(&rest, ": "))
               ? leading_word(rest)
               : word;
}

/* Returns the descriptor of a call: the result of an open, else the number in the first argument,
 * as in first_number(). It is hexadecimal in ftrace logs and after 0x. EVENT_NONE: unknown. */
static int64_t mobigen_number_of(const struct export_run *run, const struct export_event *event,
                                 enum file_call call) {
    bool always_hex = strcmp(run->trace->trace->format, "ftrace") == 0;
    struct word digits;
    uint64_t hex;
    int64_t number;

    if (call == FILE_CALL_OPEN) {
        return event->value;
    }
    digits = first_number(event);
    if (always_hex || (digits.length > 2 && word_begins(digits, "0x"))) {
        return word_hex(digits, INT32_MAX, &hex) ? (int64_t)hex : EVENT_NONE;
    }
    return word_number(digits, INT32_MAX, &number) ? number : EVENT_NONE;
}

static bool is_flag_letter(char byte) {
    return byte == '_' || byte == '|' || word_is_digit(byte) || (byte >= 'A' && byte <= 'Z');
}

/* Returns the index after the quoted path in the arguments; 0 if there is none. The path may
 * contain any bytes. */
static size_t text_after_path(const struct export_event *event) {
    const char *bytes = event->arguments;
    size_t at = 0;

    while (at < event->arguments_length && bytes[at] != '"') {
        at++;
    }
    if (at == event->arguments_length) {
        return 0;
    }
    for (at++; at < event->arguments_length && bytes[at] != '"'; at++) {
        at += bytes[at] == '\\';
    }
    return at < event->arguments_length ? at : event->arguments_length;
}

/* Returns the flags of an open, such as "O_RDWR|O_CREAT"; NULL: unknown. */
static const char *mobigen_flags_of(const struct export_event *event, size_t *length) {
    size_t at;

    *length = 0;
    if (strcmp(event->action, "creat") == 0) {
        *length = strlen("O_WRONLY|O_CREAT|O_TRUNC");
        return "O_WRONLY|O_CREAT|O_TRUNC";
    }
    if (event->arguments == NULL) {
        return NULL;
    }
    for (at = text_after_path(event); at + 2 < event->arguments_length; at++) {
        if (memcmp(event->arguments + at, "O_", 2) == 0) {
            while (at + *length < event->arguments_length &&
                   is_flag_letter(event->arguments[at + *length])) {
                ++*length;
            }
            return event->arguments + at;
        }
    }
    return NULL;
}

/* Stores a line without thread and time in the temporary table. `opening`: the line precedes the
 * thread's other lines. */
static void hold_line(struct export_run *run, struct mobigen_state *state, int64_t time,
                      bool opening) {
    if (!state->in_script) {
        state->in_script = true;
        state->script_thread++;
    }
    sqlite3_bind_int64(state->insert, 1, state->script_thread);
    sqlite3_bind_int64(state->insert, 2, opening ? 0 : time);
    sqlite3_bind_int(state->insert, 3, opening);
    sqlite3_bind_text(state->insert, 4, state->line.bytes, (int)state->line.length, SQLITE_STATIC);
    export_insert(run, state->insert);
}

static void mobigen_hold_event(struct export_run *run, struct mobigen_state *state,
                               const struct export_event *event) {
    run->written++;
    hold_line(run, state, (event->time - run->trace->trace->first_time) / 1000, false);
}

static struct descriptor *find_descriptor(struct mobigen_state *state, int64_t key) {
    struct descriptor *descriptor;

    HASH_FIND(hh, state->open, &key, sizeof key, descriptor);
    return descriptor;
}

/* Adds a descriptor for the event's file. If the log's descriptor had another file, the script
 * keeps that file open, since the log has no close. `fresh`: uses a new number, since the file is
 * opened at time 0. */
static struct descriptor *add_descriptor(struct mobigen_state *state, int64_t key,
                                         const struct export_event *event, bool fresh) {
    struct descriptor *descriptor = find_descriptor(state, key);

    if (descriptor == NULL) {
        descriptor = xmalloc(sizeof *descriptor);
        *descriptor = (struct descriptor){.key = key};
        HASH_ADD(hh, state->open, key, sizeof descriptor->key, descriptor);
    }
    descriptor->object = event->object;
    descriptor->reads_only = false;
    descriptor->number = !fresh && state->free_count > 0 ? state->free_numbers[--state->free_count]
                                                         : ++state->last_number;
    return descriptor;
}

/* Makes the line of an open. `flags` NULL: unknown. With --real-paths, an open with unknown flags
 * is read-only, so that it cannot change real files. */
static void make_open(struct export_run *run, struct mobigen_state *state,
                      const struct export_event *event, const char *flags, size_t length,
                      int64_t number) {
    bool own = false;

    text_clear(&state->path);
    text_clear(&state->line);
    if (event->file == NULL) {
        text_append_format(&state->path, "unknown.%lld", (long long)number);
    } else {
        file_call_set_path(run, event, &state->path, &own);
    }
    if (flags == NULL || length > FLAGS) {
        flags = own ? "O_RDONLY" : "O_RDWR|O_CREAT";
        length = strlen(flags);
    }
    text_append_format(&state->line, own ? "open \"%s\" %.*s %lld" : "open %s %.*s %lld",
                       text_string(&state->path), (int)length, flags, (long long)number);
}

/* Opens a call's file at time 0. With --real-paths, read-only unless the call writes. */
static struct descriptor *open_before(struct export_run *run, struct mobigen_state *state,
                                      const struct export_event *event, int64_t key, bool writes) {
    static const char reading[] = "O_RDONLY", writing[] = "O_RDWR|O_CREAT";
    const char *flags = writes || !run->real_paths ? writing : reading;
    struct descriptor *descriptor = add_descriptor(state, key, event, true);

    descriptor->reads_only = flags == reading;
    export_exclude(run, opened);
    make_open(run, state, event, flags, strlen(flags), descriptor->number);
    hold_line(run, state, 0, true);
    return descriptor;
}

/* Returns the descriptor of a call. If the thread has not opened it, opens it at time 0. Returns
 * NULL if the call must be left out. */
static struct descriptor *descriptor_of_call(struct export_run *run, struct mobigen_state *state,
                                             const struct export_event *event,
                                             enum file_call call) {
    bool writes = call == FILE_CALL_WRITE || call == FILE_CALL_WRITE_AT;
    int64_t number = mobigen_number_of(run, event, call);
    int64_t key = number == EVENT_NONE ? -1 - event->object : number;
    struct descriptor *descriptor = find_descriptor(state, key);

    if (descriptor != NULL && (event->file == NULL || descriptor->object == event->object) &&
        !(writes && descriptor->reads_only)) {
        return descriptor;
    }
    if (event->file == NULL && number >= 0 && number <= 2) {
        export_exclude(run, streams);
        return NULL;
    }
    if (event->file != NULL && !file_call_is_file(event)) {
        export_exclude(run, no_file);
        return NULL;
    }
    if (call == FILE_CALL_CLOSE) {
        export_exclude(run, closed);
        return NULL;
    }
    return open_before(run, state, event, key, writes);
}

static void write_descriptor_call(struct export_run *run, struct mobigen_state *state,
                                  const struct export_event *event, enum file_call call) {
    static const char *const words[] = {
        [FILE_CALL_CLOSE] = "close",         [FILE_CALL_READ] = "read",
        [FILE_CALL_WRITE] = "write",         [FILE_CALL_READ_AT] = "pread",
        [FILE_CALL_WRITE_AT] = "pwrite",     [FILE_CALL_SYNC] = "fsync",
        [FILE_CALL_SYNC_DATA] = "fdatasync",
    };
    struct descriptor *descriptor = descriptor_of_call(run, state, event, call);
    int64_t number;

    if (descriptor == NULL) {
        return;
    }
    number = descriptor->number;
    if (call == FILE_CALL_CLOSE) {
        /* The thread may reuse the closed descriptor's number. */
        *ARRAY_NEW(state->free_numbers, state->free_count, state->free_capacity) =
            descriptor->number;
        HASH_DEL(state->open, descriptor);
        free(descriptor);
    }
    text_clear(&state->line);
    text_append_format(&state->line, "%s %lld", words[call], (long long)number);
    if (call == FILE_CALL_READ_AT || call == FILE_CALL_WRITE_AT) {
        text_append_format(&state->line, " %lld", (long long)event->sector);
    }
    text_append_format(&state->line, " %lld",
                       file_call_transfers(call) ? (long long)event->value : 0LL);
    mobigen_hold_event(run, state, event);
}

static void write_path_call(struct export_run *run, struct mobigen_state *state,
                            const struct export_event *event, enum file_call call) {
    static const char *const words[] = {
        [FILE_CALL_ACCESS] = "access",
        [FILE_CALL_STATUS] = "stat64",
        [FILE_CALL_LINK_STATUS] = "lstat64",
        [FILE_CALL_UNLINK] = "unlink",
    };
    bool own;

    if (!file_call_is_file(event)) {
        export_exclude(run, event->file == NULL ? no_path : no_file);
        return;
    }
    text_clear(&state->path);
    text_clear(&state->line);
    file_call_set_path(run, event, &state->path, &own);
    text_append_format(&state->line, "%s \"%s%s\" 0", words[call], own ? "" : "/nonexistent/",
                       text_string(&state->path));
    mobigen_hold_event(run, state, event);
}

static void mobigen_begin(struct export_run *run, void *context) {
    struct mobigen_state *state = context;

    state->script_thread = -1;
    state->insert = export_create_table(run, "export_line",
                                        "(number INTEGER PRIMARY KEY, thread, time, opening, line)",
                                        "INSERT INTO temp.export_line (thread, time, opening, line)"
                                        " VALUES (?1, ?2, ?3, ?4)");
}

static void mobigen_write(struct export_run *run, void *context, const struct export_event *event) {
    struct mobigen_state *state = context;
    enum file_call call = file_call_of(event);
    const char *obstacle;

    if (!state->begun || state->thread != event->thread) {
        HASH_FREE(state->open);
        state->free_count = 0;
        state->begun = true;
        state->thread = event->thread;
        state->in_script = false;
    }
    obstacle = call == FILE_CALL_NONE || call == FILE_CALL_COPY
                   ? no_word
                   : file_call_why_unreplayable(event, call, NUMBER_LIMIT, false);
    if (obstacle == NULL && state->last_number >= DESCRIPTORS) {
        obstacle = too_many;
    }
    if (obstacle == NULL && call == FILE_CALL_OPEN && event->file != NULL &&
        !file_call_is_file(event)) {
        obstacle = no_file;
    }
    if (obstacle != NULL) {
        export_exclude(run, obstacle);
        return;
    }
    if (call == FILE_CALL_OPEN) {
        size_t length;
        const char *flags = mobigen_flags_of(event, &length);
        struct descriptor *descriptor = add_descriptor(state, event->value, event, false);

        if (flags == NULL) {
            export_exclude(run, no_flags);
        }
        make_open(run, state, event, flags, length, descriptor->number);
        mobigen_hold_event(run, state, event);
    } else if (call < FILE_CALL_ACCESS) {
        write_descriptor_call(run, state, event, call);
    } else {
        write_path_call(run, state, event, call);
    }
}

static void mobigen_end(struct export_run *run, void *context) {
    sqlite3_stmt *rows = export_query_rows(
        run,
        "SELECT thread, time, line FROM temp.export_line ORDER BY thread, opening DESC, number");

    while (export_next(run, rows)) {
        export_print(run, "%lld %lld %s\n", (long long)sqlite3_column_int64(rows, 0),
                     (long long)sqlite3_column_int64(rows, 1),
                     (const char *)sqlite3_column_text(rows, 2));
    }
}

static void mobigen_free_state(void *context) {
    struct mobigen_state *state = context;

    HASH_FREE(state->open);
    free(state->free_numbers);
    sqlite3_finalize(state->insert);
    text_free(&state->path);
    text_free(&state->line);
}

const struct exporter mobigen_exporter = {
    .name = "mobigen",
    .description = "MobiGen's script of system calls, which Mobibench replays",
    .kinds = 1u << TRACE_CALLS,
    .by_thread = true,
    .real_paths = true,
    .state_size = sizeof(struct mobigen_state),
    .begin = mobigen_begin,
    .take = mobigen_write,
    .end = mobigen_end,
    .free = mobigen_free_state,
};
