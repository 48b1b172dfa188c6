/* Palmist: system calls of Palm OS 3.5, logged by "Palmist: A Tool to Log Palm System Activity" (R.
 * Gannamaraju, University of Georgia, 2001). All numbers are big-endian.
 *
 * A log record begins with `used` (u16: bytes in use, itself included). Calls follow up to there.
 * The rest of the record is stale data, which is ignored. A call has trap ID (u16, 0xA000 and up),
 * ticks since the last reset (u32, 10 ms each), application ID (u32), size of the arguments (u16)
 * and the arguments.
 *
 * There are four forms of files: the Palm database ProjDB ("pdb"); its consecutive records as
 * written by the desktop conduit, each either cut to its `used` bytes ("raw") or of a fixed size
 * ("raw-padded"); and text, one call per line ("text"):
 *
 *     0xA00E 1200 0x00012345 4 00010002     trap, ticks, application, size, arguments in hex
 *
 * Quirks: ticks restart at 0 after a reset, which is detected when ticks decrease. Then a new
 * session begins, in which application IDs may mean other applications. The duration of the reset
 * is unknown, so it counts as 0: a call's time is the time of the last call before the reset plus
 * the ticks since then.
 *
 * Tables filled: event (time, operation, actor, size, arguments); name (kind trap); actor (code is
 * the application ID); loggable. */
#include <stdlib.h>
#include <string.h>

#include "input/bytes.h"
#include "lines.h"
#include "palm_database.h"
#include "palmist_settings.h"
#include "palmos.h"
#include "base/memory.h"

enum {
    USED_SIZE = 2,
    CALL_HEADER = 12,
    CONDUIT_RECORD_SIZE =
        64000, /* bytes of a record in the form raw-padded: the size of the conduit's buffer */
    RECORD_LIMIT = 65536, /* maximum bytes of a record: `used` has 16 bits */
    TRAPS = 0x10000,
    TICK = 10000000,        /* nanoseconds in a tick */
    SEARCH_STEPS = 1 << 26, /* maximum calls parsed per file to find records after damage */
};

/* Reasons (ledger.reason) for rejecting records; report ledger prints them. */
static const char call_overrun[] = "call runs past the end of its record";
static const char used_overrun[] = "bytes in use exceed the record";
static const char used_too_small[] = "bytes in use below 2";
static const char bad_trap[] = "trap ID below 0xA000";
static const char truncated[] = "cut short by the end of the file";
static const char bad_offset[] = "record offset goes backwards or outside the file";
static const char bad_count[] = "record count does not fit into the file";
static const char bad_line[] = "not a call: trap, ticks, application, size, arguments in hex";
static const char bad_time[] = "time beyond 73 years";

struct call {
    uint16_t trap;
    uint32_t ticks;
    uint32_t application;
    uint16_t size;
    const uint8_t *arguments;
};

struct palmist {
    int64_t last_ticks;
    bool begun; /* true: a call was parsed */
    int64_t session;
    int64_t base;                /* ticks from the trace's first call to tick 0 of this session */
    uint32_t application, actor; /* last call: application ID; its id in table actor, 0: none */
    uint32_t operations[TRAPS];  /* ids in table name, by trap ID; 0: not looked up yet */
    int64_t search_steps;        /* number of calls that searches for records may still parse */
    uint8_t line_arguments[RECORD_LIMIT];
};

/* --- adding events of calls ------------------------------------------------------------------- */

static uint32_t palmist_find_operation(struct import *import, struct palmist *palmist,
                                       uint16_t id) {
    const struct palmos_trap *trap;
    struct text unknown = {0};
    struct name_entry name = {.kind = "trap", .code = id};

    if (palmist->operations[id] != 0) {
        return palmist->operations[id];
    }
    trap = palmos_trap_find(id);
    if (trap == NULL) {
        text_append_format(&unknown, "0x%04X", id);
        name.text = text_string(&unknown);
    } else {
        name.text = palmos_trap_name(trap);
    }
    name.length = strlen(name.text);
    palmist->operations[id] = import_name(import, &name);
    text_free(&unknown);
    return palmist->operations[id];
}

