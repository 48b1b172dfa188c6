#include "model/column_code.h"

#include <endian.h>
#include <string.h>

#include "input/bytes.h"

enum {
    HEADER = 12,
    PRESENCE = 1,    /* flag: a bit a value says whether it is one */
    DIFFERENCES = 2, /* flag: of each value to the one before */
    REPEATS = 4,     /* flag: a bit a value says whether it is another one than the one before */
    TABLE = 256,     /* values in a table, at most */
    TABLE_WIDTH = 8, /* bits of a number in it, at most */
    BROADEST = 56,   /* bits that one reading of eight bytes gives at any place; beyond: 64 */
    WHOLE = 64,
    AT_ONCE = 512, /* values: they stay in the processor's cache */
    SLOT_BITS = 10,
    SLOTS = 1 << SLOT_BITS,
};

/* The different ones of some values, in order of their first coming. */
struct table {
    uint64_t values[TABLE];
    size_t count;
    uint16_t slots[SLOTS]; /* of a hash table: numbers of values, from 1 */
};

/* What a code says of itself. */
struct code {
    unsigned flags, width; /* bits a value */
    size_t table;          /* values in it; 0: none */
    int64_t base;
};

static unsigned bits_of(uint64_t number) {
    return number == 0 ? 0 : WHOLE - (unsigned)__builtin_clzll(number);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void put_u64(unsigned char *bytes, uint64_t number) {
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(number >> 8 * i);
    }
}

static void append_u64(struct text *text, uint64_t number) {
    unsigned char bytes[8];

    put_u64(bytes, number);
    text_append(text, (const char *)bytes, sizeof bytes);
}

static void append_header(struct text *text, const struct code *code) {
    unsigned char bytes[4] = {(unsigned char)code->flags, (unsigned char)code->width,
                              (unsigned char)code->table, (unsigned char)(code->table >> 8)};

    text_append(text, (const char *)bytes, sizeof bytes);
    append_u64(text, (uint64_t)code->base);
}

static void append_presence(struct text *text, const int64_t *values, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        unsigned byte = 0;

        for (size_t bit = 0; bit < 8 && i + bit < count; bit++) {
            byte |= (unsigned)(values[i + bit] != EVENT_NONE) << bit;
        }
        text_append_char(text, (char)byte);
    }
}

/* How many of the values are others than those before them. */
static size_t count_changes(const int64_t *values, size_t count) {
    size_t changes = count > 0;

    for (size_t i = 1; i < count; i++) {
        changes += values[i] != values[i - 1];
    }
    return changes;
}

/* Keeps of values that follow one another and are equal the first, and says in a bit a value which
 * these are. Gives how many are left. */
static size_t drop_repeats(struct column_coder *coder, size_t count) {
    int64_t *values = coder->values, before = 0;
    size_t kept = 0;

    memset(coder->changes, 0, (count + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        int64_t value = values[i];

        if (i == 0 || value != before) {
            values[kept++] = value;
            coder->changes[i / 8] |= (unsigned char)(1u << i % 8);
        }
        before = value;
    }
    return kept;
}

static size_t packed_size(size_t count, unsigned width) {
    return (count * width + 7) / 8;
}

/* One behind another, the lowest bits first. */
static void append_codes(struct text *text, const uint64_t *codes, size_t count, unsigned width) {
    unsigned char *at = (unsigned char *)text_reserve(text, packed_size(count, width) + 8);
    uint64_t waiting = 0;
    unsigned bits = 0;

    if (at == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        waiting |= codes[i] << bits;
        bits += width;
        if (bits >= WHOLE) {
            put_u64(at, waiting);
            at += 8;
            bits -= WHOLE;
            waiting = bits == 0 ? 0 : codes[i] >> (width - bits);
        }
    }
    put_u64(at, waiting);
    text->length += packed_size(count, width);
}

/* The number of a value, from 1, where it is known or may be added; else 0. */
static unsigned number_of(struct table *table, uint64_t value, bool add) {
    size_t slot = value * UINT64_C(0x9E3779B97F4A7C15) >> (WHOLE - SLOT_BITS);

    while (table->slots[slot] != 0 && table->values[table->slots[slot] - 1] != value) {
        slot = (slot + 1) % SLOTS;
    }
    if (table->slots[slot] == 0 && add && table->count < TABLE) {
        table->values[table->count++] = value;
        table->slots[slot] = (uint16_t)table->count;
    }
    return table->slots[slot];
}

/* Where few values are far apart their numbers take fewer bits. */
static void tabulate(struct table *table, uint64_t *codes, size_t count, struct code *code) {
    unsigned width;

    for (size_t i = 0; i < count; i++) {
        if (number_of(table, codes[i], true) == 0) {
            return;
        }
    }
    width = bits_of(table->count - 1);
    if (8 * table->count + packed_size(count, width) >= packed_size(count, code->width)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        codes[i] = number_of(table, codes[i], false) - 1;
    }
    code->table = table->count;
    code->width = width;
}

/* Leaves out what is none, and finds the smallest and largest. */
static size_t gather(struct column_coder *coder, size_t count, int64_t *least, int64_t *most) {
    size_t present = 0;

    *least = INT64_MAX;
    *most = EVENT_NONE;
    for (size_t i = 0; i < count; i++) {
        int64_t value = coder->values[i];

        if (value != EVENT_NONE) {
            *least = value < *least ? value : *least;
            *most = value > *most ? value : *most;
            coder->codes[present++] = (uint64_t)value;
        }
    }
    return present;
}

/* What is coded are distances from the base: from the smallest value, or, of differences, from the
 * value before. Gives the largest. */
static uint64_t subtract(uint64_t *codes, size_t count, const struct code *code) {
    uint64_t base = (uint64_t)code->base, largest = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t value = codes[i];

        codes[i] = value - base;
        largest |= codes[i];
        base = code->flags & DIFFERENCES ? value : base;
    }
    return largest;
}

