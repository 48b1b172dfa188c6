/* Perfetto writes protobuf messages: a trace is a sequence of packets, field 1, and an early packet
 * holds a marker of 16 bytes. Reports of simpleperf for other programs begin with `SIMPLEPERF`,
 * followed by protobuf. */
#include "android_trace_other.h"

#include <stdbool.h>
#include <string.h>

enum { PACKET = 1 << 3 | 2, FEW_PACKETS = 3 };

struct cursor {
    const uint8_t *at, *end;
};

static bool read_varint(struct cursor *cursor, uint64_t *number) {
    *number = 0;
    for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;

        *number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* Skips a protobuf field. False if it is malformed or cut off. */
static bool skip_field(struct cursor *cursor) {
    uint64_t tag, length;

    if (!read_varint(cursor, &tag) || tag >> 3 == 0) {
        return false;
    }
    switch (tag & 7) {
    case 0:
        return read_varint(cursor, &length);
    case 1:
        length = 8;
        break;
    case 5:
        length = 4;
        break;
    case 2:
        if (!read_varint(cursor, &length)) {
            return false;
        }
        break;
    default:
        return false;
    }
    if (length > (uint64_t)(cursor->end - cursor->at)) {
        return false;
    }
    cursor->at += length;
    return true;
}

static bool is_message(struct cursor message) {
    bool good = message.at < message.end;

    while (good && message.at < message.end) {
        good = skip_field(&message);
    }
    return good;
}

/* Returns whether the bytes begin with packets, each a message. */
static bool are_packets(const uint8_t *bytes, size_t length) {
    struct cursor cursor = {bytes, bytes + length};
    int packets = 0;

    while (cursor.at < cursor.end && packets < FEW_PACKETS) {
        uint64_t size;

        if (*cursor.at++ != PACKET || !read_varint(&cursor, &size) ||
            size > (uint64_t)(cursor.end - cursor.at) ||
            !is_message((struct cursor){cursor.at, cursor.at + size})) {
            return false;
        }
        cursor.at += size;
        packets++;
    }
    return packets == FEW_PACKETS;
}

static bool is_perfetto(const uint8_t *bytes, size_t length) {
    static const uint8_t mark[] = {0x82, 0x47, 0x7A, 0x76, 0xB2, 0x8D, 0x42, 0xBA,
                                   0x81, 0xDC, 0x33, 0x32, 0x6D, 0x57, 0xA0, 0x79};

    return length > 0 && bytes[0] == PACKET &&
           (memmem(bytes, length, mark, sizeof mark) != NULL || are_packets(bytes, length));
}

static bool begins_with(const uint8_t *bytes, size_t length, const char *magic) {
    return length >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

const char *android_other_format(const uint8_t *bytes, size_t length) {
    if (is_perfetto(bytes, length)) {
        return "a Perfetto trace, which is not an Android method trace: open it in ui.perfetto.dev "
               "or query it with trace_processor";
    }
    if (begins_with(bytes, length, "PERFILE2") || begins_with(bytes, length, "PERFFILE")) {
        return "perf's perf.data, which is not an Android method trace: perf script -i perf.data "
               ">log, and import that";
    }
    if (begins_with(bytes, length, "SIMPLEPERF")) {
        return "a report of simpleperf: samples, which are not an Android method trace; open it in "
               "Android Studio or report with simpleperf";
    }
    return NULL;
}
