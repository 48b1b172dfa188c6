#include "protobuf.h"

bool wire_varint(struct wire *wire, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
        uint8_t byte = *wire->at++;

        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    wire->damaged = true;
    return false;
}

bool wire_next(struct wire *wire, struct wire_field *field) {
    uint64_t tag, length = 0;

    *field = (struct wire_field){0};
    if (wire->damaged || wire->at == wire->end || !wire_varint(wire, &tag)) {
        return false;
    }
    field->number = tag >> 3;
    switch (field->number == 0 ? 7 : tag & 7) {
    case 0:
        return wire_varint(wire, &field->value);
    case 1:
        length = 8;
        break;
    case 2:
        if (!wire_varint(wire, &length)) {
            return false;
        }
        break;
    case 5:
        length = 4;
        break;
    default:
        wire->damaged = true;
        return false;
    }
    if (length > (uint64_t)(wire->end - wire->at)) {
        wire->damaged = true;
        return false;
    }
    field->bytes = (struct wire){wire->at, wire->at + length, false};
    wire->at += length;
    return true;
}

struct wire wire_of_bytes(const void *bytes, size_t length) {
    const uint8_t *at = bytes;

    return (struct wire){at, length > 0 ? at + length : at, false};
}

struct wire_field wire_find(struct wire message, uint64_t number) {
    struct wire_field field, found = {0};

    while (wire_next(&message, &field)) {
        found = field.number == number ? field : found;
    }
    return found;
}
