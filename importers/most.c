/* MOST (Mobile Storage Analyzer): block I/O of Android phones, text forms (".po", and blkparse's
 * output for MOST).
 *
 * Form A: one event per line, fields separated by one TAB, mostly padded with blanks:
 *
 *     0.108687501 Q WS  4080112    8  137      jbd2/mmcblk0p28  J
 *     7.152101611 C WA  4800240   24  135          flush-179:0  D  /data/…/cache/Cache/data_1
 *
 * Fields: seconds.nanoseconds since the start of the trace, action (a blktrace letter), rwbs,
 * sector, blocks, pid, process, block type (M metadata, J journal, D data) and, only for data, the
 * file. Sectors and blocks have 512 bytes.
 *
 * Form B: `blkparse -f "%5T.%9t\t%a\t%d\t%8S\t%4n\t%4p\t%20C\n" -q`, from which MOST makes form A.
 * It lacks the last two fields:
 *
 *         0.108687501 Q WS  4080112    8  137      jbd2/mmcblk0p28
 *
 * A file has lines of one form only; its first lines show which.
 *
 * Quirks: blocks may be 0 (flushes); `file-NONE` means an unknown file; process and file may
 * contain blanks.
 *
 * The actor is the process that queued the request, if the lines show it (block_trace.h),
 * otherwise the process named in the line, which in MOST's logs is the application.
 *
 * Tables filled: event (time, duration, operation, actor, object, flags, address, size, issuer,
 * response); name (kind action); actor (pid and process); object (file and file type). */

#include "block_trace.h"
#include "lines.h"

enum {
    FORMAT_FIELDS = 7, /* number of fields of a line in form B (blkparse -f) */
    FEWEST_FIELDS = 8, /* minimum number of fields in form A, which lacks the file */
    MOST_FIELDS = 9,
};

static const char bad_fields[] = "not 8 or 9 fields separated by TABs";
static const char bad_format_fields[] = "not 7 fields separated by TABs";
static const char bad_time[] = "time is not seconds.nanoseconds";
static const char bad_action[] = "action is not one or two capital letters";
static const char bad_rwbs[] = "unknown letter in rwbs";
static const char bad_number[] = "sector, blocks or pid is not a number in range";
static const char bad_block_type[] = "block type is not M, J or D";
static const char message[] = "message (action m)";

enum form { FORM_TEXT, FORM_FORMAT };

enum { TIME, ACTION, RWBS, SECTOR, BLOCKS, PID, PROCESS, BLOCK_TYPE, FILE_NAME };

/* --- parsing one line ------------------------------------------------------------------------- */

static bool parse_block_type(struct word field, uint32_t *flags) {
    enum io_block_type type = word_is(field, "M")   ? IO_BLOCK_METADATA
                              : word_is(field, "J") ? IO_BLOCK_JOURNAL
                                                    : IO_BLOCK_DATA;

    *flags |= block_type_bits(type);
    return type != IO_BLOCK_DATA || word_is(field, "D");
}

static bool has_fields(enum form form, size_t count) {
    return form == FORM_FORMAT ? count == FORMAT_FIELDS
                               : count >= FEWEST_FIELDS && count <= MOST_FIELDS;
}

/* Parses a line. Returns NULL, or why it is rejected; with the reason `message`, it is ignored. */
static const char *most_parse_line(enum form form, struct word line,
                                   struct block_request *request) {
    struct word fields[MOST_FIELDS] = {{NULL, 0}};
    size_t count = word_split(line, '\t', fields, MOST_FIELDS);

    *request = block_request_empty;
    if (!has_fields(form, count)) {
        return form == FORM_FORMAT ? bad_format_fields : bad_fields;
    }
    if (!word_seconds(fields[TIME], 9, 9, BLOCK_IO_SECONDS, &request->time)) {
        return bad_time;
    }
    /* Newer blkparse also prints messages of drivers in its -f format, but without content. */
    if (form == FORM_FORMAT && word_is(fields[ACTION], "m")) {
        return message;
    }
    if (!word_is_capitals(fields[ACTION], BLOCK_IO_ACTION)) {
        return bad_action;
    }
    request->action = fields[ACTION].bytes;
    request->action_length = fields[ACTION].length;
    if (!block_parse_rwbs(fields[RWBS], &request->flags)) {
        return bad_rwbs;
    }
    if (!word_number(fields[SECTOR], BLOCK_IO_SECTORS, &request->sector) ||
        !word_number(fields[BLOCKS], BLOCK_IO_BLOCKS, &request->blocks) ||
        !word_number(fields[PID], UINT32_MAX, &request->pid)) {
        return bad_number;
    }
    if (form == FORM_TEXT && !parse_block_type(fields[BLOCK_TYPE], &request->flags)) {
        return bad_block_type;
    }
    request->process = fields[PROCESS].bytes;
    request->process_length = fields[PROCESS].length;
    request->file = fields[FILE_NAME].bytes;
    request->file_length = fields[FILE_NAME].length;
    if (word_is(fields[FILE_NAME], "file-NONE")) {
        request->file_length = 0;
    }
    return NULL;
}

