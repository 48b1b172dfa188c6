/* Tables of counts that tracers print instead of calls and I/Os: counts by name, and histograms.
 *
 *     % time     seconds  usecs/call     calls    errors syscall          strace -c, also with -w,
 * -U
 *     ------ ----------- ----------- --------- --------- ----------------
 *      60.00    0.000600          60        10         2 openat
 *
 *     SYSCALL              COUNT                                          syscount, funccount
 *     write                34581
 *
 *       >=(ms) .. <(ms)   : I/O      |Distribution           |            iolatency, bitesize
 *            0 -> 1       : 4381     |######################|
 *
 *     @[bash]: 5                                                          bpftrace: count()
 *     @bytes[cat, 7]: count 2, average 10, total 20                       stats()
 *     @usecs:                                                             hist(), lhist()
 *     [4, 8)                 2 |@@@@@@@@            |
 *
 * Each value is an event with a test, a measure and a run. The test is the name or the range in
 * the row. Measures are "calls", "errors", "time", "shortest" and "longest" of strace's table,
 * whose other columns follow from these; "count"; or, of a histogram, what is counted by which
 * unit: "I/O by ms". For a map of bpftrace, the test is the key, or without a key the map's name;
 * the measure is the map's name, or "count". In a histogram of a key, the test is key and range;
 * bcc prints the key in the line above, `disk = sda`. The run is the number of the table: these
 * programs print one table an interval.
 *
 * A table ends at a blank line, at strace's total and at ^C. Lines outside of tables are ignored:
 * the traced program printed them on the same terminal.
 *
 * Tables filled: event (time: index in the log; operation; actor; address: the run; value:
 * millionths); name (kinds measure and unit); actor. */
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "measured.h"
#include "model/linux.h"

enum {
    MEASURE_NAME = 64,   /* maximum bytes of the name of a measure or a map */
    MAP_KEY = 256,       /* maximum bytes of a key of a bpftrace map */
    MAP_VALUES = 3,      /* maximum values of a key, as stats() prints them */
    CALLS_OF_STRACE = 5, /* with this many system calls before a table, the file is a strace log */
};
#define MOST_COUNT INT64_C(999999999999)

static const char no_value[] = "lines without a value";
static const char bad_row[] = "not a row of the table above it";
static const char bad_value[] = "a value is not a number in range";

/* Columns of the table that strace -c prints, by their headings. */
enum column { PERCENT, SECONDS, MEAN, SHORTEST, LONGEST, CALLS, ERRORS, SYSCALL, COLUMNS };
static const struct {
    const char *heading, *measure, *unit; /* `measure` NULL: the column is not stored */
} columns[COLUMNS] = {
    [PERCENT] = {"time", NULL, NULL},        [SECONDS] = {"seconds", "time", "s"},
    [MEAN] = {"usecs/call", NULL, NULL},     [SHORTEST] = {"shortest", "shortest", "s"},
    [LONGEST] = {"longest", "longest", "s"}, [CALLS] = {"calls", "calls", ""},
    [ERRORS] = {"errors", "errors", ""},     [SYSCALL] = {"syscall", NULL, NULL},
};

/* The table that is being read. */
struct table {
    enum { NO_TABLE, OF_STRACE, OF_NAMES, OF_RANGES, OF_MAP } kind;
    enum column columns[COLUMNS];
    size_t count;
    bool has_errors;       /* true: the table has a column of errors */
    const char *time_unit; /* unit of the times behind counts, as syscount -L has them; or NULL */
    char measure[MEASURE_NAME];
    char map[MEASURE_NAME]; /* name of the bpftrace map, with its "@" */
    char key[MAP_KEY + 1];  /* key of the histogram; names of its ranges begin with this key */
};

/* A line of a map of bpftrace: `@NAME[KEY]: VALUES`. Without values, a histogram follows. */
struct map_line {
    struct word map, key, values; /* map: @NAME */
};

struct counts {
    int64_t values, tables; /* number of values, and of tables, imported so far */
    struct table table;
    char section[MAP_KEY]; /* values in the line above a bcc histogram; "": none */
};

/* --- headings of tables ----------------------------------------------------------------------- */

