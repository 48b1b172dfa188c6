/* Importer of requests in all text formats declared in YAML; see declared.h.
 *
 * A line is a request. It becomes the event of an arrival (Q). If the format has the response time,
 * it becomes the events of an issue (D) and a completion (C) instead, with the response time as
 * latency. In such a format, a line that has no response time becomes only the event of an issue.
 *
 * Quirks: times need not be in order. Devices with names are numbered from 1 in the order of their
 * first lines. That number becomes the major number of the device, and a note lists the names. An
 * address within a sector counts as that sector.
 *
 * If the format has devices, lines of devices that --only-device does not select are ignored.
 *
 * --append requires the declaration of the first import: its hash is stored.
 *
 * Tables filled: event (time, duration, operation, actor, object, flags, address, size); name (kind
 * action); actor (pid and process); object (file and file type, or device). */
#include "declared.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/time_unit.h"
#include "block_io.h"
#include "device_names.h"
#include "ftrace_calls.h"
#include "input/unpack.h"
#include "lines.h"
#include "model/partition.h"

/* Returns whether files of the format have a heading: a line that names the columns, or one with
 * values that later lines use. */
static bool has_heading(const struct declaration *declaration) {
    return declaration->header == DECLARED_NAMES_HEADER || declaration->carried.count > 0;
}

/* Returns whether a line is a heading. `behind`: it is not the first line of the file; then a line
 * with digits is none, since rows have digits but headings have not. */
static bool is_heading(const struct declaration *declaration, struct word line, bool behind) {
    bool names = declaration->header == DECLARED_NAMES_HEADER, is;
    struct declared_splitter splitter;
    const char *damage;

    for (size_t i = 0; behind && i < line.length; i++) {
        if (word_is_digit(line.bytes[i])) {
            return false;
        }
    }
    if (line.length == 0 ||
        (behind && names && memchr(line.bytes, declaration->separator, line.length) == NULL)) {
        return false;
    }
    is = declared_splitter_open(&splitter, declaration, line) == NULL &&
         (names || declared_store_carried(&splitter, line, &damage));
    declared_splitter_close(&splitter);
    return is;
}

/* Returns the heading of a file, which may come after other text. If there is none, returns the
 * first line that is neither blank nor a comment. */
static struct word declared_first_line(const struct declaration *declaration, const void *bytes,
                                       size_t length) {
    enum { TRIED = 1000 }; /* maximum lines searched for a heading */
    struct word rest = {bytes, length}, first = {NULL, 0}, line;

    while (rest.length > 0 && declared_is_blank_or_comment(declaration, first)) {
        first = word_field(&rest, '\n');
    }
    line = first;
    for (int i = 0; i < TRIED && has_heading(declaration); i++) {
        if (is_heading(declaration, line, i > 0)) {
            return line;
        }
        if (rest.length == 0) {
            break;
        }
        line = word_field(&rest, '\n');
    }
    return first;
}

/* --- importer of measured values -------------------------------------------------------------- */

/* Imports measured values in declared formats; see declared.h. A line is an event; its time is its
 * index in the log. The measure becomes the event's operation, the unit the component of that
 * operation, and the test the event's actor. The line or the declaration gives the unit; a line
 * without a unit is rejected. Values are rounded to six decimals; a remark counts those that have
 * more.
 *
 * Tables filled: event (time: index in the log; operation; actor; address: the run; value:
 * millionths); name (kinds measure and unit); actor. */

struct results {
    int64_t hash; /* hash of the declaration, stored for --append; 0: a new trace */
    int64_t values;
    int64_t rounded;
};

static void begin_results(struct import *import, void *context) {
    const struct declaration *declaration = import_declaration(import);
    const struct results *state = context;

    import_clock(import, &(struct import_clock){CLOCK_UNIT_RECORDS, "", 0});
    import_variant(import, "text");
    if (state->hash != 0 && (uint64_t)state->hash != declaration->hash) {
        error_set(import_failure(import), declared_otherwise, declaration->name);
    }
}