/* Returns the id in table actor of an application; the configuration may have its name. */
static uint32_t palmist_find_actor(struct import *import, struct palmist *palmist,
                                   uint32_t application) {
    struct actor_entry actor = {
        .session = palmist->session,
        .pid = EVENT_NONE,
        .tid = EVENT_NONE,
        .code = application,
    };

    if (palmist->actor != 0 && palmist->application == application) {
        return palmist->actor;
    }
    actor.name = config_application_name(import_config(import), palmist->session, application);
    actor.length = actor.name == NULL ? 0 : strlen(actor.name);
    palmist->application = application;
    palmist->actor = import_actor(import, &actor);
    return palmist->actor;
}

/* Extends the ticks of the device to 64 bits. A decrease means that the device was reset. */
static void follow_ticks(struct import *import, struct palmist *palmist, uint32_t ticks) {
    if (!palmist->begun) {
        palmist->begun = true;
        palmist->session = 1;
        palmist->base = -(int64_t)ticks;
    } else if (ticks < palmist->last_ticks) {
        palmist->session++;
        palmist->base += palmist->last_ticks;
        palmist->actor = 0;
        import_sessions(import, palmist->session);
        if (palmist->session == 2) {
            import_remark(import, "the device was reset: time between a session's last call and "
                                  "the reset is not known and counts as 0");
        }
    }
    palmist->last_ticks = ticks;
}

static void palmist_add_call(struct import *import, struct palmist *palmist,
                             const struct call *call, int64_t offset) {
    struct event *event;
    uint32_t operation, actor;

    follow_ticks(import, palmist, call->ticks);
    if (palmist->base + call->ticks > INT64_MAX / 4 / TICK) {
        import_rejected(import, bad_time, offset, CALL_HEADER + call->size);
        return;
    }
    operation = palmist_find_operation(import, palmist, call->trap);
    actor = palmist_find_actor(import, palmist, call->application);
    event = import_event(import);
    event->time = (palmist->base + call->ticks) * TICK;
    event->operation = operation;
    event->actor = actor;
    event->size = call->size;
    if (call->size > 0) {
        import_arguments(import, event, call->arguments, call->size);
    }
}

/* --- reading one record ----------------------------------------------------------------------- */

/* Parses the call at `bytes`, of at most `length` bytes. Returns NULL, or why the call is bad. */
static const char *palmist_parse_call(const uint8_t *bytes, size_t length, struct call *call) {
    if (length < CALL_HEADER) {
        return call_overrun;
    }
    call->trap = bytes_u16_big(bytes);
    call->ticks = bytes_u32_big(bytes + 2);
    call->application = bytes_u32_big(bytes + 6);
    call->size = bytes_u16_big(bytes + 10);
    call->arguments = bytes + CALL_HEADER;
    if (call->trap < PALMOS_FIRST_TRAP) {
        return bad_trap;
    }
    return length - CALL_HEADER < call->size ? call_overrun : NULL;
}

/* A record of the log, before its calls are parsed. */
struct record {
    const uint8_t *bytes;
    size_t length;  /* number of bytes of the record that are in the file */
    size_t used;    /* number of bytes in use, according to the record's header */
    int64_t offset; /* offset in the file */
    bool last;      /* true: the last record of the file */
};

