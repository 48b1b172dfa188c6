/* Parses lines of declared formats. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/time_unit.h"
#include "declared.h"
#include "model/linux.h"
#include "model/partition.h"
#include "base/memory.h"

/* Reasons (ledger.reason) for rejecting or ignoring lines, or counting records as lost. */
const char declared_ignored[] = "a line that the format leaves out";
const char declared_lost[] = "records that the log reports as lost";
static const char bad_fields[] = "not the columns that the format has";
static const char bad_expression[] = "does not fit the format's expression";
static const char gave_up[] = "the format's expression takes more than 100000 steps for the line";
static const char missing[] = "a column that must not be empty is";
static const char bad_number[] = "a column is not the number that it should be";
static const char bad_time[] = "time is not a number in range";
static const char bad_response[] = "response time is not a number in range";
static const char bad_pause[] = "pause is not a number in range";
static const char bad_device[] = "device is not a number in range";
static const char bad_direction[] = "direction is none of the format's words";
static const char bad_address[] = "address is not a number in range";
static const char bad_size[] = "size is not a number in range";
static const char bad_run[] = "run is not a whole number in range";
static const char bad_value[] = "value is not a number in range";
static const char bad_operation[] = "operation is none of the format's words";
static const char bad_layer[] = "layer is none of the format's words";
static const char carried_too_long[] = "a value for the lines after it is longer than 4096 bytes";
static const char bad_offset[] = "offset is not a number in range";
static const char bad_bytes[] = "number of bytes is not a number in range";
static const char bad_result[] = "result is not a number in range";
static const char bad_error[] = "error is not an error number";
static const char bad_duration[] = "duration is not a number in range";
static const char bad_end[] = "end is not a number in range";
static const char bad_tid[] = "thread ID is not a number in range";
static const char bad_pid[] = "process ID is not a number in range";

/* Converts a decimal number in a column's unit to nanoseconds since the column's epoch, rounding
 * down. */
static bool parse_decimal(const struct declared_column *column, struct word word,
                          int64_t *nanoseconds) {
    struct word whole = word, parts = {NULL, 0};
    const char *point = memchr(word.bytes, '.', word.length);
    int64_t units, billionths = 0;

    if (point != NULL) {
        whole.length = (size_t)(point - word.bytes);
        parts = (struct word){point + 1, word.length - whole.length - 1};
    }
    if (!word_number(whole, column->most, &units) || units < column->before ||
        (point != NULL && parts.length == 0)) {
        return false;
    }
    for (size_t i = 0; i < parts.length; i++) {
        if (!word_is_digit(parts.bytes[i])) {
            return false;
        }
        /* Digits after the ninth are less than a nanosecond in any unit. */
        if (i < 9) {
            billionths = billionths * 10 + (parts.bytes[i] - '0');
        }
    }
    for (size_t i = parts.length; point != NULL && i < 9; i++) {
        billionths *= 10;
    }
    *nanoseconds = (units - column->before) * column->unit + billionths * column->unit / SECOND;
    return true;
}

/* Parses a time of day, `21:05:07.25` or `9:05:07.25 PM`, to nanoseconds. */
static bool parse_clock(struct word word, int64_t *nanoseconds) {
    static const struct declared_column seconds = {.unit = SECOND, .most = 60};
    bool evening = word_ends(word, " PM"), half = evening || word_ends(word, " AM");
    struct word hours = word_field(&word, ':'), minutes = word_field(&word, ':');
    int64_t hour, minute;

    word.length -= half ? 3 : 0;
    if (!word_number(hours, 23, &hour) || (half && (hour == 0 || hour > 12)) ||
        minutes.length != 2 || !word_number(minutes, 59, &minute) || word.length < 2 ||
        !parse_decimal(&seconds, word, nanoseconds)) {
        return false;
    }
    hour = half ? hour % 12 + (evening ? 12 : 0) : hour;
    *nanoseconds += (hour * 60 + minute) * 60 * SECOND;
    return true;
}

/* Parses a time up to a day below 0 that was printed as nanoseconds of 64 bits without a sign, as
 * perf trace prints that of a call before its first one: 18446744073708.918 ms is -0.698 ms. */
static bool parse_wrapped(const struct declared_column *column, struct word field, int64_t *time) {
    struct declared_column last = {.unit = column->unit};
    int64_t rest;

    if (column->unit <= 1 || column->before != 0) {
        return false;
    }
    last.most = (int64_t)(UINT64_MAX / (uint64_t)column->unit);
    last.before = last.most - DAY / column->unit;
    rest = (int64_t)(UINT64_MAX % (uint64_t)column->unit) + 1;
    if (!parse_decimal(&last, field, time)) {
        return false;
    }
    *time -= (last.most - last.before) * column->unit + rest;
    return *time < 0;
}