static void declared_results_take_line(struct import *import, struct results *state,
                                       const struct declared_splitter *splitter,
                                       const struct line *line) {
    struct declared_record record = {.is_line = true};
    struct declared_line *parsed;

    record.damage = declared_parse(splitter, line->text, &record.line);
    if (record.damage != NULL && declared_is_header(splitter, line->text)) {
        return;
    }
    parsed = declared_accept_line(import, line, &record);
    if (parsed != NULL) {
        state->rounded += parsed->rounded;
        measured_add(import, &state->values, &parsed->measured);
    }
}

static void read_results(struct import *import, void *state, struct reader *reader) {
    const struct declaration *declaration = import_declaration(import);
    struct declared_splitter splitter;
    const char *damage;
    struct line line;
    size_t length;

    reader_skip_mark(reader);
    length = reader_fill(reader, READER_WINDOW);
    damage = declared_splitter_open(&splitter, declaration,
                                    declared_first_line(declaration, reader_bytes(reader), length));
    if (damage != NULL && length > 0) {
        import_fail_file(import, "%s", damage);
    } else {
        while (lines_next(import, reader, lines_too_long, &line)) {
            if (!declared_is_blank_or_comment(declaration, line.text)) {
                declared_results_take_line(import, state, &splitter, &line);
            }
        }
    }
    declared_splitter_close(&splitter);
}

static void end_results(struct import *import, void *context, bool failed) {
    const struct declaration *declaration = import_declaration(import);
    struct results *state = context;

    if (!failed) {
        state->hash = (int64_t)declaration->hash;
        import_remark_count(import, state->rounded,
                            "%lld value{ has more than 6 decimals: it is|s have more than 6 "
                            "decimals: they are} rounded");
    }
}

static const struct resume_value results_resume[] = {
    {"declaration", offsetof(struct results, hash), 0, 0, true},
    {"values", offsetof(struct results, values), 0, INT64_MAX, false},
    {0},
};

/* Completes the importer of a format with measured values. Name, description, sniff() and the like
 * are already set. */
static void declared_results_importer(struct importer *importer) {
    *importer = (struct importer){
        .name = importer->name,
        .description = importer->description,
        .line = importer->line,
        .made_of = importer->made_of,
        .variants = importer->variants,
        .kinds = 1u << TRACE_RESULTS,
        .columns = MEASURED_COLUMNS,
        .meanings = {[TRACE_RESULTS] = measured_meanings},
        .facts = {[TRACE_RESULTS] = FACTS_OF_LOG(0)},
        .declaration = importer->declaration,
        .state_size = sizeof(struct results),
        .sniff = importer->sniff,
        .resume = results_resume,
        .begin = begin_results,
        .read = read_results,
        .end = end_results,
        .dump = measured_append_dump,
    };
}

enum {
    FEWEST_GOOD = 2, /* a file with one bad line needs at least this many good ones */
};

/* Earliest and latest date accepted, 1990 and 2040: other numbers are hardly dates. */
#define EARLIEST (INT64_C(631152000) * 1000000000)
#define LATEST   (INT64_C(2208988800) * 1000000000)

/* --- selection by --only-device --------------------------------------------------------------- */

struct wanted_device {
    struct word text; /* device as the user wrote it; borrowed */
    int64_t number;   /* device_number(); EVENT_NONE: the device is given by name */
    bool found;       /* true: some line has this device */
};

static const char lost_mark[] = "a line that reports lost records";
static const char left_out[] = "a line of a device that --only-device leaves out";

/* Devices given to --only-device. Zeros: the option was not given, so all devices are wanted. */
struct wanted_devices {
    struct wanted_device *devices; /* owned */
    size_t count;
};

/* Parses a device number, plain or as MAJOR:MINOR; returns EVENT_NONE if it is none. */
static int64_t parse_device(struct word text) {
    struct word rest = text, part = word_field(&rest, ':');
    int64_t major, minor;

    if (part.length == text.length) {
        return word_number(text, UINT32_MAX, &minor) ? minor : EVENT_NONE;
    }
    return word_number(part, 4095, &major) && word_number(rest, 0xFFFFF, &minor)
               ? device_number((uint32_t)major, (uint32_t)minor)
               : EVENT_NONE;
}