/* Reads the heading of the table of strace -c: `% time seconds … syscall`, in any order. The `%` is
 * optional. */
static bool read_strace_heading(struct word line, struct table *table) {
    unsigned seen = 0;
    struct word word;

    while ((word = word_next(&line)).length > 0) {
        size_t i = 0;

        if (word_is(word, "%")) {
            continue;
        }
        /* ltrace -c heads this column "function" */
        word = word_is(word, "function") ? word_of("syscall") : word;
        while (i < COLUMNS && !word_is(word, columns[i].heading)) {
            i++;
        }
        if (i == COLUMNS || (seen >> i & 1) != 0) {
            return false;
        }
        seen |= 1u << i;
        table->columns[table->count++] = (enum column)i;
    }
    table->has_errors = (seen >> ERRORS & 1) != 0;
    return (seen >> SYSCALL & 1) != 0 && table->count > 1;
}

/* Reads the heading of a table of names: `SYSCALL COUNT`, or `PID COMM COUNT TIME (us)`. */
static bool read_names_heading(struct word line, struct table *table) {
    struct word name = word_next(&line);

    if (word_is(name, "PID")) {
        name = word_next(&line);
    }
    if (!word_listed(name, "SYSCALL COMM FUNC") || !word_is(word_next(&line), "COUNT")) {
        return false;
    }
    line = word_trim(line);
    table->time_unit = word_is(line, "TIME (us)") ? "us" : word_is(line, "TIME (ms)") ? "ms" : NULL;
    return line.length == 0 || table->time_unit != NULL;
}

/* Reads the heading of a histogram, `UNIT : COUNTED |Distribution |`. iolatency prints the unit in
 * brackets. */
static bool read_ranges_heading(struct word line, struct table *table) {
    struct word unit = word_field(&line, ':'), counted = word_next(&line), within = unit;

    word_field(&within, '(');
    within = word_field(&within, ')');
    unit = word_trim(within.length > 0 ? within : unit);
    line = word_trim(line);
    if (word_peek(&line) == '|') {
        word_skip(&line, 1);
    }
    if (unit.length == 0 ||
        (!word_begins(line, "Distribution") && !word_begins(line, "distribution"))) {
        return false;
    }
    snprintf(table->measure, sizeof table->measure, "%.*s by %.*s", WORD_TEXT(counted),
             WORD_TEXT(unit));
    return true;
}

static bool read_map_line(struct word line, struct map_line *read) {
    const char *begin = line.bytes, *end = begin + line.length, *at = begin + 1, *close;

    if (word_peek(&line) != '@') {
        return false;
    }
    while (at < end &&
           (word_is_digit(*at) || *at == '_' || ((*at | 32) >= 'a' && (*at | 32) <= 'z'))) {
        at++;
    }
    *read = (struct map_line){.map = word_between(begin, at)};
    if (at < end && *at == '[') {
        close = end - 2; /* the last "]:" ends the key, which may contain others */
        while (close > at && memcmp(close, "]:", 2) != 0) {
            close--;
        }
        if (close <= at + 1) {
            return false;
        }
        read->key = word_between(at + 1, close);
        at = close + 1;
    }
    if (at == end || *at != ':') {
        return false;
    }
    read->values = word_trim(word_between(at + 1, end));
    return true;
}

static bool counts_read_heading(struct word line, struct table *table) {
    *table = (struct table){.measure = "count"};
    word_accept(&line, "^C");
    table->kind = read_names_heading(line, table)    ? OF_NAMES
                  : read_ranges_heading(line, table) ? OF_RANGES
                  : read_strace_heading(line, table) ? OF_STRACE
                                                     : NO_TABLE;
    return table->kind != NO_TABLE;
}

/* Sets `section` to the values in the line above a histogram of bcc, `disk = 'sda'` or `disk =
 * sda<TAB>flags = Read`. No values: "". */