static bool declared_line_parse_time(const struct declared_column *column, struct word field,
                                     int64_t *time) {
    return column->clock ? parse_clock(field, time)
                         : parse_decimal(column, field, time) || parse_wrapped(column, field, time);
}

/* Parses a number, decimal or hexadecimal with 0x. */
static bool declared_line_parse_number(struct word word, int64_t *number) {
    uint64_t hex;

    if (!word_begins(word, "0x")) {
        return word_number(word, INT64_MAX, number);
    }
    if (word.length < 3 || !word_hex(word, INT64_MAX, &hex)) {
        return false;
    }
    *number = (int64_t)hex;
    return true;
}

/* --- values of columns ------------------------------------------------------------------------ */

static bool declared_line_is_word(const struct declared_word *word, struct word field) {
    for (size_t i = 0; i < word->length; i++) {
        char byte = field.bytes[i];

        if ((byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte) != word->word[i]) {
            return false;
        }
    }
    return true;
}

static bool parse_direction(const struct declared_column *column, struct word field,
                            enum declared_direction *direction) {
    int64_t number;
    uint64_t hex;

    if (column->hex && word_hex(field, INT64_MAX, &hex)) {
        *direction = ((int64_t)hex & column->read_bits) != 0 ? DECLARED_READ : DECLARED_WRITE;
        return true;
    }
    if (!column->hex && column->read_bits != 0 && word_number(field, INT64_MAX, &number)) {
        *direction = (number & column->read_bits) != 0 ? DECLARED_READ : DECLARED_WRITE;
        return true;
    }
    for (size_t i = 0; i < column->word_count; i++) {
        if (column->words[i].length == field.length &&
            declared_line_is_word(&column->words[i], field)) {
            *direction = column->words[i].direction;
            return true;
        }
    }
    return false;
}

static const char *set_io_direction(const struct declared_column *column, struct word field,
                                    struct declared_line *parsed) {
    static const uint32_t flags[] = {
        [DECLARED_READ] = IO_READ,
        [DECLARED_WRITE] = IO_WRITE,
        [DECLARED_DISCARD] = IO_OTHER | IO_FLAG_DISCARD,
        [DECLARED_FLUSH] = IO_OTHER | IO_FLAG_FLUSH,
        [DECLARED_OTHER] = IO_OTHER,
    };
    enum declared_direction direction;

    if (!parse_direction(column, field, &direction)) {
        return bad_direction;
    }
    if (direction == DECLARED_IGNORE) {
        return declared_ignored;
    }
    parsed->request.flags = flags[direction];
    return NULL;
}

static const char *set_io_sector(const struct declared_column *column, struct word field,
                                 struct declared_line *parsed) {
    int64_t number, bytes;

    /* The column's limit keeps bytes below 2^63, so the sector is below BLOCK_IO_SECTORS. */
    if (!word_number(field, column->most, &number)) {
        return bad_address;
    }
    bytes = number * column->unit;
    parsed->request.sector = bytes / SECTOR_SIZE;
    parsed->unaligned = bytes % SECTOR_SIZE != 0;
    return NULL;
}

/* Converts the key of a cached object to a page. A number below 2^50 without leading zeros is the
 * page number; any other key is hashed to a page number. So sectors and bytes stay in range. */
static void declared_line_take_key(struct word field, struct declared_line *parsed) {
    const uint64_t pages = UINT64_C(1) << 50;
    int64_t page;

    if (!word_number(field, (int64_t)pages - 1, &page) ||
        (*field.bytes == '0' && field.length > 1)) {
        page = (int64_t)(XXH3_64bits(field.bytes, field.length) % pages);
    }
    parsed->request.sector = page * (DECLARED_PAGE / SECTOR_SIZE);
    parsed->request.blocks = DECLARED_PAGE / SECTOR_SIZE;
    parsed->request.flags = IO_READ;
}

static const char *set_io_size(const struct declared_column *column, struct word field,
                               struct declared_line *parsed) {
    int64_t number, bytes;

    if (!word_number(field, column->most, &number) || number < column->least) {
        return bad_size;
    }
    bytes = number * column->unit;
    parsed->request.blocks = bytes / SECTOR_SIZE;
    parsed->request.more_bytes = bytes % SECTOR_SIZE;
    return NULL;
}

static const char *set_io_device(const struct declared_column *column, struct word field,
                                 struct declared_line *parsed) {
    int64_t *device = &parsed->request.device, number;

    if (!word_number(field, column->most, &number)) {
        return bad_device;
    }
    if (*device == EVENT_NONE) {
        *device = 0;
    }
    *device += column->is == DECLARED_MAJOR ? device_number((uint32_t)number, 0) : number;
    return NULL;
}