/* Reads the arguments of --only-device. Unless the log has `named` devices, refuses arguments that
 * are not numbers. */
static void wanted_devices_open(struct wanted_devices *wanted, struct import *import, bool named) {
    const char *const *chosen;
    size_t count = import_only_devices(import, &chosen);

    wanted->devices = xcalloc(count + 1, sizeof *wanted->devices);
    wanted->count = count;
    for (size_t i = 0; i < count; i++) {
        struct wanted_device *device = &wanted->devices[i];

        device->text = word_of(chosen[i]);
        device->number = parse_device(device->text);
        if (!named && device->number == EVENT_NONE) {
            error_usage(import_failure(import),
                        "--only-device: devices of this format are numbers, whole or as "
                        "MAJOR:MINOR, not '%s'",
                        chosen[i]);
        }
    }
}

/* Returns whether an argument of the user is a line's device name, alone or as NAME:MINOR. */
static bool is_device(struct word text, struct word name, int64_t minor) {
    struct word rest = text;
    int64_t number;

    if (text.length < name.length || memcmp(text.bytes, name.bytes, name.length) != 0) {
        return false;
    }
    if (text.length == name.length) {
        return true;
    }
    word_skip(&rest, name.length + 1);
    return text.bytes[name.length] == ':' && minor != EVENT_NONE &&
           word_number(rest, UINT32_MAX, &number) && number == minor;
}

/* Returns whether --only-device selects the device of a line. `name` is empty if the line has only
 * a number. `device` is a device_number(); with a name, the line's minor number or EVENT_NONE. */
static bool wanted_devices_have(const struct wanted_devices *wanted, struct word name,
                                int64_t device) {
    for (size_t i = 0; i < wanted->count; i++) {
        struct wanted_device *one = &wanted->devices[i];

        if (name.length > 0 ? is_device(one->text, name, device)
                            : device != EVENT_NONE && one->number == device) {
            one->found = true;
            return true;
        }
    }
    return wanted->count == 0;
}

/* Adds a remark for each device given to --only-device that is in no line. If all are in no line,
 * sets an error. */
static void wanted_devices_tell(const struct wanted_devices *wanted, struct import *import) {
    size_t found = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        found += wanted->devices[i].found;
    }
    if (found == 0 && wanted->count > 0) {
        error_set(import_failure(import), "no line has a device of --only-device");
    }
    for (size_t i = 0; i < wanted->count; i++) {
        if (!wanted->devices[i].found) {
            import_remark(import, "no line has device %.*s", WORD_TEXT(wanted->devices[i].text));
        }
    }
}

const char declared_otherwise[] = "the format '%s' was declared otherwise when the trace was "
                                  "imported: import all files again, or declare it as it was";

struct declared {
    const struct declaration *declaration;
    struct block_io io;
    int64_t hash, times; /* for --append: hash of the declaration; times: enum declared_times */
    struct block_start start;
    struct device_names devices;
    struct wanted_devices wanted;
    int64_t last_time;
    int64_t unaligned, unanswered, back; /* numbers of lines: address inside a sector; no response
                                            time; time before that of the previous line */
    bool directed;                       /* true: some line of the log has a direction */
};

/* --- detection of the format ------------------------------------------------------------------ */

/* Returns whether the file name, without suffixes of compression, matches a format's pattern. */
static bool declared_is_named(const struct declaration *declaration, const char *name) {
    struct word word = word_of(name);
    char bare[DECLARED_STRING + 1];

    word.length = unpack_stem_length(word.bytes, word.length);
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
    const struct declared_splitter *splitter;
    const struct declared_column *time;
    int good, bad;
    bool header;
};

