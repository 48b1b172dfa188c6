/* AndroTrace: block I/O of Android phones with the file behind each request, the age of deleted
 * files, SQLite operations and suspends (E. Lim et al.); `.uio` and `.ufls` files.
 *
 * Little-endian, packed. A header of 10 bytes, then a body by type. Bit fields fill from the least
 * significant bit.
 *
 *     type u8, size u8 of the body, date u32 (year:4 since 2000, month:4, day:5, hour:5, minute:6,
 *     second:6, 2 spare), nsec u32
 *
 *     1 I/O        file_type u8; action:1 (1 issued), rwbs:2, ws_info:1, discard:1, flush:1,
 *                  2 spare; major u8, minor u8, block_type u8, sector u32, blocks u32, process,
 *                  file; and, if ws_info: fs_id u8; fsync:1, fdatasync:1, fsync_by_sqlite:1,
 *                  5 spare; transaction_id u32, journal_type u8
 *     2 life-span  creation: date u32, nsec u32; ext:4, 4 spare; major u8, minor u8, filesize i64,
 *                  process, file; the header's date is the deletion
 *     3 SQLite     id i8; action:1, journal_mode:3, sync_mode:2, operation:4, 22 spare; path, name
 *     4 suspend    step u8
 *
 * process, file, path and name are a length (u8) and that many bytes. Sectors and blocks have 512
 * bytes.
 *
 * Quirks: `size` is 0 in some writers, and 8 bits are too few for bodies of up to 535 bytes. So the
 * body's own lengths take precedence. Dates are Korean local time, UTC+9. The daemon starts a new
 * file every megabyte; the files of a directory are one trace. The codes of SQLite operations are
 * not published.
 *
 * Tables filled: event (time, duration, operation, actor, object, flags, address, size, value);
 * name (kinds action: D, C; lifespan: delete; sqlite: sqlite-N; suspend); actor (process; id of a
 * SQLite record); object (file, file type, device). */
#include <stdio.h>
#include <string.h>

#include "android_file_types.h"
#include "base/time_unit.h"
#include "block_io.h"
#include "model/partition.h"
#include "input/bytes.h"

enum {
    HEADER_SIZE = 10,
    RECORD_LIMIT = 1024, /* bytes; enough for the longest record and the header after it */
    KOREA = 9 * 60,      /* time zone of the devices: minutes ahead of UTC */
};

enum record_type { RECORD_IO = 1, RECORD_LIFESPAN, RECORD_SQLITE, RECORD_SUSPEND };

/* Reasons (ledger.reason) for rejecting records. */
static const char bad_record_type[] = "unknown record type";
static const char bad_date[] = "date or time does not exist";
static const char bad_code[] =
    "unknown file type, block type or suspend step, or size out of range";
static const char bad_length[] = "lengths in the record do not lead to the next one";
static const char truncated[] = "cut short by the end of the file";

struct androtrace {
    struct block_dated dated;
    int64_t utc_offset; /* offset of the device's clock from UTC, in nanoseconds */
};

/* --- parsing one record ----------------------------------------------------------------------- */

struct record {
    enum record_type type;
    size_t size;   /* size of the body as in the header; 0: not given */
    size_t length; /* bytes of the record by the lengths in its body; 0: unknown */
    int64_t time;  /* time in the header, nanoseconds since 1970 by the device's clock */
    struct word first, second; /* two strings of the record: process and file, or path and name */
    unsigned file_type, major, minor;
    /* Set only in a record of I/O: */
    unsigned block_type, letters; /* letters: the byte with action, rwbs and flags */
    uint32_t sector, blocks;
    bool has_sync;
    unsigned sync; /* the bits fsync, fdatasync and fsync_by_sqlite */
    uint32_t transaction;
    /* Set only in a record of a file's life-span: */
    int64_t created; /* when the file was created; EVENT_NONE: unknown */
    int64_t file_size;
    /* Set only in a record of SQLite: */
    int id;
    uint32_t operation;
    /* Set only in a record of a suspend: */
    unsigned step;
};

/* The unread bytes of a record. Reading beyond the end returns zeros and sets `cut`. */
struct cursor {
    const uint8_t *at, *end;
    bool cut;
};

