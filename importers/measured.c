/* Measured values as events; see measured.h. */
#include "measured.h"

#include "base/hash.h"

enum {
    DECIMALS = 6,
    DIGITS = 18,   /* stored digits; more do not fit */
    EXPONENT = 99, /* larger exponents are not measurements */
};
#define MILLION    1000000
#define MOST_VALUE INT64_C(1000000000000)

/* --- numbers ---------------------------------------------------------------------------------- */

/* Digits of a number without its point. */
struct digits {
    int64_t number;
    int64_t power;  /* power of ten to multiply by */
    bool any, lost; /* lost: dropped digits were not all 0 */
};

static void take_digit(struct digits *digits, int digit, bool fraction) {
    static const int64_t full = INT64_C(100000000000000000); /* 10^(DIGITS - 1) */

    digits->any = true;
    if (digits->number >= full) {
        digits->lost |= digit != 0;
        digits->power += !fraction;
        return;
    }
    digits->number = digits->number * 10 + digit;
    digits->power -= fraction;
}

/* Reads the digits at the start of the word, with an optional point. */
static struct digits measured_take_digits(struct word *word) {
    struct digits digits = {0};
    bool fraction = false;

    for (; word->length > 0; word_skip(word, 1)) {
        if (word_is_digit(*word->bytes)) {
            take_digit(&digits, *word->bytes - '0', fraction);
        } else if (*word->bytes == '.' && !fraction) {
            fraction = true;
        } else {
            break;
        }
    }
    return digits;
}

/* Parses the rest after the digits. */
static bool take_exponent(struct word word, int64_t *exponent) {
    *exponent = 0;
    if (word.length == 0) {
        return true;
    }
    if (*word.bytes != 'e' && *word.bytes != 'E') {
        return false;
    }
    word_skip(&word, 1);
    if (word.length > 1 && *word.bytes == '+') {
        word_skip(&word, 1);
        return word_number(word, EXPONENT, exponent);
    }
    return word_signed(word, -EXPONENT, EXPONENT, exponent);
}

/* Scales to millionths; half rounds up. */
static bool scale(const struct digits *digits, int64_t power, int64_t *millionths, bool *rounded) {
    int64_t number = digits->number, rest = 0;

    for (; power < 0 && number > 0; power++) {
        *rounded |= rest != 0;
        rest = number % 10;
        number /= 10;
    }
    for (; power > 0 && number > 0; power--) {
        if (number >= MOST_VALUE * MILLION / 10) {
            return false;
        }
        number *= 10;
    }
    *rounded |= rest != 0;
    *millionths = number + (power == 0 && rest >= 5);
    return *millionths < MOST_VALUE * MILLION;
}

bool measured_parse(struct word word, int64_t *millionths, bool *rounded) {
    bool negative = word.length > 0 && *word.bytes == '-';
    struct digits digits;
    int64_t exponent;

    if (negative || (word.length > 0 && *word.bytes == '+')) {
        word_skip(&word, 1);
    }
    digits = measured_take_digits(&word);
    *rounded = digits.lost;
    if (!digits.any || !take_exponent(word, &exponent) ||
        !scale(&digits, digits.power + exponent + DECIMALS, millionths, rounded)) {
        return false;
    }
    *millionths = negative ? -*millionths : *millionths;
    return true;
}

/* --- events ----------------------------------------------------------------------------------- */

void measured_keep(struct import *import, int64_t *values, const struct measured *measured) {
    struct word unit = measured->unit;
    const struct actor_entry actor = {.session = 1,
                                      .pid = EVENT_NONE,
                                      .tid = EVENT_NONE,
                                      .code = EVENT_NONE,
                                      .name = measured->test.bytes,
                                      .length = measured->test.length};
    /* The code is a hash of measure and unit, so one measure in two units has two codes. */
    const struct name_entry name = {
        .kind = "measure",
        .code = (int64_t)(XXH3_64bits_withSeed(measured->measure.bytes, measured->measure.length,
                                               XXH3_64bits(unit.bytes, unit.length)) >>
                          1),
        .text = measured->measure.bytes,
        .length = measured->measure.length,
        .component = unit.length == 0 ? 0 : import_word(import, "unit", unit),
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

void measured_dump(const struct dump_event *dump, struct text *out) {
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
