/* Events of files:
 *
 *     android_fs_dataread_start: entry_name /data/a.db, offset 4096, bytes 8192, cmdline com.app,
 *         pid 1234, i_size 20480, ino 5678
 *     android_fs_dataread_end: ino 5678, offset 4096, bytes 8192
 *     ext4_da_write_begin: dev 254,0 ino 12 pos 1049600 len 1024
 *     ext4_da_write_end: dev 254,0 ino 12 pos 1049600 len 1024 copied 1024
 *     f2fs_sync_file_enter: dev = (254,0), ino = 12, pino = 3, i_mode = 0x81a4, …
 *
 * Android's name a file by its path within the file system, and end by inode and offset; others
 * have device and inode, and begin and end in one thread. A path and a command line may hold
 * anything, so that the first are taken apart from their right.
 */
#include "ftrace_files.h"

#include <stdio.h>

#include "ftrace_fields.h"
#include "model/partition.h"

enum {
    PAGE = 4096,
    DEVICE_AND_INODE = 48, /* bytes of "254:0/11051859" */
};

/* Sums of bytes stay in range. */
#define BYTES_LIMIT  (INT64_C(1) << 40)
#define OFFSET_LIMIT (INT64_C(1) << 62)

enum layer { LAYER_ANDROID, LAYER_EXT4, LAYER_F2FS, LAYER_JOURNAL };
static const char *const layers_of[] = {"android_fs", "ext4", "f2fs", "jbd2"};

enum part { BEGIN, END, WHOLE };

/* What is done; reports know reads, writes and fsyncs by these names. */
enum deed { READ, WRITE, SYNC, DIRECT, UNLINK, READ_PAGE, COMMIT };
static const char *const deeds[] = {"read",   "write",    "fsync", "direct",
                                    "unlink", "readpage", "commit"};

static const struct file_event {
    const char *name;
    enum layer layer;
    enum deed deed;
    enum part part;
} events[] = {
    /* In order of name. */
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
    {"f2fs_write_begin", LAYER_F2FS, WRITE, BEGIN},
    {"f2fs_write_end", LAYER_F2FS, WRITE, END},
    {"jbd2_end_commit", LAYER_JOURNAL, COMMIT, END},
    {"jbd2_start_commit", LAYER_JOURNAL, COMMIT, BEGIN},
};

/* --- fields ----------------------------------------------------------------------------------- */

struct fields {
    struct word path, command;
    int64_t device, inode, offset, bytes, pid, result, transaction;
    bool data_only, to_write;
};

/* Those of ext4, f2fs and the journal. */
static bool parse_fields(struct word rest, enum deed deed, struct fields *fields) {
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

    if (good && deed == READ_PAGE) {
        good = ftrace_field_number(rest, "index", 0, OFFSET_LIMIT / PAGE, &page) &&
               ftrace_field_number(rest, "page_index", 0, OFFSET_LIMIT / PAGE, &page) &&
               ftrace_field_number(rest, "folio_index", 0, OFFSET_LIMIT / PAGE, &page);
        fields->offset = page == EVENT_NONE ? EVENT_NONE : page * PAGE;
    }
    fields->bytes = copied != EVENT_NONE ? copied : fields->bytes;
    fields->data_only = data_only != 0;
    fields->to_write = to_write != 0;
    return good && (deed == COMMIT ? fields->transaction : fields->inode) != EVENT_NONE;
}

/* Cuts off what stands behind the last `, KEY `; false when it is not there. */
static bool cut_field(struct word *rest, const char *key, struct word *value) {
    size_t length = strlen(key);

    for (size_t at = rest->length; at >= length; at--) {
        const char *begin = rest->bytes + at - length;

        if (memcmp(begin, key, length) == 0) {
            *value = (struct word){begin + length, rest->length - at};
            rest->length = at - length;
            return true;
        }
    }
    return false;
}

static bool cut_number(struct word *rest, const char *key, int64_t most, int64_t *number) {
    struct word value;

    return !cut_field(rest, key, &value) || word_number(value, most, number);
}

