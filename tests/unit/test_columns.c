/* model/column_code: codes decode to their values, and other bytes are refused. */
#include "model/event_chunk.h"
#include "unit.h"

static struct column_coder coder;
static int64_t values[COLUMN_CODE_VALUES], decoded[COLUMN_CODE_VALUES];
static uint32_t narrow[COLUMN_CODE_VALUES]; /* for ids and depths */
/* Encodes the values; the result has room after it, and must be freed. */
static struct text encode(size_t count, bool differences, int64_t *least, int64_t *most) {
    struct text code = {0};

    memcpy(coder.values, values, sizeof values);
    column_encode(&code, &coder, count, differences, least, most);
    ck_assert(text_reserve(&code, COLUMN_CODE_PADDING) != NULL);
    return code;
}

/* Returns the array element of ids or depths for a value. */
static uint32_t narrowed(int64_t value, enum event_form form) {
    return value != EVENT_NONE ? (uint32_t)value : form == EVENT_FORM_ID ? 0 : UINT32_MAX;
}

static void comes_back_narrow(const struct text *code, size_t count, enum event_form form) {
    ck_assert(column_decode((unsigned char *)code->bytes, code->length, narrow, form, count));
    for (size_t i = 0; i < count; i++) {
        if (narrow[i] != narrowed(values[i], form)) { /* ck_assert takes seconds */
            ck_abort_msg("value %zu of form %d is %u", i, (int)form, narrow[i]);
        }
    }
}

static void comes_back(size_t count, bool differences) {
    int64_t least, most, smallest = INT64_MAX, largest = INT64_MIN;
    struct text code = encode(count, differences, &least, &most);

    for (size_t i = 0; i < count; i++) {
        if (values[i] != EVENT_NONE) {
            smallest = values[i] < smallest ? values[i] : smallest;
            largest = values[i] > largest ? values[i] : largest;
        }
    }
    ck_assert_int_eq(code.length > 0, smallest <= largest);
    if (code.length > 0) {
        ck_assert_int_eq(least, smallest);
        ck_assert_int_eq(most, largest);
        ck_assert(code.length <= COLUMN_CODE_MOST);
        ck_assert(column_decode((unsigned char *)code.bytes, code.length, decoded,
                                EVENT_FORM_INTEGER, count));
        ck_assert_mem_eq(decoded, values, count * sizeof *values);
        comes_back_narrow(&code, count, EVENT_FORM_ID);
        comes_back_narrow(&code, count, EVENT_FORM_DEPTH);
    }
    text_free(&code);
}

static const size_t counts[] = {1, 7, 8, 9, 511, 512, 513, 1000, COLUMN_CODE_VALUES};

/* All widths: with and without missing values, with many and with few different values. */
UNIT_LOOP(values_of_every_width, 65) {
    uint64_t mask = _i == 64 ? UINT64_MAX : (UINT64_C(1) << _i) - 1;

    unit_random_state = (uint64_t)_i + 1;
    for (size_t c = 0; c < COUNT(counts); c++) {
        for (unsigned variant = 0; variant < 16; variant++) {
            uint64_t base = unit_random();

            for (size_t i = 0; i < counts[c]; i++) {
                uint64_t number = unit_random();

                if (variant & 1) {
                    number = (number % 7) * UINT64_C(0x9E3779B97F4A7C15);
                }
                values[i] = (int64_t)(base + (number & mask));
                if ((variant & 2) && unit_random() % 3 == 0) {
                    values[i] = EVENT_NONE;
                }
                if ((variant & 8) && i > 0 && unit_random() % 5 > 0) {
                    values[i] = values[i - 1];
                }
            }
            comes_back(counts[c], (variant & 4) != 0);
        }
    }
}

/* Values that repeat, some of them missing. */
UNIT_TEST(runs) {
    unit_random_state = 7;
    for (size_t i = 0; i < COLUMN_CODE_VALUES; i++) {
        if (i == 0 || unit_random() % 100 == 0) {
            values[i] = unit_random() % 4 == 0 ? EVENT_NONE : (int64_t)(unit_random() % 9);
        } else {
            values[i] = values[i - 1];
        }
    }
    comes_back(COLUMN_CODE_VALUES, false);
}

