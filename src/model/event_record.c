#include "model/event_record.h"

#include <endian.h>
#include <string.h>

/* Types of values. Those of numbers of 1, 2, 3, 4, 6 and 8 bytes are 1 to 6. */
enum {
    TYPE_NULL = 0,
    TYPE_ZERO = 8, /* of 1: the next one */
    TYPE_BYTES = 12,
};

/* Bytes, at most: of a header, which has a type for each column, and of a number in it. */
enum { HEADER = 64, VARINT = 9, NUMBER_BITS = 64 };

_Static_assert(2 + EVENT_PLACES + 1 + VARINT <= HEADER, "the header's length is one byte");
_Static_assert(HEADER + (EVENT_PLACES + 1) * 8 <= EVENT_RECORD_ROOM, "a record has room");

/* A record that is being made: the types aside, the values where they stay. */
struct record {
    unsigned char types[HEADER];
    size_t length; /* of the types */
    size_t needed; /* of them: what follows is NULL */
    unsigned char *end;
};

size_t event_record_varint(unsigned char *bytes, uint64_t number) {
    unsigned char groups[VARINT];
    size_t count = 0;

    if (number >> 56 != 0) { /* eight groups of 7 bits and a whole byte */
        bytes[VARINT - 1] = (unsigned char)number;
        number >>= 8;
        for (size_t i = VARINT - 1; i > 0; i--) {
            bytes[i - 1] = (unsigned char)(number | 0x80);
            number >>= 7;
        }
        return VARINT;
    }
    do {
        groups[count++] = (unsigned char)(number & 0x7f);
        number >>= 7;
    } while (number != 0);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(groups[count - 1 - i] | (i + 1 < count ? 0x80 : 0));
    }
    return count;
}

static inline void put_type(struct record *record, uint64_t type) {
    if (type < 0x80) {
        record->types[record->length++] = (unsigned char)type;
    } else {
        record->length += event_record_varint(record->types + record->length, type);
    }
    if (type != TYPE_NULL) {
        record->needed = record->length;
    }
}

/* EVENT_NONE is NULL. */
static inline void put_number(struct record *record, int64_t value) {
    static const struct {
        unsigned char type, size;
    } forms[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 6}, {5, 6}, {6, 8}, {6, 8}};
    unsigned bytes;
    uint64_t big;

    if (value == EVENT_NONE || value == 0 || value == 1) {
        put_type(record, value == EVENT_NONE ? TYPE_NULL : (uint64_t)(TYPE_ZERO + value));
        return;
    }
    /* Of a negative number the bits that differ from its sign count, and one bit is the sign's. */
    big = (uint64_t)(value < 0 ? ~value : value);
    bytes = ((big == 0 ? 0 : NUMBER_BITS - (unsigned)__builtin_clzll(big)) + 1 + 7) / 8;
    big = htobe64((uint64_t)value << (64 - 8 * forms[bytes].size));
    memcpy(record->end, &big, sizeof big);
    record->end += forms[bytes].size;
    put_type(record, forms[bytes].type);
}

static void put_arguments(struct record *record, const struct event *event, bool wanted) {
    if (!wanted || event->arguments == NULL) {
        put_type(record, TYPE_NULL);
        return;
    }
    memcpy(record->end, event->arguments, event->arguments_size);
    record->end += event->arguments_size;
    put_type(record, TYPE_BYTES + 2 * (uint64_t)event->arguments_size);
}

#define NUMBER_INTEGER(value) (value)
#define NUMBER_PARENT(value)  ((value) == EVENT_NONE ? EVENT_NONE : first_row + (value))
#define NUMBER_ID(value)      ((value) == 0 ? EVENT_NONE : (int64_t)(value))
#define NUMBER_FLAGS(value)   ((int64_t)(value))
#define NUMBER_DEPTH(value)   ((value) < 0 ? EVENT_NONE : (int64_t)(value))

#define PUT_NUMBER(column, number) put_number(&record, columns &(column) ? (number) : EVENT_NONE)
#define PUT_INTEGER(column, value) PUT_NUMBER(column, NUMBER_INTEGER(value))
#define PUT_PARENT(column, value)  PUT_NUMBER(column, NUMBER_PARENT(value))
#define PUT_ID(column, value)      PUT_NUMBER(column, NUMBER_ID(value))
#define PUT_FLAGS(column, value)   PUT_NUMBER(column, NUMBER_FLAGS(value))
#define PUT_DEPTH(column, value)   PUT_NUMBER(column, NUMBER_DEPTH(value))
#define PUT_BYTES(column, value)   put_arguments(&record, event, (columns & (column)) != 0)

struct event_record event_record_make(const struct event *event, unsigned columns,
                                      int64_t first_row, unsigned char *memory) {
    unsigned char *values = memory + HEADER, *start;
    struct record record = {.end = values};

    put_type(&record, TYPE_NULL); /* the id is the key of the row, and stands there */
    put_number(&record, event->time);
#define X(NAME, field, FORM) PUT_##FORM(EVENT_##NAME, event->field);
    EVENT_COLUMNS(X)
#undef X
    start = values - 1 - record.needed;
    *start = (unsigned char)(1 + record.needed);
    memcpy(start + 1, record.types, record.needed);
    return (struct event_record){start, (size_t)(record.end - start)};
}