struct survey {
    int good[2]; /* number of good lines, by enum form */
};

static enum line_verdict most_judge(void *context, struct word line) {
    struct survey *survey = context;
    struct block_request request;

    if (word_unpad(line).length == 0) {
        return LINE_NOTHING;
    }
    for (unsigned form = FORM_TEXT; form <= FORM_FORMAT; form++) {
        if (most_parse_line((enum form)form, line, &request) == NULL) {
            survey->good[form]++;
            return LINE_GOOD; /* no line can have both forms */
        }
    }
    return LINE_BAD;
}

static enum sniff_score sniff_most(const struct sniff *sniff) {
    struct survey survey = {{0, 0}};

    return lines_sniff(sniff, most_judge, &survey);
}

/* --- adding events ---------------------------------------------------------------------------- */

struct most_stream {
    enum form form;
    bool begun; /* true: a line was imported */
};

struct most_line {
    const char *damage; /* why the line is rejected, by most_parse_line(); NULL: it is valid */
    struct block_request request;
};

static bool open_most(struct stream *stream, struct error *error) {
    struct most_stream *state = stream->state;
    struct survey survey = {{0, 0}};
    size_t length = reader_fill(stream->reader, SNIFF_LENGTH);

    lines_judge(reader_bytes(stream->reader), length, length < SNIFF_LENGTH, most_judge, &survey);
    state->form = survey.good[FORM_FORMAT] > survey.good[FORM_TEXT] ? FORM_FORMAT : FORM_TEXT;
    return true;
}

static void parse_most(const struct stream *stream, struct stream_record *record) {
    const struct most_stream *state = stream->state;
    struct most_line *parsed = record->parsed;

    if (record->bytes != NULL) {
        parsed->damage =
            most_parse_line(state->form, lines_of_record(record).text, &parsed->request);
    }
}

static void take_most(struct import *import, void *state, struct stream *stream,
                      const struct stream_record *record) {
    const struct line line = lines_of_record(record);
    struct most_stream *file = stream->state;
    struct most_line *parsed = record->parsed;

    if (!file->begun) {
        file->begun = true;
        if (file->form == FORM_FORMAT) {
            import_declare_facts_absent(import, FACT(BLOCK_TYPES) | FACT(FILE_TYPES) | FACT(FILES));
        }
        import_variant(import, file->form == FORM_FORMAT ? "blkparse-format" : "text");
    }
    if (line.text.bytes == NULL) {
        lines_reject(import, &line, lines_too_long);
    } else if (parsed->damage == NULL) {
        block_trace_add(import, state, &parsed->request);
    } else if (word_unpad(line.text).length == 0) {
        return;
    } else if (parsed->damage == message) {
        import_ignored(import, message, line.offset);
    } else {
        lines_reject(import, &line, parsed->damage);
    }
}

static const struct event_meaning meanings[] = {
    BLOCK_IO_MEANINGS,
    {EVENT_PLACE_ISSUER, "", "process", ""},
    {EVENT_PLACE_RESPONSE, "", "response", "clock"},
    {0},
};

const struct importer most_importer = {
    .name = "most",
    .description = "block I/O of Android phones, MOST's text forms",
    .line = "   0.000000000\tQ\tWS \t     1000\t   8\t  101\t     jbd2/mmcblk0p28\tJ",
    .made_of = "lines of 8 or 9 fields between TABs: time, action, RWBS, sector, sectors, pid, "
               "process, block type, file",
    .variants = "text, blkparse-format",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = meanings},
    .facts = {[TRACE_IO] = FACTS_ALL},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE | EVENT_ISSUER | EVENT_RESPONSE,
    .state_size = sizeof(struct block_trace),
    .sniff = sniff_most,
    .begin = block_trace_begin,
    .stream_state_size = sizeof(struct most_stream),
    .open_stream = open_most,
    .next_record = stream_next_line,
    .in_file_order = true,
    .parse_record = parse_most,
    .parsed_size = sizeof(struct most_line),
    .reads_ahead = true,
    .take_record = take_most,
    .end = block_trace_end,
    .dump = block_io_dump,
};
