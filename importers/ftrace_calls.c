#include "ftrace_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "import/call_losses.h"
#include "model/linux.h"
#include "model/partition.h"
#include "syscalls.h"

/* Results from -1 down to -4095 are errors; lower ones are addresses. */
enum { HIGHEST_ERROR = 4095 };

const char ftrace_end_of_call[] = "end of a call, joined with its begin";
const char ftrace_beginless_call[] = "end of a call without a begin in the log";
const char ftrace_bad_call[] = "fields are not those of the call";

/* A call that has begun and not ended. */
struct ftrace_held {
    struct pending pending;
    struct ftrace_call call;
    char *arguments; /* owned */
};

struct ftrace_call ftrace_call_empty(void) {
    return (struct ftrace_call){.cpu = EVENT_NONE,
                                .duration = EVENT_NONE,
                                .address = EVENT_NONE,
                                .size = EVENT_NONE,
                                .value = EVENT_NONE,
                                .lock = EVENT_NONE,
                                .arguments = {"", 0}};
}

void ftrace_calls_begin(struct import *import, struct ftrace_calls *calls) {
    import_file_types(import, &calls->types);
}

/* --- ids of threads, files and names ---------------------------------------------------------- */

uint32_t ftrace_calls_thread(struct import *import, const struct ftrace_line *line, int64_t pid,
                             struct word name) {
    char made[FTRACE_IDLE_NAME];

    name = name.length > 0 ? name : ftrace_line_thread_name(line, made);
    /* Without a process in the log, the thread is stored as a process of its own. */
    pid = pid != EVENT_NONE ? pid : line->pid != EVENT_NONE ? line->pid : line->tid;
    return import_thread(import, pid, line->tid, name);
}

uint32_t ftrace_calls_file_id(struct import *import, struct ftrace_calls *calls, struct word name,
                              int64_t device) {
    return import_object(import,
                         &(struct object_entry){
                             .name = name.bytes,
                             .length = name.length,
                             .device = device,
                             .type = file_types_find(&calls->types, name.bytes, name.length),
                         });
}

void ftrace_calls_result(struct import *import, int64_t result, struct ftrace_call *call) {
    call->value = result;
    if (result < 0 && result >= -HIGHEST_ERROR) {
        call->value = -1;
        call->error = syscalls_error_id(import, -result, (struct word){"", 0});
    }
}

void ftrace_calls_add(struct import *import, const struct ftrace_call *call) {
    struct event *event = import_event(import);

    event->time = call->time;
    event->duration = call->duration;
    event->operation = call->operation;
    event->actor = call->actor;
    event->object = call->object;
    event->source = call->source;
    event->flags = call->flags;
    event->address = call->address;
    event->size = call->size;
    event->source_address = call->lock;
    event->value = call->value;
    event->error = call->error;
    if (call->arguments.length > 0) {
        import_arguments(import, event, (const uint8_t *)call->arguments.bytes,
                         (uint32_t)call->arguments.length);
    }
}

void ftrace_calls_add_ended(struct import *import, const struct ftrace_line *line,
                            struct ftrace_call *call) {
    call->duration = line->time > call->time ? line->time - call->time : 0;
    if (import_count_reported_losses(import) > call->losses) {
        const struct call_part part = {
            .time = call->time,
            .duration = call->duration,
            .operation = call->operation,
            .actor = call->actor,
            .began_on = call->cpu,
            .ended_on = line->cpu,
        };

        import_call_ended(import, &part, call->losses);
    }
    ftrace_calls_add(import, call);
}

/* --- calls without an end so far -------------------------------------------------------------- */

/* Removes and frees a held call. */
static void ftrace_calls_let_go(struct ftrace_calls *calls, struct ftrace_held *held) {
    calls->held_text -= held->call.arguments.length;
    free(held->arguments);
    pending_remove(&calls->held, &held->pending);
}

void ftrace_calls_add_endless(struct import *import, struct ftrace_calls *calls,
                              const struct ftrace_call *call) {
    ftrace_calls_add(import, call);
    calls->endless++;
}