static const char *declared_line_take_numbers(const struct declared_column *column,
                                              struct word field) {
    uint64_t hex;
    int64_t number;

    if (column->is != DECLARED_HEX) {
        return declared_line_parse_number(field, &number) && number >= column->least &&
                       (number <= column->most || word_begins(field, "0x"))
                   ? NULL
                   : bad_number;
    }
    /* Accept more hexadecimal digits than fit into 64 bits: checksums have them. */
    for (size_t i = 0; i < field.length; i++) {
        if (!word_hex((struct word){field.bytes + i, 1}, 15, &hex)) {
            return bad_number;
        }
    }
    return column->digits == 0 || field.length == (size_t)column->digits ? NULL : bad_number;
}

/* Sets `*means` to the value in `map` for the word of a field, or to the word if `map` lacks it.
 * Returns false if the word must be in `map`. */
static bool set_mapped_value(const struct declared_column *column, struct word field,
                             struct word *means) {
    *means = field;
    for (size_t i = 0; i < column->word_count; i++) {
        if (column->words[i].length == field.length &&
            declared_line_is_word(&column->words[i], field)) {
            *means = word_of(column->words[i].means);
            return true;
        }
    }
    return column->word_count == 0 || column->other_words;
}

/* Parses a decimal number with an optional sign. */
static bool parse_signed(struct word field, int64_t *number) {
    bool below = word_begins(field, "-");

    if (below) {
        word_skip(&field, 1);
    }
    if (!declared_line_parse_number(field, number)) {
        return false;
    }
    *number = below ? -*number : *number;
    return true;
}

/* Parses the result of a call. Some programs print a negative error number as unsigned 32-bit
 * number: one of the highest 4095. */
static bool declared_line_parse_result(struct word field, struct declared_call *call) {
    const int64_t errors = (int64_t)UINT32_MAX + 1 - DECLARED_ERRORS;

    if (!parse_signed(field, &call->result)) {
        return false;
    }
    if (call->result >= errors && call->result <= UINT32_MAX) {
        call->result -= (int64_t)UINT32_MAX + 1;
    }
    return true;
}

/* Parses an error: a number, a name of Linux, or another name if `map` has it. */
static bool declared_line_parse_error(const struct declared_column *column, struct word field,
                                      struct declared_call *call) {
    if (!set_mapped_value(column, field, &field)) {
        return false;
    }
    if (word_number(field, DECLARED_ERRORS, &call->error)) {
        return true;
    }
    call->error = linux_error_number(field);
    if (call->error == EVENT_NONE && column->other_words) {
        call->error = 0;
        call->error_name = field;
    }
    return call->error != EVENT_NONE;
}

/* Parses a whole number. In numbers of bytes, a comma or point may separate groups of three digits;
 * in other units it could be a decimal point. */
static bool parse_whole(const struct declared_column *column, struct word field, int64_t *number) {
    char digits[32];
    size_t count = 0;

    for (size_t i = 0; i < field.length && count < sizeof digits; i++) {
        bool between = (field.bytes[i] == ',' || field.bytes[i] == '.') && i > 0 &&
                       (field.length - i) % 4 == 0 && column->unit == 1;

        if (!between) {
            digits[count++] = field.bytes[i];
        }
    }
    if (count == sizeof digits ||
        !word_number((struct word){digits, count}, column->most, number)) {
        return false;
    }
    *number *= column->unit;
    return true;
}

/* Reads a field of a column that only calls have. */
static const char *take_of_call(const struct declared_column *column, struct word field,
                                struct declared_line *parsed) {
    struct declared_call *call = &parsed->call;

    switch (column->is) {
    case DECLARED_OPERATION:
        return set_mapped_value(column, field, &call->operation) ? NULL : bad_operation;
    case DECLARED_LAYER:
        return set_mapped_value(column, field, &call->layer) ? NULL : bad_layer;
    case DECLARED_OFFSET:
        return parse_whole(column, field, &call->offset) ? NULL : bad_offset;
    case DECLARED_BYTES:
        return parse_whole(column, field, &call->bytes) ? NULL : bad_bytes;
    case DECLARED_RESULT:
        if (column->ttl) {
            declared_line_parse_number(field, &call->result);
            return declared_line_take_numbers(column, field);
        }
        return declared_line_parse_result(field, call) ? NULL : bad_result;
    case DECLARED_ERROR:
        return declared_line_parse_error(column, field, call) ? NULL : bad_error;
    case DECLARED_DURATION:
        parsed->has_response = true;
        return parse_decimal(column, field, &parsed->response) ? NULL : bad_duration;
    case DECLARED_END:
        return parse_decimal(column, field, &call->end) ? NULL : bad_end;
    case DECLARED_TID:
        return word_number(field, column->most, &call->tid) ? NULL : bad_tid;
    default:
        return NULL;
    }
}