static const uint8_t *androtrace_take(struct cursor *cursor, size_t count) {
    static const uint8_t zeros[8];
    const uint8_t *bytes = cursor->at;

    if (cursor->cut || (size_t)(cursor->end - bytes) < count) {
        cursor->cut = true;
        return zeros;
    }
    cursor->at += count;
    return bytes;
}

/* Reads a string: its length and that many bytes. Bytes after a NUL are padding. */
static struct word androtrace_parse_string(struct cursor *cursor) {
    size_t length = androtrace_take(cursor, 1)[0];
    struct word string = {(const char *)cursor->at, 0};

    if (cursor->cut || (size_t)(cursor->end - cursor->at) < length) {
        cursor->cut = true;
        return string;
    }
    cursor->at += length;
    string.length = strnlen(string.bytes, length);
    return string;
}

static bool androtrace_parse_date(const uint8_t *bytes, int64_t *nanoseconds) {
    uint32_t word = bytes_u32_little(bytes), nsec = bytes_u32_little(bytes + 4);
    struct android_date date = {
        .year = 2000 + (word & 15),
        .month = word >> 4 & 15,
        .day = word >> 8 & 31,
        .hour = word >> 13 & 31,
        .minute = word >> 18 & 63,
        .second = word >> 24 & 63,
    };
    int64_t seconds;

    if (nsec >= SECOND || !android_date_seconds(&date, &seconds)) {
        return false;
    }
    *nanoseconds = seconds * SECOND + nsec;
    return true;
}

static const char *parse_io(struct cursor *cursor, struct record *record) {
    record->file_type = androtrace_take(cursor, 1)[0];
    record->letters = androtrace_take(cursor, 1)[0];
    record->major = androtrace_take(cursor, 1)[0];
    record->minor = androtrace_take(cursor, 1)[0];
    record->block_type = androtrace_take(cursor, 1)[0];
    record->sector = bytes_u32_little(androtrace_take(cursor, 4));
    record->blocks = bytes_u32_little(androtrace_take(cursor, 4));
    record->first = androtrace_parse_string(cursor);
    record->second = androtrace_parse_string(cursor);
    record->has_sync = (record->letters >> 3 & 1) != 0;
    if (record->has_sync) {
        androtrace_take(cursor, 1); /* skip fs_id */
        record->sync = androtrace_take(cursor, 1)[0];
        record->transaction = bytes_u32_little(androtrace_take(cursor, 4));
        androtrace_take(cursor, 1); /* skip journal_type */
    }
    return record->file_type < ANDROID_FILE_TYPES && record->block_type <= 4 &&
                   record->blocks <= BLOCK_IO_BLOCKS
               ? NULL
               : bad_code;
}

static const char *parse_lifespan(struct cursor *cursor, struct record *record) {
    const uint8_t *created = androtrace_take(cursor, 8);
    bool known = bytes_u32_little(created) != 0;

    record->file_type = androtrace_take(cursor, 1)[0] & 15;
    record->major = androtrace_take(cursor, 1)[0];
    record->minor = androtrace_take(cursor, 1)[0];
    record->file_size = bytes_i64_little(androtrace_take(cursor, 8));
    record->first = androtrace_parse_string(cursor);
    record->second = androtrace_parse_string(cursor);
    record->created = EVENT_NONE;
    if (known && !androtrace_parse_date(created, &record->created)) {
        return bad_date;
    }
    return record->file_type < ANDROID_FILE_TYPES && record->file_size >= 0 ? NULL : bad_code;
}

static const char *parse_sqlite(struct cursor *cursor, struct record *record) {
    record->id = (int8_t)androtrace_take(cursor, 1)[0];
    record->operation = bytes_u32_little(androtrace_take(cursor, 4));
    record->first = androtrace_parse_string(cursor);
    record->second = androtrace_parse_string(cursor);
    return NULL;
}

static const char *const steps[] = {
    NULL,
    "PM_SUSPEND_ON",
    "PM_SUSPEND_MEM",
    "SUSPEND_ROUTINE_START",
    "SUSPEND_ROUTINE_END",
    "SYNCING_FS",
    "SYNCING_DONE",
    "SUSPEND_FAILED",
    "SUSPEND_ENTER",
    "WAKEUP",
    "SUSPEND_FAILED_FREEZE",
};