/* Imports the calls of a record. After a bad call, rejects the rest of the record. */
static void palmist_read_calls(struct import *import, struct palmist *palmist,
                               const struct record *record) {
    size_t end = record->used < record->length ? record->used : record->length;
    bool cut = record->used > record->length && record->last;
    size_t at = USED_SIZE;

    while (at < end) {
        struct call call;
        const char *damage = palmist_parse_call(record->bytes + at, end - at, &call);

        if (damage != NULL) {
            /* If `used` exceeds the record's length, palmist_read_record() has reported that. */
            if (record->used <= record->length || cut || damage == bad_trap) {
                import_rejected(import, cut && damage == call_overrun ? truncated : damage,
                                record->offset + (int64_t)at, (int64_t)(end - at));
            }
            return;
        }
        palmist_add_call(import, palmist, &call, record->offset + (int64_t)at);
        at += CALL_HEADER + (size_t)call.size;
    }
    if (cut) {
        import_rejected(import, truncated, record->offset, 0);
    }
}

/* Checks the field `used` of a record, and imports the record's calls. */
static void palmist_read_record(struct import *import, struct palmist *palmist,
                                struct record *record) {
    if (record->length < USED_SIZE) {
        import_rejected(import, record->last ? truncated : bad_offset, record->offset,
                        (int64_t)record->length);
        return;
    }
    record->used = bytes_u16_big(record->bytes);
    if (record->used < USED_SIZE) {
        import_rejected(import, used_too_small, record->offset, (int64_t)record->length);
        return;
    }
    if (record->used > record->length && !record->last) {
        import_rejected(import, used_overrun, record->offset, 0);
    }
    palmist_read_calls(import, palmist, record);
}

/* --- carrier 1: the Palm database ----------------------------------------------------------- */

static void read_database_record(struct import *import, struct palmist *palmist,
                                 struct reader *reader, const struct palm_database *database,
                                 uint16_t index) {
    int64_t offset = database->records[index].offset;
    int64_t length = palm_database_record_end(database, index, reader) - offset;
    size_t wanted = length < RECORD_LIMIT ? (size_t)length : RECORD_LIMIT;
    size_t available;
    struct record record = {.offset = offset};

    reader_skip(reader, offset - reader_offset(reader));
    if (reader_offset(reader) < offset) {
        import_rejected(import, bad_offset, PALM_HEADER_SIZE + (int64_t)PALM_ENTRY_SIZE * index, 0);
        return;
    }
    available = reader_fill(reader, wanted);
    record.bytes = reader_bytes(reader);
    record.length = available < wanted ? available : wanted;
    record.last = available < wanted || offset + (int64_t)wanted == reader_size(reader);
    palmist_read_record(import, palmist, &record);
}

static void read_database_records(struct import *import, struct palmist *palmist,
                                  struct reader *reader, const struct palm_database *database) {
    if (database->listed < database->count) {
        import_rejected(import, bad_count, 76, 0);
    }
    for (uint16_t i = 0; i < database->listed; i++) {
        if (!database->records[i].good) {
            import_rejected(import, bad_offset, PALM_HEADER_SIZE + (int64_t)PALM_ENTRY_SIZE * i, 0);
        } else {
            read_database_record(import, palmist, reader, database, i);
        }
    }
}

static void read_database(struct import *import, struct palmist *palmist, struct reader *reader) {
    struct palm_database database;
    struct error error = {0};
    const uint8_t *header;
    bool ours = reader_need(reader, PALM_HEADER_SIZE, &header) &&
                palm_database_has_type(header, "Data", "Proj");

    if (!palm_database_read(&database, reader, &error)) {
        if (!reader_failed(reader)) {
            import_fail_file(import, "%s", error.message);
        }
    } else if (!ours || database.resources) {
        import_fail_file(
            import,
            "a Palm %s '%s' (type '%s', creator '%s', %u %s), not a Palmist log: that has type "
            "'Data' and creator 'Proj'",
            database.resources ? "resource database" : "database", database.name, database.type,
            database.creator, (unsigned)database.count,
            database.resources ? "resources" : "records");
    } else {
        read_database_records(import, palmist, reader, &database);
    }
    palm_database_free(&database);
}

/* --- carriers 2 and 3: raw records ---------------------------------------------------------- */