/* Microseconds, pages, sectors and ticks: a code takes the 8 bits of the multiple. With
 * differences, values grow. */
UNIT_LOOP(values_with_a_common_factor, 16) {
    static const int64_t factors[] = {1000, 4096, 512, 100};
    const bool differences = (_i & 8) != 0, missing = (_i & 4) != 0;
    int64_t last = INT64_C(1700000000000000007), least, most;
    struct text code;

    unit_random_state = (uint64_t)_i + 1;
    for (size_t i = 0; i < 1000; i++) {
        int64_t multiple = (int64_t)(unit_random() % 256) * factors[_i % 4];

        values[i] = missing && i % 3 == 0 ? EVENT_NONE : last + multiple;
        last += differences ? multiple : 0;
    }
    comes_back(1000, differences);
    code = encode(1000, differences, &least, &most);
    ck_assert_int_le(code.length, 20 + (missing ? 125 : 0) + (differences ? 1125 : 1000));
    text_free(&code);
}

UNIT_TEST(extremes_and_nothing) {
    values[0] = INT64_MAX;
    values[1] = INT64_MIN + 1;
    values[2] = 0;
    comes_back(3, false);
    comes_back(3, true);
    values[0] = values[2] = EVENT_NONE;
    comes_back(3, false);
    comes_back(3, true);
    comes_back(1, false);
}

/* Values have the form of their column. */
UNIT_TEST(ids_and_depths) {
    uint32_t ids[3];
    int32_t depths[3];
    int64_t least, most;
    struct text code;

    values[0] = 5;
    values[1] = EVENT_NONE;
    values[2] = UINT32_MAX;
    code = encode(3, false, &least, &most);
    ck_assert(column_decode((unsigned char *)code.bytes, code.length, ids, EVENT_FORM_ID, 3));
    ck_assert_uint_eq(ids[0], 5);
    ck_assert_uint_eq(ids[1], 0);
    ck_assert_uint_eq(ids[2], UINT32_MAX);
    text_free(&code);
    values[2] = 0;
    code = encode(3, false, &least, &most);
    ck_assert(column_decode((unsigned char *)code.bytes, code.length, depths, EVENT_FORM_DEPTH, 3));
    ck_assert_int_eq(depths[0], 5);
    ck_assert_int_eq(depths[1], -1);
    ck_assert_int_eq(depths[2], 0);
    text_free(&code);
}

/* Every change of every byte of a code yields some values or is refused. */
UNIT_LOOP(damaged_codes, 3) {
    const size_t count = 40;
    int64_t least, most;
    struct text code;

    for (size_t i = 0; i < count; i++) {
        values[i] = i % 5 == 0 ? EVENT_NONE : (int64_t)(i % 3) << (_i == 0 ? 2 : 40);
        if (_i == 2) { /* with repetitions */
            values[i] = i / 7 % 4 == 0 ? EVENT_NONE : (int64_t)(i / 7) << 30;
        }
    }
    code = encode(count, false, &least, &most);
    for (size_t length = 0; length < code.length; length++) {
        unsigned char *copy = malloc(length + COLUMN_CODE_PADDING);

        memcpy(copy, code.bytes, length);
        ck_assert(!column_decode(copy, length, decoded, EVENT_FORM_INTEGER, count));
        free(copy);
    }
    for (size_t at = 0; at < code.length; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            unsigned char *copy = malloc(code.length + COLUMN_CODE_PADDING);

            memcpy(copy, code.bytes, code.length);
            copy[at] = (unsigned char)byte;
            column_decode(copy, code.length, decoded, EVENT_FORM_INTEGER, count);
            column_decode(copy, code.length, narrow, EVENT_FORM_ID, count);
            free(copy);
        }
    }
    ck_assert(!column_decode((unsigned char *)code.bytes, code.length, decoded, EVENT_FORM_INTEGER,
                             COLUMN_CODE_VALUES + 1));
    text_free(&code);
}