static void add_endless(struct import *import, struct ftrace_calls *calls,
                        struct ftrace_held *held) {
    ftrace_calls_add_endless(import, calls, &held->call);
    ftrace_calls_let_go(calls, held);
}

static struct ftrace_held *find_held_call(const struct ftrace_calls *calls,
                                          const struct pending_key *key) {
    return (struct ftrace_held *)pending_find(&calls->held, key, PENDING_FIRST);
}

void ftrace_calls_add_pending(struct import *import, struct ftrace_calls *calls,
                              const struct pending_key *key, bool alone,
                              const struct ftrace_call *call) {
    size_t length = call->arguments.length < FTRACE_CALL_ARGUMENTS ? call->arguments.length
                                                                   : FTRACE_CALL_ARGUMENTS;
    struct ftrace_held *held = alone ? find_held_call(calls, key) : NULL, new = {.call = *call};

    if (held != NULL) {
        add_endless(import, calls, held);
    }
    while (calls->held.count == FTRACE_CALLS_HELD ||
           (calls->held.count > 0 && calls->held_text + length > FTRACE_CALLS_TEXT)) {
        calls->given_up++;
        add_endless(import, calls, (struct ftrace_held *)calls->held.oldest);
    }
    calls->held.size = sizeof *held;
    new.call.losses = import_count_reported_losses(import);
    new.arguments = memcpy(xmalloc(length + 1), call->arguments.bytes, length);
    new.call.arguments = (struct word){new.arguments, length};
    pending_add(&calls->held, key, PENDING_LAST, &new.pending);
    calls->held_text += length;
}

void ftrace_calls_store_unfinished(struct import *import, struct ftrace_calls *calls,
                                   const struct pending_key *key, int64_t before) {
    struct ftrace_held *held = find_held_call(calls, key);

    if (held == NULL) {
        return;
    }
    if (held->call.time < before && !held->call.endless) {
        import_call_without_end(import, held->call.operation, held->call.time);
    }
    add_endless(import, calls, held);
}

const struct ftrace_call *ftrace_calls_find(const struct ftrace_calls *calls,
                                            const struct pending_key *key) {
    const struct ftrace_held *held = find_held_call(calls, key);

    return held == NULL ? NULL : &held->call;
}

void ftrace_calls_set_path(struct ftrace_calls *calls, const struct pending_key *key, int place,
                           struct word path) {
    struct ftrace_held *held = find_held_call(calls, key);
    struct word *arguments = &held->call.arguments, words[STRACE_ARGUMENTS];
    struct text text = {0};

    if (path.length >= FTRACE_CALL_ARGUMENTS || strace_split(*arguments, words) <= (size_t)place ||
        memchr(words[place].bytes, '"', words[place].length) != NULL) {
        return;
    }
    text_append(&text, arguments->bytes, (size_t)(words[place].bytes - arguments->bytes));
    syscalls_append_quoted(&text, path);
    words[place] = word_between(words[place].bytes + words[place].length,
                                arguments->bytes + arguments->length);
    text_append(&text, words[place].bytes, words[place].length);
    calls->held_text += text.length - arguments->length;
    free(held->arguments);
    held->arguments = xstrdup(text_string(&text));
    *arguments = (struct word){held->arguments, text.length};
    text_free(&text);
}

bool ftrace_calls_remove(struct ftrace_calls *calls, const struct pending_key *key,
                         uint32_t operation, struct ftrace_call *call) {
    struct ftrace_held *held = find_held_call(calls, key);

    if (held == NULL || (operation != 0 && held->call.operation != operation)) {
        return false;
    }
    *call = held->call;
    calls->ended++;
    text_clear(&calls->taken);
    text_append(&calls->taken, call->arguments.bytes, call->arguments.length);
    call->arguments = (struct word){text_string(&calls->taken), calls->taken.length};
    ftrace_calls_let_go(calls, held);
    return true;
}