static enum line_verdict declared_judge(void *context, struct word line) {
    struct survey *survey = context;
    const struct declaration *declaration = survey->splitter->declaration;
    struct declared_line parsed;
    const char *damage;

    if (declared_store_carried(survey->splitter, line, &damage) ||
        declared_is_blank_or_comment(declaration, line)) {
        return LINE_NOTHING;
    }
    damage = declared_parse(survey->splitter, line, &parsed);
    if (damage != NULL && declared_is_header(survey->splitter, line)) {
        survey->header = true;
        return LINE_NOTHING;
    }
    if (damage == declared_ignored || damage == declared_lost) {
        return LINE_NOTHING;
    }
    if (damage == NULL && survey->time != NULL && survey->time->epoch >= DECLARED_1970 &&
        parsed.request.time != EVENT_NONE &&
        (parsed.request.time < EARLIEST || parsed.request.time >= LATEST)) {
        survey->bad++;
        return LINE_BAD;
    }
    survey->good += damage == NULL;
    survey->bad += damage != NULL;
    return damage == NULL ? LINE_GOOD : LINE_BAD;
}

/* Returns whether the first line is the header of another format with similar lines: it has commas
 * but no digits, while files of this format begin with a fixed text. */
static bool has_other_header(const struct declaration *declaration, struct word first) {
    size_t commas = 0;

    for (size_t i = 0; i < first.length; i++) {
        if (word_is_digit(first.bytes[i])) {
            return false;
        }
        commas += first.bytes[i] == ',';
    }
    return declaration->header == DECLARED_TEXT_HEADER && commas > 1;
}

/* Accepts a file if nine in ten lines match: little else identifies a declared format. */
static enum sniff_score sniff_declared(const struct sniff *sniff) {
    const struct declaration *declaration = sniff->declaration;
    struct declared_splitter splitter;
    struct survey survey = {&splitter, declared_find(declaration, OF(TIME)), 0, 0, false};
    struct word first = declared_first_line(declaration, sniff->bytes, sniff->length);
    struct sniff from = *sniff;
    enum sniff_score score = SNIFF_NO;

    if (declaration->found == DECLARED_NOT_FOUND ||
        (declaration->files.count > 0 && !declared_is_named(declaration, sniff->name))) {
        return SNIFF_NO;
    }
    if (declared_splitter_open(&splitter, declaration, first) == NULL) {
        if (first.length > 0 &&
            /* `first` is the heading, which may come after other text */
            has_heading(declaration)) {
            from.bytes = (const uint8_t *)first.bytes;
            from.length -= (size_t)(from.bytes - sniff->bytes);
        }
        lines_sniff(&from, declared_judge, &survey);
        if ((survey.header || !has_other_header(declaration, first)) &&
            survey.good + survey.header > 0 &&
            (survey.good >= 9 * survey.bad || (survey.bad == 1 && survey.good >= FEWEST_GOOD))) {
            score = declaration->found == DECLARED_FOUND_LAST ? SNIFF_GREEDY
                    : declaration->own                        ? SNIFF_OWN
                                                              : SNIFF_LIKELY;
        }
    }
    declared_splitter_close(&splitter);
    return score;
}

static const char *why_not_declared(const struct sniff *sniff, struct word line) {
    const struct declaration *declaration = sniff->declaration;
    struct declared_splitter splitter;
    struct declared_line parsed;
    const char *why;

    if (declaration->files.count > 0 && !declared_is_named(declaration, sniff->name)) {
        return "this format is read only if -f or the name of the file chooses it";
    }
    why = declared_splitter_open(&splitter, declaration,
                                 declared_first_line(declaration, sniff->bytes, sniff->length));
    why = why == NULL ? declared_parse(&splitter, line, &parsed) : why;
    declared_splitter_close(&splitter);
    return why;
}

/* Sets a line's device by its name and minor number. Returns NULL, or why the line is rejected. */
static const char *number_device_by_name(struct declared *state, struct declared_line *line) {
    int64_t minor = line->request.device == EVENT_NONE ? 0 : line->request.device;
    uint32_t number;

    if (line->device_name.length == 0) {
        return NULL;
    }
    if (!device_names_find(&state->devices, line->device_name, &number)) {
        return device_names_full;
    }
    line->request.device = device_names_device(number) + minor;
    return NULL;
}

