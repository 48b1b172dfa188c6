/* Encodes the values of a column of `event` in few bits each. tracetool-schema(7), COLUMNS,
 * specifies the bytes; tests/columns.py decodes them independently. For logs of five formats, the
 * result is a third of the size of streamvbyte's, which is limited to 32 bits per value; decoding
 * takes 1 ns per value. zstd or deflate on top would save a fifth, but be two to twenty times as
 * slow. */
#include "model/event_chunk.h"

#include <endian.h>
#include <string.h>

#include "base/always_inline.h"
#include "input/bytes.h"

enum {
    HEADER = 12,
    PRESENCE = 1,    /* flag: a bit per value tells whether the value exists (is not NULL) */
    DIFFERENCES = 2, /* flag: each value is stored as the difference from the value before */
    REPEATS = 4,     /* flag: a bit per value tells whether it differs from the value before */
    SCALED = 8,      /* flag: a factor of eight bytes follows the header */
    TABLE = 256,     /* limit of different values in a table */
    TABLE_WIDTH = 8, /* limit of bits of an index into a table */
    BROADEST = 56,   /* limit of bits per value (besides 64): 8 bytes hold it at any bit offset */
    WHOLE = 64,
    SLOT_BITS = 10,
    SLOTS = 1 << SLOT_BITS,
};

/* Different values of a column, in order of first occurrence. */
struct table {
    uint64_t values[TABLE];
    size_t count;
    uint16_t slots[SLOTS]; /* hash table of values: index + 1 in `values` */
};

/* The header of encoded values. */
struct code {
    unsigned flags, width; /* `width`: number of bits of each stored value */
    size_t table;          /* number of values in the table; 0: no table */
    int64_t base;
    uint64_t factor; /* factor by which stored values, or those in the table, were divided */
};

static unsigned bit_length_of(uint64_t number) {
    return number == 0 ? 0 : WHOLE - (unsigned)__builtin_clzll(number);
}

/* --- encoding the values of a column ---------------------------------------------------------- */

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

