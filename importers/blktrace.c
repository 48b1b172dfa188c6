/* blktrace: block I/O in the binary records of the kernel's block tracer. Written by `blktrace`
 * (sda.blktrace.0, .1, …: one file per CPU), by `blktrace -o -` and `blkparse -d` (one stream), and
 * by the tracer blk in `bin` mode.
 *
 * A record is a header and `pdu_len` bytes of payload. Numbers have the byte order of the recording
 * machine, which the first word shows; in payloads they are always big-endian.
 *
 *     version 7  version 8
 *      0 u32      0 u32      magic, 0x65617400 + version
 *      4 u32      4 u32      sequence, per CPU, from 1; 0 in notices and in bin mode
 *      8 u64      8 u64      time, nanoseconds
 *     16 u64     16 u64      sector of 512 bytes
 *     24 u32     24 u32      bytes
 *     28 u32     32 u64      action: 16 bits of action, above them category bits
 *     32 u32     28 u32      pid
 *     36 u32     40 u32      device: major << 20 + minor
 *     40 u32     44 u32      cpu
 *     44 u16     48 u16      error: the lower bits of a negated error number
 *     46 u16     50 u16      pdu_len
 *                52 12 bytes of zeros
 *
 * Notices are records without I/O: the name of a process (16 bytes, NUL-padded), before its first
 * record on a CPU and after each change; the wall clock at a time (seconds and nanoseconds, 32 bits
 * each); messages of schedulers and users. Payloads: for U and UT the number of requests, for X the
 * sector of the second part, for A the old and new device and the old sector, for packet commands
 * the command bytes. Sources: blktrace_api.h, blkparse.c and blkparse_fmt.c of blktrace,
 * kernel/trace/blktrace.c of Linux.
 *
 * Quirks: with bit 8 of the action the payload begins with a cgroup of 8 bytes, which blkparse 1.2
 * does not support. The pid names the process of a request, except in completions, where it is the
 * interrupted process (block_trace.h). A process name applies from its notice on, in all files.
 * blkparse -d shifts the times of I/Os to begin at 0, does not shift those of notices, and puts
 * notices first. Events equal those imported from blkparse's text of the trace: a record of length
 * 0 has no sector unless it is a C or R, and a process without a name is named as by blkparse.
 *
 * Tables filled: event (time, duration, operation, actor, object, flags, address, size, value,
 * issuer, response); name (kind action); actor (pid and process); object (device); ledger (lost
 * events) and loss, from gaps in the sequence numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "base/time_unit.h"
#include "blktrace_record.h"
#include "block_trace.h"
#include "input/bytes.h"

enum {
    NAME_SIZE = 16,
    NAMES = 65536,    /* maximum process names stored */
    COUNTERS = 65536, /* maximum pairs of device and CPU with checked sequence numbers */
    BELIEVED = 64,    /* maximum bytes of a payload unless another record follows it */
    STRANGE = 8,      /* maximum unknown actions listed in a remark */
    WINDOW = 1024,    /* number of records read ahead to sort a single stream by time */
};

/* Reasons (ledger.reason) for rejecting or ignoring records, or counting them as lost. */
static const char damaged[] = "no record begins here";
static const char bad_split[] = "sector of a split or a remap out of range";
static const char process_name[] = "notice: name of a process";
static const char time_stamp[] = "notice: wall clock";
static const char message[] = "message (action m)";
static const char other_notice[] = "notice of another kind";
static const char driver_data[] = "data of a driver";
static const char unknown_act[] = "unknown act";
static const char missing[] = "missing by their sequence numbers";

/* blkparse's text for a process without a name. */
static const char no_name[] = "(null)";

/* --- reading one file ------------------------------------------------------------------------- */

/* Last sequence number of a device on a CPU; `key` is device << 32 | CPU. */
struct counter {
    UT_hash_handle hh;
    uint64_t key;
    uint32_t last;
};

/* State of reading a file. */
struct cpu_file {
    struct blktrace_form form;
    struct counter *counters; /* owned */
    /* A gap in sequence numbers found while reading ahead: `missing` records before the one at
     * `offset`. */
    struct gap {
        int64_t offset, missing;
    } * gaps; /* owned; in order of offsets */
    size_t gap_count, gap_capacity;
};