static const char *parse_suspend(struct cursor *cursor, struct record *record) {
    record->step = androtrace_take(cursor, 1)[0];
    return record->step >= 1 && record->step < sizeof steps / sizeof steps[0] ? NULL : bad_code;
}

/* Parses the record at `bytes`. Returns NULL, or why it is bad. Sets the length even of a bad
 * record, if it is known. */
static const char *androtrace_parse_record(const uint8_t *bytes, size_t available,
                                           struct record *record) {
    struct cursor cursor = {bytes, bytes + available, false};
    unsigned type = androtrace_take(&cursor, 1)[0];
    const char *damage;

    *record = (struct record){.size = androtrace_take(&cursor, 1)[0]};
    if (!androtrace_parse_date(androtrace_take(&cursor, 8), &record->time)) {
        record->time = EVENT_NONE;
    }
    if (type < RECORD_IO || type > RECORD_SUSPEND) {
        return bad_record_type;
    }
    record->type = (enum record_type)type;
    damage = type == RECORD_IO         ? parse_io(&cursor, record)
             : type == RECORD_LIFESPAN ? parse_lifespan(&cursor, record)
             : type == RECORD_SQLITE   ? parse_sqlite(&cursor, record)
                                       : parse_suspend(&cursor, record);
    if (cursor.cut) {
        return truncated;
    }
    record->length = (size_t)(cursor.at - bytes);
    return record->time == EVENT_NONE ? bad_date : damage;
}

/* --- finding the start of the next record ----------------------------------------------------- */

/* A range of a file's bytes. `last`: the range ends at the end of the file. */
struct window {
    const uint8_t *bytes;
    size_t length;
    bool last;
};

/* Returns a window of `length` bytes, but at most RECORD_LIMIT, which is enough for any record. */
static struct window bytes_window_at(const uint8_t *bytes, size_t length) {
    return (struct window){
        .bytes = bytes,
        .length = length < RECORD_LIMIT ? length : RECORD_LIMIT,
        .last = length < RECORD_LIMIT,
    };
}

/* Returns whether a header may begin at the offset `at`: its type is known and its date exists.
 * True also at the end of the file, and for a header that is cut off there. */
static bool is_header(const struct window *window, size_t at) {
    size_t left = at <= window->length ? window->length - at : 0;
    int64_t time;

    if (left == 0) {
        return at == window->length && window->last;
    }
    return window->bytes[at] >= RECORD_IO && window->bytes[at] <= RECORD_SUSPEND &&
           (left < HEADER_SIZE || androtrace_parse_date(window->bytes + at + 2, &time));
}

static bool is_readable(struct word string) {
    for (size_t i = 0; i < string.length; i++) {
        if ((unsigned char)string.bytes[i] < ' ') {
            return false;
        }
    }
    return true;
}

/* Returns whether the record's length by its body agrees with the size in its header, which has
 * only 8 bits. Size 0 in the header agrees with all. */
static bool has_own_size(const struct record *record) {
    return record->size == 0 || ((record->length - HEADER_SIZE) & 255) == record->size;
}

/* Returns whether a whole record begins at `at`, followed by another header: used to find the next
 * record after damage. Names with control characters are refused: after a damaged length, a name
 * has arbitrary bytes. */
static bool androtrace_is_record(const struct window *window, size_t at) {
    struct record record;

    return is_header(window, at) && window->length - at > HEADER_SIZE &&
           androtrace_parse_record(window->bytes + at, window->length - at, &record) == NULL &&
           has_own_size(&record) && is_readable(record.first) && is_readable(record.second) &&
           is_header(window, at + record.length);
}

/* Verdict on the record at the start of a window, and the number of bytes to skip. */
struct step {
    const char *damage; /* why the record is rejected; NULL: it is good */
    size_t length;      /* bytes up to the next record; 0: unknown, search for it */
};