/* How well a file's bytes fit one of the two forms of raw records: cut to `used`, or fixed size. */
struct fit {
    int64_t calls; /* number of valid calls in the records */
    int64_t records;
    int64_t bad; /* number of damaged records */
};

/* Parses the record at `bytes`, of which `length` bytes are available, and counts its valid calls.
 * Returns false if a call is bad. Sets `*whole` if the record ends within the bytes. */
static bool walk_record(const uint8_t *bytes, size_t length, struct fit *fit, bool *whole,
                        int64_t *steps) {
    size_t used, at = USED_SIZE;

    *whole = false;
    if (length < USED_SIZE || (used = bytes_u16_big(bytes)) < USED_SIZE) {
        return false;
    }
    while (at < used && at + CALL_HEADER <= length) {
        struct call call = {0};

        if (at + CALL_HEADER > used ||
            palmist_parse_call(bytes + at, length - at, &call) == bad_trap ||
            at + CALL_HEADER + call.size > used) {
            return false;
        }
        at += CALL_HEADER + (size_t)call.size;
        fit->calls++;
        (*steps)--;
    }
    *whole = at == used && used <= length;
    return at <= used && (at == used || at + CALL_HEADER > length);
}

/* Returns whether a complete record with calls begins at `bytes`. Used to find the next one after
 * damage. */
static bool palmist_is_record(const uint8_t *bytes, size_t length, int64_t *steps) {
    struct fit fit = {0};
    bool whole;

    (*steps)--;
    return walk_record(bytes, length, &fit, &whole, steps) && whole && fit.calls > 0;
}

/* Returns the first offset from `at` on where a complete record begins; `length`: none. */
static size_t find_record(const uint8_t *bytes, size_t length, size_t at, int64_t *steps) {
    while (at<length && * steps> 0 && !palmist_is_record(bytes + at, length - at, steps)) {
        at++;
    }
    return *steps > 0 ? at : length;
}

/* Returns how well the bytes fit raw records of `record_size` bytes each; `record_size` 0: of each
 * record, only `used` bytes are in the file. */
static struct fit fit_records(const uint8_t *bytes, size_t length, size_t record_size) {
    int64_t steps = SEARCH_STEPS;
    struct fit fit = {0};
    size_t at = 0;

    while (at < length && length - at >= USED_SIZE) {
        size_t used = bytes_u16_big(bytes + at);
        size_t room = record_size == 0 || record_size > length - at ? length - at : record_size;
        bool whole;

        fit.records++;
        if (!walk_record(bytes + at, room, &fit, &whole, &steps) ||
            (record_size != 0 && used > record_size)) {
            fit.bad++;
        }
        if (record_size != 0) {
            at += record_size;
        } else {
            at = used >= USED_SIZE ? at + used : find_record(bytes, length, at + 1, &steps);
        }
    }
    return fit;
}

/* Returns whether `left` is the better fit. Stale bytes of padded records may parse as calls, too,
 * but then bad records occur between them. */
static bool fits_better(struct fit left, struct fit right) {
    return left.calls - 4 * left.bad > right.calls - 4 * right.bad;
}

/* Detects which of the two raw forms a file has. Returns the record size; 0: of each record, only
 * `used` bytes are in the file. Only the conduit's size is tried: stale bytes may repeat whole
 * records, so other sizes would seem to fit. */
static size_t find_record_size(const uint8_t *bytes, size_t length, struct fit *best) {
    struct fit padded;

    *best = fit_records(bytes, length, 0);
    /* If the file ends within its first record, even a padded one, the form cannot be detected. */
    if (best->bad == 0 || length < CONDUIT_RECORD_SIZE) {
        return 0;
    }
    padded = fit_records(bytes, length, CONDUIT_RECORD_SIZE);
    if (2 * padded.bad >= padded.records || !fits_better(padded, *best)) {
        return 0;
    }
    *best = padded;
    return CONDUIT_RECORD_SIZE;
}