static struct counter *find_cpu_counter(struct cpu_file *file,
                                        const struct blktrace_record *record) {
    uint64_t key = (uint64_t)record->device << 32 | record->cpu;
    struct counter *counter;

    HASH_FIND(hh, file->counters, &key, sizeof key, counter);
    if (counter == NULL && HASH_COUNT(file->counters) < COUNTERS) {
        HASH_NEW(file->counters, key, key, counter);
    }
    return counter;
}

/* Returns the number of records missing before the record at `offset`, which is being imported;
 * removes the entry in `gaps`. */
static int64_t count_missing_before(struct cpu_file *file, int64_t offset) {
    int64_t missing;
    size_t i = 0;

    while (i < file->gap_count && file->gaps[i].offset != offset) {
        i++;
    }
    if (i == file->gap_count) {
        return 0;
    }
    missing = file->gaps[i].missing;
    file->gap_count--;
    memmove(&file->gaps[i], &file->gaps[i + 1], (file->gap_count - i) * sizeof *file->gaps);
    return missing;
}

/* Compares the sequence number of a record with the last one of its device and CPU. A jump shows
 * how many records the tracer dropped since that record. */
static void blktrace_follow_sequence(struct cpu_file *file, const struct blktrace_record *record,
                                     int64_t offset) {
    struct counter *counter;

    if (record->sequence == 0 || blktrace_is_notice(record) ||
        (counter = find_cpu_counter(file, record)) == NULL) {
        return;
    }
    if (counter->last != 0 && record->sequence > counter->last &&
        record->sequence - counter->last > 1) {
        *ARRAY_NEW(file->gaps, file->gap_count, file->gap_capacity) =
            (struct gap){offset, record->sequence - counter->last - 1};
    }
    counter->last = record->sequence;
}

/* Returns whether a record begins at `at`, followed by another record or by the end of the bytes.
 * `whole`: the end of the bytes is the end of the file. */
static bool blktrace_is_record(const uint8_t *bytes, size_t length, size_t at, bool whole,
                               const struct blktrace_form *form) {
    size_t size;

    if (length - at < blktrace_header_size(form) || (size = blktrace_size(bytes + at, form)) == 0) {
        return false;
    }
    if (length - at < size + blktrace_header_size(form)) {
        return !whole || length - at == size;
    }
    return blktrace_size(bytes + at + size, form) != 0;
}

/* Moves to the next position where two records follow each other, or to the end of the file. Each
 * byte is read at most a few times. */
static void blktrace_search_record(struct reader *reader, const struct blktrace_form *form) {
    size_t header = blktrace_header_size(form), filled;

    reader_take(reader, 1);
    while ((filled = reader_fill(reader, READER_WINDOW)) >= header) {
        const uint8_t *bytes = reader_bytes(reader);
        /* Near the end of the window, the record after this one may be missing: try again in the
         * next window. */
        bool whole = filled < READER_WINDOW;
        size_t last = whole ? filled - header : filled / 2;

        for (size_t at = 0; at <= last; at++) {
            if (blktrace_is_record(bytes, filled, at, whole, form)) {
                reader_take(reader, at);
                return;
            }
        }
        reader_take(reader, last + 1);
    }
    reader_take(reader, filled);
}

/* Returns the size of the record at the cursor; 0 if there is none. An unusually long payload with
 * no record after it is taken as damage. */
static size_t record_size_at_cursor(struct reader *reader, const struct blktrace_form *form) {
    size_t header = blktrace_header_size(form), size, filled;
    const uint8_t *bytes;

    if (!reader_need(reader, header, &bytes) || (size = blktrace_size(bytes, form)) == 0) {
        return 0;
    }
    filled = reader_fill(reader, size + header);
    bytes = reader_bytes(reader);
    if (filled < size) {
        return size - header <= BELIEVED ? size : 0;
    }
    return size - header <= BELIEVED || filled == size || filled < size + header ||
                   blktrace_size(bytes + size, form) != 0
               ? size
               : 0;
}