/* Reads a field of a column that only measured values have. */
static const char *read_measured_column(const struct declared_column *column, struct word field,
                                        struct declared_line *parsed) {
    struct measured *measured = &parsed->measured;

    switch (column->is) {
    case DECLARED_TEST:
        measured->test = field;
        return NULL;
    case DECLARED_RUN:
        return word_number(field, column->most, &measured->run) ? NULL : bad_run;
    case DECLARED_MEASURE:
        measured->measure = field;
        return NULL;
    case DECLARED_UNIT:
        measured->unit = field;
        return NULL;
    case DECLARED_VALUE:
        if (measured->unit.length == 0 && column->measured_in != NULL) {
            measured->unit = word_of(column->measured_in);
        }
        return measured_parse(field, &measured->millionths, &parsed->rounded) ? NULL : bad_value;
    default:
        return NULL;
    }
}

/* Reads a field that is not empty. */
static const char *declared_line_take_field(const struct declared_column *column, struct word field,
                                            struct declared_line *parsed) {
    struct block_request *request = &parsed->request;

    switch (column->is) {
    case DECLARED_NUMBER:
    case DECLARED_HEX:
        return declared_line_take_numbers(column, field);
    case DECLARED_TIME:
        return declared_line_parse_time(column, field, &request->time) ? NULL : bad_time;
    case DECLARED_RESPONSE:
        parsed->has_response = true;
        return parse_decimal(column, field, &parsed->response) ? NULL : bad_response;
    case DECLARED_PAUSE:
        return parse_decimal(column, field, &parsed->pause) ? NULL : bad_pause;
    case DECLARED_DEVICE:
    case DECLARED_MAJOR:
    case DECLARED_MINOR:
        return set_io_device(column, field, parsed);
    case DECLARED_DEVICE_NAME:
        parsed->device_name = field;
        return field.length <= DECLARED_STRING ? NULL : bad_device;
    case DECLARED_DIRECTION:
        return set_io_direction(column, field, parsed);
    case DECLARED_RWBS:
        return block_parse_rwbs(field, &request->flags) ? NULL : bad_direction;
    case DECLARED_ADDRESS:
        return set_io_sector(column, field, parsed);
    case DECLARED_SIZE:
        return set_io_size(column, field, parsed);
    case DECLARED_KEY:
        declared_line_take_key(field, parsed);
        return NULL;
    case DECLARED_PID:
        return word_number(field, column->most, &request->pid) ? NULL : bad_pid;
    case DECLARED_PROCESS:
        request->process = field.bytes;
        request->process_length = field.length;
        return NULL;
    case DECLARED_FILE:
        request->file = field.bytes;
        request->file_length = field.length;
        return NULL;
    default:
        return (OF_CALLS >> column->is & 1) != 0 ? take_of_call(column, field, parsed)
                                                 : read_measured_column(column, field, parsed);
    }
}

/* Handles an empty field. In a column of directions, the empty text may be a declared word. */
static const char *declared_line_take_empty(const struct declared_column *column, struct word field,
                                            struct declared_line *parsed) {
    enum declared_direction direction;

    if (column->is == DECLARED_SKIP || column->optional) {
        return NULL;
    }
    return column->is == DECLARED_DIRECTION && parse_direction(column, field, &direction)
               ? set_io_direction(column, field, parsed)
               : missing;
}

/* --- splitting a line into fields ------------------------------------------------------------- */

static size_t cut_blanks(struct word line, struct word *fields, size_t most) {
    size_t count = 0;
    struct word word;

    while ((word = word_next(&line)).length > 0) {
        if (count == most) {
            return most + 1;
        }
        fields[count++] = word;
    }
    return count;
}

/* Consumes a quoted field, in which "" is a quotation mark. The unquoted bytes are written at
 * `*room`. Returns false if the closing mark is missing, or text follows it. */
static bool cut_quoted_field(struct word *rest, char separator, char **room, struct word *field) {
    const char *begin = *room;
    size_t at = 1;

    for (; at < rest->length; at++) {
        if (rest->bytes[at] == '"') {
            if (at + 1 == rest->length || rest->bytes[at + 1] != '"') {
                break;
            }
            at++;
        }
        *(*room)++ = rest->bytes[at];
    }
    *field = word_between(begin, *room);
    if (at >= rest->length) {
        return false;
    }
    word_skip(rest, at + 1);
    return word_unpad(word_field(rest, separator)).length == 0;
}

