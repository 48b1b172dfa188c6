/* Results of Mobibench: the files IO_Latency.txt and IOPS.txt, and its output.
 *
 *     #In 1 IO mode and 2 sync mode
 *     4799<TAB>usec
 *     988<TAB>usec
 *     [TIME] :       0 sec 221746us. <TAB>1182181 B/sec, <TAB>1154.47 KB/sec, <TAB>1.13 MB/sec.
 * 288.62 IOPS(4KB)
 *
 *     288.62 IOPS
 *     1154.47 KB/s
 *
 *     [Messurement Result]
 *     [CPU] : Active,Idle,IoWait : 0.05 0.93 0.02
 *     [TIME] :       3 sec 081746us. <TAB>324 Transactions/sec
 *
 * "Messurement" is Mobibench's spelling. Each value becomes an event. The event's time is its
 * index, as the log has no times. The event's operation is the measure, with the printed unit as
 * component; its actor is the mode of the test, with the test's number as session. Values are
 * rounded to six decimals.
 *
 * Output lines without a known value are ignored: setup, progress, numbers of context switches. In
 * IO_Latency.txt and IOPS.txt each line must be one of the above.
 *
 * Tables filled: event (time: index in the log, operation, actor, value: millionths); name (kinds
 * measure and unit); actor. */
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "measured.h"

enum {
    DECIMALS = 6,
    MODES = 5,
    SYNC_MODES = 10, /* highest number of Mobibench's sync mode */
    TESTS = 1000000, /* maximum tests in a trace */
    TEST_NAME = 64,  /* maximum bytes of a test's name */
};

/* Limit of values: in millionths, they still fit into 63 bits. */
#define MOST_VALUE INT64_C(1000000000000)
#define MILLION    1000000

static const char bad_line[] = "neither a test's mode, a latency, a rate nor a time";
static const char bad_mode[] = "mode is not 0 to 4, or sync mode not 0 to 10";
static const char bad_value[] = "a value is not a number in range, with up to 6 decimals";
static const char bad_unit[] = "a rate in an unknown unit";
static const char no_value[] = "lines without a known value";

static const char test_begin[] = "#In ";
static const char result_begin[] = "[Messurement Result]";

/* Measures, each with a unit printed with it. A measure with several units has several entries, so
 * the index is used as the code in table name. */