void ftrace_calls_end(struct import *import, struct ftrace_calls *calls, bool failed) {
    while (calls->held.oldest != NULL) {
        add_endless(import, calls, (struct ftrace_held *)calls->held.oldest);
    }
    pending_free(&calls->held);
    if (!failed) {
        import_remark_count(import, calls->endless,
                            "calls without an end in the log, and so without a duration: %lld");
    }
    if (!failed && calls->endless > 0 && calls->ended == 0) {
        import_remark(import, "no durations: the log has no ends of calls; record with: "
                              "trace-cmd record -e syscalls PROGRAM (sys_enter and sys_exit)");
    }
    if (!failed && calls->given_up > 0) {
        import_remark(import,
                      "%lld of the calls without an end may have one: more than %d calls were open "
                      "at once, and the oldest were given up",
                      (long long)calls->given_up, FTRACE_CALLS_HELD);
    }
    file_types_free(&calls->types);
    text_free(&calls->taken);
}

void ftrace_calls_dump(const struct dump_event *dump, struct text *out) {
    const struct event *event = &dump->event;

    dump_call(out, dump);
    dump_bytes(out, "", (const char *)event->arguments,
               event->arguments == NULL ? 0 : dump->arguments_size);
    text_append_char(out, ')');
    dump_bytes(out, " ", dump->object, dump->object_length);
    dump_number(out, " at ", event->address);
    dump_number(out, ", ", event->size);
    text_append_string(out, event->size == EVENT_NONE ? "" : " bytes");
    dump_number(out, " = ", event->value);
    dump_bytes(out, " ", dump->error, dump->error_length);
    dump_duration(out, dump);
}

/* File events:
 *
 *     android_fs_dataread_start: entry_name /data/a.db, offset 4096, bytes 8192, cmdline com.app,
 *         pid 1234, i_size 20480, ino 5678
 *     android_fs_dataread_end: ino 5678, offset 4096, bytes 8192
 *     ext4_da_write_begin: dev 254,0 ino 12 pos 1049600 len 1024
 *     ext4_da_write_end: dev 254,0 ino 12 pos 1049600 len 1024 copied 1024
 *     f2fs_sync_file_enter: dev = (254,0), ino = 12, pino = 3, i_mode = 0x81a4, …
 *
 * Android's events name a file by its path in the file system; their start and end are matched by
 * inode and offset. The other events name a file by device and inode; their start and end are in
 * one thread. Fields of Android's events are parsed from the right, as a path or a command line may
 * contain anything. */

enum {
    PAGE = 4096,
    DEVICE_AND_INODE = 48, /* maximum bytes of a file's name made from device and inode */
};

/* Limits of sizes and offsets, which keep sums of bytes in range. */
#define BYTES_LIMIT  (INT64_C(1) << 40)
#define OFFSET_LIMIT (INT64_C(1) << 62)

enum layer { LAYER_ANDROID, LAYER_EXT4, LAYER_F2FS, LAYER_JOURNAL };
static const char *const layers_of[] = {"android_fs", "ext4", "f2fs", "jbd2"};

enum part { BEGIN, END, WHOLE };

/* Operations on files. Reports know reads, writes and fsyncs by these names. */
enum file_operation { READ, WRITE, SYNC, DIRECT, UNLINK, READ_PAGE, COMMIT };
static const char *const operation_names[] = {"read",   "write",    "fsync", "direct",
                                              "unlink", "readpage", "commit"};

