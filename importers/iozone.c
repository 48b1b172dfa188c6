/* Output of IOzone: the table by file size and record size, and the throughput tests.
 *
 *             kB  reclen    write  rewrite    read    reread    read     write
 *         102400       4     1864     1901     6688     6710     5331     2962
 *         102400    1024    20388    20124                     22900    18276
 *
 *     Children see throughput for  4 initial writers  =   38213.38 kB/sec
 *
 * Some headings are equal, but columns have a fixed order, so the line above the header is not
 * needed. Tests that were not run leave columns blank, so a number belongs to the heading that
 * ends at the same place. Up to IOzone 3.4, kB is written KB and columns are narrower; a table
 * quoted in a mail is shifted.
 *
 * Values are kB/s unless a line says operations per second or microseconds per operation. Ignored
 * are the setup, other lines without a value, and the part after "Excel output is below" (-R),
 * which repeats the values.
 *
 * Tables filled: event (time: index in the log; operation; actor; value: millionths); name (kinds
 * measure and unit); actor. */
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "measured.h"

enum {
    SIZES = 2,     /* number of columns before the values: file size and record size */
    COLUMNS = 13,  /* number of columns with values */
    FEWEST = 2,    /* a header has at least this many columns with values */
    FAR = 3,       /* maximum bytes between the end of a number and that of its heading */
    TEST_NAME = 64 /* maximum bytes of a test's name */
};
#define MOST_SIZE INT64_C(1000000000000000)

static const char no_value[] = "lines without a value";
static const char bad_size[] = "size of the file or of a record is not a number in range";
static const char bad_value[] = "a value is not a number in range";
static const char bad_column[] = "a value without a heading above it";
static const char nothing[] = "a row without values";
static const char bad_throughput[] = "throughput does not begin with a number of processes";

static const char banner[] = "Iozone: Performance Test of File I/O";
static const char throughput[] = "Children see throughput for";
static const char excel[] = "Excel output is below";

/* Names of the measures, and headings of their columns in iozone's tables. */
static const struct {
    const char *measure, *heading;
} tests[COLUMNS] = {
    {"write", "write"},        {"rewrite", "rewrite"},        {"read", "read"},
    {"reread", "reread"},      {"random read", "read"},       {"random write", "write"},
    {"backward read", "read"}, {"record rewrite", "rewrite"}, {"stride read", "read"},
    {"fwrite", "fwrite"},      {"frewrite", "frewrite"},      {"fread", "fread"},
    {"freread", "freread"},
};

struct iozone {
    int64_t values;   /* number of values read so far */
    const char *unit; /* unit of values in the current file */
    bool is_excel; /* true: the line that iozone prints before the part for Excel (-R) was read */
    size_t count;  /* number of columns, with file size and record size; 0: no header read */
    size_t ends[SIZES + COLUMNS]; /* by column: offset in the line at which its heading ends */
};

/* --- the table of file and record sizes ------------------------------------------------------- */

/* If the line is a table's header, returns the number of columns and sets `ends`; otherwise 0. */
static size_t iozone_read_heading(struct word line, size_t ends[SIZES + COLUMNS]) {
    const char *begin = line.bytes;
    size_t count = 0;
    struct word word;

    while ((word = word_next(&line)).length > 0) {
        bool fits = count >= SIZES + COLUMNS ? false
                    : count == 0             ? word_is(word, "kB") || word_is(word, "KB")
                    : count == 1             ? word_is(word, "reclen")
                                             : word_is(word, tests[count - SIZES].heading);

        if (!fits) {
            return 0;
        }
        ends[count++] = (size_t)(word.bytes + word.length - begin);
    }
    return count >= SIZES + FEWEST ? count : 0;
}

/* Returns the column of a number. If the row has no blank columns (`whole`), that is `next`;
 * otherwise the column whose heading ends near the number's end; COLUMNS if there is none. */
static size_t iozone_find_column(const struct iozone *state, size_t end, size_t next, bool whole) {
    size_t best = SIZES + next;

    if (whole) {
        return next;
    }
    for (size_t i = best; i < state->count; i++) {
        size_t far = state->ends[i] > end ? state->ends[i] - end : end - state->ends[i];

        if (far <= FAR) {
            return i - SIZES;
        }
    }
    return COLUMNS;
}

/* Sets a row's values by column; EVENT_NONE: blank. Returns NULL, or why the line is no row. */
static const char *iozone_read_values(const struct iozone *state, struct word line,
                                      const char *begin, int64_t values[COLUMNS]) {
    struct word rest = line, word;
    size_t count = 0, next = 0;
    bool rounded;

    for (size_t i = 0; i < COLUMNS; i++) {
        values[i] = EVENT_NONE;
    }
    while (word_next(&rest).length > 0) {
        count++;
    }
    if (count == 0) {
        return nothing;
    }
    while ((word = word_next(&line)).length > 0) {
        size_t end = (size_t)(word.bytes + word.length - begin);
        size_t column = iozone_find_column(state, end, next, count == state->count - SIZES);

        if (column >= COLUMNS) {
            return bad_column;
        }
        if (*word.bytes == '-' || !measured_parse(word, &values[column], &rounded)) {
            return bad_value;
        }
        next = column + 1;
    }
    return NULL;
}