/* Determines byte order and version of the file from the first record found. */
static bool blktrace_open_file(struct stream *stream, struct error *error) {
    struct cpu_file *file = stream->state;
    size_t filled = reader_fill(stream->reader, READER_WINDOW);
    const uint8_t *bytes = reader_bytes(stream->reader);
    struct blktrace_form first = {0};

    for (size_t at = 0; at + 4 <= filled; at++) {
        if (!blktrace_is_magic(bytes + at, &file->form)) {
            continue;
        }
        first = at == 0 ? file->form : first;
        if (file->form.version >= BLKTRACE_OLDEST && file->form.version <= BLKTRACE_NEWEST &&
            (at == 0 ||
             blktrace_is_record(bytes, filled, at, filled < READER_WINDOW, &file->form))) {
            return true;
        }
        if (at == 0) {
            return error_set(error, "unknown blktrace version %u; versions %d and %d can be read",
                             first.version, BLKTRACE_OLDEST, BLKTRACE_NEWEST);
        }
    }
    return error_set(error, "no record of blktrace's");
}

static void blktrace_close_file(struct stream *stream) {
    struct cpu_file *file = stream->state;

    HASH_FREE(file->counters);
    free(file->gaps);
}

/* Reads the next record. A record cut off by the end of the file is the last one. Damaged bytes are
 * returned as a record with `bytes` NULL. */
static bool next_of_file(struct stream *stream, struct stream_record *record) {
    struct cpu_file *file = stream->state;
    struct reader *reader = stream->reader;
    struct blktrace_record parsed;
    size_t size;

    record->offset = reader_offset(reader);
    if (reader_fill(reader, 1) == 0) {
        return false;
    }
    size = record_size_at_cursor(reader, &file->form);
    if (size == 0 && reader_fill(reader, blktrace_header_size(&file->form)) >=
                         blktrace_header_size(&file->form)) {
        blktrace_search_record(reader, &file->form);
        HASH_FREE(file->counters);
        record->bytes = NULL;
        record->length = 0;
    } else {
        size_t there = size == 0 ? blktrace_header_size(&file->form) : size;

        there = reader_fill(reader, there) < there ? reader_fill(reader, there) : there;
        record->bytes = reader_bytes(reader);
        record->length = there;
        reader_take(reader, there);
        if (blktrace_parse(record->bytes, there, &file->form, &parsed) == NULL) {
            blktrace_follow_sequence(file, &parsed, record->offset);
        } else {
            HASH_FREE(file->counters); /* records lost by the damage do not count as missing */
        }
    }
    record->size = reader_offset(reader) - record->offset;
    return true;
}

/* Returns the time of a record, by which files are merged. EVENT_NONE for a notice, which stays at
 * its place in the file: blkparse -d puts all notices first. */
static int64_t time_of_record(const struct stream *stream, const struct stream_record *record) {
    const struct cpu_file *file = stream->state;
    struct blktrace_record parsed;

    return record->bytes == NULL ||
                   blktrace_parse(record->bytes, record->length, &file->form, &parsed) != NULL ||
                   blktrace_is_notice(&parsed)
               ? EVENT_NONE
               : (int64_t)parsed.time;
}

/* --- names of processes, from notices --------------------------------------------------------- */

/* A process name, and the time from which it applies. The names of a process form a list, the
 * latest first. */
struct announced {
    UT_hash_handle hh; /* hash link, used only in the latest name of each process */
    struct announced *before, *after;
    struct announced *found; /* in the latest name: the one found or inserted last */
    uint64_t time;
    uint32_t pid;
    uint8_t length;
    char name[NAME_SIZE];
};

struct blktrace {
    struct block_trace trace;
    struct announced *names; /* owned hash table by pid: names of processes */
    size_t name_count;
    bool names_lost;    /* true: names were dropped, because there were too many */
    bool has_variant;   /* true: the variant of the trace was set */
    bool begun;         /* true: an event was read */
    int64_t base;       /* time of the first event in the log, ns: the trace's time 0 */
    bool stamped;       /* true: a notice has given the wall clock */
    int64_t stamp;      /* wall clock in the first notice that has it, nanoseconds since 1970 */
    int64_t stamp_time; /* time of the first notice with a wall clock, by the log's own clock, ns */
    bool start_set;     /* true: the start of the trace was set */
    bool noticed;       /* true: a notice with a time above 0 came before all events */
    bool rebased;       /* true: blkparse -d made I/Os begin at time 0, but did not shift notices */
    int64_t events, taken_bytes;
    int64_t lost_bytes; /* number of damaged bytes before the last good record */
    int64_t last_lost;  /* number of damaged bytes since the last record */
    struct {
        unsigned act;
        int64_t count;
    } strange[STRANGE]; /* unknown actions, each with its number of records */
};

