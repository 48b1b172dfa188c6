/* The importer of all formats of text that are declared in YAML: declared.h.
 *
 * A line is a request. It becomes an arrival (Q); where the format tells the response time, its
 * issue (D) and its completion (C) instead, with the response as latency. A line without a response
 * in such a format is an issue alone.
 *
 * Quirks: times need not be in order. Devices of which the log has names are numbered from 1 in the
 * order of their first lines; that number is the major number of the device, and a remark tells the
 * names. An address that is no whole sector counts as the sector that it lies in.
 *
 * With --append, the trace goes on only with the declaration by which it was imported: its hash is
 * kept.
 *
 * Fills: event (time, duration, operation, actor, object, flags, address, size), name (kind
 * action), actor (pid and process), object (file and file type, or device).
 */
#include "declared.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "block_io.h"
#include "kept.h"
#include "lines.h"
#include "model/partition.h"

enum {
    NAMES = 4095, /* of devices, as many as there are major numbers */
    KEPT = 3,
    TOLD_NAMES = 20,
    FEWEST_GOOD = 2, /* lines beside which one may be bad */
};

/* Reasons in the ledger. */
static const char too_many_devices[] = "more than 4095 names of devices";

/* Times from 1990 to 2040: what is not can hardly be a date. */
#define EARLIEST (INT64_C(631152000) * 1000000000)
#define LATEST   (INT64_C(2208988800) * 1000000000)

struct device_name {
    UT_hash_handle hh;
    uint32_t number;
    size_t length;
    char name[];
};

struct declared {
    const struct declaration *declaration;
    struct block_io io;
    int64_t hash, begun; /* of the declaration; whether `origin` is set */
    struct block_start start;
    struct device_name *devices, *last_device; /* the former owned */
    int64_t last_time;
    int64_t unaligned, unanswered, back; /* lines that remarks are about */
};

/* --- what it is --------------------------------------------------------------------------------
 */

/* Whether the name fits a pattern, without what packing adds to it. */
static bool is_named(const struct declaration *declaration, const char *name) {
    static const char *const packings[] = {".gz", ".xz", ".zst"};
    struct word word = word_of(name);
    char bare[DECLARED_STRING + 1];

    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (word_ends(word, packings[i])) {
            word.length -= strlen(packings[i]);
            break;
        }
    }
    if (word.length == 0 || word.length > DECLARED_STRING) {
        return false;
    }
    memcpy(bare, word.bytes, word.length);
    bare[word.length] = '\0';
    for (size_t i = 0; i < declaration->files.count; i++) {
        if (fnmatch(declaration->files.names[i], bare, FNM_CASEFOLD) == 0) {
            return true;
        }
    }
    return false;
}

struct survey {
    const struct declared_cutter *cutter;
    const struct declared_column *time;
    int good, bad;
    bool header;
};

static enum line_verdict judge(void *context, struct word line) {
    struct survey *survey = context;
    const struct declaration *declaration = survey->cutter->declaration;
    struct declared_line parsed;
    const char *damage;

    if (declared_is_nothing(declaration, line)) {
        return LINE_NOTHING;
    }
    damage = declared_parse(survey->cutter, line, &parsed);
    if (damage != NULL && declared_is_header(survey->cutter, line)) {
        survey->header = true;
        return LINE_NOTHING;
    }
    if (damage == declared_ignored) {
        return LINE_NOTHING;
    }
    if (damage == NULL && survey->time->epoch >= DECLARED_1970 &&
        (parsed.request.time < EARLIEST || parsed.request.time >= LATEST)) {
        survey->bad++;
        return LINE_BAD;
    }
    survey->good += damage == NULL;
    survey->bad += damage != NULL;
    return damage == NULL ? LINE_GOOD : LINE_BAD;
}

static const struct declared_column *time_of(const struct declaration *declaration) {
    const struct declared_column *column = declaration->columns;

    while (column->is != DECLARED_TIME) {
        column++;
    }
    return column;
}

/* The first line that is not blank or a comment. */
static struct word first_line(const struct declaration *declaration, const void *bytes,
                              size_t length) {
    struct word rest = {bytes, length}, line = {NULL, 0};

    while (rest.length > 0 && declared_is_nothing(declaration, line)) {
        line = word_field(&rest, '\n');
    }
    return line;
}