/* --- adding events ---------------------------------------------------------------------------- */

static void count_records(struct import *import, const struct declaration *declaration) {
    if ((declaration->importer.columns & EVENT_DURATION) == 0) {
        import_clock(import, &(struct import_clock){CLOCK_UNIT_RECORDS, "", 0});
    }
}

void declared_init_has_times(struct import *import, const struct declaration *declaration,
                             int64_t *times) {
    if (declared_find(declaration, OF(TIME) | OF(PAUSE)) == NULL) {
        *times = DECLARED_UNTIMED;
    }
    if (*times == DECLARED_UNTIMED) {
        count_records(import, declaration);
    }
}

const char *declared_decide_has_times(struct import *import, const struct declaration *declaration,
                                      int64_t *times, int64_t time) {
    if (*times == DECLARED_UNDECIDED) {
        *times = time == EVENT_NONE ? DECLARED_UNTIMED : DECLARED_TIMED;
        if (*times == DECLARED_UNTIMED) {
            count_records(import, declaration);
        }
    }
    return *times == DECLARED_TIMED && time == EVENT_NONE ? "a line without a time among others"
                                                          : NULL;
}

static void begin_declared(struct import *import, void *state) {
    struct declared *declared = state;
    const struct declared_column *time;

    declared->declaration = import_declaration(import);
    time = declared_find(declared->declaration, OF(TIME));
    declared_init_has_times(import, declared->declaration, &declared->times);
    declared->start.undated = time != NULL && time->epoch == DECLARED_FIRST;
    declared->start.begun = declared->times == DECLARED_TIMED;
    declared->last_time = INT64_MIN;
    import_variant(import, "text");
    wanted_devices_open(&declared->wanted, import,
                        declared_find(declared->declaration, OF(DEVICE_NAME)) != NULL);
    device_names_read(import, &declared->devices);
    if (import_saved_state(import) != NULL &&
        (uint64_t)declared->hash != declared->declaration->hash) {
        error_set(import_failure(import), declared_otherwise, declared->declaration->name);
    }
    block_io_begin(import, &declared->io);
}

/* Returns whether times that the format counts from the start are dates: no recording lasts from
 * 1970 to 2001. fio counts from 1970 with log_unix_epoch. The first line decides. */
static bool are_dates(const struct declared *state, int64_t time) {
    return state->start.begun ||
           (state->last_time == INT64_MIN && time >= INT64_C(1000000000000000000));
}

/* Returns the time of a line since the start of the trace. In a log without times it is the number
 * of lines before it; in a log with pauses, the sum of earlier responses and pauses. In both cases,
 * `start.origin` holds the time of the next line. */
static int64_t time_since_start(struct import *import, struct declared *state, int64_t time) {
    const struct declared_column *column = declared_find(state->declaration, OF(TIME));

    return state->times == DECLARED_UNTIMED ? state->start.origin++
           : column == NULL                 ? state->start.origin
           : column->epoch == DECLARED_START && !are_dates(state, time)
               ? time
               : block_io_elapsed(import, &state->start, time);
}