/* Classifies a record that seems to end beyond the file, or beyond the maximum size. */
static struct step judge_truncated_record(const struct window *window,
                                          const struct record *record) {
    size_t declared_end = HEADER_SIZE + record->size;

    if (record->size > 0 && declared_end <= window->length && is_header(window, declared_end)) {
        return (struct step){bad_length, declared_end};
    }
    for (size_t at = 1; at < window->length; at++) {
        if (androtrace_is_record(window, at)) {
            return (struct step){bad_length, at};
        }
    }
    return (struct step){truncated, window->length};
}

/* Classifies a record as good, bad or cut off. If a header follows at the length computed from the
 * body, the record has that length; otherwise the size in its header is used. A readable record
 * without a header after it is good if both lengths agree: then the next record is damaged. */
static struct step androtrace_judge(const struct window *window, struct record *record) {
    const char *damage = androtrace_parse_record(window->bytes, window->length, record);
    size_t declared_end = HEADER_SIZE + record->size;
    bool leads;

    if (damage == truncated) {
        return judge_truncated_record(window, record);
    }
    if (damage == bad_record_type) {
        /* The record has an unknown type, so only its size leads to the next one. Use it only if
         * the record's header is valid and another header follows. */
        bool trusted =
            record->size > 0 && record->time != EVENT_NONE && is_header(window, declared_end);

        return (struct step){damage, trusted ? declared_end : 0};
    }
    leads = is_header(window, record->length);
    if (!leads && !has_own_size(record) && is_header(window, declared_end)) {
        /* The size in the header leads to the next record. Padding may follow the body, but a body
         * longer than that size is damaged. */
        return (struct step){damage == NULL && declared_end < record->length ? bad_length : damage,
                             declared_end};
    }
    if (leads || (record->size > 0 && has_own_size(record))) {
        return (struct step){damage, record->length};
    }
    if (damage == NULL && record->size == 0 && is_readable(record->first) &&
        is_readable(record->second)) {
        return (struct step){NULL, record->length};
    }
    return (struct step){damage == NULL ? bad_length : damage, 0};
}

/* --- adding events ---------------------------------------------------------------------------- */

static void add_io(struct import *import, struct androtrace *state, const struct record *record,
                   int64_t time) {
    static const enum io_class classes[] = {IO_READ, IO_WRITE, IO_READSYNC, IO_WRITESYNC};
    static const enum io_block_type block_types[] = {
        IO_BLOCK_METADATA, IO_BLOCK_JOURNAL, IO_BLOCK_DATA, IO_BLOCK_ANONYMOUS, IO_BLOCK_NONE,
    };
    /* The class of a discard is "other": it writes nothing, though Linux counts it as a write. */
    const bool discards = record->letters >> 4 & 1;
    struct block_request request = {
        .time = time,
        .action = record->letters & 1 ? "D" : "C",
        .action_length = 1,
        .flags =
            (uint32_t)(discards ? IO_OTHER : classes[record->letters >> 1 & 3]) |
            block_type_bits(block_types[record->block_type]) | (discards ? IO_FLAG_DISCARD : 0u) |
            (record->letters >> 5 & 1 ? IO_FLAG_FLUSH : 0u) |
            (record->sync & 1 ? IO_FLAG_FSYNC : 0u) | (record->sync & 2 ? IO_FLAG_FDATASYNC : 0u) |
            (record->sync & 4 ? IO_FLAG_SQLITE_SYNC : 0u),
        .device = device_number(record->major, record->minor),
        .sector = record->sector,
        .blocks = record->blocks,
        .pid = EVENT_NONE,
        .process = record->first.length > 0 ? record->first.bytes : NULL,
        .process_length = record->first.length,
        .file = record->second.bytes,
        .file_length = record->second.length,
        .file_type = android_file_type(import_config(import), record->file_type),
        .value = record->has_sync ? (int64_t)record->transaction : EVENT_NONE,
    };

    block_io_add(import, &state->dated.io, &request);
}

/* Adds an event that is not I/O, with operation, actor, object and labels. NULL for `actor` or
 * `object`: none. */