/* Nine lines in ten must fit: these formats have little else to be known by. */
static enum sniff_score sniff_declared(const struct sniff *sniff) {
    const struct declaration *declaration = sniff->declaration;
    struct declared_cutter cutter;
    struct survey survey = {&cutter, time_of(declaration), 0, 0, false};
    enum sniff_score score = SNIFF_NO;

    if (declaration->never_found ||
        (declaration->files.count > 0 && !is_named(declaration, sniff->name))) {
        return SNIFF_NO;
    }
    if (declared_cutter_open(&cutter, declaration,
                             first_line(declaration, sniff->bytes, sniff->length)) == NULL) {
        lines_sniff(sniff, judge, &survey);
        if (survey.good + survey.header > 0 &&
            (survey.good >= 9 * survey.bad || (survey.bad == 1 && survey.good >= FEWEST_GOOD))) {
            score = declaration->own ? SNIFF_OWN : SNIFF_LIKELY;
        }
    }
    declared_cutter_close(&cutter);
    return score;
}

/* --- names of devices --------------------------------------------------------------------------
 */

static struct device_name *add_device(struct declared *state, struct word name,
                                      struct import *import) {
    struct device_name *device = calloc(1, sizeof *device + name.length);

    (void)import;
    if (device == NULL) {
        return NULL;
    }
    device->number = HASH_COUNT(state->devices) + 1;
    device->length = name.length;
    memcpy(device->name, name.bytes, name.length);
    HASH_ADD_KEYPTR(hh, state->devices, device->name, device->length, device);
    if (!hash_added(device)) {
        free(device);
        return NULL;
    }
    return device;
}

/* The number of a device by its name, with the minor number that the line has. NULL, or why not. */
static const char *number_device(struct import *import, struct declared *state,
                                 struct declared_line *line) {
    struct word name = line->device_name;
    struct device_name *device = state->last_device;
    int64_t minor = line->request.device == EVENT_NONE ? 0 : line->request.device;

    if (name.length == 0) {
        return NULL;
    }
    if (device == NULL || device->length != name.length ||
        memcmp(device->name, name.bytes, name.length) != 0) {
        HASH_FIND(hh, state->devices, name.bytes, name.length, device);
        if (device == NULL && HASH_COUNT(state->devices) < NAMES) {
            device = add_device(state, name, import);
        }
        if (device == NULL) {
            return too_many_devices;
        }
        state->last_device = device;
    }
    line->request.device = device_number(device->number, 0) + minor;
    return NULL;
}

/* "web is 1, usr is 2" */
static void tell_devices(struct import *import, const struct declared *state) {
    const struct device_name *device = NULL, *next;
    struct text names = {0};

    HASH_ITER(hh, state->devices, device, next) {
        if (device->number <= TOLD_NAMES) {
            text_append_string(&names, device->number == 1 ? "" : ", ");
            text_append_escaped(&names, device->name, device->length < 32 ? device->length : 32);
            text_append_format(&names, " is %u", device->number);
        }
    }
    if (state->devices != NULL && !names.failed) {
        import_remark(import, "devices have names, numbered as major numbers: %s%s",
                      text_string(&names),
                      HASH_COUNT(state->devices) > TOLD_NAMES ? " and so on" : "");
    }
    text_free(&names);
}

static void free_devices(struct declared *state) {
    struct device_name *device = NULL, *next;

    HASH_ITER(hh, state->devices, device, next) {
        HASH_DEL(state->devices, device);
        free(device);
    }
}

/* --- what --append goes on with ----------------------------------------------------------------
 */

/* The numbers; behind them the names of devices in order, in hexadecimal digits. */
static void list_kept(struct declared *state, struct kept kept[KEPT]) {
    kept[0] = (struct kept){.key = "declaration", .number = &state->hash, .is_unsigned = true};
    kept[1] = (struct kept){.key = "begun", .number = &state->begun, .most = 1};
    kept[2] = (struct kept){.key = "origin", .number = &state->start.origin, .most = INT64_MAX};
}

static bool resume_devices(struct declared *state, struct word rest, struct import *import) {
    struct word hex;

    while ((hex = word_next(&rest)).length > 0) {
        uint8_t name[DECLARED_STRING];
        size_t length;

        if (!word_hex_bytes(hex, sizeof name, name, &length) || length == 0 ||
            HASH_COUNT(state->devices) == NAMES ||
            add_device(state, (struct word){(const char *)name, length}, import) == NULL) {
            return false;
        }
    }
    return true;
}