static void declared_keep(struct import *import, struct declared *state, struct declared_line *line,
                          int64_t offset) {
    struct block_request *request = &line->request;
    int64_t time = time_since_start(import, state, request->time);
    int64_t issued = time;

    if (state->declaration->lost != NULL) {
        import_cpu_event(import, EVENT_NONE, time);
    }
    state->unaligned += line->unaligned;
    state->back += request->time < state->last_time;
    state->directed |= io_class_of(request->flags) != IO_OTHER;
    state->last_time = request->time;
    if ((state->declaration->importer.columns & EVENT_DURATION) == 0) {
        block_io_add_action(import, &state->io, request, "Q", time);
        return;
    }
    request->tells_latency = true;
    if (!line->has_response) {
        state->unanswered++;
        block_io_add_action(import, &state->io, request,
                            state->declaration->completions ? "C" : "D", time);
        return;
    }
    request->latency = line->response;
    if (state->times == DECLARED_UNTIMED) {
        block_io_add_action(import, &state->io, request, "C", time);
        return;
    }
    if (state->declaration->completions) {
        issued = time - line->response;
    }
    if (declared_find(state->declaration, OF(PAUSE)) != NULL) {
        state->start.origin = sum_saturated(time, line->response + line->pause);
        if (state->start.origin > BLOCK_IO_SECONDS * SECOND) {
            state->start.origin = BLOCK_IO_SECONDS * SECOND;
        }
    }
    import_count_extra_event(import, block_io_both_ends, offset);
    block_io_add_action(import, &state->io, request, "D", issued);
    block_io_add_action(import, &state->io, request, "C", issued + line->response);
}

/* --- reading files ---------------------------------------------------------------------------- */

static bool open_declared(struct stream *stream, struct error *error) {
    const struct declaration *declaration = stream->declaration;
    size_t length = reader_fill(stream->reader, READER_WINDOW);
    const char *damage = declared_splitter_open(
        stream->state, declaration,
        declared_first_line(declaration, reader_bytes(stream->reader), length));

    if (declaration->expression != NULL) {
        expression_make_machine_code(declaration->expression);
    }
    for (int i = 0; i < 2 && declaration->part[1] != NULL; i++) {
        expression_make_machine_code(declaration->part[i]);
    }
    for (size_t i = 0; i < declaration->carried.count; i++) {
        expression_make_machine_code(declaration->carry[i]);
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        if (declaration->columns[i].within != NULL) {
            expression_make_machine_code(declaration->columns[i].within);
        }
    }
    return damage == NULL || length == 0 || error_set(error, "%s", damage);
}

static void close_declared(struct stream *stream) {
    declared_splitter_close(stream->state);
}

static int64_t time_of_declared(const struct stream *stream, const struct stream_record *record) {
    const struct declared_splitter *splitter = stream->state;
    struct word line = {(const char *)record->bytes, record->length};

    return line.bytes == NULL || declared_is_blank_or_comment(splitter->declaration, line)
               ? EVENT_NONE
               : declared_parse_time(splitter, line);
}

/* Adds the events of a parsed line. */
static void declared_take_request(struct import *import, struct declared *state,
                                  const struct line *line, struct declared_line *parsed) {
    const char *damage;

    if (!wanted_devices_have(&state->wanted, parsed->device_name, parsed->request.device)) {
        import_ignored(import, left_out, line->offset);
    } else if ((damage = number_device_by_name(state, parsed)) != NULL ||
               (damage = declared_decide_has_times(import, state->declaration, &state->times,
                                                   parsed->request.time)) != NULL) {
        lines_reject(import, line, damage);
    } else {
        declared_keep(import, state, parsed, line->offset);
    }
}

/* Parses a record, perhaps in another thread that reads ahead. Then only this thread uses the
 * splitter: time_of_declared() is not called. */
static void declared_parse_record(const struct stream *stream, struct stream_record *record) {
    const struct declared_splitter *splitter = stream->state;
    struct word text = lines_of_record(record).text;
    struct declared_record *parsed = record->parsed;

    parsed->damage = NULL;
    parsed->is_line = record->bytes != NULL &&
                      !declared_store_carried(splitter, text, &parsed->damage) &&
                      !declared_is_blank_or_comment(splitter->declaration, text);
    if (parsed->is_line) {
        text = declared_join_parts(splitter, text);
        parsed->damage = declared_parse(splitter, text, &parsed->line);
        if (parsed->damage != NULL && parsed->damage != declared_ignored &&
            declared_is_header(splitter, text)) {
            parsed->damage = NULL;
            parsed->is_line = false;
        }
    }
}