static void read_section(struct word line, char section[MAP_KEY]) {
    size_t length = 0;

    section[0] = '\0';
    while (line.length > 0 && length < MAP_KEY) {
        struct word value = word_field(&line, '\t');

        word_field(&value, '=');
        value = word_trim(value);
        if (value.length > 2 && *value.bytes == '\'' && word_ends(value, "'")) {
            value = word_between(value.bytes + 1, value.bytes + value.length - 1);
        }
        if (value.length > 0) {
            length += (size_t)snprintf(section + length, MAP_KEY - length, "%s%.*s",
                                       length > 0 ? ", " : "", WORD_TEXT(value));
        }
    }
}

/* --- rows of tables --------------------------------------------------------------------------- */

static void counts_add(struct import *import, struct counts *state, struct measured *measured) {
    measured->run = state->tables;
    measured_add(import, &state->values, measured);
}

/* Reads the values in a row of strace -c by column; a blank value becomes EVENT_NONE. Returns NULL,
 * or why the line is no row. */
static const char *counts_read_values(const struct table *table, struct word line, size_t words,
                                      int64_t values[COLUMNS], struct word *name) {
    bool rounded;

    for (size_t i = 0; i < table->count; i++) {
        enum column column = table->columns[i];

        values[i] = EVENT_NONE;
        if (column == SYSCALL) {
            *name = word_next(&line);
        } else if (column != ERRORS || words == table->count) {
            struct word word = word_next(&line);

            if (*word.bytes == '-' || !measured_parse(word, &values[i], &rounded)) {
                return bad_value;
            }
        }
    }
    return NULL;
}

/* Imports a row of strace -c's table. The errors column is blank for calls without errors. */
static const char *handle_strace_row(struct import *import, struct counts *state,
                                     struct word line) {
    const struct table *table = &state->table;
    struct word rest = line, first = line, last = line, name = {NULL, 0};
    int64_t values[COLUMNS];
    const char *damage;
    size_t words = 0;

    if (word_is(word_next(&first), "total") || word_is(word_last(&last), "total")) {
        state->table.kind = NO_TABLE;
        return no_value;
    }
    while (word_next(&rest).length > 0) {
        words++;
    }
    if (words != table->count && (words + 1 != table->count || !table->has_errors)) {
        return bad_row;
    }
    damage = counts_read_values(table, line, words, values, &name);
    for (size_t i = 0; damage == NULL && i < table->count; i++) {
        enum column column = table->columns[i];

        if (columns[column].measure != NULL && values[i] != EVENT_NONE) {
            counts_add(import, state,
                       &(struct measured){.test = name,
                                          .measure = word_of(columns[column].measure),
                                          .unit = word_of(columns[column].unit),
                                          .millionths = values[i]});
        }
    }
    return damage;
}

/* Adds the count in a row. `test` is the row's name or range; the key of the table's histogram, if
 * any, is put before it. Returns NULL, or why the count is not valid. */
static const char *add_count(struct import *import, struct counts *state, struct word test,
                             struct word count) {
    struct measured measured = {.test = test, .measure = word_of(state->table.measure)};
    char of_key[MAP_KEY + MEASURE_NAME];
    int64_t number;

    if (!word_number(count, MOST_COUNT, &number)) {
        return bad_value;
    }
    if (state->table.key[0] != '\0') {
        snprintf(of_key, sizeof of_key, "%s%.*s", state->table.key, WORD_TEXT(test));
        measured.test = word_of(of_key);
    }
    measured.millionths = number * 1000000;
    counts_add(import, state, &measured);
    return NULL;
}

/* Reads a row with a name, its count, and perhaps its time. */
static const char *handle_name(struct import *import, struct counts *state, struct word line) {
    const char *unit = state->table.time_unit;
    struct word count, time = unit != NULL ? word_last(&line) : line;
    struct measured measured = {.measure = word_of("time"),
                                .unit = word_of(unit != NULL ? unit : "")};
    const char *why;
    bool rounded;

    if (unit != NULL && !measured_parse(time, &measured.millionths, &rounded)) {
        return bad_value;
    }
    count = word_last(&line);
    measured.test = word_trim(line);
    if (measured.test.length == 0) {
        return bad_row;
    }
    why = add_count(import, state, measured.test, count);
    if (why == NULL && unit != NULL) {
        counts_add(import, state, &measured);
    }
    return why;
}

