/* An importer for tests: a text format whose records are of several kinds. The program
 * tracetool-kinds is tracetool with this importer instead of importers/list.c.
 *
 *     0.000000001 call open 12        a system call with the bytes of its arguments, optionally
 *                                     followed by its duration in ns and its error
 *     0.000000002 io C 64 8           an action on an I/O: sector, and blocks of 512 bytes
 *     0.000000003 enter main 7        a thread enters a function
 *     0.000000004 exit main 7
 *     0.000000005 note                ignored by rule
 *
 * A first line `# several` identifies the format. Files of one trace may overlap in time.
 */
#include <stdio.h>
#include <string.h>

#include "block_io.h"
#include "import/importer.h"

enum { LINE_LENGTH = 200 };

static const char bad_line[] = "neither a call nor an io, an entry, an exit or a note";
static const char of_no_interest[] = "note";

struct parsed {
    long long time;
    char kind[8], name[32], error[16];
    long long numbers[2];
    int fields;
};

static bool parse(const struct stream_record *record, struct parsed *parsed) {
    char line[LINE_LENGTH + 1];
    int seconds, nanoseconds, length = 0;

    *parsed = (struct parsed){0};
    if (record->bytes == NULL || record->length > LINE_LENGTH) {
        return false;
    }
    memcpy(line, record->bytes, record->length);
    line[record->length] = '\0';
    if (sscanf(line, "%4d.%9d %7s%n", &seconds, &nanoseconds, parsed->kind, &length) < 3 ||
        seconds < 0 || nanoseconds < 0) {
        return false;
    }
    parsed->time = seconds * 1000000000LL + nanoseconds;
    parsed->fields = sscanf(line + length, "%31s %9lld %9lld %15s", parsed->name,
                            &parsed->numbers[0], &parsed->numbers[1], parsed->error);
    return true;
}

static enum sniff_score sniff_several(const struct sniff *sniff) {
    return sniff->length >= 9 && memcmp(sniff->bytes, "# several", 9) == 0 ? SNIFF_MAGIC : SNIFF_NO;
}

static int64_t time_of_several(const struct stream *stream, const struct stream_record *record) {
    struct parsed parsed;

    (void)stream;
    return parse(record, &parsed) ? parsed.time : EVENT_NONE;
}

static uint32_t name_of(struct import *import, const char *kind, const char *name) {
    return import_name(import, &(struct name_entry){kind, EVENT_NONE, name, strlen(name), 0});
}

static void keep_call(struct import *import, const struct parsed *parsed) {
    uint32_t name = name_of(import, "call", parsed->name);
    uint32_t failure = parsed->fields < 4 ? 0 : name_of(import, "error", parsed->error);
    struct event *event = import_event(import);

    event->time = parsed->time;
    event->operation = name;
    event->size = parsed->numbers[0];
    event->duration = parsed->fields < 3 ? EVENT_NONE : parsed->numbers[1];
    event->error = failure;
}

static void keep_io(struct import *import, struct block_io *state, const struct parsed *parsed) {
    struct block_request request = {
        .time = parsed->time,
        .action = parsed->name,
        .action_length = strlen(parsed->name),
        .flags = IO_WRITE,
        .device = EVENT_NONE,
        .sector = parsed->numbers[0],
        .blocks = parsed->numbers[1],
        .pid = EVENT_NONE,
        .value = EVENT_NONE,
    };

    block_io_add(import, state, &request);
}

static void keep_span(struct import *import, const struct parsed *parsed, int64_t offset) {
    struct span_record record = {
        .operation = name_of(import, "function", parsed->name),
        .actor = import_thread(import, EVENT_NONE, parsed->numbers[0], (struct word){NULL, 0}),
        .time = parsed->time,
        .cpu = EVENT_NONE,
        .size = EVENT_NONE,
        .value = EVENT_NONE,
    };

    (strcmp(parsed->kind, "enter") == 0 ? import_entry : import_exit)(import, &record, offset, 0);
}

static void take_several(struct import *import, void *state, struct stream *stream,
                         const struct stream_record *record) {
    struct import *io = import_of_kind(import, TRACE_IO);
    struct parsed parsed;
    bool good = parse(record, &parsed);

    (void)stream;
    if (record->length > 0 && record->bytes != NULL && record->bytes[0] == '#') {
        return;
    }
    if (good && strcmp(parsed.kind, "call") == 0 && parsed.fields >= 2) {
        keep_call(import_of_kind(import, TRACE_CALLS), &parsed);
    } else if (good && strcmp(parsed.kind, "io") == 0 && parsed.fields == 3) {
        keep_io(io, state, &parsed);
    } else if (good && strcmp(parsed.kind, "io") == 0) {
        import_rejected(io, bad_line, record->offset, record->size);
    } else if (good && (strcmp(parsed.kind, "enter") == 0 || strcmp(parsed.kind, "exit") == 0) &&
               parsed.fields == 2) {
        keep_span(import_of_kind(import, TRACE_SPANS), &parsed, record->offset);
    } else if (good && strcmp(parsed.kind, "note") == 0) {
        import_ignored(import, of_no_interest, record->offset);
    } else {
        import_rejected(import, bad_line, record->offset, record->size);
    }
}

static void begin_several(struct import *import, void *state) {
    import_variant(import, "text");
    block_io_begin(import_of_kind(import, TRACE_IO), state);
}

static void end_several(struct import *import, void *state, bool failed) {
    block_io_end(import_of_kind(import, TRACE_IO), state, failed);
}

static const struct event_meaning calls[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_SIZE, "", "arguments", "bytes"},
    {EVENT_PLACE_ERROR, "", "error", ""},
    {0},
};
static const struct event_meaning spans[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_SELF, "", "call", "clock"},
    {0},
};

extern const struct importer several_importer;

const struct importer several_importer = {
    .name = "several",
    .description = "several kinds of events in one log, for tests",
    .variants = "text",
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS,
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_PARENT | EVENT_DEPTH | EVENT_SELF | EVENT_ERROR,
    .meanings = {[TRACE_CALLS] = calls, [TRACE_IO] = block_io_meanings, [TRACE_SPANS] = spans},
    .facts = {[TRACE_CALLS] = FACTS_ALL, [TRACE_IO] = FACTS_ALL, [TRACE_SPANS] = FACTS_ALL},
    .sniff = sniff_several,
    .state_size = sizeof(struct block_io),
    .begin = begin_several,
    .end = end_several,
    .next_record = stream_next_line,
    .record_time = time_of_several,
    .take_record = take_several,
};