static const struct file_event {
    const char *name;
    enum layer layer;
    enum file_operation operation;
    enum part part;
} events[] = {
    /* Sorted by name. */
    {"android_fs_dataread_end", LAYER_ANDROID, READ, END},
    {"android_fs_dataread_start", LAYER_ANDROID, READ, BEGIN},
    {"android_fs_datawrite_end", LAYER_ANDROID, WRITE, END},
    {"android_fs_datawrite_start", LAYER_ANDROID, WRITE, BEGIN},
    {"android_fs_fsync_end", LAYER_ANDROID, SYNC, END},
    {"android_fs_fsync_start", LAYER_ANDROID, SYNC, BEGIN},
    {"ext4_da_write_begin", LAYER_EXT4, WRITE, BEGIN},
    {"ext4_da_write_end", LAYER_EXT4, WRITE, END},
    {"ext4_direct_IO_enter", LAYER_EXT4, DIRECT, BEGIN},
    {"ext4_direct_IO_exit", LAYER_EXT4, DIRECT, END},
    {"ext4_journalled_write_end", LAYER_EXT4, WRITE, END},
    {"ext4_read_folio", LAYER_EXT4, READ_PAGE, WHOLE},
    {"ext4_readpage", LAYER_EXT4, READ_PAGE, WHOLE},
    {"ext4_sync_file_enter", LAYER_EXT4, SYNC, BEGIN},
    {"ext4_sync_file_exit", LAYER_EXT4, SYNC, END},
    {"ext4_unlink_enter", LAYER_EXT4, UNLINK, BEGIN},
    {"ext4_unlink_exit", LAYER_EXT4, UNLINK, END},
    {"ext4_write_begin", LAYER_EXT4, WRITE, BEGIN},
    {"ext4_write_end", LAYER_EXT4, WRITE, END},
    {"f2fs_dataread_end", LAYER_ANDROID, READ, END},
    {"f2fs_dataread_start", LAYER_ANDROID, READ, BEGIN},
    {"f2fs_datawrite_end", LAYER_ANDROID, WRITE, END},
    {"f2fs_datawrite_start", LAYER_ANDROID, WRITE, BEGIN},
    {"f2fs_direct_IO_enter", LAYER_F2FS, DIRECT, BEGIN},
    {"f2fs_direct_IO_exit", LAYER_F2FS, DIRECT, END},
    {"f2fs_readpage", LAYER_F2FS, READ_PAGE, WHOLE},
    {"f2fs_sync_file_enter", LAYER_F2FS, SYNC, BEGIN},
    {"f2fs_sync_file_exit", LAYER_F2FS, SYNC, END},
    {"f2fs_unlink_enter", LAYER_F2FS, UNLINK, BEGIN},
    {"f2fs_unlink_exit", LAYER_F2FS, UNLINK, END},
    {"f2fs_write_begin", LAYER_F2FS, WRITE, BEGIN},
    {"f2fs_write_end", LAYER_F2FS, WRITE, END},
    {"jbd2_end_commit", LAYER_JOURNAL, COMMIT, END},
    {"jbd2_start_commit", LAYER_JOURNAL, COMMIT, BEGIN},
};

/* --- parsing fields of file events ------------------------------------------------------------ */

struct fields {
    struct word path, command;
    int64_t device, inode, offset, bytes, pid, result, transaction;
    bool data_only, to_write;
};

/* Parses the fields of an event of ext4, f2fs or jbd2. Returns false if one is damaged. */
static bool ftrace_calls_parse_fields(struct word rest, enum file_operation operation,
                                      struct fields *fields) {
    int64_t page = EVENT_NONE, copied = EVENT_NONE, data_only = 0, to_write = 0;
    bool good = ftrace_field_device(rest, &fields->device) &&
                ftrace_field_number(rest, "ino", 0, INT64_MAX, &fields->inode) &&
                ftrace_field_number(rest, "pos", 0, OFFSET_LIMIT, &fields->offset) &&
                ftrace_field_number(rest, "len", 0, BYTES_LIMIT, &fields->bytes) &&
                ftrace_field_number(rest, "copied", 0, BYTES_LIMIT, &copied) &&
                ftrace_field_number(rest, "ret", -INT64_MAX, INT64_MAX, &fields->result) &&
                ftrace_field_number(rest, "datasync", 0, 1, &data_only) &&
                ftrace_field_number(rest, "rw", 0, INT32_MAX, &to_write) &&
                ftrace_field_number(rest, "transaction", 0, INT64_MAX, &fields->transaction);

    if (good && operation == READ_PAGE) {
        good = ftrace_field_number(rest, "index", 0, OFFSET_LIMIT / PAGE, &page) &&
               ftrace_field_number(rest, "page_index", 0, OFFSET_LIMIT / PAGE, &page) &&
               ftrace_field_number(rest, "folio_index", 0, OFFSET_LIMIT / PAGE, &page);
        fields->offset = page == EVENT_NONE ? EVENT_NONE : page * PAGE;
    }
    fields->bytes = copied != EVENT_NONE ? copied : fields->bytes;
    fields->data_only = data_only != 0;
    fields->to_write = to_write != 0;
    return good && (operation == COMMIT ? fields->transaction : fields->inode) != EVENT_NONE;
}

