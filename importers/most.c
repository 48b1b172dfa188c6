/* MOST (Mobile Storage Analyzer): block I/O of Android phones, text forms (".po", and what MOST has
 * blkparse print).
 *
 * Form A: one event a line, fields separated by one TAB, most of them padded with blanks:
 *
 *     0.108687501 Q WS  4080112    8  137      jbd2/mmcblk0p28  J
 *     7.152101611 C WA  4800240   24  135          flush-179:0  D  /data/…/cache/Cache/data_1
 *
 * seconds.nanoseconds since the start of the trace, action (a blktrace letter), rwbs, sector,
 * blocks, pid, process, block type (M metadata, J journal, D data) and, for data only, the file.
 * Sectors and blocks have 512 bytes.
 *
 * Form B: `blkparse -f "%5T.%9t\t%a\t%d\t%8S\t%4n\t%4p\t%20C\n" -q`, from which MOST makes form A:
 * the same without the last two fields.
 *
 *         0.108687501 Q WS  4080112    8  137      jbd2/mmcblk0p28
 *
 * A file has lines of one form only, which its first lines tell.
 *
 * Quirks: blocks may be 0 (flushes); `file-NONE` stands for a block whose file is not known;
 * process and file may contain blanks.
 *
 * Fills: event (time, operation, actor, object, flags, address, size), name (kind action), actor
 * (pid and process), object (file and file type).
 */
#include <endian.h>
#include <string.h>

#include "block_io.h"

enum {
    FORMAT_FIELDS = 7, /* form B */
    FEWEST_FIELDS = 8, /* form A without a file */
    MOST_FIELDS = 9,
    SNIFF_LINES = 50,
    ACTION_LETTERS = 2, /* C, Q, …, UT */
};

static const char bad_fields[] = "not 8 or 9 fields separated by TABs";
static const char bad_format_fields[] = "not 7 fields separated by TABs";
static const char bad_time[] = "time is not seconds.nanoseconds";
static const char bad_action[] = "action is not one or two capital letters";
static const char bad_rwbs[] = "unknown letter in rwbs";
static const char bad_number[] = "sector, blocks or pid is not a number in range";
static const char bad_block_type[] = "block type is not M, J or D";
static const char message[] = "message (action m)";
static const char long_line[] = "line longer than 262144 bytes";

struct field {
    const char *bytes;
    size_t length;
};

enum form { FORM_TEXT, FORM_FORMAT };

enum { TIME, ACTION, RWBS, SECTOR, BLOCKS, PID, PROCESS, BLOCK_TYPE, FILE_NAME };

/* --- one line -------------------------------------------------------------------------------- */

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\r';
}

static struct field trim(const char *begin, const char *end) {
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    return (struct field){begin, (size_t)(end - begin)};
}

/* Eight bytes as a number, the first one lowest; `length` of them are there, the others are 0. */
static uint64_t eight_bytes(const char *bytes, size_t length) {
    uint64_t word = 0;

    if (length >= sizeof word) {
        memcpy(&word, bytes, sizeof word);
    } else {
        memcpy(&word, bytes, length);
    }
    return le64toh(word);
}

/* The highest bit of each byte that is a TAB. */
static uint64_t find_tabs(uint64_t word) {
    const uint64_t low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t other = word ^ UINT64_C(0x0909090909090909);

    return ~(((other & low_bits) + low_bits) | other | low_bits);
}

/* Splits a line at its TABs; returns how many fields there are, MOST_FIELDS + 1 for too many. */
static size_t split(const char *line, size_t length, struct field fields[MOST_FIELDS]) {
    const char *begin = line;
    size_t count = 0;

    for (size_t at = 0; at < length; at += 8) {
        for (uint64_t tabs = find_tabs(eight_bytes(line + at, length - at)); tabs != 0;
             tabs &= tabs - 1) {
            const char *tab = line + at + __builtin_ctzll(tabs) / 8;

            if (count == MOST_FIELDS - 1) {
                return MOST_FIELDS + 1;
            }
            fields[count++] = trim(begin, tab);
            begin = tab + 1;
        }
    }
    fields[count] = trim(begin, line + length);
    return count + 1;
}

static bool is_action(struct field field) {
    for (size_t i = 0; i < field.length; i++) {
        if (field.bytes[i] < 'A' || field.bytes[i] > 'Z') {
            return false;
        }
    }
    return field.length >= 1 && field.length <= ACTION_LETTERS;
}

static bool parse_block_type(struct field field, uint32_t *flags) {
    enum io_block_type type;

    if (field.length != 1) {
        return false;
    }
    switch (field.bytes[0]) {
    case 'M':
        type = IO_BLOCK_METADATA;
        break;
    case 'J':
        type = IO_BLOCK_JOURNAL;
        break;
    case 'D':
        type = IO_BLOCK_DATA;
        break;
    default:
        return false;
    }
    *flags |= block_io_type_bits(type);
    return true;
}

/* Newer blkparse prints the messages of drivers in its -f format too: nothing of them is left. */
static bool is_message(enum form form, struct field action) {
    return form == FORM_FORMAT && action.length == 1 && action.bytes[0] == 'm';
}