/* Splits a line like word_split(), but with quoted fields; 0 if the line is malformed. Copies
 * quoted text, since unquoting shortens it. */
static size_t cut_quoted(const struct declared_splitter *splitter, struct word line,
                         struct word *fields, size_t most) {
    const char separator = splitter->declaration->separator;
    const char *end = line.bytes + line.length;
    char *room = splitter->room;
    size_t count = 0;

    for (;;) {
        if (count == most) {
            return most + 1;
        }
        while (line.length > 0 && *line.bytes == ' ') {
            word_skip(&line, 1);
        }
        if (line.length == 0 || *line.bytes != '"') {
            fields[count++] = word_unpad(word_field(&line, separator));
        } else if (!cut_quoted_field(&line, separator, &room, &fields[count++])) {
            return 0;
        }
        /* A separator at the end of the line is followed by an empty field. */
        if (line.length == 0) {
            if (end[-1] == separator && count < most) {
                fields[count] = (struct word){end, 0};
            }
            return count + (end[-1] == separator);
        }
    }
}

static size_t cut_separated(const struct declared_splitter *splitter, struct word line,
                            struct word *fields, size_t most) {
    const struct declaration *declaration = splitter->declaration;

    if (declaration->separator == ' ') {
        return cut_blanks(line, fields, most);
    }
    return declaration->quotes && line.length > 0 && memchr(line.bytes, '"', line.length) != NULL
               ? cut_quoted(splitter, line, fields, most)
               : word_split(line, declaration->separator, fields, most);
}

/* Splits a line into fields. Returns their number; 0 with `*damage` set if it does not match. */
static size_t declared_line_cut(const struct declared_splitter *splitter, struct word line,
                                struct word fields[DECLARED_FIELDS + 1], const char **damage) {
    const struct declaration *declaration = splitter->declaration;
    size_t most = splitter->places.fields;
    size_t count;

    *damage = bad_fields;
    if (declaration->expression != NULL) {
        enum expression_result result;
        struct word bare;

        if (line.length > 0 && line.bytes[line.length - 1] == '\r') {
            line.length--;
        }
        /* If the file's first line ends in blanks, blanks at the end of a line are padding;
         * otherwise they may belong to a name. If the expression does not match, try it with or
         * without these blanks, respectively. */
        for (bare = line; bare.length > 0 && bare.bytes[bare.length - 1] == ' ';) {
            bare.length--;
        }
        result = expression_run(declaration->expression, splitter->match,
                                splitter->padded ? bare : line, fields);
        if (result == EXPRESSION_FITS_NOT && bare.length < line.length) {
            result = expression_run(declaration->expression, splitter->match,
                                    splitter->padded ? line : bare, fields);
        }
        *damage = result == EXPRESSION_GAVE_UP ? gave_up : bad_expression;
        return result == EXPRESSION_FITS ? most : 0;
    }
    count = cut_separated(splitter, line, fields, most + declaration->more);
    return count <= most ? count : declaration->more ? most : 0;
}

/* Finds the field of a column; returns false if the line lacks it. */
static bool find_field(const struct declared_splitter *splitter, size_t column,
                       const struct word *fields, size_t count, struct word *field) {
    const struct declared_column *of = &splitter->declaration->columns[column];
    struct word groups[EXPRESSION_GROUPS];
    int place = splitter->places.of[column];

    if (of->carry > 0) {
        *field = (struct word){splitter->carried[column].bytes, splitter->carried[column].length};
    } else if (place >= 0 && (size_t)place < count) {
        *field = fields[place];
    } else {
        *field = word_of("");
        return false;
    }
    if (of->within != NULL && field->length > 0) {
        *field =
            expression_run(of->within, splitter->within[column], *field, groups) == EXPRESSION_FITS
                ? groups[0]
                : word_of("");
    }
    return true;
}

/* Returns whether a line reports lost records. Sets their number to the one in the expression's
 * first group, or to 1 if the line has none. */
static bool reports_losses(const struct declared_splitter *splitter, struct word line,
                           int64_t *lost) {
    struct word fields[EXPRESSION_GROUPS];

    if (splitter->lost == NULL) {
        return false;
    }
    *lost = 1;
    fields[0].length = 0;
    return expression_run(splitter->declaration->lost, splitter->lost, word_trim(line), fields) ==
               EXPRESSION_FITS &&
           (fields[0].length == 0 || word_number(fields[0], INT64_MAX, lost));
}