static bool ftrace_calls_cut_number(struct word *rest, const char *key, int64_t most,
                                    int64_t *number) {
    struct word value;

    return !word_cut_last(rest, key, &value) || word_number(value, most, number);
}

/* Parses the fields of an event of Android; some kernels omit some of the fields. */
static bool parse_android(struct word rest, enum part part, struct fields *fields) {
    struct word value;
    int64_t size;

    if (part == END) {
        return ftrace_calls_cut_number(&rest, ", bytes ", BYTES_LIMIT, &fields->bytes) &&
               ftrace_calls_cut_number(&rest, ", offset ", OFFSET_LIMIT, &fields->offset) &&
               word_accept(&rest, "ino ") && word_number(rest, INT64_MAX, &fields->inode);
    }
    if (!ftrace_calls_cut_number(&rest, ", ino ", INT64_MAX, &fields->inode) ||
        !ftrace_calls_cut_number(&rest, ", i_size ", INT64_MAX, &size) ||
        !ftrace_calls_cut_number(&rest, ", pid ", INT32_MAX, &fields->pid)) {
        return false;
    }
    if (word_cut_last(&rest, ", cmdline ", &value)) {
        fields->command = value;
    }
    if (!ftrace_calls_cut_number(&rest, ", bytes ", BYTES_LIMIT, &fields->bytes) ||
        !ftrace_calls_cut_number(&rest, ", offset ", OFFSET_LIMIT, &fields->offset) ||
        !word_accept(&rest, "entry_name ")) {
        return false;
    }
    fields->path = rest;
    return rest.length > 0 && fields->inode != EVENT_NONE;
}

/* --- calls on files --------------------------------------------------------------------------- */

/* F2FS prints the inode of the directory at the begin of an unlink, that of the file at its end. */
static bool is_f2fs_unlink(const struct file_event *event) {
    return event->layer == LAYER_F2FS && event->operation == UNLINK;
}

/* Returns the key under which the start of a call is held, and by which its end finds it. */
static struct pending_key ftrace_calls_key_of(const struct file_event *event,
                                              const struct ftrace_line *line,
                                              const struct fields *fields) {
    struct pending_key key = {.stage = (int64_t)event->layer << 8 | (int64_t)event->operation};

    if (event->layer == LAYER_ANDROID) {
        key.device = fields->inode;
        key.sector = event->operation == SYNC ? 0 : fields->offset;
    } else if (event->operation == COMMIT) {
        key.device = fields->device;
        key.sector = fields->transaction;
    } else {
        key.thread = ftrace_line_thread_key(line);
        key.device = fields->device;
        key.sector = is_f2fs_unlink(event) ? 0 : fields->inode;
    }
    return key;
}

/* Finds the object of a call: a path, or device and inode, `254:0/11051859`; 0 for the journal. */
static uint32_t ftrace_calls_find_object(struct import *import, struct ftrace_calls *calls,
                                         const struct fields *fields) {
    char name[DEVICE_AND_INODE];
    struct word path = fields->path;

    if (fields->inode == EVENT_NONE) {
        return 0;
    }
    if (path.length == 0) {
        path.bytes = name;
        path.length =
            (size_t)snprintf(name, sizeof name, "%d:%d/%lld", device_major(fields->device),
                             device_minor(fields->device), (long long)fields->inode);
    }
    return ftrace_calls_file_id(import, calls, path, fields->device);
}