/* Reads a row with a name or a range, and its count. */
static const char *counts_handle_count(struct import *import, struct counts *state,
                                       struct word line) {
    struct word count, test;

    if (state->table.kind == OF_NAMES) {
        return handle_name(import, state, line);
    }
    test = word_trim(word_field(&line, ':'));
    count = word_next(&line);
    /* `2 -> 3`, or `2` in a linear histogram */
    if ((memmem(test.bytes, test.length, "->", 2) == NULL && word_digits(test) < test.length) ||
        word_peek(&line) != '|') {
        return bad_row;
    }
    return test.length == 0 ? bad_row : add_count(import, state, test, count);
}

/* Adds the values of a key of a map: a number, or `count 2, average 10, total 20`. Their measures
 * have the name of the map, as several maps may have the same keys. */
static const char *handle_map_values(struct import *import, struct counts *state,
                                     const struct map_line *line) {
    struct word name = line->map, rest = line->values;
    struct measured measured[MAP_VALUES];
    char of_map[MAP_VALUES][2 * MEASURE_NAME];
    size_t count = 0;
    bool rounded;

    word_skip(&name, 1);
    do {
        struct word value = word_trim(word_field(&rest, ','));

        measured[count] = (struct measured){.test = line->key.length > 0 ? line->key : line->map,
                                            .measure = name.length > 0 ? name : word_of("count")};
        if (!measured_parse(value, &measured[count].millionths, &rounded)) {
            measured[count].measure = word_next(&value);
            if (!measured_parse(word_trim(value), &measured[count].millionths, &rounded)) {
                return bad_value;
            }
            if (name.length > 0 && line->key.length > 0) {
                snprintf(of_map[count], sizeof of_map[count], "%.*s of %.*s",
                         WORD_TEXT(measured[count].measure), WORD_TEXT(name));
                measured[count].measure = word_of(of_map[count]);
            }
        }
    } while (++count < MAP_VALUES && rest.length > 0);
    for (size_t i = 0; rest.length == 0 && i < count; i++) {
        counts_add(import, state, &measured[i]);
    }
    return rest.length == 0 ? NULL : bad_value;
}

/* Reads a range of a histogram, `[4, 8) 2 |@@@@ |`. */
static const char *handle_map_range(struct import *import, struct counts *state, struct word line) {
    const char *bar = memchr(line.bytes, '|', line.length);
    struct word range = word_between(line.bytes, bar == NULL ? line.bytes : bar),
                count = word_last(&range);

    range = word_trim(range);
    if (range.length == 0 || range.length > MEASURE_NAME / 2 ||
        memchr("[(", *range.bytes, 2) == NULL) {
        return bad_row;
    }
    return add_count(import, state, range, count);
}

static const char *handle_map_line(struct import *import, struct counts *state,
                                   const struct map_line *line) {
    struct table *table = &state->table;

    /* Start a new table at the first line of a map, and at each line that has no key. */
    if (table->kind != OF_MAP || line->key.length == 0 || !word_is(line->map, table->map)) {
        *table = (struct table){.kind = OF_MAP};
        snprintf(table->map, sizeof table->map, "%.*s", WORD_TEXT(line->map));
        state->tables++;
    }
    if (line->values.length > 0) {
        return handle_map_values(import, state, line);
    }
    if (line->key.length >= MAP_KEY) {
        table->kind = NO_TABLE;
        return bad_row;
    }
    snprintf(table->measure, sizeof table->measure, line->map.length > 1 ? "count by %s" : "count",
             table->map + 1);
    snprintf(table->key, sizeof table->key, "%.*s%s", WORD_TEXT(line->key),
             line->key.length > 0 ? " " : "");
    return no_value;
}