static bool has_fields(enum form form, size_t count) {
    return form == FORM_FORMAT ? count == FORMAT_FIELDS
                               : count >= FEWEST_FIELDS && count <= MOST_FIELDS;
}

/* NULL when the line is good, else the reason why not (`message` is none to reject it). */
static const char *parse_line(enum form form, const char *line, size_t length,
                              struct block_request *request) {
    struct field fields[MOST_FIELDS] = {{NULL, 0}};
    size_t count = split(line, length, fields);

    *request = (struct block_request){.device = EVENT_NONE, .value = EVENT_NONE};
    if (!has_fields(form, count)) {
        return form == FORM_FORMAT ? bad_format_fields : bad_fields;
    }
    if (!block_io_parse_time(fields[TIME].bytes, fields[TIME].length, &request->time)) {
        return bad_time;
    }
    if (is_message(form, fields[ACTION])) {
        return message;
    }
    if (!is_action(fields[ACTION])) {
        return bad_action;
    }
    if (!block_io_parse_rwbs(fields[RWBS].bytes, fields[RWBS].length, &request->flags)) {
        return bad_rwbs;
    }
    if (!block_io_parse_number(fields[SECTOR].bytes, fields[SECTOR].length, INT64_C(1) << 54,
                               &request->sector) ||
        !block_io_parse_number(fields[BLOCKS].bytes, fields[BLOCKS].length, BLOCK_IO_BLOCKS,
                               &request->blocks) ||
        !block_io_parse_number(fields[PID].bytes, fields[PID].length, UINT32_MAX, &request->pid)) {
        return bad_number;
    }
    if (form == FORM_TEXT && !parse_block_type(fields[BLOCK_TYPE], &request->flags)) {
        return bad_block_type;
    }
    request->action = fields[ACTION].bytes;
    request->action_length = fields[ACTION].length;
    request->process = fields[PROCESS].bytes;
    request->process_length = fields[PROCESS].length;
    request->file = fields[FILE_NAME].bytes;
    request->file_length = fields[FILE_NAME].length;
    if (request->file_length == 9 && memcmp(request->file, "file-NONE", 9) == 0) {
        request->file_length = 0;
    }
    return NULL;
}

/* --- which form ------------------------------------------------------------------------------ */

/* Counts the first lines that are good in either form. False when most of them are in none. */
static bool find_form(const char *at, size_t length, bool whole, enum form *form) {
    const char *end = at + length;
    int good[2] = {0, 0}, lines = 0;

    while (at < end && lines < SNIFF_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t line_length = (size_t)((newline == NULL ? end : newline) - at);
        struct block_request request;

        if (newline == NULL && !whole) {
            break;
        }
        if (trim(at, at + line_length).length > 0) {
            lines++;
            good[FORM_TEXT] += parse_line(FORM_TEXT, at, line_length, &request) == NULL;
            good[FORM_FORMAT] += parse_line(FORM_FORMAT, at, line_length, &request) == NULL;
        }
        at = newline == NULL ? end : newline + 1;
    }
    *form = good[FORM_FORMAT] > good[FORM_TEXT] ? FORM_FORMAT : FORM_TEXT;
    return 2 * (good[FORM_TEXT] + good[FORM_FORMAT]) > lines;
}

static enum sniff_score sniff_most(const struct sniff *sniff) {
    enum form form;

    return find_form((const char *)sniff->bytes, sniff->length, sniff->whole, &form) ? SNIFF_LIKELY
                                                                                     : SNIFF_NO;
}

/* --- events ---------------------------------------------------------------------------------- */

static bool begin_most(struct import *import, void *state, struct error *error) {
    return block_io_begin(import, state, error);
}

static bool end_most(struct import *import, void *state, bool failed, struct error *error) {
    (void)error;
    block_io_end(import, state, failed);
    return true;
}

static bool read_most(struct import *import, void *state, struct reader *reader,
                      struct error *error) {
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    const char *line = (const char *)reader_bytes(reader);
    enum reader_line kind;
    enum form form;
    int64_t offset;

    (void)error;
    find_form(line, length, length < SNIFF_LENGTH, &form);
    import_variant(import, form == FORM_FORMAT ? "blkparse-format" : "text");
    while ((kind = reader_line(reader, &line, &length, &offset)) != READER_END) {
        const char *damage = long_line;
        struct block_request request;

        if (kind == READER_LINE) {
            if (trim(line, line + length).length == 0) {
                continue;
            }
            damage = parse_line(form, line, length, &request);
        }
        if (damage == message) {
            import_ignored(import, message, offset);
        } else if (damage != NULL) {
            import_rejected(import, damage, offset, reader_offset(reader) - offset);
        } else if (!block_io_keep(import, state, &request)) {
            return false;
        }
    }
    return true;
}

const struct importer most_importer = {
    .name = "most",
    .description = "block I/O of Android phones, MOST's text forms",
    .variants = "text, blkparse-format",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_io_meanings},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct block_io),
    .sniff = sniff_most,
    .begin = begin_most,
    .read = read_most,
    .end = end_most,
    .dump = block_io_dump,
};