static void column_code_append_header(struct text *text, const struct code *code) {
    unsigned char bytes[4] = {(unsigned char)code->flags, (unsigned char)code->width,
                              (unsigned char)code->table, (unsigned char)(code->table >> 8)};

    text_append(text, (const char *)bytes, sizeof bytes);
    append_u64(text, (uint64_t)code->base);
    if (code->flags & SCALED) {
        append_u64(text, code->factor);
    }
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

/* Counts the values that differ from the value before. */
static size_t count_changes(const int64_t *values, size_t count) {
    size_t changes = count > 0;

    for (size_t i = 1; i < count; i++) {
        changes += values[i] != values[i - 1];
    }
    return changes;
}

/* Removes the values that equal the value before; sets the bits of the others in coder->changes.
 * Returns the number of values left. */
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

/* Appends numbers of `width` bits each, lowest bits first. */
static void append_codes(struct text *text, const uint64_t *codes, size_t count, unsigned width) {
    unsigned char *at = (unsigned char *)text_reserve(text, packed_size(count, width) + 8);
    uint64_t waiting = 0;
    unsigned bits = 0;

    if (at == NULL || width == 0) {
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

/* Returns index + 1 of a value in the table, adding it if new; 0: the table is full. */
static unsigned column_code_number_of(struct table *table, uint64_t value) {
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

/* Replaces values by indices into a table if that takes fewer bytes: few values, far apart. */
static void encode_as_table(struct table *table, struct column_coder *coder, size_t count,
                            struct code *code) {
    unsigned width;

    for (size_t i = 0; i < count; i++) {
        unsigned number = column_code_number_of(table, coder->codes[i]);

        if (number == 0) {
            return;
        }
        coder->numbers[i] = (unsigned char)(number - 1);
    }
    width = bit_length_of(table->count - 1);
    if (8 * table->count + packed_size(count, width) >= packed_size(count, code->width)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        coder->codes[i] = coder->numbers[i];
    }
    code->table = table->count;
    code->width = width;
}

/* Copies the values that are not NULL to coder->codes; finds their minimum and maximum. Returns how
 * many were copied. */
static size_t column_code_gather(struct column_coder *coder, size_t count, int64_t *least,
                                 int64_t *most) {
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

/* Subtracts the base from each value. With DIFFERENCES, only from the first one; from each other
 * value, subtracts the value before it. */
static void subtract_base(uint64_t *codes, size_t count, const struct code *code) {
    uint64_t base = (uint64_t)code->base;

    for (size_t i = 0; i < count; i++) {
        uint64_t value = codes[i];

        codes[i] = value - base;
        base = code->flags & DIFFERENCES ? value : base;
    }
}

/* Returns the number of bits that the largest value needs; WHOLE if it is above BROADEST. */
static unsigned width_of(const uint64_t *codes, size_t count) {
    uint64_t all = 0;
    unsigned width;

    for (size_t i = 0; i < count; i++) {
        all |= codes[i];
    }
    width = bit_length_of(all);
    return width > BROADEST ? WHOLE : width;
}

/* Divides all values by a factor; returns false if not all are multiples. Inlined with a constant
 * factor, so that the compiler replaces the division by a multiplication. */
ALWAYS_INLINE bool divide_codes(uint64_t *codes, size_t count, uint64_t factor) {
    for (size_t i = 0; i < count; i++) {
        if (codes[i] % factor != 0) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        codes[i] /= factor;
    }
    return true;
}

/* Divides all values by a common factor that is frequent in logs: times in ns are often whole
 * microseconds or multiples of 100 ns (Windows), sizes are whole pages or sectors. Returns the
 * factor; 1: none. */
static uint64_t scale_codes(uint64_t *codes, size_t count) {
    return divide_codes(codes, count, 1000)   ? 1000
           : divide_codes(codes, count, 4096) ? 4096
           : divide_codes(codes, count, 512)  ? 512
           : divide_codes(codes, count, 100)  ? 100
                                              : 1;
}

/* Returns whether storing only `changes` of `count` values of `width` bits, and a bit for each
 * value, saves a quarter of the bits. */
static bool repeats_save_bytes(size_t count, size_t changes, unsigned width) {
    return changes * width + count < count * width / 4 * 3;
}

void column_encode(struct text *text, struct column_coder *coder, size_t count, bool differences,
                   int64_t *least, int64_t *most) {
    size_t present = column_code_gather(coder, count, least, most), all = count;
    struct table table = {.count = 0};
    struct code code = {.flags = differences ? (unsigned)DIFFERENCES : 0, .factor = 1};

    if (present == 0) {
        return;
    }
    if (!differences && *least < *most &&
        repeats_save_bytes(count, count_changes(coder->values, count),
                           bit_length_of((uint64_t)*most - (uint64_t)*least))) {
        code.flags |= REPEATS;
        count = drop_repeats(coder, count);
        present = column_code_gather(coder, count, least, most);
    }
    code.flags |= present < count ? (unsigned)PRESENCE : 0;
    code.base = differences ? (int64_t)coder->codes[0] : *least;
    subtract_base(coder->codes, present, &code);
    code.width = width_of(coder->codes, present);
    if (code.width > 1) { /* neither a factor nor a table saves bytes if values have one bit */
        code.factor = scale_codes(coder->codes, present);
        code.flags |= code.factor > 1 ? (unsigned)SCALED : 0;
        code.width = width_of(coder->codes, present);
        encode_as_table(&table, coder, present, &code);
    }
    column_code_append_header(text, &code);
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

/* --- decoding the values of a column ---------------------------------------------------------- */

/* State of decoding values. */
struct reading {
    struct code code;
    size_t coded;                  /* number of values that do not repeat the value before */
    size_t present;                /* number of stored values: no repeated ones, no NULLs */
    uint64_t table[TABLE];         /* values, or differences, in the table */
    const unsigned char *changes;  /* bits: value differs from the one before; NULL: not used */
    const unsigned char *presence; /* bits: stored value is not NULL; NULL: none is NULL */
    const unsigned char *codes;
};

static unsigned column_code_has_value(const unsigned char *bits, size_t at) {
    return bits[at / 8] >> at % 8 & 1;
}

/* Returns how many of the first `count` bits are set. */
static size_t count_bits(const unsigned char *bits, size_t count) {
    size_t at = 0, set = 0;

    for (; count - at >= WHOLE; at += WHOLE) {
        uint64_t some;

        memcpy(&some, bits + at / 8, sizeof some);
        set += (size_t)__builtin_popcountll(some);
    }
    for (; at < count; at++) {
        set += column_code_has_value(bits, at);
    }
    return set;
}

/* Reads the header of encoded values; returns false if it is invalid. */
static bool column_code_read_header(struct code *code, const unsigned char *bytes) {
    *code = (struct code){
        .flags = bytes[0],
        .width = bytes[1],
        .table = bytes_u16_little(bytes + 2),
        .base = bytes_i64_little(bytes + 4),
        .factor = 1,
    };
    return (code->flags & ~(unsigned)(PRESENCE | DIFFERENCES | REPEATS | SCALED)) == 0 &&
           code->table <= TABLE &&
           (code->width <= (code->table > 0 ? TABLE_WIDTH : BROADEST) ||
            (code->width == WHOLE && code->table == 0));
}

/* Returns a bit array of `count` bits at offset `*at`, and advances `*at`; NULL: too few bytes. */
static const unsigned char *column_code_read_bits(const unsigned char *bytes, size_t size,
                                                  size_t *at, size_t count) {
    const unsigned char *bits = size - *at < (count + 7) / 8 ? NULL : bytes + *at;

    *at += bits == NULL ? 0 : (count + 7) / 8;
    return bits;
}

/* Reads the table of values. Returns its size in bytes. */
static size_t column_code_read_table(struct reading *reading, const unsigned char *bytes) {
    const struct code *code = &reading->code;
    uint64_t base = code->flags & DIFFERENCES ? 0 : (uint64_t)code->base;

    for (size_t i = 0; i < code->table; i++) {
        reading->table[i] = base + code->factor * bytes_u64_little(bytes + 8 * i);
    }
    /* Fills the unused entries, since a damaged index may refer to them. */
    for (size_t i = code->table; i < TABLE && code->table > 0; i++) {
        reading->table[i] = base;
    }
    return 8 * code->table;
}

/* Finds the components of `count` encoded values. Returns false if the bytes are damaged. */
static bool read_code(struct reading *reading, const unsigned char *bytes, size_t size,
                      size_t count) {
    struct code *code = &reading->code;
    size_t at = HEADER;

    if (size < HEADER || count > COLUMN_CODE_VALUES || !column_code_read_header(code, bytes) ||
        size - at < 8 * code->table + (code->flags & SCALED ? 8 : 0)) {
        return false;
    }
    if (code->flags & SCALED) {
        code->factor = bytes_u64_little(bytes + at);
        at += 8;
    }
    at += column_code_read_table(reading, bytes + at);
    reading->changes = reading->presence = NULL;
    reading->coded = reading->present = count;
    if (code->flags & REPEATS) {
        reading->changes = column_code_read_bits(bytes, size, &at, count);
        /* the first value has no predecessor, so its bit must be set */
        if (reading->changes == NULL || count == 0 || (reading->changes[0] & 1) == 0) {
            return false;
        }
        reading->coded = reading->present = count_bits(reading->changes, count);
    }
    if (code->flags & PRESENCE) {
        reading->presence = column_code_read_bits(bytes, size, &at, reading->coded);
        if (reading->presence == NULL) {
            return false;
        }
        reading->present = count_bits(reading->presence, reading->coded);
    }
    reading->codes = bytes + at;
    return size - at == packed_size(reading->present, code->width);
}

/* Reads the number at a bit offset; `mask` selects its bits. */
ALWAYS_INLINE uint64_t number_at(const unsigned char *codes, size_t bit, uint64_t mask) {
    uint64_t number;

    memcpy(&number, codes + bit / 8, sizeof number);
    return le64toh(number) >> bit % 8 & mask;
}

/* Stores a value in an array of 64-bit (`wide`) or 32-bit elements. Callers are compiled once for
 * each size, so that loops need not test it. */
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

/* Unpacks the stored numbers, and converts them to values. */
ALWAYS_INLINE void unpack(const struct reading *reading, void *array, bool wide) {
    const unsigned char *codes = reading->codes;
    size_t width = reading->code.width, count = reading->present;
    uint64_t mask = width == WHOLE ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    uint64_t base = (uint64_t)reading->code.base, factor = reading->code.factor;

    if (reading->code.flags & DIFFERENCES) {
        for (size_t i = 0; i < count; i++) {
            uint64_t number = number_at(codes, i * width, mask);

            base += reading->code.table > 0 ? reading->table[number] : factor * number;
            put(array, wide, i, base);
        }
    } else if (reading->code.table > 0) {
        for (size_t i = 0; i < count; i++) {
            put(array, wide, i, reading->table[number_at(codes, i * width, mask)]);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            put(array, wide, i, base + factor * number_at(codes, i * width, mask));
        }
    }
}

/* Moves the values to their positions and fills gaps with `none`. Goes from the end to the start,
 * so that no value is overwritten before it is moved. Has no branches. */
ALWAYS_INLINE void spread(const struct reading *reading, uint64_t none, void *array, bool wide) {
    size_t left = reading->present;

    for (size_t i = reading->coded; i-- > 0;) {
        bool there = column_code_has_value(reading->presence, i);

        left -= there;
        put(array, wide, i, there ? take(array, wide, left) : none);
    }
}

/* Restores values that were not stored since they equal the value before. Goes from the end to the
 * start, so that no stored value is overwritten before it is read. */
ALWAYS_INLINE void repeat(const struct reading *reading, size_t count, void *array, bool wide) {
    size_t left = reading->coded;

    for (size_t i = count; i-- > 0;) {
        put(array, wide, i, take(array, wide, left - 1));
        left -= column_code_has_value(reading->changes, i);
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

bool column_decode(const unsigned char *code, size_t size, void *array, enum event_form form,
                   size_t count) {
    struct reading reading;

    if (!read_code(&reading, code, size, count)) {
        return false;
    }
    /* Represents NULL in the array, as in event_columns_put(). */
    uint64_t none = form == EVENT_FORM_INTEGER ? (uint64_t)EVENT_NONE
                    : form == EVENT_FORM_DEPTH ? UINT64_MAX
                                               : 0;
    bool wide = form == EVENT_FORM_INTEGER;
    if (wide) {
        decode_all(&reading, none, count, array, true);
    } else {
        decode_all(&reading, none, count, array, false);
    }
    return true;
}