static struct event *add_other(struct import *import, const struct name_entry *name,
                               const struct actor_entry *actor, const struct object_entry *object) {
    const char *process = actor != NULL && actor->name != NULL ? actor->name : "";
    const char *type = object != NULL ? object->type : "";
    const char *partition =
        import_partition(import, object != NULL ? object->device : EVENT_NONE, EVENT_NONE);
    struct event labels = {
        .operation = import_name(import, name),
        .actor = actor == NULL ? 0 : import_actor(import, actor),
        .object = object == NULL ? 0 : import_object(import, object),
        .file_type = import_label(import, type, strlen(type)),
        .process = import_label(import, process, actor == NULL ? 0 : actor->length),
        .partition = import_label(import, partition, strlen(partition)),
    };
    struct event *event;

    event = import_event(import);
    event->operation = labels.operation;
    event->actor = labels.actor;
    event->object = labels.object;
    event->file_type = labels.file_type;
    event->process = labels.process;
    event->partition = labels.partition;
    return event;
}

static void add_lifespan(struct import *import, const struct record *record, int64_t time) {
    struct name_entry name = {
        .kind = "lifespan", .code = EVENT_NONE, .text = "delete", .length = 6};
    struct actor_entry actor = {
        .session = 1,
        .pid = EVENT_NONE,
        .tid = EVENT_NONE,
        .code = EVENT_NONE,
        .name = record->first.length > 0 ? record->first.bytes : NULL,
        .length = record->first.length,
    };
    struct object_entry object = {
        .name = record->second.length > 0 ? record->second.bytes : NULL,
        .length = record->second.length,
        .type = android_file_type(import_config(import), record->file_type),
        .device = device_number(record->major, record->minor),
    };
    struct event *event = add_other(import, &name, &actor, &object);

    event->time = time;
    event->size = record->file_size;
    if (record->created != EVENT_NONE && record->created <= record->time) {
        event->duration = record->time - record->created;
    }
}

/* Adds the event of a SQLite operation. The operation codes are not published, so they are stored
 * unchanged. */
static void add_sqlite(struct import *import, const struct androtrace *state,
                       const struct record *record, int64_t time) {
    char path[2 * 256 + 1], text[16];
    unsigned operation = record->operation >> 6 & 15;
    bool slash = record->first.length > 0 && record->second.length > 0 &&
                 record->first.bytes[record->first.length - 1] != '/';
    int length =
        snprintf(path, sizeof path, "%.*s%s%.*s", (int)record->first.length, record->first.bytes,
                 slash ? "/" : "", (int)record->second.length, record->second.bytes);
    struct name_entry name = {.kind = "sqlite", .code = operation, .text = text};
    struct actor_entry actor = {1, EVENT_NONE, EVENT_NONE, record->id, NULL, 0};
    struct object_entry object = {
        .name = length > 0 ? path : NULL,
        .length = (size_t)length,
        .type = file_types_find(&state->dated.io.types, path, (size_t)length),
        .device = EVENT_NONE,
    };
    struct event *event;

    name.length = (size_t)snprintf(text, sizeof text, "sqlite-%u", operation);
    event = add_other(import, &name, &actor, &object);
    event->time = time;
    event->value = record->operation;
}

static void add_suspend(struct import *import, const struct record *record, int64_t time) {
    const char *text = steps[record->step];
    struct name_entry name = {
        .kind = "suspend", .code = record->step, .text = text, .length = strlen(text)};

    add_other(import, &name, NULL, NULL)->time = time;
}

static void androtrace_add_record(struct import *import, struct androtrace *state,
                                  const struct record *record) {
    int64_t time = block_io_elapsed(import, &state->dated.start, record->time - state->utc_offset);

    switch (record->type) {
    case RECORD_IO:
        add_io(import, state, record, time);
        break;
    case RECORD_LIFESPAN:
        add_lifespan(import, record, time);
        break;
    case RECORD_SQLITE:
        add_sqlite(import, state, record, time);
        break;
    case RECORD_SUSPEND:
        add_suspend(import, record, time);
        break;
    }
}

/* --- reading records -------------------------------------------------------------------------- */

/* Sets the window to the unread bytes of the file. Returns false at the end of the file. */
static bool bytes_at_cursor(struct reader *reader, struct window *window) {
    size_t available = reader_fill(reader, RECORD_LIMIT);

    *window = bytes_window_at(reader_bytes(reader), available);
    return available > 0;
}

/* Moves to the start of the next record, or to the end of the file. Each byte is read once, so the
 * search takes linear time. */
