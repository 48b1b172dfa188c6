/* The wire format of protobuf: a message is a list of fields. Each is a tag (field number and type)
 * and a value. */
#ifndef TRACETOOL_PROTOBUF_H
#define TRACETOOL_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a message that are not read yet. */
struct wire {
    const uint8_t *at, *end; /* borrowed */
    bool damaged;
};

struct wire_field {
    uint64_t number;   /* number of the field; 0: not found in the message */
    uint64_t value;    /* value of a numeric field */
    struct wire bytes; /* value of a string or nested message; NULL: the field is numeric */
};

/* Returns the message in `length` bytes. */
struct wire wire_of_bytes(const void *bytes, size_t length);

/* Reads a varint of at most ten bytes. Returns false at the end, or with `damaged` set if the
 * varint is longer. */
bool wire_varint(struct wire *wire, uint64_t *value);

/* Reads the next field. Returns false at the end, or with `damaged` set if the field is damaged. */
bool wire_next(struct wire *wire, struct wire_field *field);

/* Returns the last field with a given number; zeros if the message has none. */
struct wire_field wire_find(struct wire message, uint64_t number);

#endif