static const char *iozone_handle_row(struct import *import, struct iozone *state,
                                     struct word line) {
    const char *begin = line.bytes, *damage;
    char name[TEST_NAME];
    int64_t size, record, values[COLUMNS];

    if (!word_number(word_next(&line), MOST_SIZE, &size) ||
        !word_number(word_next(&line), MOST_SIZE, &record)) {
        return bad_size;
    }
    damage = iozone_read_values(state, line, begin, values);
    if (damage != NULL) {
        return damage;
    }
    snprintf(name, sizeof name, "%lld kB, records of %lld kB", (long long)size, (long long)record);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (values[i] != EVENT_NONE) {
            measured_add(import, &state->values,
                         &(const struct measured){.test = word_of(name),
                                                  .measure = word_of(tests[i].measure),
                                                  .unit = word_of(state->unit),
                                                  .run = EVENT_NONE,
                                                  .millionths = values[i]});
        }
    }
    return NULL;
}

/* --- throughput tests ------------------------------------------------------------------------- */

/* Reads a throughput after "Children see throughput for": "4 initial writers = 38213.38 kB/sec". */
static const char *parse_throughput(struct import *import, struct iozone *state, struct word rest) {
    struct word who = word_trim(word_field(&rest, '=')), count = word_next(&who), value, unit;
    struct measured measured = {.measure = word_trim(who), .run = EVENT_NONE};
    char name[TEST_NAME];
    int64_t processes;
    bool rounded;

    value = word_next(&rest);
    unit = word_trim(rest);
    if (!word_number(count, UINT32_MAX, &processes) || measured.measure.length == 0 ||
        unit.length == 0) {
        return bad_throughput;
    }
    if (value.length == 0 || *value.bytes == '-' ||
        !measured_parse(value, &measured.millionths, &rounded)) {
        return bad_value;
    }
    snprintf(name, sizeof name, "%lld processes", (long long)processes);
    measured.test = word_of(name);
    measured.unit = word_is(unit, "kB/sec") || word_is(unit, "KB/sec") ? word_of("kB/s") : unit;
    measured_add(import, &state->values, &measured);
    return NULL;
}

/* --- kinds of lines --------------------------------------------------------------------------- */

static void begin_run(struct iozone *state) {
    state->unit = "kB/s";
    state->is_excel = false;
    state->count = 0;
}

/* Imports a line. Returns NULL, or why the line is rejected or ignored. */
static const char *iozone_handle_line(struct import *import, struct iozone *state,
                                      struct word line) {
    struct word text = word_trim(line);
    size_t ends[SIZES + COLUMNS], count = iozone_read_heading(line, ends);

    if (count > 0) {
        state->count = count;
        memcpy(state->ends, ends, sizeof ends);
    } else if (word_begins(text, banner)) {
        begin_run(state);
    } else if (word_begins(text, excel)) {
        state->is_excel = true;
    } else if (state->is_excel) {
        return no_value;
    } else if (word_begins(text, throughput)) {
        word_skip(&text, strlen(throughput));
        return parse_throughput(import, state, text);
    } else if (state->count > 0 && word_is_digit(*text.bytes)) {
        return iozone_handle_row(import, state, line);
    } else {
        const char *modes[][2] = {{"OPS Mode", "ops/s"}, {"Microseconds/op Mode", "us"}};

        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            if (word_begins(text, modes[i][0])) {
                state->unit = modes[i][1];
            }
        }
    }
    return no_value;
}

/* --- definition of the importer --------------------------------------------------------------- */

/* Recognises IOzone's output by its banner, or by a table without a banner. */
static enum sniff_score sniff_iozone(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length};
    size_t ends[SIZES + COLUMNS];
    enum sniff_score score = SNIFF_NO;

    while (rest.length > 0) {
        struct word line = word_field(&rest, '\n');

        if (word_begins(word_trim(line), banner)) {
            return SNIFF_MAGIC;
        }
        if (iozone_read_heading(line, ends) > 0) {
            score = SNIFF_LIKELY;
        }
    }
    return score;
}

static void read_iozone(struct import *import, void *context, struct reader *reader) {
    struct iozone *state = context;
    struct line line;

    reader_skip_mark(reader);
    begin_run(state);
    while (lines_next(import, reader, lines_too_long, &line)) {
        const char *damage =
            word_trim(line.text).length == 0 ? NULL : iozone_handle_line(import, state, line.text);

        if (damage == no_value) {
            import_ignored(import, no_value, line.offset);
        } else if (damage != NULL) {
            lines_reject(import, &line, damage);
        }
    }
}

static const struct resume_value resume[] = {
    {"values", offsetof(struct iozone, values), 0, INT64_MAX, false},
    {0},
};

extern const struct importer iozone_importer;

const struct importer iozone_importer = {
    .name = "iozone",
    .description = "what IOzone measured: its table, and throughputs",
    .line = "          102400       4     1864     1901     6688     6710",
    .made_of = "IOzone's table, below a heading that begins with kB reclen write rewrite",
    .variants = "output",
    .kinds = 1u << TRACE_RESULTS,
    .meanings = {[TRACE_RESULTS] = measured_meanings},
    .facts = {[TRACE_RESULTS] = FACTS_OF_LOG(0)},
    .columns = EVENT_OPERATION | EVENT_ACTOR | EVENT_VALUE,
    .state_size = sizeof(struct iozone),
    .sniff = sniff_iozone,
    .begin = measured_begin,
    .read = read_iozone,
    .end = measured_end,
    .resume = resume,
    .dump = measured_append_dump,
};