static void free_name_list(struct blktrace *state, struct announced *latest) {
    HASH_DEL(state->names, latest);
    while (latest != NULL) {
        struct announced *before = latest->before;

        free(latest);
        state->name_count--;
        latest = before;
    }
}

/* Returns the last name announced at or before a time; NULL if there is none. The search begins at
 * the name found last: the times of records rise, or fall, by little. */
static struct announced *find_process_name(struct announced *latest, uint64_t time) {
    struct announced *name = latest->found;

    while (name->after != NULL && name->after->time <= time) {
        name = name->after;
    }
    while (name->time > time && name->before != NULL) {
        name = name->before;
    }
    latest->found = name;
    return name->time > time ? NULL : name;
}

/* Inserts a name by time into the list of its process; `latest` is the first name in the list. */
static void insert_process_name(struct blktrace *state, struct announced *latest,
                                struct announced *name) {
    state->name_count++;
    if (latest != NULL) {
        name->before = find_process_name(latest, name->time);
        name->after = name->before == NULL ? latest->found : name->before->after;
    }
    if (name->before != NULL) {
        name->before->after = name;
    }
    if (latest != NULL && name->after != NULL) {
        name->after->before = name;
        latest->found = name;
        return;
    }
    if (latest != NULL) {
        HASH_DEL(state->names, latest);
    }
    name->found = name;
    HASH_ADD(hh, state->names, pid, sizeof name->pid, name);
}

/* Moves the latest name to an earlier time, and removes the names that it hides. */
static void move_process_name(struct blktrace *state, struct announced *latest, uint64_t time) {
    latest->time = time;
    latest->found = latest;
    while (latest->before != NULL && latest->before->time >= time) {
        struct announced *hidden = latest->before;

        latest->before = hidden->before;
        free(hidden);
        state->name_count--;
    }
    if (latest->before != NULL) {
        latest->before->after = latest;
    }
}

static void blktrace_announce(struct blktrace *state, const struct blktrace_record *record) {
    struct announced *latest, *name;
    size_t length = record->payload_length < NAME_SIZE ? record->payload_length : NAME_SIZE - 1;

    length = strnlen((const char *)record->payload, length);
    HASH_FIND(hh, state->names, &record->pid, sizeof record->pid, latest);
    if (latest != NULL && latest->length == length &&
        memcmp(latest->name, record->payload, length) == 0) {
        if (record->time < latest->time) {
            move_process_name(state, latest, record->time);
        }
        return;
    }
    if (state->name_count == NAMES) {
        state->names_lost = true;
        free_name_list(state, state->names);
        HASH_FIND(hh, state->names, &record->pid, sizeof record->pid, latest);
    }
    name = xcalloc(1, sizeof *name);
    name->time = record->time;
    name->pid = record->pid;
    name->length = (uint8_t)length;
    memcpy(name->name, record->payload, length);
    insert_process_name(state, latest, name);
}

/* Sets the process name of a request: the name announced by the time of the record. If blkparse -d
 * changed the times of I/Os but not of notices, uses the last name. */
static void name_process(const struct blktrace *state, const struct blktrace_record *record,
                         struct block_request *request) {
    struct announced *name;

    request->pid = record->pid;
    request->process = no_name;
    request->process_length = sizeof no_name - 1;
    HASH_FIND(hh, state->names, &record->pid, sizeof record->pid, name);
    if (name != NULL && !state->rebased) {
        name = find_process_name(name, record->time);
    }
    if (name != NULL) {
        request->process = name->name;
        request->process_length = name->length;
    }
}

/* --- making requests from records ------------------------------------------------------------- */

static const char *const letters_of[] = {
    [BLKTRACE_QUEUE] = "Q",        [BLKTRACE_BACK_MERGE] = "M",    [BLKTRACE_FRONT_MERGE] = "F",
    [BLKTRACE_GET] = "G",          [BLKTRACE_SLEEP] = "S",         [BLKTRACE_REQUEUE] = "R",
    [BLKTRACE_ISSUE] = "D",        [BLKTRACE_COMPLETE] = "C",      [BLKTRACE_PLUG] = "P",
    [BLKTRACE_UNPLUG] = "U",       [BLKTRACE_UNPLUG_TIMER] = "UT", [BLKTRACE_INSERT] = "I",
    [BLKTRACE_SPLIT] = "X",        [BLKTRACE_BOUNCE] = "B",        [BLKTRACE_REMAP] = "A",
    [BLKTRACE_DRIVER_DATA] = NULL,
};