/* Adds a remark if the file may be padded to a part of the conduit's size: whole records begin at
 * each multiple of it, with more calls. Stale bytes may look so, too, so the user has to decide. */
static void remark_smaller_padding(struct import *import, const uint8_t *bytes, size_t length,
                                   struct fit padded) {
    enum { PARTS = 16 };
    int64_t calls = padded.calls;
    size_t smaller = 0;

    for (size_t parts = 2; parts <= PARTS; parts++) {
        const size_t size = CONDUIT_RECORD_SIZE / parts;
        struct fit fit = {0};

        if (CONDUIT_RECORD_SIZE % parts != 0) {
            continue;
        }
        fit = fit_records(bytes, length, size);
        if (fit.bad == 0 && fit.calls > calls) {
            calls = fit.calls;
            smaller = size;
        }
    }
    if (smaller > 0) {
        import_remark(import,
                      "whole records begin at every %zu bytes, not only at every %d: if they are "
                      "padded to that size, give --record-size %zu",
                      smaller, CONDUIT_RECORD_SIZE, smaller);
    }
}

static void read_padded(struct import *import, struct palmist *palmist, struct reader *reader,
                        size_t record_size) {
    size_t available;

    while ((available = reader_fill(reader, record_size)) > 0) {
        struct record record = {
            .bytes = reader_bytes(reader),
            .length = available < record_size ? available : record_size,
            .offset = reader_offset(reader),
            .last = available < record_size,
        };

        palmist_read_record(import, palmist, &record);
        reader_take(reader, record.length);
    }
}

/* Searches for the next complete record with calls: if `used` is not plausible, the end of a record
 * is unknown. Returns the number of bytes skipped. */
static int64_t palmist_search_record(struct palmist *palmist, struct reader *reader) {
    int64_t begin = reader_offset(reader);
    size_t available;

    reader_take(reader, 1);
    while ((available = reader_fill(reader, RECORD_LIMIT)) >= USED_SIZE + CALL_HEADER &&
           palmist->search_steps > 0) {
        if (palmist_is_record(reader_bytes(reader), available, &palmist->search_steps)) {
            return reader_offset(reader) - begin;
        }
        reader_take(reader, 1);
    }
    while (reader_skip(reader, (int64_t)READER_WINDOW) > 0) {
    }
    return reader_offset(reader) - begin;
}

static void read_trimmed(struct import *import, struct palmist *palmist, struct reader *reader) {
    size_t available;

    while ((available = reader_fill(reader, RECORD_LIMIT)) > 0) {
        struct record record = {
            .bytes = reader_bytes(reader),
            .length = available < RECORD_LIMIT ? available : RECORD_LIMIT,
            .offset = reader_offset(reader),
            .last = true,
        };

        if (record.length >= USED_SIZE && bytes_u16_big(record.bytes) < USED_SIZE) {
            import_rejected(import, used_too_small, record.offset,
                            palmist_search_record(palmist, reader));
            continue;
        }
        palmist_read_record(import, palmist, &record);
        reader_take(reader,
                    record.used != 0 && record.used < record.length ? record.used : record.length);
    }
}

static void read_raw(struct import *import, struct palmist *palmist, struct reader *reader) {
    size_t record_size = (size_t)import_record_size(import);
    size_t available = reader_fill(reader, READER_WINDOW);
    struct fit fit = {0};

    if (record_size == 0) {
        record_size = (size_t)palmist_settings(import_config(import))->record_size;
    }
    if (record_size == 0) {
        record_size = find_record_size(reader_bytes(reader),
                                       available < READER_WINDOW ? available : READER_WINDOW, &fit);
        if (record_size != 0) {
            remark_smaller_padding(import, reader_bytes(reader),
                                   available < READER_WINDOW ? available : READER_WINDOW, fit);
        }
    }
    if (record_size > READER_WINDOW) {
        error_usage(import_failure(import), "--record-size %zu is too large: at most %zu bytes",
                    record_size, READER_WINDOW);
        return;
    }
    if (record_size == 0 && fit.bad > 0) {
        import_remark(
            import,
            "damaged, or padded to records of a size other than %d; if padded, give --record-size",
            CONDUIT_RECORD_SIZE);
    }
    palmist->search_steps = SEARCH_STEPS;
    import_variant(import, record_size == 0 ? "raw" : "raw-padded");
    if (record_size == 0) {
        read_trimmed(import, palmist, reader);
    } else {
        read_padded(import, palmist, reader, record_size);
    }
}

