/* Imports measured values of benchmarks and samples as events; see measured.h. */
#include "measured.h"

#include "base/hash.h"

enum {
    DECIMALS = 6,
    EXPONENT = 99, /* maximum exponent; a number with a larger one is rejected */
};
#define MILLION    1000000
#define MOST_VALUE INT64_C(1000000000000)

bool measured_parse(struct word word, int64_t *millionths, bool *rounded) {
    bool negative = word.length > 0 && *word.bytes == '-';

    if (negative || (word.length > 0 && *word.bytes == '+')) {
        word_skip(&word, 1);
    }
    if (!word_decimal(word, DECIMALS, EXPONENT, MOST_VALUE * MILLION - 1, millionths, rounded)) {
        return false;
    }
    *millionths = negative ? -*millionths : *millionths;
    return true;
}

/* --- adding events ---------------------------------------------------------------------------- */

void measured_add(struct import *import, int64_t *values, const struct measured *measured) {
    struct word unit = measured->unit;
    const struct actor_entry actor = {.session = 1,
                                      .pid = EVENT_NONE,
                                      .tid = EVENT_NONE,
                                      .code = EVENT_NONE,
                                      .name = measured->test.bytes,
                                      .length = measured->test.length};
    /* The code identifies a name. It hashes measure and unit, so it differs if the unit differs. */
    const struct name_entry name = {
        .kind = "measure",
        .code = (int64_t)(XXH3_64bits_withSeed(measured->measure.bytes, measured->measure.length,
                                               XXH3_64bits(unit.bytes, unit.length)) >>
                          1),
        .text = measured->measure.bytes,
        .length = measured->measure.length,
        .component = unit.length == 0 ? 0 : import_simple_name(import, "unit", unit),
    };
    uint32_t test = measured->test.length == 0 ? 0 : import_actor(import, &actor);
    uint32_t operation = import_name(import, &name);
    struct event *event = import_event(import);

    event->time = (*values)++;
    event->operation = operation;
    event->actor = test;
    event->address = measured->run;
    event->value = measured->millionths;
}

void measured_begin(struct import *import, void *state) {
    import_clock(import, &(struct import_clock){CLOCK_UNIT_RECORDS, "", 0});
    import_variant(import, "output");
}

void measured_end(struct import *import, void *state, bool failed) {
    if (!failed && *(const int64_t *)state == 0) {
        import_fail_file(import,
                         "holds no results: its tables have no rows, or none that can be read");
    }
}

void measured_append_dump(const struct dump_event *dump, struct text *out) {
    int64_t value = dump->event.value == EVENT_NONE ? 0 : dump->event.value;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

    text_append_char(out, '[');
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_escaped(out, dump->operation, dump->operation_length);
    if (dump->event.address != EVENT_NONE) {
        text_append_format(out, " run %lld", (long long)dump->event.address);
    }
    text_append_format(out, " %s%llu.%06llu", value < 0 ? "-" : "",
                       (unsigned long long)(size / MILLION), (unsigned long long)(size % MILLION));
}

const struct event_meaning measured_meanings[] = {
    {EVENT_PLACE_ACTOR, "", "test", ""},
    {EVENT_PLACE_ADDRESS, "", "run", ""},
    {EVENT_PLACE_VALUE, "", "measured", "millionths"},
    {0},
};