/* Whether it saves a quarter to code only `changes` of `count` values, of that many bits each. */
static bool repeats_pay(size_t count, size_t changes, unsigned width) {
    return changes * width + count < count * width / 4 * 3;
}

void column_encode(struct text *text, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most) {
    size_t present = gather(coder, count, least, most), all = count;
    struct table table = {.count = 0};
    struct code code = {.flags = differences ? (unsigned)DIFFERENCES : 0};

    if (present == 0) {
        return;
    }
    if (!differences && repeats_pay(count, count_changes(coder->values, count),
                                    bits_of((uint64_t)*most - (uint64_t)*least))) {
        code.flags |= REPEATS;
        count = drop_repeats(coder, count);
        present = gather(coder, count, least, most);
    }
    code.flags |= present < count ? (unsigned)PRESENCE : 0;
    code.base = differences ? (int64_t)coder->codes[0] : *least;
    code.width = bits_of(subtract(coder->codes, present, &code));
    code.width = code.width > BROADEST ? WHOLE : code.width;
    tabulate(&table, coder->codes, present, &code);
    append_header(text, &code);
    for (size_t i = 0; i < code.table; i++) {
        append_u64(text, table.values[i]);
    }
    if (code.flags & REPEATS) {
        text_append(text, (const char *)coder->changes, (all + 7) / 8);
    }
    if (code.flags & PRESENCE) {
        append_presence(text, coder->values, count);
    }
    append_codes(text, coder->codes, present, code.width);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A code that is being read. */
struct reading {
    struct code code;
    size_t coded; /* values: all, or those that are others than the ones before */
    uint64_t table[TABLE];
    const unsigned char *changes;  /* NULL: all are coded */
    const unsigned char *presence; /* of the coded ones; NULL: all are there */
    const unsigned char *codes;
    uint64_t before; /* differences: the value that was read last */
};

static unsigned is_there(const unsigned char *bits, size_t at) {
    return bits[at / 8] >> at % 8 & 1;
}

/* How many of the `count` bits from `first` on are set. */
static size_t count_bits(const unsigned char *bits, size_t first, size_t count) {
    size_t at = first, end = first + count, set = 0;

    for (; at < end && at % 8 != 0; at++) {
        set += is_there(bits, at);
    }
    for (; end - at >= WHOLE; at += WHOLE) {
        uint64_t some;

        memcpy(&some, bits + at / 8, sizeof some);
        set += (size_t)__builtin_popcountll(some);
    }
    for (; at < end; at++) {
        set += is_there(bits, at);
    }
    return set;
}

/* Whether what a code says of itself can be. */
static bool read_header(struct code *code, const unsigned char *bytes) {
    *code = (struct code){
        .flags = bytes[0],
        .width = bytes[1],
        .table = bytes_u16_little(bytes + 2),
        .base = bytes_i64_little(bytes + 4),
    };
    return (code->flags & ~(unsigned)(PRESENCE | DIFFERENCES | REPEATS)) == 0 &&
           code->table <= TABLE &&
           (code->width <= (code->table > 0 ? TABLE_WIDTH : BROADEST) ||
            (code->width == WHOLE && code->table == 0));
}

/* The bits of `count` values at `*at`, which is put behind them; NULL when it ends before. */
static const unsigned char *read_bits(const unsigned char *bytes, size_t size, size_t *at,
                                      size_t count) {
    const unsigned char *bits = size - *at < (count + 7) / 8 ? NULL : bytes + *at;

    *at += bits == NULL ? 0 : (count + 7) / 8;
    return bits;
}

/* Whether it is a code of `count` values, whose parts lie where they say. */
static bool read_code(struct reading *reading, const unsigned char *bytes, size_t size,
                      size_t count) {
    struct code *code = &reading->code;
    size_t at = HEADER, present;

    if (size < HEADER || count > COLUMN_CODE_VALUES || !read_header(code, bytes) ||
        size - at < 8 * code->table) {
        return false;
    }
    for (size_t i = 0; i < code->table; i++, at += 8) {
        reading->table[i] = bytes_u64_little(bytes + at);
    }
    /* What a damaged code refers to behind the table. */
    memset(reading->table + code->table, 0, (TABLE - code->table) * sizeof *reading->table);
    reading->changes = reading->presence = NULL;
    reading->coded = present = count;
    if (code->flags & REPEATS) {
        reading->changes = read_bits(bytes, size, &at, count);
        /* The first value repeats none. */
        if (reading->changes == NULL || count == 0 || (reading->changes[0] & 1) == 0) {
            return false;
        }
        reading->coded = present = count_bits(reading->changes, 0, count);
    }
    if (code->flags & PRESENCE) {
        reading->presence = read_bits(bytes, size, &at, reading->coded);
        if (reading->presence == NULL) {
            return false;
        }
        present = count_bits(reading->presence, 0, reading->coded);
    }
    reading->codes = bytes + at;
    reading->before = (uint64_t)code->base;
    return size - at == packed_size(present, code->width);
}

static uint64_t mask_of(unsigned width) {
    return width == WHOLE ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* Numbers `first` and following of the codes. */
static void unpack(const struct reading *reading, size_t first, size_t count, uint64_t *numbers) {
    unsigned width = reading->code.width;
    uint64_t mask = mask_of(width);
    size_t bit = first * width;

    for (size_t i = 0; i < count; i++, bit += width) {
        uint64_t number;

        memcpy(&number, reading->codes + bit / 8, sizeof number);
        numbers[i] = le64toh(number) >> bit % 8 & mask;
    }
}

/* Makes values of codes. */
static void restore(struct reading *reading, uint64_t *numbers, size_t count) {
    uint64_t base = reading->before;

    for (size_t i = 0; i < count && reading->code.table > 0; i++) {
        numbers[i] = reading->table[numbers[i]];
    }
    if (reading->code.flags & DIFFERENCES) {
        for (size_t i = 0; i < count; i++) {
            base += numbers[i];
            numbers[i] = base;
        }
        reading->before = base;
    } else {
        for (size_t i = 0; i < count; i++) {
            numbers[i] += base;
        }
    }
}

/* Puts what is none between the values, which are `present` of `count`. */
static void spread(const unsigned char *presence, size_t first, uint64_t *numbers, size_t present,
                   size_t count) {
    /* From the end, so that no value is overwritten before it was moved. */
    for (size_t i = count; i-- > 0;) {
        numbers[i] = is_there(presence, first + i) ? numbers[--present] : (uint64_t)EVENT_NONE;
    }
}

static void put(void *array, enum event_form form, size_t at, const uint64_t *numbers,
                size_t count) {
    switch (form) {
    case EVENT_FORM_INTEGER:
        memcpy((int64_t *)array + at, numbers, count * sizeof *numbers);
        break;
    case EVENT_FORM_ID:
        /* What stands for none has no lower bits: it becomes 0. */
        for (size_t i = 0; i < count; i++) {
            ((uint32_t *)array)[at + i] = (uint32_t)numbers[i];
        }
        break;
    default:
        for (size_t i = 0; i < count; i++) {
            event_columns_put(array, form, at + i, (int64_t)numbers[i]);
        }
    }
}

/* Puts each of the different numbers as often as it follows itself. The first is the one before
 * those that changes count. No branch depends on the values. */
static void repeat(const unsigned char *changes, size_t first, const uint64_t *different,
                   uint64_t *numbers, size_t count) {
    size_t which = 0;

    for (size_t i = 0; i < count; i++) {
        which += is_there(changes, first + i);
        numbers[i] = different[which];
    }
}

/* Reads the coded numbers `first` and following, of which `*taken` came before. */
static void read_coded(struct reading *reading, size_t first, size_t count, size_t *taken,
                       uint64_t *numbers) {
    size_t present =
        reading->presence == NULL ? count : count_bits(reading->presence, first, count);

    unpack(reading, *taken, present, numbers);
    restore(reading, numbers, present);
    if (reading->presence != NULL) {
        spread(reading->presence, first, numbers, present, count);
    }
    *taken += present;
}

static void decode_all(struct reading *reading, void *array, enum event_form form, size_t count) {
    /* Behind the last number that was read before. */
    uint64_t numbers[1 + AT_ONCE] = {0}, repeated[AT_ONCE];
    size_t coded = 0, taken = 0;

    for (size_t at = 0; at < count; at += AT_ONCE) {
        size_t values = count - at < AT_ONCE ? count - at : AT_ONCE;
        size_t some = reading->changes == NULL ? values : count_bits(reading->changes, at, values);

        read_coded(reading, coded, some, &taken, numbers + 1);
        coded += some;
        if (reading->changes == NULL) {
            put(array, form, at, numbers + 1, values);
        } else {
            repeat(reading->changes, at, numbers, repeated, values);
            put(array, form, at, repeated, values);
            numbers[0] = numbers[some];
        }
    }
}

bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count) {
    struct reading reading;

    if (!read_code(&reading, code, size, count)) {
        return false;
    }
    decode_all(&reading, array, form, count);
    return true;
}

/* How many of some bits are set up to a place, for places that ascend. */
struct rank {
    const unsigned char *bits; /* some can be read behind their end */
    size_t word, before;       /* of 64 bits: the one that is looked at, and set ones before it */
};

static uint64_t word_of(const struct rank *rank) {
    uint64_t word;

    memcpy(&word, rank->bits + 8 * rank->word, sizeof word);
    return le64toh(word);
}

/* With the one at the place. */
static size_t rank_of(struct rank *rank, size_t place) {
    for (; rank->word < place / WHOLE; rank->word++) {
        rank->before += (size_t)__builtin_popcountll(word_of(rank));
    }
    return rank->before +
           (size_t)__builtin_popcountll(word_of(rank) << (WHOLE - 1 - place % WHOLE));
}

/* Where each coded value has a place of its own. */
static void decode_places(struct reading *reading, void *array, enum event_form form,
                          const uint32_t *places, size_t some) {
    unsigned width = reading->code.width;
    struct rank rank = {.bits = reading->changes};
    uint64_t numbers[AT_ONCE], mask = mask_of(width);

    for (size_t at = 0; at < some; at += AT_ONCE) {
        size_t values = some - at < AT_ONCE ? some - at : AT_ONCE;

        for (size_t i = 0; i < values; i++) {
            size_t place = places[at + i];
            size_t bit = (rank.bits == NULL ? place : rank_of(&rank, place) - 1) * width;
            uint64_t number;

            memcpy(&number, reading->codes + bit / 8, sizeof number);
            numbers[i] = le64toh(number) >> bit % 8 & mask;
        }
        restore(reading, numbers, values);
        put(array, form, at, numbers, values);
    }
}

/* Moves the elements at the places to the front. */
static void gather_places(void *array, enum event_form form, const uint32_t *places, size_t some) {
    for (size_t i = 0; i < some && form == EVENT_FORM_INTEGER; i++) {
        ((int64_t *)array)[i] = ((int64_t *)array)[places[i]];
    }
    for (size_t i = 0; i < some && form != EVENT_FORM_INTEGER; i++) {
        ((uint32_t *)array)[i] = ((uint32_t *)array)[places[i]];
    }
}

bool column_decode_some(const unsigned char *code, size_t size, void *array, enum event_form form,
                        size_t count, const uint32_t *places, size_t some) {
    struct reading reading;

    if (!read_code(&reading, code, size, count)) {
        return false;
    }
    if (reading.presence == NULL && (reading.code.flags & DIFFERENCES) == 0) {
        decode_places(&reading, array, form, places, some);
    } else {
        decode_all(&reading, array, form, count);
        gather_places(array, form, places, some);
    }
    return true;
}