/* --- carrier 4: text ------------------------------------------------------------------------ */

static bool palmist_parse_trap(struct word word, uint16_t *id) {
    const struct palmos_trap *trap = palmos_trap_by_name(word.bytes, word.length);
    uint64_t number;

    if (trap != NULL) {
        *id = trap->id;
        return true;
    }
    if (!word_hex(word, UINT16_MAX, &number) || number < PALMOS_FIRST_TRAP) {
        return false;
    }
    *id = (uint16_t)number;
    return true;
}

/* Parses the arguments of a call in hexadecimal digits, which may be in groups. */
static bool palmist_parse_arguments(struct word rest, size_t size, uint8_t *bytes) {
    size_t count = 0, more;

    for (struct word group = word_next(&rest); group.length > 0; group = word_next(&rest)) {
        if (!word_hex_bytes(group, size - count, bytes + count, &more)) {
            return false;
        }
        count += more;
    }
    return count == size;
}

static bool palmist_parse_line(struct word line, struct call *call, uint8_t *arguments) {
    struct word rest = word_field(&line, '#');
    struct word trap = word_next(&rest), ticks = word_next(&rest), application = word_next(&rest);
    struct word size = word_next(&rest);
    uint64_t id;
    int64_t time, bytes;

    if (!palmist_parse_trap(trap, &call->trap) || !word_number(ticks, UINT32_MAX, &time) ||
        !word_hex(application, UINT32_MAX, &id) || !word_number(size, UINT16_MAX, &bytes)) {
        return false;
    }
    call->ticks = (uint32_t)time;
    call->application = (uint32_t)id;
    call->size = (uint16_t)bytes;
    call->arguments = arguments;
    return palmist_parse_arguments(rest, call->size, arguments);
}

static void palmist_read_text(struct import *import, struct palmist *palmist,
                              struct reader *reader) {
    struct line line;

    while (lines_next(import, reader, bad_line, &line)) {
        struct call call;

        if (lines_is_blank_or_comment(line.text)) {
            continue;
        }
        if (!palmist_parse_line(line.text, &call, palmist->line_arguments)) {
            lines_reject(import, &line, bad_line);
        } else {
            palmist_add_call(import, palmist, &call, line.offset);
        }
    }
}

/* --- detection of the format ------------------------------------------------------------------ */

static enum line_verdict palmist_judge(void *context, struct word line) {
    struct call call;

    return lines_is_blank_or_comment(line)            ? LINE_NOTHING
           : palmist_parse_line(line, &call, context) ? LINE_GOOD
                                                      : LINE_BAD;
}

/* Returns whether most of the first lines of the file are calls in text form. */
static bool looks_like_text(const uint8_t *bytes, size_t length, bool whole) {
    uint8_t *arguments = xmalloc(RECORD_LIMIT);
    bool looks = lines_judge(bytes, length, whole, palmist_judge, arguments);

    free(arguments);
    return looks;
}

static enum sniff_score sniff_palmist(const struct sniff *sniff) {
    struct fit fit;