const char *declared_parse(const struct declared_splitter *splitter, struct word line,
                           struct declared_line *parsed) {
    const struct declaration *declaration = splitter->declaration;
    struct word fields[DECLARED_FIELDS + 1];
    const char *damage;
    size_t count;

    if (declaration->skip != NULL && expression_run(declaration->skip, splitter->skip,
                                                    word_trim(line), fields) == EXPRESSION_FITS) {
        return declared_ignored;
    }
    if (reports_losses(splitter, line, &parsed->lost)) {
        return declared_lost;
    }
    count = declared_line_cut(splitter, line, fields, &damage);
    if (count < declaration->fewest) {
        return damage;
    }
    *parsed = splitter->empty;
    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_column *column = &declaration->columns[i];
        struct word field;

        if (!find_field(splitter, i, fields, count, &field) && !column->optional) {
            return bad_fields;
        }
        /* For a group that took no part in the match, PCRE2 reports the begin of the line. An empty
         * group elsewhere is an empty file name. */
        parsed->call.nameless |= column->is == DECLARED_FILE && field.length == 0 &&
                                 declaration->expression != NULL && column->carry == 0 &&
                                 column->within == NULL && field.bytes != line.bytes;
        damage = field.length == 0 ? declared_line_take_empty(column, field, parsed)
                                   : declared_line_take_field(column, field, parsed);
        if (damage != NULL) {
            return damage;
        }
    }
    if (parsed->call.end != EVENT_NONE && parsed->call.end < parsed->request.time) {
        return bad_end;
    }
    /* A flush without a length has length 0. */
    if ((parsed->request.flags & IO_FLAG_FLUSH) != 0 && parsed->request.blocks == EVENT_NONE) {
        parsed->request.blocks = 0;
    }
    return NULL;
}

int64_t declared_parse_time(const struct declared_splitter *splitter, struct word line) {
    const struct declaration *declaration = splitter->declaration;
    struct word fields[DECLARED_FIELDS + 1];
    const char *damage;
    size_t count = declared_line_cut(splitter, line, fields, &damage);

    for (size_t i = 0; i < declaration->column_count; i++) {
        struct word field;
        int64_t time;

        if (declaration->columns[i].is == DECLARED_TIME &&
            find_field(splitter, i, fields, count, &field)) {
            return declared_line_parse_time(&declaration->columns[i], field, &time) ? time
                                                                                    : EVENT_NONE;
        }
    }
    return EVENT_NONE;
}

/* --- calls on two lines ----------------------------------------------------------------------- */

/* Text from the first line of a call on two lines. `key` is the text that both lines have in
 * common. */
struct declared_part {
    UT_hash_handle hh;
    struct text text; /* owned */
    char key[];
};

struct declared_parts {
    struct declared_part *by_key; /* owned */
    struct text joined;           /* owned */
};

static void remove_part(struct declared_parts *parts, struct declared_part *part) {
    HASH_DEL(parts->by_key, part);
    text_free(&part->text);
    free(part);
}

static void keep_part(struct declared_parts *parts, struct word key, struct word text) {
    struct declared_part *part;

    HASH_FIND(hh, parts->by_key, key.bytes, key.length, part);
    if (part == NULL && HASH_COUNT(parts->by_key) == DECLARED_PARTS) {
        remove_part(parts, parts->by_key);
    }
    if (part == NULL) {
        part = xcalloc(1, sizeof *part + key.length + 1);
        memcpy(part->key, key.bytes, key.length);
        HASH_ADD_KEYPTR(hh, parts->by_key, part->key, key.length, part);
    }
    text_clear(&part->text);
    text_append(&part->text, text.bytes, text.length);
}

struct word declared_join_parts(const struct declared_splitter *splitter, struct word line) {
    struct declared_parts *parts = splitter->parts;
    const struct declaration *declaration = splitter->declaration;
    struct word fields[EXPRESSION_GROUPS];
    struct declared_part *part;
    const char *end;

    if (parts == NULL) {
        return line;
    }
    if (expression_run(declaration->part[0], splitter->part[0], line, fields) == EXPRESSION_FITS) {
        if (fields[0].length <= DECLARED_STRING && fields[1].length <= DECLARED_CARRIED) {
            keep_part(parts, fields[0], fields[1]);
        }
        return line;
    }
    if (expression_run(declaration->part[1], splitter->part[1], line, fields) != EXPRESSION_FITS) {
        return line;
    }
    HASH_FIND(hh, parts->by_key, fields[0].bytes, fields[0].length, part);
    if (part == NULL || part->text.length == 0 || part->text.length < fields[1].length ||
        memcmp(part->text.bytes, fields[1].bytes, fields[1].length) != 0) {
        return line;
    }
    text_clear(&parts->joined);
    text_append(&parts->joined, line.bytes, (size_t)(fields[1].bytes - line.bytes));
    text_append(&parts->joined, part->text.bytes, part->text.length);
    end = fields[1].bytes + fields[1].length;
    text_append(&parts->joined, end, (size_t)(line.bytes + line.length - end));
    remove_part(parts, part);
    return (struct word){parts->joined.bytes, parts->joined.length};
}