/* Takes the numbers off what was kept, and leaves the names. */
static bool resume_numbers(struct declared *state, struct word *rest) {
    struct kept kept[KEPT];
    struct word begin = *rest;
    struct text numbers = {0};
    bool done;

    for (int i = 0; i < 2 * KEPT; i++) {
        word_next(rest);
    }
    list_kept(state, kept);
    text_append(&numbers, begin.bytes, (size_t)(rest->bytes - begin.bytes));
    done = !numbers.failed && kept_parse(text_string(&numbers), kept, KEPT);
    text_free(&numbers);
    return done;
}

static bool resume(struct import *import, struct declared *state, struct error *error) {
    const char *text = import_kept(import);
    struct word rest;

    if (text == NULL) {
        return true;
    }
    rest = word_of(text);
    if (!resume_numbers(state, &rest) || !resume_devices(state, rest, import)) {
        return error_set(error, "what was kept to go on with the trace is damaged: %s", text);
    }
    state->start.begun = state->begun != 0;
    return (uint64_t)state->hash == state->declaration->hash ||
           error_set(error,
                     "the format '%s' was declared otherwise when the trace was imported: import "
                     "all files anew, or declare it as it was",
                     state->declaration->name);
}

static bool keep_state(struct import *import, struct declared *state, struct error *error) {
    const struct device_name *device = NULL, *next;
    struct kept kept[KEPT];
    struct text text = {0};
    bool done;

    state->hash = (int64_t)state->declaration->hash;
    state->begun = state->start.begun;
    list_kept(state, kept);
    kept_format(&text, kept, KEPT);
    /* uthash keeps the order in which they were added. */
    HASH_ITER(hh, state->devices, device, next) {
        text_append_char(&text, ' ');
        text_append_hex(&text, device->name, device->length);
    }
    done = text.failed ? error_no_memory(error) : import_keep(import, text_string(&text), error);
    text_free(&text);
    return done;
}

/* --- events ------------------------------------------------------------------------------------
 */

static bool begin_declared(struct import *import, void *state, struct error *error) {
    struct declared *declared = state;

    declared->declaration = import_declaration(import);
    declared->last_time = INT64_MIN;
    import_variant(import, "text");
    return resume(import, declared, error) && block_io_begin(import, &declared->io, error);
}

/* The time since the start of the trace. */
static int64_t time_since_start(struct import *import, struct declared *state, int64_t time) {
    switch (time_of(state->declaration)->epoch) {
    case DECLARED_START:
        return time;
    case DECLARED_FIRST:
        if (!state->start.begun) {
            state->start = (struct block_start){true, time};
        }
        return time - state->start.origin;
    default:
        return block_io_since(import, &state->start, time);
    }
}

static bool keep_action(struct import *import, struct declared *state,
                        struct block_request *request, const char *action, int64_t time) {
    request->action = action;
    request->action_length = 1;
    request->time = time;
    return block_io_keep(import, &state->io, request);
}

static bool keep(struct import *import, struct declared *state, struct declared_line *line) {
    struct block_request *request = &line->request;
    int64_t time = time_since_start(import, state, request->time);
    int64_t issued = time;

    state->unaligned += line->unaligned;
    state->back += request->time < state->last_time;
    state->last_time = request->time;
    if ((state->declaration->importer.columns & EVENT_DURATION) == 0) {
        return keep_action(import, state, request, "Q", time);
    }
    request->tells_latency = true;
    if (!line->has_response) {
        state->unanswered++;
        return keep_action(import, state, request, state->declaration->completions ? "C" : "D",
                           time);
    }
    if (state->declaration->completions) {
        issued = time - line->response;
    }
    request->latency = line->response;
    return keep_action(import, state, request, "D", issued) &&
           keep_action(import, state, request, "C", issued + line->response);
}

/* --- files -------------------------------------------------------------------------------------
 */

struct file {
    struct declared_cutter cutter;
    const char *damage; /* nothing of the file can be read; NULL: it can */
};

static bool open_declared(struct stream *stream, struct error *error) {
    struct file *file = stream->state;
    size_t length = reader_fill(stream->reader, READER_WINDOW);

    (void)error;
    file->damage =
        declared_cutter_open(&file->cutter, stream->declaration,
                             first_line(stream->declaration, reader_bytes(stream->reader), length));
    return true;
}

