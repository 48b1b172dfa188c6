/* The wire format of protobuf: a message is a list of fields, each a tag (number, type) and a
 * value. */
#ifndef TRACETOOL_PROTOBUF_H
#define TRACETOOL_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a message that are still to be read. */
struct wire {
    const uint8_t *at, *end; /* borrowed */
    bool damaged;
};

struct wire_field {
    uint64_t number;   /* number of the field; 0: the message has no such field */
    uint64_t value;    /* value of a numeric field */
    struct wire bytes; /* value of other fields; NULL: the field is numeric */
};

/* Returns the message in `length` bytes. */
struct wire wire_of_bytes(const void *bytes, size_t length);

/* Reads a number of at most ten bytes. False at the end, or, with `damaged` set, if it is longer.
 */
bool wire_varint(struct wire *wire, uint64_t *value);

/* Reads the next field. False at the end of the message, or if it is damaged. */
bool wire_next(struct wire *wire, struct wire_field *field);

/* Returns the last field of a message with a number; zeros if there is none. */
struct wire_field wire_find(struct wire message, uint64_t number);

#endif
