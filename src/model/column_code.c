#include "model/column_code.h"

#include <endian.h>
#include <string.h>

#include "base/always_inline.h"
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

/* The number of a value, from 1, which may be a new one; 0: there is no room for it. */
static unsigned number_of(struct table *table, uint64_t value) {
    size_t slot = value * UINT64_C(0x9E3779B97F4A7C15) >> (WHOLE - SLOT_BITS);

    while (table->slots[slot] != 0 && table->values[table->slots[slot] - 1] != value) {
        slot = (slot + 1) % SLOTS;
    }
    if (table->slots[slot] == 0 && table->count < TABLE) {
        table->values[table->count++] = value;
        table->slots[slot] = (uint16_t)table->count;
    }
    return table->slots[slot];
}

/* Where few values are far apart their numbers take fewer bits. */
static void tabulate(struct table *table, struct column_coder *coder, size_t count,
                     struct code *code) {
    unsigned width;

    for (size_t i = 0; i < count; i++) {
        unsigned number = number_of(table, coder->codes[i]);

        if (number == 0) {
            return;
        }
        coder->numbers[i] = (unsigned char)(number - 1);
    }
    width = bits_of(table->count - 1);
    if (8 * table->count + packed_size(count, width) >= packed_size(count, code->width)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        coder->codes[i] = coder->numbers[i];
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
    tabulate(&table, coder, present, &code);
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
    size_t coded;                  /* values: all, or those that are others than the ones before */
    size_t present;                /* those of them that are some */
    uint64_t table[TABLE];         /* of differences these, else values */
    const unsigned char *changes;  /* NULL: all are coded */
    const unsigned char *presence; /* of the coded ones; NULL: all are there */
    const unsigned char *codes;
};

static unsigned is_there(const unsigned char *bits, size_t at) {
    return bits[at / 8] >> at % 8 & 1;
}

/* How many of the first `count` bits are set. */
static size_t count_bits(const unsigned char *bits, size_t count) {
    size_t at = 0, set = 0;

    for (; count - at >= WHOLE; at += WHOLE) {
        uint64_t some;

        memcpy(&some, bits + at / 8, sizeof some);
        set += (size_t)__builtin_popcountll(some);
    }
    for (; at < count; at++) {
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

/* Gives how many bytes the table has. */
static size_t read_table(struct reading *reading, const unsigned char *bytes) {
    const struct code *code = &reading->code;
    uint64_t base = code->flags & DIFFERENCES ? 0 : (uint64_t)code->base;

    for (size_t i = 0; i < code->table; i++) {
        reading->table[i] = base + bytes_u64_little(bytes + 8 * i);
    }
    /* What a damaged code refers to behind the table. */
    for (size_t i = code->table; i < TABLE && code->table > 0; i++) {
        reading->table[i] = base;
    }
    return 8 * code->table;
}

/* Whether it is a code of `count` values, whose parts lie where they say. */
static bool read_code(struct reading *reading, const unsigned char *bytes, size_t size,
                      size_t count) {
    struct code *code = &reading->code;
    size_t at = HEADER;

    if (size < HEADER || count > COLUMN_CODE_VALUES || !read_header(code, bytes) ||
        size - at < 8 * code->table) {
        return false;
    }
    at += read_table(reading, bytes + at);
    reading->changes = reading->presence = NULL;
    reading->coded = reading->present = count;
    if (code->flags & REPEATS) {
        reading->changes = read_bits(bytes, size, &at, count);
        /* The first value repeats none. */
        if (reading->changes == NULL || count == 0 || (reading->changes[0] & 1) == 0) {
            return false;
        }
        reading->coded = reading->present = count_bits(reading->changes, count);
    }
    if (code->flags & PRESENCE) {
        reading->presence = read_bits(bytes, size, &at, reading->coded);
        if (reading->presence == NULL) {
            return false;
        }
        reading->present = count_bits(reading->presence, reading->coded);
    }
    reading->codes = bytes + at;
    return size - at == packed_size(reading->present, code->width);
}

static uint64_t mask_of(unsigned width) {
    return width == WHOLE ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The number that begins at a bit. */
ALWAYS_INLINE uint64_t number_at(const unsigned char *codes, size_t bit, uint64_t mask) {
    uint64_t number;

    memcpy(&number, codes + bit / 8, sizeof number);
    return le64toh(number) >> bit % 8 & mask;
}

/* Arrays have elements of 64 bits, or of 32, which keep the lower ones. What goes over them is made
 * for either, so that no step asks which. */
ALWAYS_INLINE void put(void *array, bool wide, size_t at, uint64_t value) {
    if (wide) {
        ((uint64_t *)array)[at] = value;
    } else {
        ((uint32_t *)array)[at] = (uint32_t)value;
    }
}

ALWAYS_INLINE uint64_t take(const void *array, bool wide, size_t at) {
    return wide ? ((const uint64_t *)array)[at] : ((const uint32_t *)array)[at];
}

/* Puts the values of all numbers, one behind another. */
ALWAYS_INLINE void unpack(const struct reading *reading, void *array, bool wide) {
    const unsigned char *codes = reading->codes;
    size_t width = reading->code.width, count = reading->present;
    uint64_t mask = mask_of(reading->code.width), base = (uint64_t)reading->code.base;

    if (reading->code.flags & DIFFERENCES) {
        for (size_t i = 0; i < count; i++) {
            uint64_t number = number_at(codes, i * width, mask);

            base += reading->code.table > 0 ? reading->table[number] : number;
            put(array, wide, i, base);
        }
    } else if (reading->code.table > 0) {
        for (size_t i = 0; i < count; i++) {
            put(array, wide, i, reading->table[number_at(codes, i * width, mask)]);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            put(array, wide, i, base + number_at(codes, i * width, mask));
        }
    }
}

/* Moves the values to their places, and puts `none` between them. From the end, so that none is
 * overwritten before it was moved. No branch depends on the values. */
ALWAYS_INLINE void spread(const struct reading *reading, uint64_t none, void *array, bool wide) {
    size_t left = reading->present;

    for (size_t i = reading->coded; i-- > 0;) {
        bool there = is_there(reading->presence, i);

        left -= there;
        put(array, wide, i, there ? take(array, wide, left) : none);
    }
}

/* Puts each value as often as it follows itself; likewise. */
ALWAYS_INLINE void repeat(const struct reading *reading, size_t count, void *array, bool wide) {
    size_t left = reading->coded;

    for (size_t i = count; i-- > 0;) {
        put(array, wide, i, take(array, wide, left - 1));
        left -= is_there(reading->changes, i);
    }
}

ALWAYS_INLINE void decode_all(const struct reading *reading, uint64_t none, size_t count,
                              void *array, bool wide) {
    unpack(reading, array, wide);
    if (reading->presence != NULL) {
        spread(reading, none, array, wide);
    }
    if (reading->changes != NULL) {
        repeat(reading, count, array, wide);
    }
}

/* What stands for none in an array: event_columns_put(). */
static uint64_t none_of(enum event_form form) {
    return form == EVENT_FORM_INTEGER ? (uint64_t)EVENT_NONE
           : form == EVENT_FORM_DEPTH ? UINT64_MAX
                                      : 0;
}

static void decode(const struct reading *reading, uint64_t none, size_t count, void *array,
                   bool wide) {
    if (wide) {
        decode_all(reading, none, count, array, true);
    } else {
        decode_all(reading, none, count, array, false);
    }
}

bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count) {
    struct reading reading;

    if (!read_code(&reading, code, size, count)) {
        return false;
    }
    decode(&reading, none_of(form), count, array, form == EVENT_FORM_INTEGER);
    return true;
}
