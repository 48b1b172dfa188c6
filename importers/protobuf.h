/* The wire format of protobuf: a message is fields, each a tag, by number and type, and a value. */
#ifndef TRACETOOL_PROTOBUF_H
#define TRACETOOL_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a message that are not yet read. */
struct wire {
    const uint8_t *at, *end; /* borrowed */
    bool damaged;
};

struct wire_field {
    uint64_t number;   /* 0: the message has no such field */
    uint64_t value;    /* value of a numeric field */
    struct wire bytes; /* value of other fields; NULL: numeric */
};

/* Returns the message in `length` bytes. */
struct wire wire_of_bytes(const void *bytes, size_t length);

/* Reads a number of at most ten bytes. False at the end, or, with `damaged` set, if it is longer.
 */
bool wire_varint(struct wire *wire, uint64_t *value);

/* Reads the next field. False at the end, or if it is damaged. */
bool wire_next(struct wire *wire, struct wire_field *field);

/* Returns the last field of a message with that number; zeros if it has none. */
struct wire_field wire_find(struct wire message, uint64_t number);

#endif