enum { LATENCY_OF_IO, TIME_OF_TEST, CPU_ACTIVE, CPU_IDLE, CPU_WAITING, FIRST_RATE };
static const struct {
    const char *measure, *unit;
} measures[] = {
    [LATENCY_OF_IO] = {"latency", "usec"},
    [TIME_OF_TEST] = {"time", "sec"},
    [CPU_ACTIVE] = {"CPU active", ""},
    [CPU_IDLE] = {"CPU idle", ""},
    [CPU_WAITING] = {"CPU waiting for I/O", ""},
    [FIRST_RATE] = {"throughput", "B/sec"},
    {"throughput", "KB/sec"},
    {"throughput", "MB/sec"},
    {"throughput", "KB/s"},
    {"I/Os", "IOPS"},
    {"I/Os", "IOPS(4KB)"},
    {"transactions", "Transactions/sec"},
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

struct mobibench {
    int64_t values; /* number of values read so far */
    int64_t test;   /* number of the current test; 0: none yet */
    uint32_t actor; /* id in table actor of the current test; 0: none yet */
    bool measured;
    char name[TEST_NAME];
};

/* --- parsing and adding values ---------------------------------------------------------------- */

/* Parses a decimal number; the result is in millionths. */
static bool parse_value(struct word word, int64_t *millionths) {
    int64_t billionths;
    struct word whole = word;

    /* Integers may be larger than word_seconds() accepts, which counts in billionths. */
    if (word_number(whole, MOST_VALUE, millionths)) {
        *millionths *= MILLION;
        return true;
    }
    if (!word_seconds(word, 1, DECIMALS, INT64_C(8000000000), &billionths)) {
        return false;
    }
    *millionths = billionths / 1000;
    return true;
}

static void begin_test(struct import *import, struct mobibench *state) {
    state->actor = 0;
    state->measured = false;
    import_sessions(import, ++state->test);
}

/* Adds an event for a value; `place` is the index in `measures`. */
static void mobibench_add_value(struct import *import, struct mobibench *state, size_t place,
                                int64_t millionths) {
    struct word unit = word_of(measures[place].unit), measure = word_of(measures[place].measure);
    struct name_entry name = {
        .kind = "measure",
        .code = (int64_t)place,
        .text = measure.bytes,
        .length = measure.length,
        .component = unit.length == 0 ? 0 : import_simple_name(import, "unit", unit),
    };
    struct actor_entry actor = {.pid = EVENT_NONE,
                                .tid = EVENT_NONE,
                                .code = EVENT_NONE,
                                .name = state->name,
                                .length = strlen(state->name)};
    struct event *event;
    uint32_t operation;

    if (state->test == 0) {
        begin_test(import, state);
    }
    actor.session = state->test;
    if (state->actor == 0) {
        state->actor = import_actor(import, &actor);
    }
    operation = import_name(import, &name);
    event = import_event(import);
    event->time = state->values++;
    event->operation = operation;
    event->actor = state->actor;
    event->value = millionths;
    state->measured = true;
}

/* --- kinds of lines --------------------------------------------------------------------------- */

enum kind { OTHER, BLANK, TEST, RESULT, LATENCY, RATE, TIME, CPU };

static enum kind mobibench_kind_of(struct word line) {
    struct word rest = word_trim(line), first;

    if (rest.length == 0) {
        return BLANK;
    }
    if (word_begins(rest, test_begin)) {
        return TEST;
    }
    if (word_is(rest, result_begin)) {
        return RESULT;
    }
    if (word_begins(rest, "[TIME]")) {
        return TIME;
    }
    if (word_begins(rest, "[CPU]")) {
        return CPU;
    }
    first = word_next(&rest);
    if (!word_is_digit(*first.bytes)) {
        return OTHER;
    }
    rest = word_trim(rest);
    return word_is(rest, "usec")                            ? LATENCY
           : word_is(rest, "IOPS") || word_is(rest, "KB/s") ? RATE
                                                            : OTHER;
}

/* Reads the modes of a test, "#In 1 IO mode and 2 sync mode". */
static const char *parse_test_line(struct import *import, struct mobibench *state,
                                   struct word line) {
    static const char *const modes[MODES] = {"write", "random write", "read", "random read",
                                             "append"};
    struct word rest = line;
    int64_t mode, sync;

    word_next(&rest);
    if (!word_number(word_next(&rest), MODES - 1, &mode) || !word_is(word_next(&rest), "IO") ||
        !word_is(word_next(&rest), "mode") || !word_is(word_next(&rest), "and") ||
        !word_number(word_next(&rest), SYNC_MODES, &sync) ||
        !word_is(word_trim(rest), "sync mode") || state->test == TESTS) {
        return bad_mode;
    }
    snprintf(state->name, sizeof state->name, "%s, sync mode %lld", modes[mode], (long long)sync);
    begin_test(import, state);
    return NULL;
}

/* Reads a value and its unit, which a comma or point may follow. */
static const char *parse_rate(struct import *import, struct mobibench *state, struct word *rest) {
    struct word value = word_next(rest), unit = word_next(rest);
    int64_t millionths;
    size_t place = FIRST_RATE;

    while (unit.length > 0 &&
           (unit.bytes[unit.length - 1] == ',' || unit.bytes[unit.length - 1] == '.')) {
        unit.length--;
    }
    if (!parse_value(value, &millionths)) {
        return bad_value;
    }
    while (place < MEASURES && !word_is(unit, measures[place].unit)) {
        place++;
    }
    if (place == MEASURES) {
        return bad_unit;
    }
    mobibench_add_value(import, state, place, millionths);
    return NULL;
}

/* Reads the time and rates of a test, "[TIME] : 0 sec 221746us. 1182181 B/sec, …". */
static const char *parse_time_line(struct import *import, struct mobibench *state,
                                   struct word line) {
    struct word rest = line, micros;
    const char *damage = NULL;
    int64_t seconds, parts;

    word_next(&rest);
    if (!word_is(word_next(&rest), ":") ||
        !word_number(word_next(&rest), MOST_VALUE / 2, &seconds) ||
        !word_is(word_next(&rest), "sec")) {
        return bad_value;
    }
    micros = word_next(&rest);
    if (!word_ends(micros, "us.")) {
        return bad_value;
    }
    micros.length -= strlen("us.");
    if (!word_number(micros, MILLION - 1, &parts)) {
        return bad_value;
    }
    mobibench_add_value(import, state, TIME_OF_TEST, seconds * MILLION + parts);
    while (damage == NULL && word_trim(rest).length > 0) {
        damage = parse_rate(import, state, &rest);
    }
    return damage;
}

/* Reads the shares of CPU time, "[CPU] : Active,Idle,IoWait : a b c". */
static const char *parse_cpu_line(struct import *import, struct mobibench *state,
                                  struct word line) {
    enum { VALUES = 3 };
    struct word rest = line;
    int64_t values[VALUES];

    word_next(&rest);
    if (!word_is(word_next(&rest), ":") || !word_is(word_next(&rest), "Active,Idle,IoWait") ||
        !word_is(word_next(&rest), ":")) {
        return bad_value;
    }
    for (size_t i = 0; i < VALUES; i++) {
        if (!parse_value(word_next(&rest), &values[i])) {
            return bad_value;
        }
    }
    for (size_t i = 0; i < VALUES; i++) {
        mobibench_add_value(import, state, CPU_ACTIVE + i, values[i]);
    }
    return NULL;
}

static const char *parse_latency_line(struct import *import, struct mobibench *state,
                                      struct word line) {
    int64_t millionths;

    if (!parse_value(word_next(&line), &millionths)) {
        return bad_value;
    }
    mobibench_add_value(import, state, LATENCY_OF_IO, millionths);
    return NULL;
}

/* Imports a line. Returns NULL, or why the line is rejected or ignored. */
static const char *mobibench_import_line(struct import *import, struct mobibench *state,
                                         struct word line) {
    switch (mobibench_kind_of(line)) {
    case BLANK:
        return NULL;
    case TEST:
        return parse_test_line(import, state, line);
    case RESULT:
        if (state->measured && state->test < TESTS) {
            begin_test(import, state);
        }
        return no_value;
    case LATENCY:
        return parse_latency_line(import, state, line);
    case RATE:
        return parse_rate(import, state, &line);
    case TIME:
        return parse_time_line(import, state, line);
    case CPU:
        return parse_cpu_line(import, state, line);
    case OTHER:
        break;
    }
    return bad_line;
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Returns whether the text is Mobibench's output. It is not if another program has put text before
 * [TIME] and [CPU] in all lines, since no value could be parsed then. */
static bool is_printed(const void *bytes, size_t length) {
    struct word text = {bytes, length};
    bool result = word_has(text, result_begin), behind = false;

    while (result && text.length > 0) {
        struct word line = word_field(&text, '\n');
        enum kind kind = mobibench_kind_of(line);

        if (kind == TIME || kind == CPU) {
            return true;
        }
        behind |= word_has(line, "[TIME] :") || word_has(line, "[CPU] :");
    }
    return result && !behind;
}

static enum line_verdict mobibench_judge(void *context, struct word line) {
    enum kind kind = mobibench_kind_of(line);
    bool *any = context;

    *any |= kind == TEST || kind == RATE;
    return kind == BLANK ? LINE_NOTHING : kind == OTHER ? LINE_BAD : LINE_GOOD;
}

static enum sniff_score sniff_mobibench(const struct sniff *sniff) {
    bool any = false;

    return is_printed(sniff->bytes, sniff->length)                            ? SNIFF_MAGIC
           : lines_sniff(sniff, mobibench_judge, &any) == SNIFF_LIKELY && any ? SNIFF_LIKELY
                                                                              : SNIFF_NO;
}

/* --- definition of the importer --------------------------------------------------------------- */

static void begin_mobibench(struct import *import, void *state) {
    import_clock(import, &(struct import_clock){CLOCK_UNIT_RECORDS, "", 0});
}

static void read_mobibench(struct import *import, void *context, struct reader *reader) {
    struct mobibench *state = context;
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    bool printed = is_printed(reader_bytes(reader), length);
    struct line line;

    import_variant(import, printed ? "output" : "file");
    reader_skip_mark(reader);
    /* A new file begins a new test, even if no line of modes is at its start. */
    state->name[0] = '\0';
    if (state->values > 0 && state->test < TESTS) {
        begin_test(import, state);
    }
    while (lines_next(import, reader, lines_too_long, &line)) {
        const char *damage = mobibench_import_line(import, state, line.text);

        if (damage == no_value || (damage == bad_line && printed)) {
            import_ignored(import, no_value, line.offset);
        } else if (damage != NULL) {
            lines_reject(import, &line, damage);
        }
    }
}

static const struct resume_value resume[] = {
    {"values", offsetof(struct mobibench, values), 0, INT64_MAX, false},
    {"test", offsetof(struct mobibench, test), 0, TESTS, false},
    {0},
};

extern const struct importer mobibench_importer;

const struct importer mobibench_importer = {
    .name = "mobibench",
    .description = "what Mobibench measured: latencies, rates, times",
    .line = "4799\tusec",
    .made_of = "lines of a number and usec, IOPS or KB/s, or Mobibench's [Messurement Result]",
    .variants = "output, file",
    .kinds = 1u << TRACE_RESULTS,
    .meanings = {[TRACE_RESULTS] = measured_meanings},
    .facts = {[TRACE_RESULTS] = FACTS_OF_LOG(0)},
    .columns = EVENT_OPERATION | EVENT_ACTOR | EVENT_VALUE,
    .state_size = sizeof(struct mobibench),
    .sniff = sniff_mobibench,
    .begin = begin_mobibench,
    .read = read_mobibench,
    .resume = resume,
    .dump = measured_append_dump,
};