/* Returns the operation (name.id) of a call. */
static uint32_t operation_of_event(struct import *import, const struct file_event *event,
                                   const struct fields *fields) {
    const char *name = event->operation == DIRECT ? operation_names[fields->to_write ? WRITE : READ]
                       : event->operation == SYNC && fields->data_only
                           ? "fdatasync"
                           : operation_names[event->operation];

    return import_simple_name(import, layers_of[event->layer], word_of(name));
}

static struct ftrace_outcome ftrace_calls_handle_begin(struct import *import,
                                                       struct ftrace_calls *calls,
                                                       const struct file_event *event,
                                                       const struct ftrace_line *line,
                                                       const struct fields *fields) {
    struct ftrace_call call = ftrace_call_empty();
    struct pending_key key = ftrace_calls_key_of(event, line, fields);

    call.time = line->time;
    call.cpu = event->layer == LAYER_JOURNAL ? EVENT_NONE : line->cpu;
    call.operation = operation_of_event(import, event, fields);
    call.actor = ftrace_calls_thread(import, line, fields->pid, fields->command);
    call.address = fields->offset;
    call.size = event->operation == SYNC || event->operation == UNLINK ? EVENT_NONE : fields->bytes;
    call.object = is_f2fs_unlink(event) ? 0 : ftrace_calls_find_object(import, calls, fields);
    if (event->part == WHOLE) {
        ftrace_calls_add(import, &call);
    } else {
        ftrace_calls_add_pending(import, calls, &key, event->layer != LAYER_ANDROID, &call);
    }
    return ftrace_taken;
}

static struct ftrace_outcome ftrace_calls_handle_end(struct import *import,
                                                     struct ftrace_calls *calls,
                                                     const struct file_event *event,
                                                     const struct ftrace_line *line,
                                                     const struct fields *fields) {
    struct pending_key key = ftrace_calls_key_of(event, line, fields);
    struct ftrace_call call;

    if (!ftrace_calls_remove(calls, &key, 0, &call)) {
        return ftrace_ignored(ftrace_beginless_call);
    }
    if (event->operation == DIRECT) {
        call.size =
            fields->result >= 0 && fields->result <= BYTES_LIMIT ? fields->result : EVENT_NONE;
    } else if (event->operation == WRITE && fields->bytes != EVENT_NONE) {
        call.size = fields->bytes; /* at the end: the bytes actually copied */
    }
    if (is_f2fs_unlink(event)) {
        call.object = ftrace_calls_find_object(import, calls, fields);
    }
    /* F2FS prints `datasync` only at the end. */
    if (event->operation == SYNC && fields->data_only) {
        call.operation = operation_of_event(import, event, fields);
    }
    if (fields->result != EVENT_NONE) {
        ftrace_calls_result(import, fields->result, &call);
    }
    ftrace_calls_add_ended(import, line, &call);
    return (struct ftrace_outcome){FTRACE_MERGED, ftrace_end_of_call};
}

struct ftrace_outcome ftrace_files_handle(struct import *import, struct ftrace_calls *calls,
                                          const struct ftrace_line *line, unsigned *layers) {
    const struct file_event *event =
        ftrace_line_event(line, events, sizeof events / sizeof events[0], sizeof events[0]);
    struct fields fields = {.path = {"", 0},
                            .command = {"", 0},
                            .device = EVENT_NONE,
                            .inode = EVENT_NONE,
                            .offset = EVENT_NONE,
                            .bytes = EVENT_NONE,
                            .pid = EVENT_NONE,
                            .result = EVENT_NONE,
                            .transaction = EVENT_NONE};

    if (event == NULL) {
        return ftrace_other;
    }
    if (!(event->layer == LAYER_ANDROID
              ? parse_android(line->fields, event->part, &fields)
              : ftrace_calls_parse_fields(line->fields, event->operation, &fields))) {
        return ftrace_damaged(ftrace_bad_call);
    }
    *layers |= event->layer == LAYER_JOURNAL ? 0 : 1u << event->layer;
    return event->part == END ? ftrace_calls_handle_end(import, calls, event, line, &fields)
                              : ftrace_calls_handle_begin(import, calls, event, line, &fields);
}