struct declared_line *declared_accept_line(struct import *import, const struct line *line,
                                           struct declared_record *parsed) {
    if (line->text.bytes == NULL) {
        lines_reject(import, line, lines_too_long);
    } else if (parsed->damage == declared_ignored) {
        import_ignored(import, declared_ignored, line->offset);
    } else if (parsed->damage == declared_lost) {
        import_ignored(import, lost_mark, line->offset);
        if (parsed->line.lost > 0) {
            import_cpu_lost(import, EVENT_NONE, parsed->line.lost, declared_lost, line->offset);
        }
    } else if (parsed->damage != NULL) {
        lines_reject(import, line, parsed->damage);
    } else if (parsed->is_line) {
        return &parsed->line;
    }
    return NULL;
}

static void take_declared(struct import *import, void *state, struct stream *stream,
                          const struct stream_record *record) {
    const struct line line = lines_of_record(record);
    struct declared_line *parsed = declared_accept_line(import, &line, record->parsed);

    if (parsed != NULL) {
        declared_take_request(import, state, &line, parsed);
    }
}

const char declared_earlier[] =
    "%lld record{ is earlier than the one before it|s are earlier than the one before them}";

void declared_add_remark(struct import *import, const struct declaration *declaration,
                         int64_t times) {
    bool positions =
        times == DECLARED_UNTIMED && (declaration->importer.columns & EVENT_DURATION) != 0;

    import_declare_facts_absent(import, (positions ? FACT(TIMES) : 0) |
                                            (declaration->only_slow ? FACT(FAST_CALLS) : 0));
    if (declaration->remark != NULL) {
        import_remark(import, "%s", declaration->remark);
    }
}

static void end_declared(struct import *import, void *state, bool failed) {
    struct declared *declared = state;
    const struct declared_column *direction;

    if (!failed) {
        declared_add_remark(import, declared->declaration, declared->times);
        declared->hash = (int64_t)declared->declaration->hash;
        device_names_write(import, &declared->devices);
        wanted_devices_tell(&declared->wanted, import);
        import_remark_count(import, declared->unaligned, block_io_unaligned);
        import_remark_count(import, declared->unanswered,
                            "%lld request{ has|s have} no response time");
        import_remark_count(import, declared->declaration->sorted ? declared->back : 0,
                            declared_earlier);
        device_names_add_remark(import, &declared->devices, -1);
    }
    direction = declared_find(declared->declaration, OF(DIRECTION) | OF(RWBS));
    /* A log without any direction cannot distinguish reads, writes and flushes. */
    if (!failed && !declared->directed && direction != NULL && direction->optional) {
        import_declare_facts_absent(import, FACT(SYNCHRONOUS) | FACT(FLUSHES) | FACT(DIRECTIONS));
    }
    block_io_end(import, &declared->io, failed);
    device_names_free(&declared->devices);
    free(declared->wanted.devices);
}

/* --- definition of the importer --------------------------------------------------------------- */

/* Returns the columns of table event that the format sets. Actor and object are always among them,
 * since events are counted by both. */
static unsigned declared_columns_of(const struct declaration *declaration) {
    static const unsigned columns[DECLARED_KINDS] = {
        [DECLARED_RESPONSE] = EVENT_DURATION,
        [DECLARED_ADDRESS] = EVENT_ADDRESS,
        [DECLARED_SIZE] = EVENT_SIZE,
        [DECLARED_KEY] = EVENT_ADDRESS | EVENT_SIZE,
    };
    unsigned sum = EVENT_OPERATION | EVENT_FLAGS | EVENT_ACTOR | EVENT_OBJECT;

    for (size_t i = 0; i < declaration->column_count; i++) {
        sum |= columns[declaration->columns[i].is];
    }
    return sum;
}

/* Returns whether some word of a column `direction` means a flush. */
static bool has_flushes(const struct declaration *declaration) {
    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_column *column = &declaration->columns[i];

        for (size_t j = 0; j < column->word_count; j++) {
            if (column->words[j].direction == DECLARED_FLUSH) {
                return true;
            }
        }
    }
    return false;
}