    if (palm_database_sniff(sniff->bytes, sniff->length, sniff->whole)) {
        return palm_database_has_type(sniff->bytes, "Data", "Proj") ? SNIFF_MAGIC : SNIFF_LIKELY;
    }
    if (sniff->record_size > 0) {
        fit = fit_records(sniff->bytes, sniff->length, (size_t)sniff->record_size);
    } else {
        find_record_size(sniff->bytes, sniff->length, &fit);
    }
    /* Bytes of other files rarely parse as two calls per bad record. Text with no-break spaces (C2
     * A0) does; so a NUL is required, which text does not have. */
    if (fit.calls > 0 && fit.calls >= 2 * fit.bad &&
        memchr(sniff->bytes, '\0', sniff->length) != NULL) {
        return SNIFF_LIKELY;
    }
    return looks_like_text(sniff->bytes, sniff->length, sniff->whole) ? SNIFF_LIKELY : SNIFF_NO;
}

static void read_palmist(struct import *import, void *state, struct reader *reader) {
    struct palmist *palmist = state;
    size_t available = reader_fill(reader, SNIFF_LENGTH);
    size_t length = available < SNIFF_LENGTH ? available : SNIFF_LENGTH;
    size_t mark = byte_order_mark(reader_bytes(reader), length);

    if (import_record_size(import) == 0 &&
        palm_database_sniff(reader_bytes(reader), length, available < SNIFF_LENGTH)) {
        import_variant(import, "pdb");
        read_database(import, palmist, reader);
    } else if (import_record_size(import) == 0 &&
               looks_like_text(reader_bytes(reader) + mark, length - mark,
                               available < SNIFF_LENGTH)) {
        import_variant(import, "text");
        reader_take(reader, mark);
        palmist_read_text(import, palmist, reader);
    } else {
        read_raw(import, palmist, reader);
    }
}

/* --- dump of an event ------------------------------------------------------------------------- */

/* Shows a call as session, application, trap(arguments). */
static void dump_call(const struct dump_event *event, struct text *out) {
    if (event->session > 1) {
        text_append_format(out, "[%lld] ", (long long)event->session);
    }
    text_append_escaped(out, event->actor, event->actor_length);
    text_append_char(out, ' ');
    text_append_escaped(out, event->operation, event->operation_length);
    text_append_char(out, '(');
    palmos_decode_arguments((uint16_t)event->operation_code, event->event.arguments,
                            event->arguments_size, out);
    text_append_char(out, ')');
}

static const struct event_meaning meanings[] = {
    {EVENT_PLACE_ACTOR, "", "application", ""},
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {EVENT_PLACE_ARGUMENTS, "", "palmist", ""},
    {0},
};

/* Bounds are half the range, since the ticks of all sessions add up, even those of rejected calls:
 * base + ticks must not overflow. */
static const struct resume_value resume[] = {
    {"ticks", offsetof(struct palmist, last_ticks), 0, UINT32_MAX, false},
    {"session", offsetof(struct palmist, session), 0, INT64_MAX / 2, false},
    {"base", offsetof(struct palmist, base), -(int64_t)UINT32_MAX, INT64_MAX / 2, false},
    {0},
};

const struct importer palmist_importer = {
    .name = "palmist",
    .description = "Palm OS system calls logged by Palmist",
    .line = "0xA0F5 1500 0x000155d8 0",
    .made_of =
        "a Palm database, raw records, or lines of trap, ticks, application ID, size and arguments",
    .variants = "pdb, raw, raw-padded, text",
    .kinds = 1u << TRACE_CALLS,
    .meanings = {[TRACE_CALLS] = meanings},
    .facts = {[TRACE_CALLS] = FACTS_OF_LOG(0)},
    .columns = EVENT_OPERATION | EVENT_ACTOR | EVENT_SIZE | EVENT_ARGUMENTS,
    .takes_record_size = true,
    .state_size = sizeof(struct palmist),
    .sniff = sniff_palmist,
    .resume = resume,
    .resume_begun = offsetof(struct palmist, begun),
    .read = read_palmist,
    .dump = dump_call,
    .loggable = palmist_visit_loggable,
    .known = palmist_visit_known,
};