/* Those of Android's events, of which not all kernels have all. */
static bool parse_android(struct word rest, enum part part, struct fields *fields) {
    struct word value;
    int64_t size;

    if (part == END) {
        return cut_number(&rest, ", bytes ", BYTES_LIMIT, &fields->bytes) &&
               cut_number(&rest, ", offset ", OFFSET_LIMIT, &fields->offset) &&
               word_accept(&rest, "ino ") && word_number(rest, INT64_MAX, &fields->inode);
    }
    if (!cut_number(&rest, ", ino ", INT64_MAX, &fields->inode) ||
        !cut_number(&rest, ", i_size ", INT64_MAX, &size) ||
        !cut_number(&rest, ", pid ", INT32_MAX, &fields->pid)) {
        return false;
    }
    if (cut_field(&rest, ", cmdline ", &value)) {
        fields->command = value;
    }
    if (!cut_number(&rest, ", bytes ", BYTES_LIMIT, &fields->bytes) ||
        !cut_number(&rest, ", offset ", OFFSET_LIMIT, &fields->offset) ||
        !word_accept(&rest, "entry_name ")) {
        return false;
    }
    fields->path = rest;
    return rest.length > 0 && fields->inode != EVENT_NONE;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* What a begin and its end have in common. */
static struct ftrace_call_key key_of(const struct file_event *event, const struct ftrace_line *line,
                                     const struct fields *fields) {
    struct ftrace_call_key key = {.what = (int64_t)event->layer << 8 | (int64_t)event->deed};

    if (event->layer == LAYER_ANDROID) {
        key.where[0] = fields->inode;
        key.where[1] = event->deed == SYNC ? 0 : fields->offset;
    } else if (event->deed == COMMIT) {
        key.where[0] = fields->device;
        key.where[1] = fields->transaction;
    } else {
        key.where[0] = ftrace_line_thread_key(line);
        key.where[1] = fields->device;
        key.where[2] = fields->inode;
    }
    return key;
}

/* A path, or `254:0/11051859`; nothing for the journal. */
static bool find_object(struct import *import, struct ftrace_calls *calls,
                        const struct fields *fields, uint32_t *object) {
    char name[DEVICE_AND_INODE];
    struct word path = fields->path;

    *object = 0;
    if (fields->inode == EVENT_NONE) {
        return true;
    }
    if (path.length == 0) {
        path.bytes = name;
        path.length =
            (size_t)snprintf(name, sizeof name, "%d:%d/%lld", device_major(fields->device),
                             device_minor(fields->device), (long long)fields->inode);
    }
    *object = ftrace_calls_object(import, calls, path, fields->device);
    return *object != 0;
}

static const char *name_of(const struct file_event *event, const struct fields *fields) {
    if (event->deed == DIRECT) {
        return deeds[fields->to_write ? WRITE : READ];
    }
    return event->deed == SYNC && fields->data_only ? "fdatasync" : deeds[event->deed];
}

static enum ftrace_call_taken take_begin(struct import *import, struct ftrace_calls *calls,
                                         const struct file_event *event,
                                         const struct ftrace_line *line,
                                         const struct fields *fields) {
    struct ftrace_call call = ftrace_call_empty();
    struct ftrace_call_key key = key_of(event, line, fields);

    call.time = line->time;
    call.cpu = event->layer == LAYER_JOURNAL ? EVENT_NONE : line->cpu;
    call.operation = ftrace_calls_operation(import, calls, layers_of[event->layer],
                                            word_of(name_of(event, fields)));
    call.actor = ftrace_calls_actor(import, calls, line, fields->pid, fields->command);
    call.address = fields->offset;
    call.size = event->deed == SYNC || event->deed == UNLINK ? EVENT_NONE : fields->bytes;
    if (call.operation == 0 || call.actor == 0 ||
        !find_object(import, calls, fields, &call.object)) {
        return FTRACE_CALL_STOP;
    }
    if (event->part == WHOLE
            ? !ftrace_calls_keep(import, &call)
            : !ftrace_calls_hold(import, calls, &key, event->layer != LAYER_ANDROID, &call)) {
        return FTRACE_CALL_STOP;
    }
    return FTRACE_CALL_BEGUN;
}

static enum ftrace_call_taken take_end(struct import *import, struct ftrace_calls *calls,
                                       const struct file_event *event,
                                       const struct ftrace_line *line,
                                       const struct fields *fields) {
    struct ftrace_call_key key = key_of(event, line, fields);
    struct ftrace_call call;

    if (!ftrace_calls_take(calls, &key, 0, &call)) {
        return FTRACE_CALL_ALONE;
    }
    if (event->deed == DIRECT) {
        call.size =
            fields->result >= 0 && fields->result <= BYTES_LIMIT ? fields->result : EVENT_NONE;
    } else if (event->deed == WRITE && fields->bytes != EVENT_NONE) {
        call.size = fields->bytes; /* what was copied */
    }
    if (fields->result != EVENT_NONE &&
        !ftrace_calls_result(import, calls, fields->result, &call)) {
        return FTRACE_CALL_STOP;
    }
    return ftrace_calls_keep_ended(import, line, &call) ? FTRACE_CALL_ENDED : FTRACE_CALL_STOP;
}

enum ftrace_call_taken ftrace_files_take(struct import *import, struct ftrace_calls *calls,
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
        return FTRACE_CALL_OTHER;
    }
    if (!(event->layer == LAYER_ANDROID ? parse_android(line->fields, event->part, &fields)
                                        : parse_fields(line->fields, event->deed, &fields))) {
        return FTRACE_CALL_DAMAGED;
    }
    *layers |= event->layer == LAYER_JOURNAL ? 0 : 1u << event->layer;
    return event->part == END ? take_end(import, calls, event, line, &fields)
                              : take_begin(import, calls, event, line, &fields);
}