static void close_declared(struct stream *stream) {
    struct file *file = stream->state;

    declared_cutter_close(&file->cutter);
}

static int64_t time_of_declared(const struct stream *stream, const struct stream_record *record) {
    const struct file *file = stream->state;
    struct word line = {(const char *)record->bytes, record->length};

    return line.bytes == NULL || file->damage != NULL ||
                   declared_is_nothing(file->cutter.declaration, line)
               ? EVENT_NONE
               : declared_parse_time(&file->cutter, line);
}

static bool take_declared(struct import *import, void *state, struct stream *stream,
                          const struct stream_record *record, struct error *error) {
    const struct file *file = stream->state;
    struct line line = {
        {(const char *)record->bytes, record->length}, record->offset, record->size};
    struct declared_line parsed;
    const char *damage;

    if (file->damage != NULL) {
        return error_set(error, "%s: %s", import_source_name(import), file->damage);
    }
    if (line.text.bytes == NULL) {
        lines_reject(import, &line, lines_too_long);
        return true;
    }
    if (declared_is_nothing(file->cutter.declaration, line.text)) {
        return true;
    }
    damage = declared_parse(&file->cutter, line.text, &parsed);
    if (damage == NULL) {
        damage = number_device(import, state, &parsed);
    }
    if (damage == NULL) {
        return keep(import, state, &parsed);
    }
    if (damage == declared_ignored) {
        import_ignored(import, damage, line.offset);
    } else if (!declared_is_header(&file->cutter, line.text)) {
        lines_reject(import, &line, damage);
    }
    return true;
}

static void tell(struct import *import, const struct declared *state) {
    if (state->unaligned > 0) {
        import_remark(import,
                      "%lld addresses are no whole sector: they count as the sector that they "
                      "lie in",
                      (long long)state->unaligned);
    }
    if (state->unanswered > 0) {
        import_remark(import, "%lld requests have no response time", (long long)state->unanswered);
    }
    if (state->back > 0 && state->declaration->sorted) {
        import_remark(import, "%lld records are earlier than the one before them",
                      (long long)state->back);
    }
    tell_devices(import, state);
}

static bool end_declared(struct import *import, void *state, bool failed, struct error *error) {
    struct declared *declared = state;
    bool done = failed || keep_state(import, declared, error);

    if (!failed) {
        tell(import, declared);
    }
    block_io_end(import, &declared->io, failed);
    free_devices(declared);
    return done;
}

/* --- the importer ------------------------------------------------------------------------------
 */

static const struct event_meaning device_meanings[] = {
    {EVENT_PLACE_DURATION, "", "latency", "clock"},
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_OBJECT, "", "device", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {0},
};

/* Actors and objects are there always, since the tallies look at them. */
static unsigned columns_of(const struct declaration *declaration) {
    static const unsigned columns[DECLARED_KINDS] = {
        [DECLARED_RESPONSE] = EVENT_DURATION,
        [DECLARED_ADDRESS] = EVENT_ADDRESS,
        [DECLARED_SIZE] = EVENT_SIZE,
    };
    unsigned sum = EVENT_OPERATION | EVENT_FLAGS | EVENT_ACTOR | EVENT_OBJECT;

    for (size_t i = 0; i < declaration->column_count; i++) {
        sum |= columns[declaration->columns[i].is];
    }
    return sum;
}

static bool has_files(const struct declaration *declaration) {
    for (size_t i = 0; i < declaration->column_count; i++) {
        if (declaration->columns[i].is == DECLARED_FILE) {
            return true;
        }
    }
    return false;
}

void declared_make_importer(struct declaration *declaration) {
    declaration->importer = (struct importer){
        .name = declaration->name,
        .description = declaration->description,
        .line = declaration->example,
        .made_of = declaration->made_of,
        .variants = "text",
        .kinds = 1u << TRACE_IO,
        .columns = columns_of(declaration),
        .meanings = {[TRACE_IO] = has_files(declaration) ? block_io_meanings : device_meanings},
        .declaration = declaration,
        .state_size = sizeof(struct declared),
        .sniff = sniff_declared,
        .begin = begin_declared,
        .stream_state_size = sizeof(struct file),
        .open_stream = open_declared,
        .close_stream = close_declared,
        .next_record = stream_next_line,
        .record_time = time_of_declared,
        .take_record = take_declared,
        .end = end_declared,
        .dump = block_io_dump,
    };
}