static void androtrace_search_record(struct reader *reader) {
    struct window window;

    do {
        reader_take(reader, 1);
    } while (bytes_at_cursor(reader, &window) && !androtrace_is_record(&window, 0));
}

static void read_androtrace(struct import *import, void *context, struct reader *reader) {
    struct androtrace *state = context;
    struct window window;

    state->utc_offset = import_utc_offset(import, KOREA) * INT64_C(60000000000);
    import_variant(import, "binary");
    while (bytes_at_cursor(reader, &window) && !reader_failed(reader)) {
        int64_t offset = reader_offset(reader);
        struct record record;
        struct step step = androtrace_judge(&window, &record);

        if (step.damage == NULL) {
            androtrace_add_record(import, state, &record);
        }
        if (step.length > 0) {
            reader_take(reader, step.length);
        } else {
            androtrace_search_record(reader);
        }
        if (step.damage != NULL) {
            import_rejected(import, step.damage, offset, reader_offset(reader) - offset);
        }
    }
}

/* --- reading a file --------------------------------------------------------------------------- */

/* Accepts a file whose first records follow each other and are mostly good. */
static enum sniff_score sniff_androtrace(const struct sniff *sniff) {
    int64_t good = 0, bad = 0;
    size_t at = 0;

    while (at < sniff->length && (sniff->whole || sniff->length - at >= RECORD_LIMIT)) {
        struct window window = bytes_window_at(sniff->bytes + at, sniff->length - at);
        struct record record;
        struct step step = androtrace_judge(&window, &record);

        if (step.damage == NULL) {
            good++;
        } else {
            bad++;
        }
        at += step.length;
        if (step.length == 0) {
            do {
                at++;
                window = bytes_window_at(sniff->bytes + at, sniff->length - at);
            } while (window.length > 0 && !androtrace_is_record(&window, 0));
        }
    }
    return good > bad ? SNIFF_LIKELY : SNIFF_NO;
}

/* Implements dump(): prints requests as other formats of block I/O do; other events as operation,
 * actor, file, size, age. */
static void dump_androtrace(const struct dump_event *dump, struct text *out) {
    if (strcmp(dump->operation_kind, "action") == 0) {
        block_io_dump(dump, out);
        return;
    }
    text_append_escaped(out, dump->operation, dump->operation_length);
    if (strcmp(dump->operation_kind, "lifespan") == 0) {
        text_append_string(out, " [");
        text_append_escaped(out, dump->actor, dump->actor_length);
        text_append_char(out, ']');
    }
    if (dump->object[0] != '\0') {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->object, dump->object_length);
    }
    if (dump->event.size != EVENT_NONE) {
        text_append_format(out, " %lld bytes", (long long)dump->event.size);
    }
    if (dump->event.duration != EVENT_NONE) {
        text_append_string(out, " age ");
        text_append_seconds(out, dump->event.duration);
    }
}

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_DURATION, "action", "latency", "clock"},
    {EVENT_PLACE_DURATION, "lifespan", "age", "clock"},
    {EVENT_PLACE_ACTOR, "action", "process", ""},
    {EVENT_PLACE_ACTOR, "sqlite", "database", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},
    {EVENT_PLACE_ADDRESS, "action", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "action", "transfer", "bytes"},
    {EVENT_PLACE_SIZE, "lifespan", "file", "bytes"},
    {EVENT_PLACE_VALUE, "action", "transaction", ""},
    {EVENT_PLACE_VALUE, "sqlite", "sqlite", ""},
    {0},
};

const struct importer androtrace_importer = {
    .name = "androtrace",
    .in_pieces = true,
    .description =
        "block I/O, file life-spans and suspends of Android phones, AndroTrace's .uio and .ufls",
    .line = NULL,
    .made_of = "records that begin with their type (1 to 4), size and time",
    .variants = "binary",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = meanings},
    .facts = {[TRACE_IO] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE,
    .state_size = sizeof(struct androtrace),
    .sniff = sniff_androtrace,
    .resume = block_dated_resume,
    .resume_begun = BLOCK_DATED_BEGUN,
    .begin = block_dated_begin,
    .read = read_androtrace,
    .end = block_dated_end,
    .dump = dump_androtrace,
};