/* --- lines that are no records ---------------------------------------------------------------- */

bool declared_is_blank_or_comment(const struct declaration *declaration, struct word line) {
    line = word_trim(line);
    return line.length == 0 ||
           (declaration->comment != NULL && word_begins(line, declaration->comment));
}

/* Stores values for later lines: the groups that the expression `carry[at]` has matched. Returns
 * NULL, or why a value is not stored. */
static const char *keep_carried(const struct declared_splitter *splitter, size_t at,
                                const struct word *fields) {
    const struct declaration *declaration = splitter->declaration;
    const char *damage = NULL;

    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_column *column = &declaration->columns[i];

        if (column->carry == at + 1) {
            struct word field = fields[column->group];

            /* The value is parsed again for each later line, so its length is limited. */
            if (field.length > DECLARED_CARRIED) {
                damage = carried_too_long;
                field.length = 0;
            }
            text_clear(&splitter->carried[i]);
            text_append(&splitter->carried[i], field.bytes, field.length);
        }
    }
    return damage;
}

bool declared_store_carried(const struct declared_splitter *splitter, struct word line,
                            const char **damage) {
    const struct declaration *declaration = splitter->declaration;
    struct word fields[EXPRESSION_GROUPS];
    bool fits = false;

    *damage = NULL;
    line = word_trim(line);
    for (size_t at = 0; at < declaration->carried.count; at++) {
        if (expression_run(declaration->carry[at], splitter->carry[at], line, fields) ==
            EXPRESSION_FITS) {
            const char *why = keep_carried(splitter, at, fields);

            *damage = why == NULL ? *damage : why;
            fits = true;
        }
    }
    return fits;
}

/* Returns whether two texts are equal, ignoring case. */
static bool declared_line_is_alike(struct word left, const char *right) {
    return left.length == strlen(right) && strncasecmp(left.bytes, right, left.length) == 0;
}

bool declared_is_header(const struct declared_splitter *splitter, struct word line) {
    const struct declaration *declaration = splitter->declaration;
    struct declared_splitter other;
    bool is;

    if (declaration->header != DECLARED_NAMES_HEADER) {
        return declaration->header == DECLARED_TEXT_HEADER &&
               declared_line_is_alike(word_trim(line), declaration->header_text);
    }
    is = declared_splitter_open(&other, declaration, line) == NULL;
    declared_splitter_close(&other);
    return is;
}

/* --- positions of columns --------------------------------------------------------------------- */

static bool has_name(const struct declared_names *names, struct word word) {
    for (size_t i = 0; i < names->count; i++) {
        if (declared_line_is_alike(word, names->names[i])) {
            return true;
        }
    }
    return false;
}

/* Returns whether a field has a column's name at `at`, after other text such as "> " or a colour,
 * which JSON escapes as "\u001b[32m". The name ends the field or is followed by an escape. */
static bool is_name_at(struct word field, size_t at, const char *name) {
    size_t end = at + strlen(name);

    return end <= field.length &&
           declared_line_is_alike((struct word){field.bytes + at, end - at}, name) &&
           (end == field.length || memchr("\\\033", field.bytes[end], 2) != NULL) &&
           (memchr(" >\":#/|\t", field.bytes[at - 1], 8) != NULL ||
            memchr(field.bytes, '[', at) != NULL);
}