/* Returns blktrace's letters for the action of a record, such as "D"; NULL if it has none. */
static const char *action_letters(const struct blktrace_record *record) {
    unsigned act = blktrace_act(record);

    return act < sizeof letters_of / sizeof letters_of[0] ? letters_of[act] : NULL;
}

/* Returns rwbs flags as blkparse shows them: zone operations are neither reads nor writes. */
static uint32_t blktrace_flags_of(const struct blktrace_record *record) {
    static const struct {
        uint64_t category;
        char letter;
    } after[] = {
        {BLKTRACE_FUA, 'F'}, {BLKTRACE_AHEAD, 'A'}, {BLKTRACE_SYNC, 'S'}, {BLKTRACE_METADATA, 'M'}};
    char rwbs[8];
    size_t length = 0;
    uint32_t flags;

    if (record->action & BLKTRACE_FLUSH) {
        rwbs[length++] = 'F';
    }
    rwbs[length++] = record->action & BLKTRACE_DISCARD ? 'D'
                     : record->action & BLKTRACE_ZONES ? 'N'
                     : record->action & BLKTRACE_WRITE ? 'W'
                     : record->bytes > 0               ? 'R'
                                                       : 'N';
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        if (record->action & after[i].category) {
            rwbs[length++] = after[i].letter;
        }
    }
    block_parse_rwbs((struct word){rwbs, length}, &flags);
    return flags;
}

static int64_t sector_or_none(uint64_t sector) {
    return sector == UINT64_MAX ? EVENT_NONE : (int64_t)sector;
}

/* Sets sector and length. blkparse shows no sector for length 0, except in completions. */
static void blktrace_parse_extent(const struct blktrace_record *record,
                                  struct block_request *request) {
    bool is_end = block_has_action(request, 'C') || block_has_action(request, 'R');

    request->blocks = record->bytes / SECTOR_SIZE;
    if (record->action & BLKTRACE_PACKET) {
        /* A SCSI command has bytes but no sector. Like blkparse, set no bytes in its completion. */
        request->blocks = is_end ? 0 : request->blocks;
        return;
    }
    request->sector = request->blocks > 0 || is_end ? sector_or_none(record->sector) : EVENT_NONE;
}

/* Parses a payload, whose layout depends on the action. Returns NULL, or why the payload is bad. */
static const char *blktrace_parse_payload(const struct blktrace_record *record,
                                          struct block_request *request) {
    uint64_t number;

    switch (blktrace_act(record)) {
    case BLKTRACE_UNPLUG:
    case BLKTRACE_UNPLUG_TIMER:
        if (record->payload_length >= 8) {
            request->value = (int64_t)(bytes_u64_big(record->payload) & UINT32_MAX);
        }
        break;
    case BLKTRACE_SPLIT:
        if (record->payload_length >= 8) {
            number = bytes_u64_big(record->payload);
            request->value = sector_or_none(number);
            return number > BLOCK_IO_SECTORS && number != UINT64_MAX ? bad_split : NULL;
        }
        break;
    case BLKTRACE_REMAP:
        if (record->payload_length >= 16) {
            request->from_device = bytes_u32_big(record->payload);
            request->device = bytes_u32_big(record->payload + 4);
            number = bytes_u64_big(record->payload + 8);
            request->from_sector = sector_or_none(number);
            return number > BLOCK_IO_SECTORS && number != UINT64_MAX ? bad_split : NULL;
        }
        break;
    default:
        break;
    }
    return NULL;
}

/* Makes a request from a record. Returns NULL, or why the record is bad. */
static const char *make_request(const struct blktrace *state, const struct blktrace_record *record,
                                const char *action, struct block_request *request) {
    *request = block_request_empty;
    request->time = (int64_t)record->time;
    request->action = action;
    request->action_length = strlen(action);
    request->flags = blktrace_flags_of(record);
    request->device = record->device;
    switch (blktrace_act(record)) {
    case BLKTRACE_COMPLETE:
    case BLKTRACE_REQUEUE: /* the record has the pid of the interrupted process, which did not make
                              the request */
        blktrace_parse_extent(record, request);
        request->value = block_restore_error_number(record->error);
        break;
    case BLKTRACE_REMAP: /* blkparse prints no process for a remap */
        blktrace_parse_extent(record, request);
        request->sector = sector_or_none(record->sector);
        request->pid = record->pid;
        break;
    case BLKTRACE_SPLIT:
        request->sector = sector_or_none(record->sector);
        name_process(state, record, request);
        break;
    case BLKTRACE_PLUG:
    case BLKTRACE_UNPLUG:
    case BLKTRACE_UNPLUG_TIMER:
        name_process(state, record, request);
        break;
    default:
        blktrace_parse_extent(record, request);
        name_process(state, record, request);
    }
    return blktrace_parse_payload(record, request);
}