/* Returns the facts (enum fact) that logs of the format state. Block types are never stated: no
 * column can be declared as one. */
static unsigned declared_facts_of(const struct declaration *declaration) {
    bool rwbs = declared_find(declaration, OF(RWBS)) != NULL;
    bool directions = rwbs || declared_find(declaration, OF(DIRECTION) | OF(KEY)) != NULL;
    bool processes = declared_find(declaration, OF(PROCESS) | OF(PID)) != NULL;
    bool files = declared_find(declaration, OF(FILE)) != NULL;

    return FACTS_OF_LOG((rwbs ? FACT(SYNCHRONOUS) : 0) |
                        (rwbs || has_flushes(declaration) ? FACT(FLUSHES) : 0) |
                        (directions ? FACT(DIRECTIONS) : 0) | (processes ? FACT(PROCESSES) : 0) |
                        (files ? FACT(FILE_TYPES) | FACT(FILES) : 0));
}

/* State stored for --append. The names of devices are stored after these numbers. */
static const struct resume_value resume[] = {
    {"declaration", offsetof(struct declared, hash), 0, 0, true},
    {"begun", offsetof(struct declared, times), 0, DECLARED_UNTIMED, false},
    {"origin", offsetof(struct declared, start.origin), 0, INT64_MAX, false},
    {0},
};

static void make_requests_importer(struct declaration *declaration) {
    declaration->importer = (struct importer){
        .name = declaration->name,
        .description = declaration->description,
        .line = declaration->example,
        .made_of = declaration->made_of,
        .variants = "text",
        .kinds = 1u << TRACE_IO,
        .columns = declared_columns_of(declaration),
        .meanings = {[TRACE_IO] = declared_find(declaration, OF(FILE)) != NULL
                                      ? block_io_meanings
                                      : block_io_device_meanings},
        .facts = {[TRACE_IO] = declared_facts_of(declaration)},
        .takes_devices = declared_find(declaration, OF(DEVICE) | OF(DEVICE_NAME) | OF(MAJOR) |
                                                        OF(MINOR)) != NULL,
        .only_named = declaration->found == DECLARED_NOT_FOUND,
        .declaration = declaration,
        .state_size = sizeof(struct declared),
        .resume = resume,
        .resume_text = true,
        .sniff = sniff_declared,
        .why_not = why_not_declared,
        .begin = begin_declared,
        .stream_state_size = sizeof(struct declared_splitter),
        .open_stream = open_declared,
        .close_stream = close_declared,
        .next_record = stream_next_line,
        .in_file_order = declaration->carried.count > 0 || declaration->part[1] != NULL,
        .record_time = time_of_declared,
        .parse_record = declared_parse_record,
        .parsed_size = sizeof(struct declared_record),
        /* No reading ahead if the splitter stores text: unquoted fields, values for later lines,
           begins of calls. */
        .reads_ahead =
            !declaration->quotes && declaration->carried.count == 0 && declaration->part[1] == NULL,
        .take_record = take_declared,
        .end = end_declared,
        .dump = block_io_dump,
    };
}

void declared_make_importer(struct declaration *declaration) {
    make_requests_importer(declaration);
    if (declared_is_calls(declaration)) {
        declared_calls_importer(&declaration->importer);
    } else if (declared_find(declaration, OF(VALUE)) != NULL) {
        declared_results_importer(&declaration->importer);
    }
}

static void dump_undeclared(const struct dump_event *dump, struct text *out) {
    if (strcmp(dump->operation_kind, "syscall") == 0 || strcmp(dump->operation_kind, "mpi") == 0) {
        ftrace_calls_dump(dump, out);
    } else if (dump->event.value != EVENT_NONE) {
        measured_append_dump(dump, out);
    } else {
        block_io_dump(dump, out);
    }
}

/* Importer of traces whose format the configuration no longer declares: it only dumps events. */
const struct importer importer_undeclared = {
    .name = "undeclared",
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_RESULTS,
    .dump = dump_undeclared,
};