/* Returns whether a header's field has, after other text, the name of a column not found so far. */
static bool has_name_in_text(const struct declared_splitter *splitter, struct word field) {
    const struct declaration *declaration = splitter->declaration;

    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_names *names = &declaration->columns[i].names;

        for (size_t k = 0; splitter->places.of[i] < 0 && k < names->count; k++) {
            for (size_t at = 1; at < field.length; at++) {
                if (is_name_at(field, at, names->names[k])) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Finds the fields of columns by the names in a header. Returns NULL, or what is wrong. */
static const char *place_by_names(struct declared_splitter *splitter, struct word header) {
    const struct declaration *declaration = splitter->declaration;
    struct word fields[DECLARED_FIELDS + 1];
    size_t count = cut_separated(splitter, header, fields, DECLARED_FIELDS);

    if (count > DECLARED_FIELDS) {
        return "its header has more than 64 columns";
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        splitter->places.of[i] = -1;
        for (size_t k = 0;
             k < count && splitter->places.of[i] < 0 && declaration->columns[i].carry == 0; k++) {
            if (has_name(&declaration->columns[i].names, word_trim(fields[k]))) {
                splitter->places.of[i] = (int8_t)k;
            }
        }
        if (splitter->places.of[i] < 0 && declaration->columns[i].carry == 0 &&
            !declaration->columns[i].optional) {
            return "its first line does not name the columns that the format has";
        }
    }
    splitter->places.fields = count;
    return count > 0 && has_name_in_text(splitter, word_trim(fields[0]))
               ? "its first line has other text before the name of a column"
               : NULL;
}

/* Finds the field of each column by the name of a group in the expression, otherwise by order. */
static void place_in_order(struct declared_splitter *splitter) {
    const struct declaration *declaration = splitter->declaration;
    int8_t next = 0;

    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_column *column = &declaration->columns[i];

        splitter->places.of[i] =
            column->carry > 0 ? -1
            : column->names.count == 0
                ? next++
                : (int8_t)expression_group(declaration->expression, column->names.names[0]);
    }
    splitter->places.fields = declaration->expression == NULL
                                  ? declaration->line_columns
                                  : expression_groups(declaration->expression);
}

/* Allocates buffers for the expressions of columns, and for values from earlier lines. */
static void open_columns(struct declared_splitter *splitter) {
    const struct declaration *declaration = splitter->declaration;

    for (size_t i = 0; i < declaration->carried.count; i++) {
        splitter->carry[i] = expression_match_new(declaration->carry[i]);
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        if (declaration->columns[i].within != NULL) {
            splitter->within[i] = expression_match_new(declaration->columns[i].within);
        }
    }
    if (declaration->carried.count > 0) {
        splitter->carried = xcalloc(declaration->column_count, sizeof *splitter->carried);
    }
}

/* Returns a parsed line in which no value is set. */
static struct declared_line empty_line(const struct declaration *declaration) {
    struct declared_line line = {
        .request = block_request_empty,
        .measured.run = EVENT_NONE,
        .call = {.offset = EVENT_NONE,
                 .bytes = EVENT_NONE,
                 .result = EVENT_NONE,
                 .end = EVENT_NONE,
                 .tid = EVENT_NONE},
    };

    line.request.time = declared_find(declaration, OF(PAUSE)) != NULL ? 0 : EVENT_NONE;
    line.request.flags = IO_OTHER;
    return line;
}

const char *declared_splitter_open(struct declared_splitter *splitter,
                                   const struct declaration *declaration, struct word header) {
    *splitter =
        (struct declared_splitter){.declaration = declaration, .empty = empty_line(declaration)};
    if (declaration->skip != NULL) {
        splitter->skip = expression_match_new(declaration->skip);
    }
    if (declaration->lost != NULL) {
        splitter->lost = expression_match_new(declaration->lost);
    }
    open_columns(splitter);
    if (declaration->part[1] != NULL) {
        splitter->part[0] = expression_match_new(declaration->part[0]);
        splitter->part[1] = expression_match_new(declaration->part[1]);
        splitter->parts = xcalloc(1, sizeof *splitter->parts);
    }
    if (declaration->expression != NULL) {
        place_in_order(splitter);
        splitter->match = expression_match_new(declaration->expression);
        splitter->padded = word_ends(header, " ") || word_ends(header, " \r");
        return NULL;
    }
    if (declaration->quotes) {
        splitter->room = xmalloc(READER_WINDOW + DECLARED_CARRIED);
    }
    if (declaration->header == DECLARED_NAMES_HEADER) {
        return place_by_names(splitter, header);
    }
    place_in_order(splitter);
    return NULL;
}

void declared_splitter_close(struct declared_splitter *splitter) {
    expression_match_free(splitter->match);
    expression_match_free(splitter->skip);
    expression_match_free(splitter->lost);
    expression_match_free(splitter->part[0]);
    expression_match_free(splitter->part[1]);
    while (splitter->parts != NULL && splitter->parts->by_key != NULL) {
        remove_part(splitter->parts, splitter->parts->by_key);
    }
    if (splitter->parts != NULL) {
        text_free(&splitter->parts->joined);
    }
    free(splitter->parts);
    for (size_t i = 0; i < DECLARED_NAMES; i++) {
        expression_match_free(splitter->carry[i]);
    }
    for (size_t i = 0; i < DECLARED_COLUMNS; i++) {
        expression_match_free(splitter->within[i]);
    }
    for (size_t i = 0; splitter->carried != NULL && i < splitter->declaration->column_count; i++) {
        text_free(&splitter->carried[i]);
    }
    free(splitter->carried);
    free(splitter->room);
    *splitter = (struct declared_splitter){.declaration = splitter->declaration};
}