/* --- adding events ---------------------------------------------------------------------------- */

/* Sets the wall clock of time 0, once a notice with the wall clock and the first event have been
 * read. */
static void blktrace_report_start(struct import *import, struct blktrace *state) {
    if (state->stamped && state->begun && !state->rebased && !state->start_set) {
        state->start_set = true;
        import_set_start_time(import, state->stamp + (state->base - state->stamp_time));
    }
}

static void handle_notice(struct import *import, struct blktrace *state,
                          const struct blktrace_form *form, const struct blktrace_record *record,
                          int64_t offset) {
    const uint8_t *payload = record->payload;
    const char *what = other_notice;

    switch (blktrace_act(record)) {
    case BLKTRACE_PROCESS:
        blktrace_announce(state, record);
        what = process_name;
        break;
    case BLKTRACE_TIME_STAMP:
        if (!state->stamped && record->payload_length >= 8) {
            state->stamped = true;
            state->stamp =
                bytes_u32(payload, form->big) * SECOND + bytes_u32(payload + 4, form->big);
            state->stamp_time = (int64_t)record->time;
            blktrace_report_start(import, state);
        }
        what = time_stamp;
        break;
    case BLKTRACE_MESSAGE:
        what = message;
        break;
    default:
        break;
    }
    import_ignored(import, what, offset);
}

static void note_strange(struct blktrace *state, unsigned act) {
    for (size_t i = 0; i < STRANGE; i++) {
        if (state->strange[i].count == 0 || state->strange[i].act == act) {
            state->strange[i].act = act;
            state->strange[i].count++;
            return;
        }
    }
}

/* Imports a record: a notice or an event. Returns NULL, or why it is rejected or ignored. */
static const char *import_record(struct import *import, struct blktrace *state,
                                 const struct cpu_file *file, const struct blktrace_record *record,
                                 int64_t offset) {
    const char *action = action_letters(record);
    struct block_request request;
    const char *damage;

    if (blktrace_is_notice(record)) {
        state->noticed |= record->time > 0 && !state->begun;
        handle_notice(import, state, &file->form, record, offset);
        return NULL;
    }
    if (action == NULL) {
        bool driver = blktrace_act(record) == BLKTRACE_DRIVER_DATA;

        if (!driver) {
            note_strange(state, blktrace_act(record));
        }
        import_ignored(import, driver ? driver_data : unknown_act, offset);
        return NULL;
    }
    /* blkparse -d shifts the times of I/Os to begin at 0, but not those of notices. */
    state->rebased |= !state->begun && state->noticed && record->time == 0;
    damage = make_request(state, record, action, &request);
    if (damage == NULL) {
        if (!state->begun) {
            state->begun = true;
            state->base = request.time;
        }
        blktrace_report_start(import, state);
        request.time -= state->base;
        state->events++;
        block_trace_add(import, &state->trace, &request);
        import_cpu_event(import, record->cpu, (int64_t)record->time - state->base);
    }
    return damage;
}

/* Sets the variant of the trace from its first record. */
static void report_variant(struct import *import, struct blktrace *state,
                           const struct blktrace_form *form) {
    char variant[32];

    if (state->has_variant) {
        return;
    }
    state->has_variant = true;
    snprintf(variant, sizeof variant, "%u-%s", form->version, form->big ? "big" : "little");
    import_variant(import, variant);
}

static void handle_record(struct import *import, void *context, struct stream *stream,
                          const struct stream_record *record) {
    struct blktrace *state = context;
    struct cpu_file *file = stream->state;
    struct blktrace_record parsed;
    const char *damage = damaged;

    report_variant(import, state, &file->form);
    if (record->bytes != NULL &&
        (damage = blktrace_parse(record->bytes, record->length, &file->form, &parsed)) == NULL) {
        int64_t lost = file->gap_count == 0 ? 0 : count_missing_before(file, record->offset);

        if (lost > 0) {
            import_cpu_lost(import, parsed.cpu, lost, missing, record->offset);
        }
        damage = import_record(import, state, file, &parsed, record->offset);
    }
    if (damage != NULL) {
        import_rejected(import, damage, record->offset, record->size);
        state->last_lost += record->size;
    } else {
        state->lost_bytes += state->last_lost;
        state->last_lost = 0;
    }
    state->taken_bytes += record->size;
}