/* Imports a line. Returns NULL if it has values, otherwise why it has none. */
static const char *counts_handle_line(struct import *import, struct counts *state,
                                      struct word line) {
    struct word text = word_trim(line);
    struct map_line map;
    struct table table;

    if (word_begins(text, "^C") || word_is(text, "Detaching...")) {
        state->table.kind = NO_TABLE;
    }
    if (read_map_line(text, &map)) {
        return handle_map_line(import, state, &map);
    }
    if (word_begins(text, "]:")) { /* the last line of a key on several lines, such as a stack */
        return bad_row;
    }
    if (counts_read_heading(text, &table)) {
        if (table.kind == OF_RANGES && state->section[0] != '\0') {
            snprintf(table.key, sizeof table.key, "%s ", state->section);
        }
        state->section[0] = '\0';
        state->table = table;
        state->tables++;
        return no_value;
    }
    if (state->table.kind == NO_TABLE || word_begins(text, "---")) {
        read_section(text, state->section);
        return no_value;
    }
    return state->table.kind == OF_STRACE ? handle_strace_row(import, state, text)
           : state->table.kind == OF_MAP  ? handle_map_range(import, state, text)
                                          : counts_handle_count(import, state, text);
}

/* --- definition of the importer --------------------------------------------------------------- */

/* Returns whether a line has a system call as in a log of strace. */
static bool is_call(struct word text) {
    struct word before = word_field(&text, '(');
    char first = word_peek(&before);

    return text.length > 0 && !word_ends(text, ";") && linux_call_is_known(word_last(&before)) &&
           (before.length == 0 || word_is_digit(first) || first == '[');
}

/* Returns whether a line is of a bpftrace map: it has values, or a histogram follows in `rest`. */
static bool is_map(struct word text, struct word rest) {
    struct word next = word_field(&rest, '\n');
    struct map_line line;
    int64_t number;
    bool rounded;

    if (!read_map_line(text, &line)) {
        return false;
    }
    if (line.values.length == 0) {
        return memchr("[(", word_peek(&next), 2) != NULL && word_ends(word_trim(next), "|");
    }
    return word_begins(line.values, "count ") || measured_parse(line.values, &number, &rounded);
}

/* Searches all lines for a table, since output of the traced program may come first. Refuses a log
 * with calls, as strace -C writes it: that is for the importer of strace. */
static enum sniff_score sniff_counts(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length};
    struct table table;
    int calls = 0;

    while (rest.length > 0) {
        struct word text = word_trim(word_field(&rest, '\n'));

        if (counts_read_heading(text, &table) || is_map(text, rest)) {
            return calls < CALLS_OF_STRACE ? SNIFF_GREEDY : SNIFF_NO;
        }
        calls += is_call(text);
    }
    return SNIFF_NO;
}

static void read_counts(struct import *import, void *context, struct reader *reader) {
    struct counts *state = context;
    struct line line;

    reader_skip_mark(reader);
    state->table.kind = NO_TABLE;
    while (lines_next(import, reader, lines_too_long, &line)) {
        const char *damage;

        if (word_trim(line.text).length == 0) {
            state->table.kind = NO_TABLE;
            state->section[0] = '\0';
            continue;
        }
        damage = counts_handle_line(import, state, line.text);
        if (damage == no_value) {
            import_ignored(import, no_value, line.offset);
        } else if (damage != NULL) {
            lines_reject(import, &line, damage);
        }
    }
}

static const struct resume_value resume[] = {
    {"values", offsetof(struct counts, values), 0, INT64_MAX, false},
    {"tables", offsetof(struct counts, tables), 0, INT64_MAX, false},
    {0},
};

extern const struct importer counts_importer;

const struct importer counts_importer = {
    .name = "counts",
    .description =
        "tables of counts: strace -c; bpftrace; syscount, funccount, iolatency, bitesize",
    .line = "% time     seconds  usecs/call     calls    errors syscall",
    .made_of = "a table below % time … calls errors syscall, SYSCALL COUNT, UNIT : I/O "
               "Distribution, or of bpftrace: @[KEY]: 5",
    .variants = "output",
    .kinds = 1u << TRACE_RESULTS,
    .meanings = {[TRACE_RESULTS] = measured_meanings},
    .facts = {[TRACE_RESULTS] = FACTS_OF_LOG(0)},
    .columns = MEASURED_COLUMNS,
    .state_size = sizeof(struct counts),
    .sniff = sniff_counts,
    .begin = measured_begin,
    .read = read_counts,
    .end = measured_end,
    .resume = resume,
    .dump = measured_append_dump,
};