/* --- reading a whole log ---------------------------------------------------------------------- */

static void begin_blktrace(struct import *import, void *context) {
    block_trace_begin(import, &((struct blktrace *)context)->trace);
}

static void blktrace_remark(struct import *import, const struct blktrace *state) {
    struct text list = {0};

    for (size_t i = 0; i < STRANGE && state->strange[i].count > 0; i++) {
        text_append_format(&list, "%s%u (%lld)", i == 0 ? "" : ", ", state->strange[i].act,
                           (long long)state->strange[i].count);
    }
    if (list.length > 0) {
        import_remark(import, "unknown actions, with their numbers of events: %s",
                      text_string(&list));
    }
    if (state->rebased && state->stamped) {
        import_remark(import,
                      "times begin at 0, as blkparse -d writes them: the wall clock of that "
                      "moment is not known");
    }
    if (state->names_lost) {
        import_remark(
            import, "the log names more than %d processes: the names that came first were dropped",
            NAMES);
    }
    text_free(&list);
}

/* Refuses a log that is mostly damaged, or has no I/O. Damage after the last record does not
 * count. */
static bool blktrace_is_sound(struct import *import, const struct blktrace *state) {
    if (state->lost_bytes > state->taken_bytes / 2) {
        return import_fail_file(import, "%lld of %lld bytes are no records of blktrace's",
                                (long long)state->lost_bytes, (long long)state->taken_bytes);
    }
    return state->events > 0 || state->last_lost > 0 ||
           import_fail_file(import, "no I/O records, only notices");
}

static void end_blktrace(struct import *import, void *context, bool failed) {
    struct announced *latest = NULL, *next;
    struct blktrace *state = context;

    if (!failed && blktrace_is_sound(import, state)) {
        blktrace_remark(import, state);
    }
    block_trace_end(import, &state->trace, failed);
    HASH_ITER(hh, state->names, latest, next) {
        free_name_list(state, latest);
    }
}

/* Accepts a file whose first record is followed by another one, or by the end of the file. */
static enum sniff_score sniff_blktrace(const struct sniff *sniff) {
    struct blktrace_form form;
    bool known;

    if (sniff->length < 4 || !blktrace_is_magic(sniff->bytes, &form)) {
        return SNIFF_NO;
    }
    known = form.version >= BLKTRACE_OLDEST && form.version <= BLKTRACE_NEWEST;
    return known && blktrace_is_record(sniff->bytes, sniff->length, 0, sniff->whole, &form)
               ? SNIFF_MAGIC
               : SNIFF_LIKELY;
}

/* State stored for --append: files appended to the trace use the time 0 of its first file. */
static const struct resume_value resume[] = {
    {"base", offsetof(struct blktrace, base), 0, INT64_MAX, false},
    {0},
};

const struct importer blktrace_importer = {
    .name = "blktrace",
    .description = "block I/O in blktrace's own binary files, one a CPU or one stream",
    .line = NULL,
    .made_of =
        "records of 48 or 64 bytes and a payload, each with the word 0x65617407 or 0x65617408",
    .variants = "7-little, 7-big, 8-little, 8-big",
    .cpu_files = ".blktrace.",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_trace_meanings},
    .facts = {[TRACE_IO] = FACTS_OF_BLOCK_LAYER},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE | EVENT_ISSUER | EVENT_RESPONSE,
    .state_size = sizeof(struct blktrace),
    .resume = resume,
    .resume_begun = offsetof(struct blktrace, begun),
    .sniff = sniff_blktrace,
    .begin = begin_blktrace,
    .stream_state_size = sizeof(struct cpu_file),
    .open_stream = blktrace_open_file,
    .close_stream = blktrace_close_file,
    .next_record = next_of_file,
    .record_time = time_of_record,
    .take_record = handle_record,
    .stream_window = WINDOW,
    .sorts_alone = true,
    .end = end_blktrace,
    .dump = block_trace_dump,
};
